"""XLA FFI handlers in Python: functions that compiled programs call.

    @ffi.handler(plugin, "scale")
    def scale(call):
        (x,), (y,) = call.args, call.results
        y.view()[:] = ...              # CPU; on a GPU, launch on call.stream with x.data and y.data

The program refers to it as ``stablehlo.custom_call @scale(...) {api_version = 4 : i32}``. An exception of the handler
becomes the error of the call that reached it. Handlers run on whatever thread the plugin uses, several at once.
"""

from __future__ import annotations

from .frame import Call, FfiBuffer, Stage
from .registry import Handler, handler, register, registered
from .userdata import UserData

__all__ = ["Call", "FfiBuffer", "Handler", "Stage", "UserData", "handler", "register", "registered"]

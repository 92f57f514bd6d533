"""User data: Python objects that an execution carries to the handlers it reaches."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from ..abi import Frame, layout
from ..api import forkable
from ..executable import Executable
from .host import FORGET, keep

if TYPE_CHECKING:
    from ..execute import Context
    from ..plugin import Plugin

_names = itertools.count(1)


class UserData:
    """A kind of user data, registered with one plugin: ``key.attach(context, value)``, ``call.user_data(key)``."""

    def __init__(self, plugin: Plugin, name: str = "") -> None:
        self.plugin = plugin
        self.name = name or f"ppy_pjrt.user_data.{next(_names)}"
        info = Frame(layout("PJRT_FFI_Type_Info"))
        info["deleter"] = FORGET
        plugin.initialize()
        frame = plugin.call_extension(
            "FFI", "type_register", "PJRT_FFI_Type_Register_Args", type_name=self.name.encode(), type_info=info
        )
        self._info = info
        _give_every_execution_a_context(plugin)
        self.type_id: int = frame["type_id"]

    def attach(self, context: Context, value: Any) -> None:
        """Gives the executions of a context this object."""
        args = self.plugin.api.frame("PJRT_FFI_UserData_Add_Args", context=context._live())
        args["user_data.type_id"], args["user_data.data"] = self.type_id, keep(value)
        table = self.plugin.require("FFI").table
        assert table is not None
        error = table.entry("user_data_add")(args.address)
        if error:
            raise self.plugin.api.take_error(error)


def _give_every_execution_a_context(plugin: Plugin) -> None:
    """XLA crashes when asked for user data of an execution without a context: from now on each has an empty one."""
    from ..execute import Context

    if plugin.api.empty_context:
        return
    context = Context(plugin)
    plugin.api.empty_context = context._handle
    for item in list(forkable):
        if isinstance(item, Executable) and item.api is plugin.api:
            item._reset_plans()

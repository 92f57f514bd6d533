"""Registering handlers: one function for the execute stage, and, where wanted, one for each earlier stage.

A plugin keeps a registered function for ever, so its trampoline lives for ever too, and a name can be given once.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..abi import Frame, enum, layout
from ..errors import AlreadyExists, InvalidArgument, Unsupported
from .frame import Call, Stage
from .host import FORGET, Host, host_at, keep

if TYPE_CHECKING:
    from ..plugin import Plugin

Function = Callable[[Call], Any]
_HANDLER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_PLATFORMS = {"cpu": "Host", "cuda": "CUDA", "rocm": "ROCM"}
_METADATA = enum("XLA_FFI_InternalExtension_Type")

_handlers: dict[tuple[str, str, str], Handler] = {}
_lock = threading.Lock()


class Handler:
    """A registered handler. ``calls`` counts how often its execute stage was reached."""

    def __init__(self, plugin: Plugin, name: str, platform: str, stages: dict[str, Function], traits: int) -> None:
        self.plugin = plugin
        self.name = name
        self.platform = platform
        self.calls = 0
        self._traits = traits
        self._stages = stages
        self._state_type = 0
        self._trampolines = {stage: _HANDLER(self._trampoline(stage)) for stage in stages}

    def _trampoline(self, stage: str) -> Callable[[int], int | None]:
        def run(address: int) -> int | None:
            frame = Frame.at(layout("XLA_FFI_CallFrame"), address)
            if frame["extension_start"]:
                return self._answer_metadata(frame)
            host = host_at(frame["api"])
            try:
                self._reach(stage, address, host)
            except BaseException as raised:
                return host.error(raised)
            return None

        return run

    def _reach(self, stage: str, address: int, host: Host) -> None:
        call = Call(address, self.platform, self._state_type)
        if stage == "execute":
            self.calls += 1
        try:
            value = self._stages[stage](call)
            if stage == "instantiate" and value is not None:
                kind = ctypes.c_int64(self._state_type)
                host.call(
                    "XLA_FFI_State_Set", ctx=call._frame["ctx"], stage=Stage["INSTANTIATE"].value,
                    type_id=ctypes.addressof(kind), state=keep(value),
                )  # fmt: skip
        finally:
            call.end()

    def _answer_metadata(self, frame: Frame) -> int | None:
        extension = Frame.at(layout("XLA_FFI_Metadata_Extension"), frame["extension_start"])
        if extension["extension_base.type"] != next(iter(_METADATA.values()))[0]:
            return None
        host = host_at(frame["api"])
        _found_host[self.plugin.digest] = host
        metadata = Frame.at(layout("XLA_FFI_Metadata"), extension["metadata"])
        metadata["api_version.major_version"] = 0
        metadata["api_version.minor_version"] = host.version
        metadata["traits"] = self._traits
        if self._state_type:
            metadata["state_type_id.type_id"] = self._state_type
        return None

    def _address(self, stage: str) -> int:
        found = self._trampolines.get(stage)
        return (ctypes.cast(found, ctypes.c_void_p).value or 0) if found is not None else 0

    def register_plain(self) -> None:
        """Through the plugin's FFI extension, which takes an execute function."""
        self.plugin.call_extension(
            "FFI", "register_handler", "PJRT_FFI_Register_Handler_Args", target_name=self.name.encode(),
            handler=self._address("execute"), platform_name=self.platform.encode(), traits=self._traits,
        )  # fmt: skip

    def register_bundle(self, host: Host) -> None:
        """Through the FFI's own table, which takes a function per stage."""
        if "instantiate" in self._stages:
            self._state_type = _state_type(host)
        frame = host.frame("XLA_FFI_Handler_Register_Args")
        for stage in self._stages:
            frame[f"bundle.{stage}"] = self._address(stage)
        for span, text in (("name", self.name), ("platform", self.platform)):
            raw = text.encode()
            frame[f"{span}.ptr"], frame[f"{span}.len"] = raw, len(raw)
        frame["traits"] = self._traits
        field = layout("XLA_FFI_Api").fields["XLA_FFI_Handler_Register"]
        pointer = ctypes.c_void_p.from_address(host.address + field.offset).value or 0
        error = _HANDLER(pointer)(frame.address)
        if error:
            raise host.take_error(error)


_found_host: dict[str, Host] = {}
_state_types: dict[int, tuple[int, Any]] = {}


def _state_type(host: Host) -> int:
    if host.address not in _state_types:
        info = host.frame("XLA_FFI_TypeInfo", deleter=FORGET)
        number = ctypes.c_int64(0)
        name = b"ppy_pjrt.state"
        frame = host.frame("XLA_FFI_Type_Register_Args", type_id=ctypes.addressof(number), type_info=info)
        frame["name.ptr"], frame["name.len"] = name, len(name)
        field = layout("XLA_FFI_Api").fields["XLA_FFI_Type_Register"]
        pointer = ctypes.c_void_p.from_address(host.address + field.offset).value or 0
        error = _HANDLER(pointer)(frame.address)
        if error:
            raise host.take_error(error)
        _state_types[host.address] = number.value, (info, frame)
    return _state_types[host.address][0]


def _host_of(plugin: Plugin) -> Host:
    """The FFI table of a plugin: it shows itself when a first handler is registered."""
    if plugin.digest not in _found_host:
        platform = _platform(plugin, None)
        register(plugin, "ppy_pjrt.find_ffi_table", lambda call: None, platform=platform)
    if plugin.digest not in _found_host:
        raise Unsupported(
            f"{plugin!r} did not show its FFI table on registration, so earlier stages cannot be registered"
        )
    return _found_host[plugin.digest]


def _platform(plugin: Plugin, given: str | None) -> str:
    if given is not None:
        return {"cpu": "Host", "host": "Host"}.get(given.lower(), given)
    found = _PLATFORMS.get(plugin.platform)
    if found is None:
        raise InvalidArgument(f"{plugin!r} is for {plugin.platform!r}; say which FFI platform the handler is for")
    return found


def register(
    plugin: Plugin, name: str, execute: Function, *, instantiate: Function | None = None,
    prepare: Function | None = None, initialize: Function | None = None, platform: str | None = None, traits: int = 0,
) -> Handler:  # fmt: skip
    """Registers a handler by name. What ``instantiate`` returns is the ``call.state`` of the later stages."""
    stages: dict[str, Function] = {"execute": execute}
    for stage, function in (("instantiate", instantiate), ("prepare", prepare), ("initialize", initialize)):
        if function is not None:
            stages[stage] = function
    for stage, function in stages.items():
        if not callable(function):
            raise InvalidArgument(f"{stage} of the handler {name!r} is a {type(function).__name__}, not a function")
    plugin.require("FFI")
    plugin.initialize()
    place = _platform(plugin, platform)
    found = Handler(plugin, name, place, stages, traits)
    key = (plugin.digest, name, place)
    with _lock:
        if key in _handlers:
            raise AlreadyExists(f"a handler {name!r} is registered with {plugin!r} for {place} already")
        _handlers[key] = found
    try:
        if len(stages) == 1:
            found.register_plain()
        else:
            found.register_bundle(_host_of(plugin))
    except BaseException:
        del _handlers[key]
        raise
    return found


def handler(
    plugin: Plugin, name: str, *, platform: str | None = None, traits: int = 0
) -> Callable[[Function], Handler]:
    """The decorator form of ``register``."""

    def bind(function: Function) -> Handler:
        return register(plugin, name, function, platform=platform, traits=traits)

    return bind


def registered(plugin: Plugin | None = None) -> list[str]:
    """Names of registered handlers."""
    return sorted(name for digest, name, _ in _handlers if plugin is None or digest == plugin.digest)

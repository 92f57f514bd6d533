"""The type of a handler table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ppy_compiler.ir import Operation
from ppy_compiler.lower.body import Body

Handler = Callable[[Body, Any], None]
Handlers = dict[type[Operation], Handler]

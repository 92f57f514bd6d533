"""Every option there is: its name, values, default, flag and environment variable. The one table.

The reader of `[tool.ppy]`, the command line, the environment and `ppy config` all follow `KEYS`, so adding an option is
one row here and its use. A warm `ppy run` reads its command line by this table, so nothing is imported here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

STRICT_FAMILIES = ("stayed-python", "stayed-general")
ENGINES = ("native", "interpreter", "python")
REMARKS = ("none", "all")


class Refused(ValueError):
    """A value that a key does not admit; the text completes "`key` …"."""


class Key:
    """One option. `from_toml` checks a value of `pyproject.toml`, `from_text` one of the environment or command line;
    both raise Refused. `per_file` keys may stand in an override. `flag` with `metavar` takes a value, without it stands
    alone and has a `--no-` twin."""

    __slots__ = ("default", "flag", "from_text", "from_toml", "help", "metavar", "name", "per_file")

    def __init__(
        self,
        name: str,
        default: Any,
        help: str,
        from_toml: Callable[[Any], Any],
        from_text: Callable[[str], Any],
        flag: str,
        metavar: str = "",
        per_file: bool = False,
    ) -> None:
        self.name = name
        self.default = default
        self.help = help
        self.from_toml = from_toml
        self.from_text = from_text
        self.flag = flag
        self.metavar = metavar
        self.per_file = per_file

    @property
    def environment(self) -> str:
        return "PPY_" + self.name.upper().replace("-", "_")


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Refused("must be true or false")
    return value


def _boolean_text(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in words:
        raise Refused("must be 1 or 0")
    return words[text.lower()]


def _level(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3:
        raise Refused("must be an integer from 0 to 3")
    return value


def _level_text(text: str) -> int:
    return _level(int(text) if text.isascii() and text.isdigit() else text)


def _string(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise Refused("must be a string that is not empty")
    return value


def _strings(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) and item for item in value):
        raise Refused("must be a list of strings")
    return tuple(value)


def _list_text(text: str) -> tuple[str, ...]:
    return tuple(item for item in text.split(",") if item)


def _one_of(choices: Sequence[str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in choices:
            raise Refused(f"must be one of {', '.join(choices)}")
        return str(value)

    return check


def _strict(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool):
        return STRICT_FAMILIES if value else ()
    families = _strings(value) if isinstance(value, list | tuple) else None
    if families is None or not set(families) <= set(STRICT_FAMILIES):
        raise Refused(f"must be true, false, or a list of {', '.join(STRICT_FAMILIES)}")
    return families


def _strict_text(text: str) -> tuple[str, ...]:
    try:
        return _strict(_boolean_text(text))
    except Refused:
        return _strict(_list_text(text))


KEYS = (
    Key("strict", (), "families of remarks that are errors", _strict, _strict_text, "--strict", per_file=True),
    Key(
        "opt-level",
        None,
        "optimisation, 0 to 3",
        _level,
        _level_text,
        "--opt-level",
        metavar="N",
        per_file=True,
    ),
    Key("unsafe", False, "let 64-bit integers wrap around", _boolean, _boolean_text, "--unsafe", per_file=True),
    Key("host-cpu", False, "make code for this processor only", _boolean, _boolean_text, "--host-cpu"),
    Key("engine", "native", "what runs programs", _one_of(ENGINES), _one_of(ENGINES), "--engine", metavar="ENGINE"),
    Key("backend", "llvm", "the backend that makes native code", _string, _string, "--backend", metavar="NAME"),
    Key(
        "source-roots",
        (),
        "folders with modules of the project, beside the program's own folder",
        _strings,
        _list_text,
        "--source-roots",
        metavar="DIR,DIR",
    ),
    Key("cache-dir", None, "where to keep compiled code first", _string, _string, "--cache-dir", metavar="DIR"),
    Key(
        "remarks",
        "none",
        "what to say about code that stayed slow",
        _one_of(REMARKS),
        _one_of(REMARKS),
        "--remarks",
        metavar="WHICH",
    ),
)
BY_NAME = {key.name: key for key in KEYS}
SHORT_FLAGS = {"-O": BY_NAME["opt-level"]}

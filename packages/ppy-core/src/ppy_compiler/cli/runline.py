"""The command line of `ppy run`, read without argparse: a warm start has no time for it.

Options stand before FILE; everything from FILE on belongs to the program. What the table of options does not know, or a
request for help, is left to the ordinary parser, which words the answer.
"""

from __future__ import annotations

from ppy_compiler.driver.settings import KEYS, SHORT_FLAGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class RunLine:
    """`options` are configuration keys as text; `verbose` counts `-v`."""

    __slots__ = ("arguments", "file", "options", "verbose")

    def __init__(self, file: str, arguments: list[str], options: dict[str, str], verbose: int) -> None:
        self.file = file
        self.arguments = arguments
        self.options = options
        self.verbose = verbose


def parse(words: Sequence[str]) -> RunLine | None:
    """The command line after `run`, or None where it is not plainly right."""
    options: dict[str, str] = {}
    verbose = 0
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        word = rest.pop(0)
        if word in ("-v", "-vv", "--verbose"):
            verbose += word.count("v") if word != "--verbose" else 1
        elif word == "--":
            break
        elif not _option(word, rest, options):
            return None
    if not rest:
        return None
    return RunLine(rest[0], rest[1:], options, verbose)


def _option(word: str, rest: list[str], options: dict[str, str]) -> bool:
    for short, key in SHORT_FLAGS.items():
        if word.startswith(short):
            value = word[len(short) :].removeprefix("=") or (rest.pop(0) if rest else "")
            options[key.name] = value
            return value != ""
    flag, equals, value = word.partition("=")
    for key in KEYS:
        if key.metavar and flag == key.flag:
            if not equals and not rest:
                return False
            options[key.name] = value if equals else rest.pop(0)
            return True
        if not key.metavar and not equals and flag in (key.flag, "--no-" + key.flag[2:]):
            options[key.name] = "1" if flag == key.flag else "0"
            return True
    return False


def ticket_options(options: dict[str, str], stress: bool) -> dict[str, str]:
    """The part of the options under which a cached program is found: those that change what a build makes."""
    kept = {name: value for name, value in options.items() if name != "cache-dir"}
    if stress:
        kept["stress"] = "1"
    return kept

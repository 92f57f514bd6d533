from __future__ import annotations

import pytest
from ppy_compiler.cli.runline import parse, ticket_options
from ppy_compiler.driver.settings import KEYS


@pytest.mark.parametrize(
    ("words", "file", "arguments", "options"),
    [
        (["f.py"], "f.py", [], {}),
        (["f.py", "-O", "3", "--unsafe"], "f.py", ["-O", "3", "--unsafe"], {}),
        (["-O", "0", "f.py"], "f.py", [], {"opt-level": "0"}),
        (["-O3", "--unsafe", "f.py", "x"], "f.py", ["x"], {"opt-level": "3", "unsafe": "1"}),
        (["--no-strict", "--engine=python", "f.py"], "f.py", [], {"strict": "0", "engine": "python"}),
        (["--cache-dir", "c d", "-v", "f.py"], "f.py", [], {"cache-dir": "c d"}),
        (["--", "-f.py"], "-f.py", [], {}),
        (["-"], "-", [], {}),
    ],
)
def test_plain_lines(words: list[str], file: str, arguments: list[str], options: dict[str, str]) -> None:
    line = parse(words)
    assert line is not None
    assert (line.file, line.arguments, line.options) == (file, arguments, options)


@pytest.mark.parametrize(
    "words", [[], ["-h"], ["--help"], ["--unknown", "f.py"], ["-O"], ["--engine"], ["--unsafe=1", "f"]]
)
def test_the_rest_is_left_to_argparse(words: list[str]) -> None:
    assert parse(words) is None


def test_every_option_is_known() -> None:
    for key in KEYS:
        words = [key.flag, "1", "f.py"] if key.metavar else [key.flag, "f.py"]
        line = parse(words)
        assert line is not None
        assert line.options == {key.name: "1"}


def test_the_ticket_depends_on_what_a_build_depends_on() -> None:
    assert ticket_options({"opt-level": "0", "cache-dir": "x"}, False) == {"opt-level": "0"}
    assert ticket_options({}, True) != ticket_options({}, False)

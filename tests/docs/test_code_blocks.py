"""Every code block of the documentation runs, in a folder of its own for each page.

What a block's first line says decides how:

    ```python                 a program that has to succeed
    ```python raises=KeyError a program that has to end with that exception
    ```python file=main.py    a file for the blocks that follow; toml and json work alike
    ```console                lines after `$ ` are commands that have to succeed, or `$ … # status 1`; what follows a
                              command is its standard output, `...` standing for any text
    ```console ci             commands that prepare a machine: `.ci/run` runs them, and has to hold every one
    ```console venv           commands that install something: a test of the core runs them, in its own environment
    ```toml, ```json          has to parse
    ```text and others        no code

The pages of docs/diagnostics are held to their examples by the tests of the diagnostics, those about PJRT and NumPy by
the tests of the client, which need its plugins, and of the plugin.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {"diagnostics", "pjrt", "ppy-pjrt", "numpy", "08_arrays"}
RUNNABLE = {"python", "console", "toml", "json"}
_FENCE = re.compile(r"^( *)```(\w*)([^\n`]*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    line: int
    language: str
    options: dict[str, str]
    text: str


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        indent, language, info, body = match.groups()
        body = "".join(line.removeprefix(indent) for line in body.splitlines(keepends=True))
        options = {name: value for name, _, value in (word.partition("=") for word in info.split())}
        yield Block(text.count("\n", 0, match.start()) + 1, language, options, body)


def pages() -> list[Path]:
    found = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("packages/*/README.md")]
    found += [*ROOT.glob("examples/**/*.md"), *ROOT.glob("benchmarks/**/*.md")]
    kept = [page for page in sorted(found) if not ELSEWHERE & set(page.relative_to(ROOT).parts)]
    return [page for page in kept if any(block.language in RUNNABLE for block in blocks(page))]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, tmp_path: Path) -> None:
    for name in ("examples", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    for block in blocks(page):
        try:
            run_block(block, tmp_path)
        except AssertionError as error:
            raise AssertionError(f"{page.relative_to(ROOT)}:{block.line}: {error}") from error


def run_block(block: Block, folder: Path) -> None:
    match block.language:
        case "toml":
            tomllib.loads(block.text)
        case "json":
            json.loads(block.text)
    if "file" in block.options:
        path = folder / block.options["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
    elif block.language == "python":
        run_program(block, folder)
    elif block.language == "console":
        for command, expected in commands(block.text):
            if "ci" in block.options:
                assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8"), f"{command!r} is not in .ci/run"
            elif "venv" not in block.options:
                run_command(command, expected, folder)


def run_program(block: Block, folder: Path) -> None:
    (folder / "block.py").write_text(block.text, encoding="utf-8")
    environment = environ(folder / ".bin")
    done = subprocess.run([sys.executable, "block.py"], cwd=folder, env=environment, capture_output=True, text=True)
    if exception := block.options.get("raises"):
        assert done.returncode == 1, f"it ended with status {done.returncode}"
        assert re.search(rf"^(\w+\.)*{exception}\b", done.stderr, re.MULTILINE), done.stderr
    else:
        assert done.returncode == 0, done.stderr


def commands(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        yield command, expected


def run_command(command: str, expected: str, folder: Path) -> None:
    status = re.search(r"# status (\d)$", command)
    environment = environ(folder / ".bin")
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
    wanted = int(status[1]) if status else 0
    assert done.returncode == wanted, f"{command!r} ended with status {done.returncode}:\n{done.stdout}{done.stderr}"
    if expected.strip():
        pattern = ".*?".join(map(re.escape, expected.strip().split("...")))
        assert re.fullmatch(pattern, done.stdout.strip(), re.DOTALL), f"{command!r} printed\n{done.stdout}"


def environ(commands: Path) -> dict[str, str]:
    """`python` is this one, `ppy` the command of its compiler, wherever scripts were installed to."""
    commands.mkdir(exist_ok=True)
    (commands / "ppy").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ppy_compiler "$@"\n')
    (commands / "ppy").chmod(0o755)
    path = os.pathsep.join([str(commands), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": path, "NO_COLOR": "1"}


PAGE = """\
```python file=a/b.py
x = 1
```

- item

  ```console
  $ cat a/b.py
  x = ...
  $ false # status 1
  ```
```python raises=KeyError
{}[1]
```
```text
nothing
```
```toml
a = 1
```
```json
{}
```
"""


def test_blocks_are_found_and_run(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    found = list(blocks(page))
    assert [block.language for block in found] == ["python", "console", "python", "text", "toml", "json"]
    assert found[1].line == 7
    for block in found:
        run_block(block, tmp_path)


@pytest.mark.parametrize("text", ["```python\n1/0\n```", "```console\n$ echo a\nb\n```", "```console\n$ false\n```"])
def test_blocks_that_lie_are_noticed(tmp_path: Path, text: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text + "\n")
    with pytest.raises(AssertionError):
        run_block(next(blocks(page)), tmp_path)

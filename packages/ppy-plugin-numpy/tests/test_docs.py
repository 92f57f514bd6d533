"""The pages about NumPy: their code runs, and the table of functions is that of the model."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ppy_plugins.numpy import support

ROOT = Path(__file__).parents[3]
TABLE_OF = (2, 4)
"""The NumPy whose functions the page lists."""


def code_blocks() -> Any:
    """How blocks run in all other pages."""
    spec = importlib.util.spec_from_file_location("code_blocks", ROOT / "tests" / "docs" / "test_code_blocks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["code_blocks"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.llvm
@pytest.mark.parametrize("page", [ROOT / "docs/numpy/index.md"], ids=lambda page: page.stem)
def test_blocks(page: Path, tmp_path: Path) -> None:
    runner = code_blocks()
    for block in runner.blocks(page):
        runner.run_block(block, tmp_path)


@pytest.mark.llvm
@pytest.mark.parametrize("example", sorted((ROOT / "examples/numpy").glob("*/main.py")), ids=lambda p: p.parent.name)
def test_examples(example: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "PPY_CACHE_DIR": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, *words, str(example)], env=environ, capture_output=True, text=True, check=True)
        for words in ([], ["-m", "ppy_compiler", "run"])
    ]
    assert runs[0].stdout == runs[1].stdout != ""


def test_every_public_function_is_in_the_table() -> None:
    listed = {name for module in support.MODULES for name, _ in support.rows(module)}
    assert {"add", "exp", "where", "sum", "zeros", "solve", "rfft", "default_rng"} <= listed
    assert all(becomes for module in support.MODULES for _, becomes in support.rows(module))


def test_the_table_is_current() -> None:
    version = tuple(map(int, np.__version__.split(".")[:2]))
    if version == TABLE_OF:
        done = subprocess.run([sys.executable, "tools/numpy_docs.py", "--check"], cwd=ROOT)
        assert done.returncode == 0

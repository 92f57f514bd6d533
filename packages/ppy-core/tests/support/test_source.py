from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ppy_compiler.support.source import Source, decode
from ppy_compiler.support.spans import Span

# Each holds one string literal, so that what CPython decoded can be asked for.
DECODABLE = [
    b"x = 'plain'",
    b"\xef\xbb\xbfx = '\xc3\xa9'",
    b"\xef\xbb\xbf# coding: utf-8\nx = '\xc3\xa9'",
    b"# -*- coding: latin-1 -*-\nx = '\xe9'",
    b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'",
    b"# \xe9 not UTF-8, but line two says so\n# coding: latin-1\nx = '\xe9'",
    b"\n# coding: latin-1\nx = '\xe9'",
    b"\f# coding: latin-1\nx = '\xe9'",
    b"# encoding=iso-8859-15\r\nx = '\xa4'\r\n",
    b"# coding: latin-1\rx = '\xe9'\r",
    b"# coding:\n# coding: koi8-r\nx = '\xc1'",
    b"# coding: UTF_8\nx = '\xc3\xa9'",
    b"# coding: utf-8-unix\nx = '\xc3\xa9'",
    b"y = 1 # coding: latin-1\nx = '\xc3\xa9'",
    b"y = 1\n# coding: latin-1\nx = '\xc3\xa9'",
    b"# one\n# two\n# coding: latin-1\nx = '\xc3\xa9'",
    b"# coding: shift_jis\nx = '\x82\xa0'",
]
UNDECODABLE = [
    b"x = '\xe9'",
    b"\xef\xbb\xbf# coding: latin-1\nx = 1",
    b"# coding: no-such-codec\nx = 1",
    b"# coding: ascii\nx = '\xe9'",
    b"# coding: utf-8\nx = '\xff'",
    b"# coding: rot13\nk = 1",
    b"x = '\xed\xa0\x80'",
]


@pytest.mark.parametrize("data", DECODABLE)
def test_text_is_what_cpython_decodes(data: bytes) -> None:
    namespace: dict[str, object] = {}
    exec(compile(data, "m.py", "exec", dont_inherit=True), namespace)
    ours: dict[str, object] = {}
    exec(compile(Source.from_bytes(data, "m.py").text, "m.py", "exec", dont_inherit=True), ours)
    assert ours["x"] == namespace["x"]


@pytest.mark.parametrize("data", UNDECODABLE)
def test_errors_are_cpythons_own(data: bytes) -> None:
    with pytest.raises(SyntaxError) as theirs:
        compile(data, "m.py", "exec", dont_inherit=True)
    with pytest.raises(SyntaxError) as ours:
        Source.from_bytes(data, "m.py")
    assert type(ours.value) is type(theirs.value)
    assert ours.value.args == theirs.value.args


@given(st.binary(max_size=40), st.sampled_from([b"", b"# coding: latin-1\n", b"# coding: ascii\n", b"\xef\xbb\xbf"]))
def test_whatever_cpython_compiles_we_decode(tail: bytes, head: bytes) -> None:
    data = head + b"# " + tail
    try:
        compile(data, "m.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return
    decode(data, "m.py")


def test_universal_newlines_and_no_other_line_ends() -> None:
    source = Source.from_bytes(b"a\r\nb\rc\n\x0cd\xe2\x80\xa8e")
    assert [source.line(n) for n in range(1, source.line_count + 1)] == ["a", "b", "c", "\x0cd\u2028e"]
    assert source.line(0) == source.line(99) == ""


def test_byte_columns_become_characters() -> None:
    source = Source.from_text("ab\nü = '€uro'\n")
    assert source.character(2, 3) == 2
    assert source.excerpt(Span(2, 5, 2, 13)) == "'€uro'"[:8]
    assert [source.offset(2, col) for col in (0, 2, 3)] == [3, 4, 5]


def test_read_keeps_path_bytes_and_digest(tmp_path: Path) -> None:
    path = tmp_path / "spaced näme.py"
    path.write_bytes(b"x = 1\r\n")
    source = Source.read(path)
    assert (source.path, source.data, source.text) == (str(path), b"x = 1\r\n", "x = 1\n")
    assert source.digest == Source.from_bytes(b"x = 1\r\n").digest
    assert repr(source) == f"Source({str(path)!r}, 2 lines)"


def test_read_raises_as_open_does(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Source.read(tmp_path / "absent.py")
    with pytest.raises(IsADirectoryError):
        Source.read(tmp_path)

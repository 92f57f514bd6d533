from __future__ import annotations

import pytest
from ppy_compiler.support.versions import Requirement, fits, parse_requirement, version_key

ORDER = ["1.0.dev1", "1.0a1.dev2", "1.0a1", "1.0b2", "1.0rc1", "1.0", "1.0.post1", "1.0.1", "1.10", "2.0", "1!0.1"]


def test_versions_sort_as_pep_440_says() -> None:
    keys = [version_key(text) for text in ORDER]
    assert None not in keys
    assert keys == sorted(keys, key=lambda key: key or (0, (), (0, 0), 0, 0))


@pytest.mark.parametrize(
    ("version", "bound", "expected"),
    [
        ("1.26.4", ">=1.26,<3", True),
        ("3.0", ">=1.26,<3", False),
        ("1.0", "==1.0.0", True),
        ("1.4.7", "==1.4.*", True),
        ("1.5", "!=1.4.*", True),
        ("2.3.1", "~=2.2", True),
        ("3.0", "~=2.2", False),
        ("2.2.9", "~=2.2.1", True),
        ("2.3", "~=2.2.1", False),
        ("1.0rc1", "<1.0", False),
        ("1.0.post1", ">1.0", False),
        ("1.0+cpu", "==1.0", True),
        ("1.0", "", True),
        ("1.0", ">=one", False),
        ("unknown", ">=1", False),
        ("1.0", "===1.0", True),
    ],
)
def test_bounds(version: str, bound: str, expected: bool) -> None:
    assert fits(version, bound) is expected


def test_requirements() -> None:
    assert parse_requirement('numpy>=1.26,<3; extra == "library"') == Requirement("numpy", ">=1.26,<3", "library")
    assert parse_requirement("ppy-core") == Requirement("ppy-core", "", "")
    assert parse_requirement("foo[bar] (>=1)") == Requirement("foo", ">=1", "")
    assert parse_requirement("foo @ https://example.org/foo.whl") is None

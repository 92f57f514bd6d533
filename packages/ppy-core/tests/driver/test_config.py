from __future__ import annotations

from pathlib import Path

import pytest
from ppy_compiler.diagnostics.code import Diagnostic
from ppy_compiler.driver.config import Config, load_config
from ppy_compiler.driver.settings import KEYS, STRICT_FAMILIES


def load(
    tmp_path: Path, text: str = "", options: dict[str, str] | None = None, environment: dict[str, str] | None = None
) -> tuple[Config, list[Diagnostic]]:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    return load_config(str(tmp_path), options or {}, environment or {})


def test_defaults(tmp_path: Path) -> None:
    config, problems = load(tmp_path)
    assert problems == []
    assert {key.name: config[key.name] for key in KEYS} == {key.name: key.default for key in KEYS}


def test_command_line_over_environment_over_file(tmp_path: Path) -> None:
    text = "[tool.ppy]\nopt-level = 1\nunsafe = true\nstrict = true\n"
    config, problems = load(tmp_path, text, {"opt-level": "3"}, {"PPY_OPT_LEVEL": "0", "PPY_UNSAFE": "0"})
    assert problems == []
    assert (config["opt-level"], config.settings["opt-level"].origin) == (3, "--opt-level")
    assert (config["unsafe"], config.settings["unsafe"].origin) == (False, "PPY_UNSAFE")
    assert (config["strict"], config.settings["strict"].origin) == (STRICT_FAMILIES, "pyproject.toml:4")


def test_level_zero_is_not_unset(tmp_path: Path) -> None:
    config, _ = load(tmp_path, "[tool.ppy]\nopt-level = 0\n")
    assert config["opt-level"] == 0
    assert load(tmp_path)[0]["opt-level"] is None


@pytest.mark.parametrize(
    ("text", "code", "line", "words"),
    [
        ("[tool.ppy]\n\nstirct = true\n", "E2001", 3, "did you mean 'strict'?"),
        ("[tool.ppy]\nopt-level = 9\n", "E2002", 2, "must be an integer from 0 to 3"),
        ("[tool.ppy]\nopt-level = true\n", "E2002", 2, "got `true`"),
        ('[tool.ppy]\nopt-level = "2"\n', "E2002", 2, 'got `"2"`'),
        ('[tool]\nppy.strict = "maybe"\n', "E2002", 2, "must be true, false, or a list"),
        ("[tool.ppy.plugins.foo]\nenable = true\n", "E2001", 2, "did you mean 'enabled'?"),
        ("[tool.ppy.plugins]\nfoo = 3\n", "E2002", 2, "must be a table"),
        ("[[tool.ppy.overrides]]\nfiles = ['*.py']\nengine = 'python'\n", "E2001", 3, "no key `engine`"),
        ("[[tool.ppy.overrides]]\nunsafe = true\n", "E2002", 1, "must be a list of patterns"),
        ("[tool.ppy\nstrict = true\n", "E2003", 1, "Expected ']'"),
    ],
)
def test_a_mistake_is_reported_where_it_stands(tmp_path: Path, text: str, code: str, line: int, words: str) -> None:
    _, problems = load(tmp_path, text)
    (problem,) = problems
    assert (problem.code, problem.span and problem.span.line) == (code, line)
    assert words in problem.message


def test_options_and_environment_are_held_to_the_same_rules(tmp_path: Path) -> None:
    _, problems = load(tmp_path, "", {"opt-level": "fast"}, {"PPY_UNSAFE": "perhaps"})
    assert sorted((p.code, p.fields) for p in problems) == sorted((p.code, p.fields) for p in problems)
    assert {dict(p.fields)["source"] for p in problems} == {
        "the option --opt-level",
        "the environment variable PPY_UNSAFE",
    }


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"# \xff\n")
    _, problems = load_config(str(tmp_path), {}, {})
    assert [problem.code for problem in problems] == ["E2003"]


def test_the_nearest_project_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ppy]\nunsafe = true\n")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    config, _ = load_config(str(inner), {}, {})
    assert config["unsafe"] is True
    assert config.project == str(tmp_path)
    assert str(inner / "pyproject.toml") in config.looked_for  # appearing there, it would change the answer


def test_overrides_hold_for_matching_files_below_the_command_line(tmp_path: Path) -> None:
    text = "[tool.ppy]\nopt-level = 1\n[[tool.ppy.overrides]]\nfiles = ['hot/*.py']\nopt-level = 3\nunsafe = true\n"
    config, problems = load(tmp_path, text, {"unsafe": "0"})
    assert problems == []
    hot = config.for_file(str(tmp_path / "hot" / "loop.py"))
    assert (hot["opt-level"], hot["unsafe"]) == (3, False)
    assert config.for_file(str(tmp_path / "cold.py"))["opt-level"] == 1


def test_plugins_and_backends(tmp_path: Path) -> None:
    text = "[tool.ppy.plugins.foo]\nenabled = true\n[tool.ppy.plugins.bar]\nenabled = false\n"
    config, problems = load(tmp_path, text + "[tool.ppy.backends.llvm]\nenabled = false\n")
    assert problems == []
    assert config.enabled_plugins == ("foo",)
    assert config.disabled_plugins == ("bar",)
    assert config.disabled_backends == ("llvm",)


def test_every_option_has_its_twins() -> None:
    assert len({key.flag for key in KEYS}) == len(KEYS)
    for key in KEYS:
        assert key.flag == f"--{key.name}"
        assert key.environment == "PPY_" + key.name.upper().replace("-", "_")
        assert key.help

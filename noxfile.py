"""Sessions over the Pythons and the distributions. `nox` runs those that CI runs; `nox -l` lists all.

Environments are kept between runs and installed into again only when a pyproject.toml or a requirement changed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))
from workspace import PYTHONS, dependency_group, distributions, editable_arguments, stamp  # noqa: E402

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.reuse_venv = "yes"
nox.options.error_on_missing_interpreters = True
nox.options.sessions = ["lint", "floors", "types", "gates", "core", "tests", "docs", "wheels"]

CODE = ["packages", "examples", "benchmarks", "tools", "tests", "noxfile.py", "conftest.py"]
NATIVE = ["ppy-runtime", "ppy-core", "ppy-backend-llvm"]
CLEAN = {"PYTHONPATH": "", "PPY_DISABLE": "", "PPY_FAIL_GUARDS": ""}


def install(session: nox.Session, *arguments: str) -> None:
    """`session.install`, once: the mark in the environment says for what it was done."""
    mark = Path(session.virtualenv.location) / ".ppy-installed"
    wanted = stamp(*arguments)
    if not mark.is_file() or mark.read_text(encoding="utf-8") != wanted:
        session.install(*arguments)
        mark.write_text(wanted, encoding="utf-8")


def folders(*names: str) -> list[str]:
    """The test folders of distributions."""
    return [path for name in names if Path(path := f"packages/{name}/tests").is_dir()]


def whole_programs() -> list[str]:
    """The tests that need every floor at once; gates and docs have sessions of their own."""
    return sorted(f"tests/{path.name}" for path in ROOT.glob("tests/*/") if path.name not in {"gates", "docs"})


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Runtime, core and LLVM backend, together and without any optional library."""
    install(session, *editable_arguments(*NATIVE), *dependency_group("test"))
    paths = session.posargs or [*folders(*NATIVE), *whole_programs()]
    session.run("pytest", "--require-tier=llvm", "--require-tier=toolchain", *paths, env=CLEAN)


@nox.session(python=PYTHONS)
def core(session: nox.Session) -> None:
    """Runtime and core alone: neither a backend nor any other library can be imported."""
    install(session, *editable_arguments("ppy-runtime", "ppy-core"), *dependency_group("test"))
    session.run("pytest", *(session.posargs or folders("ppy-runtime", "ppy-core")), env=CLEAN)


@nox.session(python=PYTHONS)
def pjrt(session: nox.Session) -> None:
    """The PJRT client, with the plugins for the CPU (their one dependency would pull all of jax)."""
    install(session, *editable_arguments("ppy-pjrt"), *dependency_group("test"), *dependency_group("pjrt"))
    session.install("--no-deps", *dependency_group("pjrt-plugins"))
    environ = {**CLEAN, "PPY_PJRT_REQUIRED_TIERS": "host,cpu"}
    for fast in ("0", "1"):  # in pure Python, and through the compiled fast path
        environ |= {"PPY_PJRT_FAST": fast, "PPY_PJRT_CACHE_DIR": str(Path(session.create_tmp()) / "pjrt-cache")}
        session.run("pytest", "--require-tier=cpu", *(session.posargs or folders("ppy-pjrt")), env=environ)


@nox.session(python=PYTHONS)
def numpy(session: nox.Session) -> None:
    """The plugin for NumPy, with NumPy: the newest, or `nox -s numpy-3.11 -- numpy==2.0.2` another one."""
    wanted = [argument for argument in session.posargs if argument.startswith("numpy")] or dependency_group("numpy")
    install(session, *editable_arguments(*NATIVE, "ppy-plugin-numpy"), *dependency_group("test"), *wanted)
    session.run("pytest", *folders("ppy-plugin-numpy"), env=CLEAN)


@nox.session(python=PYTHONS, default=False)
def expressions(session: nox.Session) -> None:
    """Random array expressions and loops against NumPy: `nox -s expressions-3.11 -- 100 180` for these seeds."""
    install(session, *editable_arguments(*NATIVE, "ppy-plugin-numpy"), *dependency_group("test"), "numpy>=2")
    first, last = map(int, session.posargs or ("100", "120"))
    seeds = " ".join(map(str, range(first, last)))
    tests = "packages/ppy-plugin-numpy/tests/test_programs.py"
    session.run("pytest", "-k", "random", tests, env={**CLEAN, "PPY_EXPRESSION_SEEDS": seeds})


@nox.session(python=PYTHONS[0], default=False)
def pjrt_abi(session: nox.Session) -> None:
    """The table of the PJRT C API again from its pinned headers (1.3 GB of wheels, once): a difference fails."""
    install(session, "pip", "pycparser>=2.22")
    session.run("python", "tools/pjrt/generate.py", "--check", *session.posargs)


@nox.session(python=PYTHONS[0])
def gates(session: nox.Session) -> None:
    """Budgets, generated files, the test-suite's own rules."""
    install(session, *editable_arguments(*NATIVE), *dependency_group("test"))
    session.run("pytest", "tests/gates", env=CLEAN)


@nox.session(python=PYTHONS[0])
def lint(session: nox.Session) -> None:
    install(session, *dependency_group("lint"))
    session.run("ruff", "check", *CODE)
    session.run("python", "tools/budgets.py")


@nox.session(python=PYTHONS[0])
def floors(session: nox.Session) -> None:
    """Imports go downwards only: the contracts in pyproject.toml are the diagram of the architecture."""
    install(session, *editable_arguments(), *dependency_group("floors"))
    session.run("lint-imports", "--no-logo")


@nox.session(python=PYTHONS[0])
def types(session: nox.Session) -> None:
    """Strict mypy, one distribution after the other, then the workspace's own tools."""
    install(session, *editable_arguments(), *dependency_group("types"), *dependency_group("test"))
    for folder in distributions():
        if (ROOT / folder / "src").is_dir():
            session.run("mypy", f"{folder}/src")
    tools = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tools/*.py"))
    session.run("mypy", *tools, "tests", "noxfile.py", "conftest.py", "benchmarks/run.py", "benchmarks/suite")


@nox.session(python=PYTHONS[0])
def docs(session: nox.Session) -> None:
    """Every code block of the documentation runs."""
    install(session, *editable_arguments(), *dependency_group("test"))
    session.run("pytest", "tests/docs", *session.posargs, env=CLEAN)


@nox.session(python=PYTHONS[0])
def wheels(session: nox.Session) -> None:
    """Fill dist/, build an artifact in one clean environment, and run it in another without the compiler."""
    session.run("python", "tools/wheels.py", *session.posargs, env=CLEAN)


@nox.session(python=PYTHONS[0], default=False)
def bench(session: nox.Session) -> None:
    """PPY beside CPython, gcc, Numba and mypyc: `nox -s bench -- collatz warm`."""
    install(session, *editable_arguments(*NATIVE), *dependency_group("bench"))
    session.run("python", "benchmarks/run.py", *session.posargs, env=CLEAN)


@nox.session(python=PYTHONS, default=False)
def sanitize(session: nox.Session) -> None:
    """The native support library under the sanitizers for addresses and undefined behaviour.

    Its tests compile the C sources with `cc`; here that is a script which adds the sanitizers. Frames grow under them,
    so the test of very deep recursion stays out.
    """
    install(session, *editable_arguments(*NATIVE), *dependency_group("test"))
    script = Path(session.create_tmp()) / "cc"
    script.write_text('#!/bin/sh\nexec gcc -fsanitize=address,undefined -fno-sanitize=alignment "$@"\n')
    script.chmod(0o755)
    names = ("libasan.so", "libubsan.so")
    libraries = [session.run("gcc", f"-print-file-name={name}", external=True, silent=True) for name in names]
    environ = {
        "PATH": f"{script.parent}:{session.env.get('PATH') or os.environ['PATH']}",
        "LD_PRELOAD": " ".join(str(library).strip() for library in libraries),
        "ASAN_OPTIONS": "detect_leaks=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }
    paths = session.posargs or ["packages/ppy-backend-llvm/tests/support"]
    session.run("pytest", "-k", "not new_stacks", *paths, env={**CLEAN, **environ})


@nox.session(python=PYTHONS, default=False)
def fuzz(session: nox.Session) -> None:
    """Every property test, with new examples and many more of them: `nox -s fuzz-3.13 -- -k ranges`."""
    install(session, *editable_arguments(*NATIVE), *dependency_group("test"))
    paths = [*folders(*NATIVE), *whole_programs()]
    session.run("pytest", "--hypothesis-profile=fuzz", "-m", "hypothesis", *paths, *session.posargs, env=CLEAN)


@nox.session(python=PYTHONS, default=False)
@nox.parametrize("seed", range(1, 21))
def guards(session: nox.Session, seed: int) -> None:
    """Every guard fails at random: the programs must still agree with CPython."""
    install(session, *editable_arguments(*NATIVE), *dependency_group("test"))
    session.run("pytest", *whole_programs(), *session.posargs, env={**CLEAN, "PPY_FAIL_GUARDS": str(seed)})

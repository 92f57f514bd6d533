"""Tiers: what a test needs beyond Python and its own package, and which of them a session promised to have.

`@pytest.mark.gpu` puts a test into a tier; a test without such a mark is in `host`. A session names the tiers it
requires with `--require-tier NAME` (several times) or `PPY_REQUIRED_TIERS=a,b`; `host` is always required. A skip in a
required tier fails the session: a test that silently did not run proves nothing.
"""

from __future__ import annotations

import importlib.util
import os
import signal
import sys
from collections.abc import Generator

import pytest
from hypothesis import settings

HOST = "host"
TIERS = {
    HOST: "needs nothing but Python and its own package",
    "llvm": "needs llvmlite",
    "toolchain": "needs a C compiler",
    "cpu": "needs a PJRT plugin for the CPU",
    "cuda": "needs the PJRT plugin for CUDA, but no device",
    "gpu": "needs a GPU",
    "acceptance": "needs the acceptance programs, which live beside the repository",
}
_REQUIRED = pytest.StashKey[frozenset[str]]()
_SKIPPED = pytest.StashKey[list[str]]()

# No deadlines: machines differ. CI tries the same examples each time; `--hypothesis-profile=fuzz` looks for new ones.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=20_000)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--require-tier", action="append", default=[], metavar="NAME", help="a skip in this tier fails")
    parser.addoption("--update", action="store_true", help="rewrite the expectations of golden tests")


def pytest_configure(config: pytest.Config) -> None:
    for name, meaning in TIERS.items():
        config.addinivalue_line("markers", f"{name}: tier; {meaning}")
    named = [*config.getoption("--require-tier"), *os.environ.get("PPY_REQUIRED_TIERS", "").split(",")]
    required = frozenset({HOST, *filter(None, named)})
    if unknown := required - TIERS.keys():
        raise pytest.UsageError(f"unknown tiers {sorted(unknown)}; there are {', '.join(TIERS)}")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts what runs in the background so, and the programs that tests interrupt would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # What a test compiles is verified after every stage, also in the commands that it runs.
    os.environ.setdefault("PPY_VERIFY", "1")
    config.stash[_REQUIRED] = required
    config.stash[_SKIPPED] = []


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what does not exist on this Python: that is no skip, there is nothing to run."""
    absent = [item for item in items if any(sys.version_info < mark.args for mark in item.iter_markers("min_python"))]
    config.hook.pytest_deselected(items=absent)
    items[:] = [item for item in items if item not in absent]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests that need the LLVM backend stand among the core's, too, which are run without any backend."""
    if item.get_closest_marker("llvm") is not None and importlib.util.find_spec("llvmlite") is None:
        pytest.skip("llvmlite is not installed")


def _tiers(node: pytest.Item | pytest.Collector) -> set[str]:
    named = {mark.name for mark in node.iter_markers() if mark.name in TIERS}
    if getattr(node, "callspec", None) is not None and node.name.endswith("[NOTSET]"):
        named.add("acceptance")  # a test over programs of which there are none here
    return named or {HOST}


def _note_skip(node: pytest.Item | pytest.Collector) -> None:
    if _tiers(node) <= node.config.stash[_REQUIRED]:
        node.config.stash[_SKIPPED].append(node.nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and not hasattr(report, "wasxfail"):
        _note_skip(item)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.skipped:  # a whole module left itself out
        _note_skip(collector)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.stash[_SKIPPED] and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if skipped := config.stash[_SKIPPED]:
        terminalreporter.section("skipped in a required tier: the session fails", red=True)
        for nodeid in skipped:
            terminalreporter.write_line(nodeid)

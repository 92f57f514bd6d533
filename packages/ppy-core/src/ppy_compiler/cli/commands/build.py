"""`ppy build FILE -o DIR`: an artifact that runs without the compiler, from anywhere, as `DIR/NAME`."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from ppy_compiler.cli.options import add_options, chosen_options
from ppy_compiler.cli.terminal import fail, render_to_people, show_json, tell

if TYPE_CHECKING:
    from ppy_runtime.manifest.document import Document


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the program's entry")
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="the artifact's folder")
    parser.add_argument("--json", action="store_true", help="print what was built as JSON")
    add_options(
        parser,
        "unsafe", "opt-level", "strict", "host-cpu", "backend", "source-roots", "cache-dir", "remarks",
    )  # fmt: skip


def execute(arguments: argparse.Namespace) -> int:
    from ppy_compiler.cli.files import read_source, report_syntax
    from ppy_compiler.driver.artifacts import Refused, build_artifact
    from ppy_compiler.driver.session import Session

    session = Session(os.path.dirname(os.path.abspath(arguments.file)), chosen_options(arguments))
    try:
        source = read_source(arguments.file)
        built, document = build_artifact(session, source, arguments.output, _launcher)
    except (SyntaxError, ValueError) as error:
        return report_syntax(error)
    except Refused as refused:
        return fail(refused.diagnostics)
    render_to_people(session.sink.diagnostics)
    launcher = os.path.join(arguments.output, built.program.name)
    if arguments.json:
        show_json({"launcher": launcher, "manifest": document})
    else:
        tell(f"built {launcher}: {_summary(document)}")
    return 0


def _launcher() -> bytes:
    from ppy_runtime.launch.artifact import launcher_script

    return launcher_script(sys.executable, f"{sys.version_info.major}.{sys.version_info.minor}")


def _summary(document: Document) -> str:
    functions = [function for unit in document["units"] for function in unit["functions"]]
    native = sum(function["status"] == "native" for function in functions)
    modules = len(document["units"])
    return f"{modules} module{'' if modules == 1 else 's'}, {native} of {len(functions)} functions native"

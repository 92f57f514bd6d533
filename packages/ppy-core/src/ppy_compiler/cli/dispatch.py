"""Finding the subcommand, reading its arguments, and turning every way it can end into an exit status."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

from ppy_compiler.cli.terminal import fail, show
from ppy_compiler.diagnostics.code import DiagnosticError

COMMANDS = {
    "run": "run a program, natively where possible",
    "check": "report what is wrong in files, without running them",
    "build": "make an artifact that runs without the compiler",
    "emit": "print what a stage of the compiler makes of a file",
    "explain": "explain a diagnostic code, or what became of a file's functions",
    "doctor": "show what PPY finds on this machine",
    "cache": "show or clear the cache",
    "config": "list every option, its value, and where that came from",
}
INTERRUPTED = 130
PIPE_CLOSED = 141


def dispatch(words: Sequence[str]) -> int:
    """Carry out the command line `words`."""
    parser = make_parser(words[0] if words and words[0] in COMMANDS else None)
    arguments = parser.parse_args(words)
    if arguments.command is None:
        parser.print_help(sys.stderr)
        return 2
    module = import_module(f"ppy_compiler.cli.commands.{arguments.command}")
    if arguments.command == "run":  # a program's exceptions are its own
        status: int = module.execute(arguments)
        return status
    path = str(getattr(arguments, "file", "") or "")
    return guarded(lambda: module.execute(arguments), arguments.command, path, vars(arguments))


def guarded(execute: Callable[[], int], command: str, path: str, options: Mapping[str, object]) -> int:
    """Carry out a command; whichever way it ends, the exit status."""
    from ppy_compiler.driver.faults import Fault, report_fault
    from ppy_compiler.driver.session import ConfigurationError
    from ppy_compiler.driver.stages import StageFailed

    # A compilation makes millions of objects, all of them needed to its end: looking for cycles takes half of the time.
    gc.disable()
    try:
        status = execute()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has what it wanted. What is left in the buffer must not fail again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    except ConfigurationError as error:
        return fail(error.diagnostics)
    except (DiagnosticError, Fault) as error:
        return fail([error.diagnostic])
    except StageFailed as failed:
        return fail([report_fault(failed.stage, path, failed.error, options)])
    except Exception as error:
        return fail([report_fault(f"carrying out `ppy {command}`", path, error, options)])
    finally:
        gc.enable()
    return status


def make_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole parser, or with `only` the one of that command, the others being names."""
    parser = argparse.ArgumentParser(prog="ppy", description="Compile and run ordinary Python.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the versions of PPY and Python")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if only in (None, name):
            import_module(f"ppy_compiler.cli.commands.{name}").add_arguments(command)
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from ppy_compiler.support.extensions import installed_version

        version = installed_version("ppy-core") or "(not installed)"
        python = ".".join(map(str, sys.version_info[:3]))
        show(f"ppy {version} on {sys.implementation.name} {python}\n")
        parser.exit(0)

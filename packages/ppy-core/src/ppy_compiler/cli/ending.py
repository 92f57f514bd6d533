"""Turning every way a command can end into an exit status. Without argparse, which a cold `ppy run` does not need."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping

from ppy_compiler.cli.terminal import fail
from ppy_compiler.diagnostics.code import DiagnosticError

PIPE_CLOSED = 141


def guarded(execute: Callable[[], int], command: str, path: str, options: Mapping[str, object]) -> int:
    """Carry out a command; whichever way it ends, the exit status. An interrupt is `main`'s to end with."""
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

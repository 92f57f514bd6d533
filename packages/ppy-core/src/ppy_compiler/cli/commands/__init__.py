"""The subcommands, one module each: `add_arguments(parser)` declares, `execute(arguments)` carries out and returns the
exit status. `cli.dispatch.COMMANDS` is the list of them."""

from __future__ import annotations

"""The `ppy` command: one module per subcommand, each imported only when it is the one asked for.

Takes the command line; makes one call into `driver` and prints what comes back. Standard output carries the product,
standard error is for people. Exit status: 0 done, 1 the program has errors, 2 the request could not be carried out,
3 a fault of PPY itself with a report file; `ppy run` passes the program's own through.
"""

from __future__ import annotations

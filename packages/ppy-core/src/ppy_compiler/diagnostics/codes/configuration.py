"""E20xx: what `[tool.ppy]`, an option or an environment variable says and PPY cannot follow."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

UNKNOWN_KEY = Code(
    code="E2001",
    slug="unknown-key",
    title="A configuration key is unknown",
    message="`{table}` has no key `{key}`{suggestion}",
    help="{keys}",
    explanation="""\
A misspelt key would silently do nothing, so it is an error.""",
    bad="""\
[tool.ppy]
stirct = true
""",
    fixed="""\
[tool.ppy]
strict = true
""",
    language="toml",
    raised_by="config",
)

BAD_VALUE = Code(
    code="E2002",
    slug="bad-value",
    title="A configuration value is not allowed",
    message="`{key}` {expected}, got `{actual}`",
    help="{source} sets it",
    explanation="""\
The value has the wrong type or is not one of those the key admits. Options on the command line and `PPY_…` environment
variables are held to the same rules.""",
    bad="""\
[tool.ppy]
opt-level = 9
""",
    fixed="""\
[tool.ppy]
opt-level = 2
""",
    language="toml",
    raised_by="config",
)

BAD_TOML = Code(
    code="E2003",
    slug="bad-toml",
    title="pyproject.toml cannot be read",
    message="{reason}",
    help="correct the file; PPY reads only its `[tool.ppy]` tables, but must parse all of it",
    explanation="""\
The file is not valid TOML, or not UTF-8.""",
    bad="""\
[tool.ppy
strict = true
""",
    fixed="""\
[tool.ppy]
strict = true
""",
    language="toml",
    raised_by="config",
)

INIT_REFUSED = Code(
    code="E2004",
    slug="init-refused",
    title="The distribution cannot be made",
    message="`{folder}` cannot be made: {reason}",
    help="{remedy}",
    explanation="""\
`ppy init` makes a folder that is not there yet, whole or not at all; it changes nothing that exists.""",
    bad="$ mkdir ppy-plugin-shapes\n$ ppy init --plugin shapes\n",
    fixed="$ ppy init --plugin shapes -o elsewhere\n",
    language="console",
    raised_by="tests/cli/test_init.py::test_what_is_there_stays",
)

"""W50xx: things that are probably not meant, or that cost more than they need to."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

CACHE_UNAVAILABLE = Code(
    code="W5001",
    slug="cache-unavailable",
    title="Nothing can be cached",
    message="no cache directory can be used ({reason}); every run compiles again",
    help="set `cache-dir` or `PPY_CACHE_DIR` to a folder that can be written",
    explanation="""\
The project's folder, the user's cache folder and the temporary folder were tried in this order. The program runs all
the same.""",
    bad="$ PPY_CACHE_DIR=/proc ppy run main.py\n",
    fixed="$ PPY_CACHE_DIR=/tmp/cache ppy run main.py\n",
    language="console",
    raised_by="tests/build/test_cache.py::test_no_cache_directory",
)

PLUGIN_SKIPPED = Code(
    code="W5002",
    slug="plugin-skipped",
    title="A plugin is not used",
    message="plugin `{name}` is not used: {reason}",
    help="`ppy doctor` shows what each plugin needs",
    explanation="""\
The library that the plugin models has a version outside the plugin's bounds. Calls into the library are made as
CPython makes them.""",
    bad="$ pip install 'numpy<1' && ppy check main.py\n",
    fixed="$ pip install 'ppy-plugin-numpy[library]' && ppy check main.py\n",
    language="console",
    raised_by="tests/plugins/test_errors.py::test_library_outside_bounds",
)

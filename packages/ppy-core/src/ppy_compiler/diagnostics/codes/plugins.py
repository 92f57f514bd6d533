"""E19xx: plugins and backends that do not fit, contradict each other, or break the compiler's invariants."""

from __future__ import annotations

from ppy_compiler.diagnostics.code import Code

MODULE_CLAIMED_TWICE = Code(
    code="E1901",
    slug="module-claimed-twice",
    title="Two plugins claim one module",
    message="the plugins `{first}` and `{second}` both claim the module `{module}`",
    help="disable one: `enabled = false` under `[tool.ppy.plugins.{second}]`",
    explanation="""\
One plugin models one library. Which of two would win must not depend on the order in which they were installed, so
PPY asks.""",
    bad="[project.entry-points.'ppy.plugins']\nfirst = 'a:plugin'\nsecond = 'b:plugin'  # claims the same module\n",
    fixed="[tool.ppy.plugins.second]\nenabled = false\n",
    language="toml",
    raised_by="tests/plugins/test_errors.py::test_two_plugins_claim_one_module",
)

INVALID_AFTER_PASS = Code(
    code="E1902",
    slug="invalid-after-pass",
    title="A plugin's pass left invalid IR",
    message="the pass `{pass_name}` of `{owner}` left invalid IR: {problem}",
    help="report this to the authors of `{owner}`; `[tool.ppy.plugins.{owner}] enabled = false` works around it",
    explanation="""\
The verifier runs after every pass that a plugin or backend brings, so that the fault is named where it was made.""",
    bad="def run(self, module):  # a plugin's pass\n    module.body.blocks[0].operations[-1].erase()\n",
    fixed="def run(self, module):\n    return module\n",
    raised_by="tests/plugins/test_errors.py::test_broken_pass",
)

INTERFACE_VERSION = Code(
    code="E1903",
    slug="interface-version",
    title="A plugin or backend speaks another interface version",
    message="{kind} `{name}` implements interface {actual}, this PPY speaks {expected}",
    help="{remedy}",
    explanation="""\
The interface version is compared before anything of the plugin is imported.""",
    bad="class Plugin:\n    interface = 1\n",
    fixed="class Plugin:\n    interface = 2\n",
    raised_by="tests/plugins/test_errors.py::test_wrong_interface_version",
)

UNKNOWN_BACKEND = Code(
    code="E1904",
    slug="unknown-backend",
    title="There is no such backend",
    message="there is no backend `{name}`{suggestion}",
    help="installed backends: {installed}",
    explanation="""\
Backends are found through the entry-point group `ppy.backends` of installed distributions; `ppy doctor` lists them.""",
    bad="$ ppy build --backend lvm main.py\n",
    fixed="$ ppy build --backend llvm main.py\n",
    language="console",
    raised_by="tests/plugins/test_errors.py::test_unknown_backend",
)

HOOK_FAILED = Code(
    code="E1905",
    slug="hook-failed",
    title="A plugin or backend failed",
    message="{kind} `{name}` failed in `{hook}`: {error}",
    help="report this to its authors; `[tool.ppy.{kind}s.{name}] enabled = false` works around it",
    explanation="""\
A hook raised an exception. The compiler does not guess what the hook would have answered.""",
    bad="def type_of_call(self, call):\n    raise KeyError(call)\n",
    fixed="def type_of_call(self, call):\n    return None\n",
    raised_by="tests/plugins/test_errors.py::test_failing_hook",
)

WRONG_SPEC = Code(
    code="E1906",
    slug="wrong-lowering-spec",
    title="A plugin's lowering cannot be followed",
    message="the plugin `{plugin}` lowers `{function}` to `{target}`, but {problem}",
    help="report this to the authors of `{plugin}`; `[tool.ppy.plugins.{plugin}] enabled = false` works around it",
    explanation="""\
The lowering of a call, operator or attribute names something that is not there, or that does not fit: a function of the
standard library, an operation of a dialect with its operands and attributes. It is looked at where the call is
analysed, so that nothing is compiled from it.""",
    bad='CallModel("float", PURE, IntrinsicSpec("math.sqart"))\n',
    fixed='CallModel("float", PURE, IntrinsicSpec("math.sqrt"))\n',
    raised_by="tests/plugins/test_errors.py::test_wrong_specs",
)

WRONG_SIGNATURE = Code(
    code="E1907",
    slug="wrong-c-signature",
    title="A plugin gives a C function a signature that cannot be",
    message="the plugin `{plugin}` calls `{signature}` for `{function}`, but {problem}",
    help="report this to the authors of `{plugin}`; `[tool.ppy.plugins.{plugin}] enabled = false` works around it",
    explanation="""\
A C function is called directly with numbers only: `double`, `int64_t`, `int32_t`, `bool`. Its library is named by its
path from the folder in which the library is installed.""",
    bad='DirectCallSpec("foolib/_core.so", "cube", ("char *",), "double")\n',
    fixed='DirectCallSpec("foolib/_core.so", "cube", ("double",), "double")\n',
    raised_by="tests/plugins/test_errors.py::test_wrong_signatures",
)

UNKNOWN_PLUGIN = Code(
    code="E1908",
    slug="unknown-plugin",
    title="There is no such plugin",
    message="there is no plugin `{name}`{suggestion}",
    help="`[tool.ppy.plugins.{name}]` asks for it; installed plugins: {installed}",
    explanation="""\
Plugins are found through the entry-point group `ppy.plugins` of installed distributions; `ppy doctor` lists them. The
name is misspelt, or the plugin's distribution is not installed in the environment that `ppy` is in.""",
    bad="[tool.ppy.plugins.numpi]\nenabled = true\n",
    fixed="[tool.ppy.plugins.numpy]\nenabled = true\n",
    language="toml",
    raised_by="tests/plugins/test_errors.py::test_unknown_plugin",
)

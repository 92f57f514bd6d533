"""Imports: `.ppy` modules are found where `.py` modules would be, and whoever has native code for them serves it."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def run(artifacts, text: str, *options: str, **environment: str) -> str:
    """What a script prints that CPython runs in the folder of the modules."""
    (artifacts.root / "script.py").write_text(text)
    done = artifacts.python(*options, "script.py", **environment)
    assert done.stderr == "", done.stderr
    return str(done.stdout)


def test_without_ppy_there_are_no_ppy_modules(artifacts) -> None:
    write(artifacts.root, {"m.ppy": ""})
    text = "try:\n    import m\nexcept ModuleNotFoundError as e:\n    print(e)\nimport ppy, m\nprint(m.__name__)\n"
    assert run(artifacts, text) == "No module named 'm'\nm\n"


def test_a_ppy_module_is_an_ordinary_module(artifacts) -> None:
    write(artifacts.root, {"m.ppy": '"""Doc."""\ndef f(x: int) -> int:\n    return x + 1\n'})
    text = (
        "import ppy, m, inspect, importlib, pickle, os\n"
        "print(m.__doc__, m.f(1), os.path.basename(m.__file__), m.__spec__.name, m.__package__ == '')\n"
        "print(inspect.getsource(m.f), end='')\n"
        "print(m.__loader__.get_source('m').count('\\n'), m.__spec__.origin == m.__file__)\n"
        "print(m.__loader__.is_package('m'))\n"
        "print(pickle.loads(pickle.dumps(m.f)) is m.f, m.__loader__.get_code('m').co_filename == m.__file__)\n"
        "open('m.ppy', 'a').write('y = 2\\n')\n"
        "print(importlib.reload(m) is m, m.y)\n"
    )
    assert run(artifacts, text) == (
        "Doc. 2 m.ppy m True\ndef f(x: int) -> int:\n    return x + 1\n3 True\nFalse\nTrue True\nTrue 2\n"
    )
    assert not (artifacts.root / "__pycache__").exists()


def test_packages(artifacts) -> None:
    files = {
        "p/__init__.ppy": "from . import inner\nfrom .sub import deep\nname = __name__",
        "p/inner.ppy": "x = __name__",
        "p/sub/__init__.py": "",
        "p/sub/deep.ppy": "from ..inner import x\nfrom . import __name__ as parent",
        "namespace/m.ppy": "x = __name__",
    }
    write(artifacts.root, files)
    text = (
        "import ppy, p, namespace.m\n"
        "print(p.name, p.inner.x, p.deep.x, p.deep.parent, namespace.m.x)\n"
        "print(p.__path__ == [p.__file__.rpartition('/')[0]])\n"
    )
    assert run(artifacts, text) == "p p.inner p.inner p.sub namespace.m\nTrue\n"


def test_the_first_entry_of_the_path_wins_and_python_wins_beside(artifacts) -> None:
    files = {
        "both.py": "x = 'py'",
        "both.ppy": "x = 'ppy'",
        "early/late.ppy": "x = 'early ppy'",
        "late/late.py": "x = 'late py'",
        "early/n/__init__.py": "x = 'package'",
        "early/n.ppy": "x = 'n.ppy'",
        "early/bare/readme.txt": "",
        "early/bare.ppy": "x = 'bare.ppy'",
        "queue.ppy": "x = 'mine'",
        "sys.ppy": "1/0",
    }
    write(artifacts.root, files)
    text = (
        "import sys\nsys.path[1:1] = ['early', 'late', 3, 'nowhere']\nimport ppy, both, late, n, bare, queue\n"
        "print(both.x, late.x, n.x, bare.x, queue.x)\nsys.path[1:3] = ['late', 'early']\n"
        "import importlib\nimportlib.invalidate_caches()\ndel sys.modules['late']\nimport late\nprint(late.x)\n"
    )
    assert run(artifacts, text) == "py early ppy package bare.ppy mine\nlate py\n"


def test_a_module_that_appears_later_is_found(artifacts) -> None:
    text = (
        "import ppy, os, time\n"
        "try:\n    import fresh\nexcept ImportError:\n    pass\n"
        "time.sleep(0.01)\nopen('fresh.ppy', 'w').write('x = 1')\nimport fresh\nprint(fresh.x)\n"
    )
    assert run(artifacts, text) == "1\n"


def test_errors_in_a_ppy_module_look_as_in_a_py_module(artifacts) -> None:
    bodies = {"fails": "def f():\n    1/0\n\nf()\n", "syntax": "def f(:\n", "needs": "import nothing_there\n"}
    for name, body in bodies.items():
        write(artifacts.root, {f"{name}_a.ppy": body, f"{name}_b.py": body})
        shown = []
        for module in (f"{name}_a", f"{name}_b"):
            (artifacts.root / "script.py").write_text(f"import ppy, {module}\n")
            shown.append(artifacts.python("script.py").stderr.replace(f"{name}_a.ppy", f"{name}_b.py"))
        assert shown[0].replace(f"{name}_a", f"{name}_b") == shown[1]


def test_circular_imports(artifacts) -> None:
    files = {"a.ppy": "x = 1\nimport b\ny = b.z\n", "b.ppy": "import a\nz = a.x + 1\n"}
    write(artifacts.root, files)
    assert run(artifacts, "import ppy, a, b\nprint(a.y, b.a is a)\n") == "2 True\n"


def test_install_and_uninstall(artifacts) -> None:
    write(artifacts.root, {"m.ppy": "", "n.ppy": ""})
    text = (
        "import sys\nbefore = list(sys.meta_path)\nimport ppy\nppy.install()\n"
        "print(len(sys.meta_path) - len(before), [f for f in sys.meta_path if f in before] == before)\n"
        "import m\nppy.uninstall()\nppy.uninstall()\nprint(sys.meta_path == before)\n"
        "try:\n    import n\nexcept ImportError as e:\n    print(e)\nppy.install()\nimport n\n"
    )
    assert run(artifacts, text) == "1 True\nTrue\nNo module named 'n'\n"


def prebuilt(artifacts, said: str = "beside") -> None:
    """m.ppy and the package q it uses, with the artifact of m beside it, as `ppy build` makes it."""
    artifacts.suffix = ".ppy"
    sources = {"m": "how = globals().get('native')\nfrom q.n import x\n", "q.n": "x = globals().get('native')\n"}
    manifest = artifacts.build(sources, dict.fromkeys(sources, said), folder="made")
    shutil.copytree(Path(manifest.root) / "src", artifacts.root, dirs_exist_ok=True)
    shutil.move(manifest.root, artifacts.root / "__ppy__" / f"m.{sys.implementation.cache_tag}")


def test_an_artifact_beside_the_source_serves_it(artifacts) -> None:
    prebuilt(artifacts)
    assert run(artifacts, "import ppy, m\nprint(m.how, m.__file__.endswith('/m.ppy'))\n") == "beside m True\n"
    assert run(artifacts, "import ppy, m\nprint(m.how)\n", PPY_DISABLE="1") == "None\n"
    assert run(artifacts, "import ppy, m\nprint(m.how)\n", PPY_DISABLE="0") == "beside m\n"


def test_an_edited_source_runs_as_edited(artifacts) -> None:
    prebuilt(artifacts)
    (artifacts.root / "m.ppy").write_text("how = 'edited'\n")
    assert run(artifacts, "import ppy, m\nprint(m.how)\n") == "edited\n"


def test_an_edited_neighbour_counts_too(artifacts) -> None:
    """m was compiled for what q.n said: its native code goes when q.n is edited."""
    prebuilt(artifacts)
    text = "import ppy, m\nprint(m.how, m.x)\n"
    assert run(artifacts, text) == "beside m beside q.n\n"
    (artifacts.root / "q" / "n.ppy").write_text("x = 2\n")
    assert run(artifacts, text) == "None 2\n"


def test_a_damaged_artifact_is_passed_over(artifacts) -> None:
    prebuilt(artifacts)
    next((artifacts.root / "__ppy__").rglob("ppy-manifest.json")).write_text("{")
    assert run(artifacts, "import ppy, m\nprint(m.how)\n") == "None\n"


COMPILER = """
import os
def provide(source, module):
    print("asked for", os.path.basename(source), module)
    if module == "broken":
        raise RuntimeError("no")
    return os.environ.get("ANSWER") or None
"""


def compiler(artifacts) -> None:
    """A distribution that registers a compiler."""
    info = artifacts.root / "site-pretend" / "compiler-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: compiler\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[ppy.compiler]\ndefault = pretend_compiler:provide\n")
    (artifacts.root / "site-pretend" / "pretend_compiler.py").write_text(COMPILER)


def test_a_compiler_is_asked_last(artifacts) -> None:
    compiler(artifacts)
    write(artifacts.root, {"plain.py": "", "m.ppy": "how = globals().get('native')", "broken.ppy": ""})
    text = "import ppy, plain, m, broken\nprint(m.how)\n"
    assert run(artifacts, text) == "asked for m.ppy m\nasked for broken.ppy broken\nNone\n"
    assert run(artifacts, text, PPY_DISABLE="1") == "None\n"
    artifacts.suffix = ".ppy"
    made = artifacts.build({"m": "how = globals().get('native')"}, {"m": "compiled"}, folder="made")
    found = run(artifacts, "import sys\nsys.path.insert(0, 'made/src')\n" + text, ANSWER=made.root)
    assert found == "asked for m.ppy m\nasked for broken.ppy broken\ncompiled m\n"
    prebuilt(artifacts)
    assert run(artifacts, "import ppy, m\nprint(m.how)\n") == "beside m\n"


def test_the_interpreter_still_decides_which_file_a_module_is(artifacts) -> None:
    main = "import sys, helper\nprint(helper.how)\nsys.path.insert(0, sys.argv[1])\nimport other\nprint(other.how)\n"
    how = "how = globals().get('native')\n"
    sources = {"__main__": main, "helper": how, "other": how}
    artifacts.build(sources, dict.fromkeys(sources, "fast"))
    write(artifacts.root, {"elsewhere/other.py": "how = 'another file'"})
    assert artifacts.launch("artifact", "nowhere").stdout == "fast helper\nfast other\n"
    assert artifacts.launch("artifact", "elsewhere").stdout == "fast helper\nanother file\n"


def test_importing_the_program_itself_runs_it_again(artifacts) -> None:
    text = "import sys\nprint(__name__)\nif __name__ == '__main__':\n    import main\n"
    text += "    print(main is sys.modules['__main__'])\n"
    artifacts.build({"__main__": text}, {"__main__": "fast"})
    assert artifacts.launch().stdout == artifacts.python("artifact/src/main.py").stdout


@pytest.mark.parametrize("disable", ["0", "1"])
def test_a_program_of_ppy_files(artifacts, disable: str) -> None:
    artifacts.suffix = ".ppy"
    sources = {"__main__": "import ppy\nimport helper\nprint(helper.x)\n", "helper": "x = 3\n"}
    artifacts.build(sources, dict.fromkeys(sources, "fast"))
    done = artifacts.launch(PPY_DISABLE=disable)
    assert (done.stdout, done.stderr) == ("3\n", "")

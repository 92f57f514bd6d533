"""Which array operations of a module's functions became kernels, for `ppy explain`, with what goes through memory."""

from __future__ import annotations

from ppy_compiler.dialects.tensor import SIZES
from ppy_compiler.driver import stages
from ppy_compiler.driver.modules import MAIN
from ppy_compiler.driver.session import Session
from ppy_compiler.infer.trees import Node, Tree, find_trees
from ppy_compiler.plugins.specs import SumSpec
from ppy_compiler.support.source import Source


def kernels(session: Session, source: Source) -> dict[str, tuple[str, ...]]:
    """One line for each kernel, by the `sym` of the function."""
    plugins = session.plugins_for(source.path)
    if not plugins.plugins:
        return {}
    module = stages.python_ir(source, MAIN, stages.compiled(source))
    facts = stages.typed(stages.structured(module, plugins), plugins)
    found: dict[str, tuple[str, ...]] = {}
    for sym in facts.functions:
        trees = (tree for version in facts.versions(sym) for tree in find_trees(version.func.body, version.plugged))
        lines = {tree.ops[-1]: (_lines(tree), _text(tree)) for tree in trees}
        found[sym] = tuple(text for _, text in sorted(lines.values()))
    return found


def _lines(tree: Tree) -> tuple[int, int]:
    """First and last."""
    spans = [node.op.span for node in tree.nodes if node.op.span is not None]
    return min(span.line for span in spans), max(span.line for span in spans)


def _text(tree: Tree) -> str:
    first, last = _lines(tree)
    place = f"line {first}" if first == last else f"lines {first} to {last}"
    made = "its sum, in no array" if isinstance(tree.nodes[-1].spec, SumSpec) else "one array"
    traffic = f"{_fused(tree)} bytes an element go through memory, not {sum(map(_alone, tree.nodes))}"
    return f"{place}: {len(tree.nodes)} operations on arrays are one kernel that makes {made}: {traffic}"


def _size(element: str) -> int:
    """Bytes of an element in an array; a Python number is in none."""
    return SIZES.get(element, 0)


def _result(node: Node) -> int:
    return 0 if isinstance(node.spec, SumSpec) else _size(node.spec.result.element)


def _fused(tree: Tree) -> int:
    return sum(_size(leaf.element) for leaf in tree.leaves.values() if not leaf.number) + _result(tree.nodes[-1])


def _alone(node: Node) -> int:
    return sum(_size(operand.element) for operand in node.spec.operands) + _result(node)

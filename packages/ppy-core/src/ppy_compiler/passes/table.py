"""All passes and the orderings between them."""

from __future__ import annotations

from ppy_compiler.passes.manager import Ordering, Pass
from ppy_compiler.passes.transforms.block_arguments import simplify_arguments
from ppy_compiler.passes.transforms.canonicalize import canonicalize
from ppy_compiler.passes.transforms.cfg import simplify_cfg
from ppy_compiler.passes.transforms.dead_code import remove_dead_code

TABLE = {
    one.name: one
    for one in (
        Pass("canonicalize", canonicalize, "local rules and constant folding", each_function=True),
        Pass("simplify-cfg", simplify_cfg, "unreachable, forwarding and mergeable blocks", each_function=True),
        Pass("simplify-arguments", simplify_arguments, "block arguments always the same or unused", each_function=True),
        Pass("remove-dead-code", remove_dead_code, "operations that nobody needs", each_function=True),
    )
}

ORDER = (
    Ordering("canonicalize", "simplify-cfg", "folding decides branches, whose other side is unreachable then"),
    Ordering("simplify-cfg", "simplify-arguments", "removed edges leave arguments that are always the same"),
    Ordering("simplify-arguments", "remove-dead-code", "what was only passed on is unused then"),
)
"""Why each pair stands in this order."""

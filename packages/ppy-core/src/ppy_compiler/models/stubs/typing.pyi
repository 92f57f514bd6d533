"""The module ``typing``: what has a meaning for inference beyond its use in annotations."""

from ppy_compiler.models.rungs import python

@python("shows the type that is known here", effects="io+runs", result="receiver")
def reveal_type(obj: object, /) -> object: ...
@python("gives back its argument", effects="pure", raises=(), result="last")
def cast(typ: object, val: object, /) -> object: ...

TYPE_CHECKING: bool

"""The module ``sys``: only what programs read in passing. All of it can be rebound, so types are assumptions."""

from ppy_compiler.models.rungs import python

argv: list[str]
maxsize: int
byteorder: str
platform: str
version: str
executable: str

@python("interpreter settings belong to CPython", effects="io")
def getrecursionlimit() -> int: ...
@python("interpreter settings belong to CPython", effects="io")
def setrecursionlimit(limit: int, /) -> None: ...
@python("ends the program by raising SystemExit")
def exit(status: object = ..., /) -> object: ...
@python("asks the object itself")
def getsizeof(object: object, default: object = ...) -> int: ...
@python("reference counts belong to CPython", effects="reads")
def getrefcount(object: object, /) -> int: ...
@python("interns in CPython's table", effects="pure")
def intern(string: str, /) -> str: ...

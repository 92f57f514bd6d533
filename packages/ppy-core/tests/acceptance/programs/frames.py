"""What looks at frames, code objects and function objects."""
import collections
import copy
import functools
import inspect
import logging
import pickle
import sys
import types
import warnings


def where(depth=1):
    frame = sys._getframe(depth)
    return frame.f_code.co_name, frame.f_lineno, frame.f_globals is globals(), frame.f_code.co_filename == __file__


def caller():
    return where()


def nested():
    def inner():
        return where(), where(2)

    return inner()


class Klass:
    def method(self):
        return where()

    line = where()


print(where(), caller(), nested(), Klass().method(), Klass.line, (lambda: where())(), [where() for _ in range(1)])
Pair = collections.namedtuple("Pair", "a b")
print(Pair.__module__, pickle.loads(pickle.dumps(Pair(1, 2))))


def deprecated():
    warnings.warn("old", DeprecationWarning, stacklevel=2)


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    deprecated()
    print([(w.lineno, str(w.message), w.filename == __file__) for w in caught])
logging.basicConfig(format="%(funcName)s:%(lineno)d %(message)s", stream=sys.stdout)


def logs():
    logging.warning("logged")


logs()


def locals_of(a, b=2, *args, c, **kw):
    d = a + b
    e = [d]
    return sorted(locals().items())


print(locals_of(1, c=3, z=4))


def evaluating(x):
    y = x * 2
    exec("print('exec sees', x, y)")
    return eval("x + y"), eval("x", {"x": "given"}), eval("[x, len(str(y))]")


print(evaluating(5))
exec("made_by_exec = 7")
print(made_by_exec, eval("caller")() == caller(), "made_by_exec" in globals(), "made_by_exec" in dir())
print(vars() is globals(), locals() is globals())


def documented(a: int, /, b: "str" = "x", *, c: float = 1.0, **rest) -> bool:
    """Documentation.

    More.
    """
    local = a
    return [local for _ in rest]


print(inspect.signature(documented), documented.__annotations__, documented.__defaults__, documented.__kwdefaults__)
print(documented.__doc__, documented.__code__.co_argcount, documented.__code__.co_kwonlyargcount, documented.__code__.co_posonlyargcount)
print(documented.__code__.co_varnames[:5], documented.__code__.co_name, documented.__code__.co_firstlineno, documented.__code__.co_qualname)
print(inspect.getsource(caller), inspect.getsourcelines(Klass.method)[1], inspect.getdoc(documented))
print(pickle.loads(pickle.dumps(caller)) is caller, copy.deepcopy(caller) is caller, isinstance(caller, types.FunctionType))
print(type(caller) is types.FunctionType, callable(caller), repr(caller)[:16], caller.__module__, caller.__globals__ is globals())
documented.attribute = 1
print(documented.__dict__, hash(caller) == hash(caller), caller == caller)


def make(n):
    def adder(x):
        return x + n

    return adder


a1, a2 = make(1), make(2)
print(a1(1), a2(1), a1.__closure__[0].cell_contents, a1.__code__ is a2.__code__, a1.__code__.co_freevars, a1.__qualname__)
a1.__closure__[0].cell_contents = 100
print(a1(1))
a1.__code__, old = (lambda x: x * n if False else x * 3).__code__ if False else a2.__code__, a1.__code__
print(a1(1))
documented.__defaults__ = ("changed",)
print(inspect.signature(documented))


def twice(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        f(*args, **kwargs)
        return f(*args, **kwargs)

    return wrapper


@twice
@twice
def hello(name="x"):
    """Says hello."""
    print("hello", name)


hello("w")
print(hello.__name__, hello.__doc__, hello.__wrapped__.__wrapped__.__name__, functools.partial(hello, "p")() )
rebuilt = types.FunctionType(a2.__code__, {"__builtins__": __builtins__}, "rebuilt", None, a2.__closure__)
print(rebuilt(5), rebuilt.__name__)
print([f.function for f in inspect.stack()][:1], inspect.currentframe().f_code.co_name)


def recursive(n):
    return n if n == 0 else recursive(n - 1)


print(recursive(900))
try:
    recursive(10**6)
except RecursionError as e:
    print(type(e).__name__, str(e)[:32])


class Repr:
    def __repr__(self):
        return repr([self])


try:
    repr(Repr())
except RecursionError as e:
    print(type(e).__name__)
sys.setrecursionlimit(3000)
print(recursive(2900), sys.getrecursionlimit())
print(__name__, __doc__, __spec__ is None, __builtins__ is not None)

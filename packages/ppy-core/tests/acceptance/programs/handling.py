"""try, except, else, finally, with, except*: ways through and what is left behind."""
import contextlib
import sys


class Manager:
    def __init__(self, name, suppress=False, fail=""):
        self.name, self.suppress, self.fail = name, suppress, fail

    def __enter__(self):
        print("enter", self.name)
        if self.fail == "enter":
            raise ValueError("enter")
        return self

    def __exit__(self, kind, value, tb):
        print("exit", self.name, kind and kind.__name__, value, tb is not None, sys.exception())
        if self.fail == "exit":
            raise KeyError("exit")
        return self.suppress


def ways(kind):
    for i in range(2):
        try:
            print("try", i)
            if kind == "return":
                return "returned"
            if kind == "break":
                break
            if kind == "continue":
                continue
            if kind == "raise":
                raise ValueError(kind)
        except ValueError as e:
            print("except", e)
            if i:
                return "from except"
        else:
            print("else")
        finally:
            print("finally", sys.exception())
    else:
        return "loop ended"
    return "after break"


def overriding(kind):
    for _ in range(1):
        try:
            if kind == "lost":
                raise ValueError("lost")
            return "first"
        finally:
            if kind == "return":
                return "second"
            if kind in ("break", "lost"):
                break
    return "after loop"


def nested_with(**kw):
    with Manager("outer", **kw) as a, Manager("inner") as b:
        print(a.name, b.name)
        raise RuntimeError("body")
    return "suppressed"


def with_return():
    for i in range(3):
        with Manager(f"w{i}"):
            if i == 0:
                continue
            if i == 1:
                return i


def handler_deletes():
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        e
    except NameError as n:
        print(type(n).__name__, n)


def pattern_errors():
    try:
        try:
            1 / 0
        except 5:
            pass
    except TypeError as e:
        print(e, repr(e.__context__))
    try:
        try:
            1 / 0
        except (ValueError, (KeyError, 3)):
            pass
    except TypeError as e:
        print(e)


def groups():
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2), ExceptionGroup("n", [ValueError(3), OSError(4)])])
    except* ValueError as e:
        print("values", e.exceptions, sys.exception() is e)
    except* KeyError as e:
        print("keys", e.exceptions)
    except* OSError as e:
        print("os", e.exceptions)
    print(sys.exception())
    try:
        try:
            raise ExceptionGroup("g", [ValueError(1), KeyError(2)])
        except* ValueError:
            raise TypeError("new")
    except ExceptionGroup as e:
        print(repr(e), [repr(x) for x in e.exceptions], [repr(x.__context__) for x in e.exceptions])
    try:
        raise ValueError("naked")
    except* ValueError as e:
        print(repr(e))
    else:
        print("no else")
    finally:
        print("group finally")
    try:
        try:
            raise ExceptionGroup("r", [KeyError("a"), OSError("b")])
        except* KeyError as e:
            raise
    except BaseException as e:
        print(repr(e))
    try:
        print("nothing")
    except* ValueError:
        print("never")
    else:
        print("else")


for kind in ("return", "break", "continue", "raise", "nothing"):
    print(kind, ways(kind))
for kind in ("plain", "return", "break", "lost"):
    print(kind, overriding(kind))
print(nested_with(suppress=True))
for kw in ({}, {"fail": "enter"}, {"fail": "exit"}):
    try:
        nested_with(**kw)
    except Exception as e:
        print(repr(e), repr(e.__context__))
print(with_return())
handler_deletes()
pattern_errors()
groups()
for broken in (5, type("E", (), {"__enter__": lambda s: 1})(), type("X", (), {"__exit__": lambda *a: 1})()):
    try:
        with broken:
            pass
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)
try:
    raise 5
except TypeError as e:
    print(e)
try:
    raise
except RuntimeError as e:
    print(e)
try:
    raise ValueError from 5
except TypeError as e:
    print(e)
try:
    raise ValueError("a") from KeyError("b")
except ValueError as e:
    print(repr(e.__cause__), e.__suppress_context__)
with contextlib.suppress(ZeroDivisionError):
    1 / 0
with contextlib.ExitStack() as stack:
    stack.callback(print, "callback")
    stack.enter_context(Manager("stacked"))


@contextlib.contextmanager
def managed(x):
    print("setup", x)
    try:
        yield x * 2
    except ValueError as e:
        print("handled", e)
    finally:
        print("teardown")


with managed(2) as m:
    print(m)
    raise ValueError("in managed")
for _ in range(2):
    try:
        raise KeyError("loop")
    except KeyError as e:
        err = e
        continue
print(repr(err), sys.exception())


def deep_finally():
    try:
        try:
            try:
                raise ValueError(1)
            finally:
                print(1)
                raise KeyError(2)
        except KeyError as e:
            print(repr(e), repr(e.__context__))
            raise
        finally:
            print(3)
    except KeyError as e:
        return repr(e)
    finally:
        print(4)


print(deep_finally())


def while_try():
    n = 0
    while True:
        n += 1
        try:
            if n < 3:
                continue
            if n == 5:
                break
            if n == 4:
                raise ValueError
        except ValueError:
            print("at", n)
        else:
            print("else at", n)
        finally:
            print("f", n, end=" ")
    return n


print(while_try())

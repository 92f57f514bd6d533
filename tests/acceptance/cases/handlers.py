"""try, except, else, finally, raise in every combination; what tracebacks, contexts and causes say."""

import sys
import traceback


class Mine(Exception):
    pass


def show(e, depth=0):
    if e is None or depth > 4:
        return "-"
    places = [f"{f.name}:{f.lineno}" for f in traceback.extract_tb(e.__traceback__)]
    return f"{type(e).__name__}({e}) {places} cause[{show(e.__cause__, depth + 1)}] context[{show(e.__context__, depth + 1)}]"


def call(f, *args):
    try:
        print(f.__name__, args, "->", f(*args))
    except BaseException as e:
        print(f.__name__, args, "!!", show(e))
    print(sys.exc_info())


def ways(k: int, n: int):
    log = []
    for i in range(n):
        try:
            log.append(i)
            if k == 1:
                continue
            if k == 2:
                break
            if k == 3:
                return log, "try"
            if k == 4:
                10 // (i - 1)
            if k == 5:
                raise Mine(i)
        except ZeroDivisionError:
            log.append("zero")
            if i == 1:
                continue
            raise
        except Mine as e:
            log.append(str(e))
            if i == 2:
                raise KeyError("from mine") from e
        else:
            log.append("else")
        finally:
            log.append("finally")
            if k == 6 and i == 1:
                break
            if k == 7 and i == 1:
                return log, "finally"
    else:
        log.append("end")
    return log


def swallow(n: int):
    for i in range(n):
        try:
            1 // i
        finally:
            if i == 0:
                continue
            return i
    return "none"


def nested(n: int):
    try:
        try:
            try:
                return 10 // n
            except ZeroDivisionError as e:
                raise Mine("inner") from e
            finally:
                print("f1", n)
        except Mine:
            if n == 0:
                raise
        finally:
            print("f2", n)
            if n == 3:
                raise ValueError("replaced")
    finally:
        print("f3", n)


def bare():
    raise


def reraise():
    try:
        1 // 0
    except ZeroDivisionError:
        try:
            bare()
        except ZeroDivisionError as again:
            try:
                {}["k"]
            except KeyError:
                pass
            raise


def contexts(n):
    try:
        raise Mine(n)
    except Mine:
        for i in range(n):
            try:
                [].pop(i)
            except IndexError as e:
                if i == 1:
                    raise RuntimeError("while") from None
                kept = e
        raise kept


def handled_state(n):
    out = [sys.exc_info()[0]]
    for i in range(n):
        try:
            raise KeyError(i)
        except KeyError:
            out.append(sys.exc_info()[0].__name__)
            try:
                raise Mine
            except Mine:
                out.append(sys.exc_info()[0].__name__)
            out.append(sys.exc_info()[0].__name__)
        out.append(sys.exc_info()[0])
    return out


def name_is_gone():
    e = 5
    try:
        raise Mine
    except Mine as e:
        pass
    return e


def matching(kind):
    try:
        raise Mine("m")
    except kind:
        return "caught"


def tuple_of(n):
    try:
        if n == 0: raise ValueError
        if n == 1: raise KeyError
        if n == 2: raise OSError(2, "no")
        return n
    except (ValueError, (KeyError, TypeError)) if n == 9 else (ValueError, KeyError) as e:
        return type(e).__name__
    except OSError as e:
        return e.errno, e.strerror


def deep(n: int):
    if n == 0:
        return 1 // n
    return deep(n - 1) + 1


def overflow_then_raise(n: int):
    x = 2**62
    try:
        for i in range(n):
            x += x
        return x // (n - 4)
    except ZeroDivisionError as e:
        e.add_note(f"x was {x}")
        raise
    finally:
        print("x", x)


def group(n):
    try:
        raise ExceptionGroup("g", [ValueError(1), KeyError(2), ExceptionGroup("h", [ValueError(3)])])
    except* ValueError as e:
        print("values", [str(x) for x in e.exceptions])
        if n:
            raise Mine("in group")
    except* KeyError as e:
        print("keys", e.exceptions)


def not_exception(x):
    raise x


def asserts(n):
    assert n, ("message", n)
    assert n > 1
    return "fine"


for k in range(8):
    call(ways, k, 3)
for n in range(4):
    call(swallow, n)
    call(nested, n)
    call(contexts, n)
    call(tuple_of, n)
    call(asserts, n)
call(bare)
call(reraise)
call(handled_state, 2)
call(name_is_gone)
for kind in (Mine, Exception, (KeyError, Mine), (), int, "text", (KeyError, 3)):
    call(matching, kind)
call(deep, 4)
for n in (3, 4, 5):
    call(overflow_then_raise, n)
call(group, 0)
call(group, 1)
for x in (Mine, Mine("i"), int, 3, None, KeyboardInterrupt, SystemExit(3), StopIteration):
    call(not_exception, x)


def uncaught(n: int):
    try:
        return [1, 2][n]
    except IndexError as error:
        raise Mine("last") from error


uncaught(7)

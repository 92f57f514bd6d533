# try in all forms; the handled exception; what is raised from where.
import sys


def handled():
    return sys.exc_info()[1]


def basic(kind):
    log = []
    try:
        log.append("try")
        if kind == 1:
            {}["missing"]
        if kind == 2:
            int("x")
        if kind == 3:
            raise RuntimeError("plain") from KeyError("cause")
    except KeyError as e:
        log.append(("key", e.args, handled() is e))
    except (ValueError, TypeError) as e:
        log.append(("value", str(e)))
        try:
            raise TypeError("inner")
        except TypeError as inner:
            log.append((inner.__context__ is e, handled() is inner))
        log.append(handled() is e)
    else:
        log.append("else")
    finally:
        log.append("finally")
    log.append(handled())
    return log


def names_go():
    e = "before"
    try:
        raise ValueError(1)
    except ValueError as e:
        pass
    try:
        print(e)
    except UnboundLocalError as error:
        print(error)
    try:
        raise ValueError(2)
    except ValueError as again:
        del again
        again = 5
    try:
        raise ValueError(3)
    except ValueError as kept:
        return repr(kept)


def returns(kind):
    try:
        if kind == 0:
            return "try"
        1 / 0
    except ZeroDivisionError:
        if kind == 1:
            return "except"
        raise
    finally:
        print("cleanup", handled())
        if kind == 3:
            return "finally wins"
    return "after"


def chained():
    try:
        try:
            1 / 0
        except ZeroDivisionError as e:
            raise KeyError("second") from None
    except KeyError as e:
        print(repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
    try:
        try:
            1 / 0
        finally:
            {}["during"]
    except KeyError as e:
        print(repr(e.__context__))


def bad_pattern():
    try:
        try:
            1 / 0
        except "not a class":
            pass
    except TypeError as e:
        print(e, "|", repr(e.__context__))


def nested_finally():
    out = []
    try:
        try:
            try:
                out.append(1)
                return out
            finally:
                out.append(2)
        finally:
            out.append(3)
            1 / 0
    except ZeroDivisionError:
        out.append(4)
    finally:
        out.append(5)
    return out


def reraise_nothing():
    try:
        raise
    except RuntimeError as e:
        print(e)


def loop_state(n):
    x = y = 0
    for i in range(n):
        try:
            x = i
            if i % 2:
                raise ValueError(i)
            y = i
        except ValueError as e:
            y += 100 + e.args[0]
        finally:
            x *= 2
    return x, y


def variables_at_the_raise():
    stage = "none"
    try:
        stage = "one"
        int("1")
        stage = "two"
        int("two")
        stage = "three"
    except ValueError:
        return stage


def unbound_in_handler(flag):
    try:
        if flag:
            late = 1
        int("x")
        late = 2
    except ValueError:
        return late


def lines():
    def a():
        return b(
            1,
            2,
        )

    def b(x, y):
        if x:
            z = (x
                 + y
                 / (x - 1))
        return z

    try:
        a()
    except ZeroDivisionError as e:
        tb, out = e.__traceback__, []
        while tb:
            out.append((tb.tb_frame.f_code.co_name, tb.tb_lineno - tb.tb_frame.f_code.co_firstlineno))
            tb = tb.tb_next
        return out


def assertions(x):
    assert x, f"message {x}"
    assert x > 1 and x < 9
    return x


for k in range(4):
    try:
        print(basic(k))
    except RuntimeError as e:
        print(repr(e), repr(e.__cause__))
print(names_go())
for k in range(4):
    try:
        print(returns(k))
    except ZeroDivisionError as e:
        print("out", e)
chained()
bad_pattern()
print(nested_finally())
reraise_nothing()
print(loop_state(6), variables_at_the_raise(), unbound_in_handler(1))
try:
    unbound_in_handler(0)
except UnboundLocalError as e:
    print(e, repr(e.__context__))
print(lines())
for v in (0, 1, 5):
    try:
        print(assertions(v))
    except AssertionError as e:
        print(repr(e))
AssertionError = None
try:
    assert False, "still the real one"
except Exception as e:
    print(type(e).__name__, e)
try:
    raise ValueError
except ValueError as module_level:
    pass
print("module_level" in globals())

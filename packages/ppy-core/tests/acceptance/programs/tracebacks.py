"""Where exceptions were raised: lines, carets, chains, what a handler sees."""
import sys
import traceback


class Custom(Exception):
    pass


def divide(a, b):
    return (a + 1) * (a / b) + 3


def attribute(x):
    return (x.real
            .missing
            .more)


def item(d):
    return d["a"]["b"][0]


def call():
    return divide(
        1,
        0,
    )


def reraised():
    try:
        divide(2, 0)
    except ZeroDivisionError:
        print("handling", sys.exception())
        raise


def chained():
    try:
        divide(3, 0)
    except ZeroDivisionError as e:
        raise Custom("second") from e


def context():
    try:
        item({"a": {"b": []}})
    except IndexError:
        [].pop()


def cleaned():
    try:
        try:
            divide(4, 0)
        finally:
            print("cleanup", sys.exception())
    finally:
        print("outer cleanup")


def suppressed():
    try:
        int("x")
    except ValueError:
        raise Custom from None


def nested():
    try:
        chained()
    except Custom:
        try:
            context()
        except IndexError as inner:
            raise RuntimeError("third") from inner


def in_comprehension():
    return [divide(x, x - 1) for x in range(3)]


def in_generator():
    return list(divide(x, x - 1) for x in range(3))


def in_lambda():
    return (lambda x: x.y)(1)


def in_key():
    return sorted([3, 1, 2], key=lambda v: v / 0)


def in_class():
    class Broken:
        attribute = 1
        other = attribute.missing


def asserting():
    assert 1 > 2, "message %d" % 3


def unbound():
    if len(sys.argv) > 1000:
        x = 1
    return x


def name_error():
    return undefined_name + 1


def deep(n):
    if n:
        return deep(n - 1)
    raise KeyError("deep")


def loop():
    for x in 5:
        print(x)


def unpack():
    a, b = [1, 2, 3]


def multi():
    total = 0
    for value in [1, "a"]:
        total += \
            value
    return total


def with_statement():
    with open("/nonexistent/file") as f:
        f.read()


def by_format():
    return f"{1} {'x':d} {2}"


for function in (attribute, call, reraised, chained, context, cleaned, suppressed, nested, in_comprehension, in_generator,
                 in_lambda, in_key, in_class, asserting, unbound, name_error, loop, unpack, multi, with_statement, by_format):
    print("---", function.__name__)
    try:
        function(*(1,) * function.__code__.co_argcount)
    except Exception:
        print(traceback.format_exc())
try:
    deep(3)
except KeyError as e:
    print([(f.lineno, f.name, f.line) for f in traceback.extract_tb(e.__traceback__)])
    tb = e.__traceback__
    while tb:
        print(tb.tb_lineno, tb.tb_frame.f_code.co_name, tb.tb_frame.f_lineno)
        tb = tb.tb_next
print(sys.exception())
nested()

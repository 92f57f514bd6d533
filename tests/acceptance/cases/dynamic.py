"""The world changes or looks while compiled code runs: globals, builtins, threads, signals, frames, warnings."""

import builtins
import importlib
import logging
import signal
import sys
import threading
import warnings

scale = 2


def factor(x: int) -> int:
    return x * scale


def loop(n: int) -> int:
    total = 0
    for i in range(n):
        total += factor(i)
        if i == 3:
            globals()["scale"] = 10
        if i == 5:
            sys.modules[__name__].factor = lambda x: -x
    return total


def lengths(items):
    return [len(x) for x in items]


def uses_global(n):
    out = []
    for i in range(n):
        try:
            out.append(maybe)
        except NameError as e:
            out.append(str(e))
        if i == 1:
            globals()["maybe"] = "here"
        if i == 3:
            del globals()["maybe"]
    return out


def maybe_unbound(n: int):
    if n > 2:
        x = n
    try:
        return x
    except UnboundLocalError as e:
        return str(e)


def deleted(n):
    y = n
    if n:
        del y
    try:
        return y
    except NameError as e:
        return type(e).__name__


def walrus(n: int):
    out = []
    while (n := n - 1) > 0:
        if (m := n % 3) == 1:
            out.append((n, m))
    return out, n, m, [last := k for k in range(3)], last


def frames():
    f = sys._getframe()
    g = f.f_back
    return f.f_code.co_name, g.f_code.co_name, f.f_lineno - f.f_code.co_firstlineno, g.f_lineno


def look(n: int):
    for i in range(n):
        where = frames()
    return where


def warned(n: int):
    for i in range(n):
        warnings.warn(f"careful {i}", UserWarning)


def wait_for_signal(n: int) -> int:
    i = 0
    while not fired:
        i += 1
    return n


def interrupted():
    try:
        i = 0
        while True:
            i += 1
    except KeyboardInterrupt:
        return "interrupted"


def spin(flag, n: int):
    while not flag.is_set():
        n += 1
    return n > 0


def wait_global() -> int:
    while not stop:
        pass
    return stop


def locked(n: int):
    global shared_total
    for i in range(n):
        with lock:
            shared_total += 1


print(loop(8))
saved = builtins.len
print(lengths(["a", "bc"]))
builtins.len = lambda x: 99
print(lengths(["a", "bc"]))
builtins.len = saved
len = lambda x: "global"
print(lengths(["a", "bc"]))
del len
print(lengths(["a", "bc"]), uses_global(6))
print([maybe_unbound(n) for n in (1, 3)], deleted(0), deleted(1), walrus(7))
print(look(2))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warned(2)
print([(str(w.message), w.lineno, w.filename == __file__) for w in caught])
logging.basicConfig(format="%(funcName)s:%(lineno)d %(message)s", stream=sys.stdout)


def logs(n: int):
    for i in range(n):
        logging.warning("number %d", i)


logs(2)
fired = False


def on_alarm(signum, frame):
    global fired
    fired = True
    print("alarm in", frame.f_code.co_name)


signal.signal(signal.SIGALRM, on_alarm)
signal.setitimer(signal.ITIMER_REAL, 0.2)
print(wait_for_signal(5))
signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
signal.setitimer(signal.ITIMER_REAL, 0.2)
print(interrupted())
flag, stop = threading.Event(), 0
timer = threading.Timer(0.1, flag.set)
timer.start()
print(spin(flag, 0))
threading.Timer(0.1, lambda: globals().update(stop=7)).start()
print(wait_global())
lock, shared_total = threading.Lock(), 0
workers = [threading.Thread(target=locked, args=(2000,)) for _ in range(4)]
for w in workers:
    w.start()
for w in workers:
    w.join()
print(shared_total)


def shape(x):
    match x:
        case int(n) if n > 100:
            return "big", n
        case bool() | int():
            return "int"
        case [a, *rest, b]:
            return "seq", a, rest, b
        case {"k": v, **others}:
            return "map", v, others
        case str() as s:
            return "str", s
        case complex(real=r, imag=0.0):
            return "real", r
        case None | ():
            return "nothing"
    return "other"


print([shape(x) for x in (101, 5, True, [1, 2, 3], (1, 2), [1], {"k": 1, "z": 2}, {}, "s", 2 + 0j, 1j, None, (), 1.5)])


class Body:
    k = 3
    size = k * 2
    names = [n for n in ("a", "b")]

    def method(self):
        return self.k, __class__.__name__

    for k in range(2):
        pass


print(Body.k, Body.size, Body.names, Body().method())
for wrong in ("a, b = 1, 2, 3", "a, b, *c = [1]", "a, b = 5", "(a, b), c = [1], 2", "[a, b] = {}"):
    try:
        exec(wrong)
    except Exception as e:
        print(type(e).__name__, e)


def unpack(x):
    try:
        a, (b, *c) = x
        return a, b, c
    except (TypeError, ValueError) as e:
        return str(e)


print([unpack(x) for x in ((1, [2, 3]), (1, 2), (1,), (1, 2, 3), "ab", 3, ("x", "yz"), (1, []))])
import json
print(importlib.reload(json) is json, json.dumps({"a": [1, 2.5, None]}))

"""Signal handlers that raise while a loop runs: the exception unwinds from inside the loop's own try."""
import signal


class Stop(Exception):
    pass


def handler(signum, frame):
    raise Stop(signum)


def spin(seconds):
    n = 0
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        while True:
            n += 1
    except Stop as e:
        return "stopped", e.args == (signal.SIGALRM,), n > 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def without_handler(seconds):
    signal.setitimer(signal.ITIMER_REAL, seconds)
    n = 0
    while n >= 0:
        n += 1
        if n % 2:
            continue
    return n


def nested(seconds):
    try:
        for _ in iter(int, 1):
            try:
                without_handler(seconds)
            finally:
                print("inner finally")
    except Stop:
        return "outer"


signal.signal(signal.SIGALRM, handler)
print({spin(0.002 + k * 0.0004) for k in range(25)})
print(nested(0.01))
caught = finished = 0
for k in range(25):
    signal.setitimer(signal.ITIMER_REAL, 0.002 + k * 0.0004)
    try:
        while True:
            pass
    except Stop:
        caught += 1
        continue
    finally:
        finished += 1
print(caught, finished)


def slow(call, argument):
    signal.setitimer(signal.ITIMER_REAL, 0.005)
    try:
        for _ in range(3000):
            call(argument)
    except Stop:
        return "stopped"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


print(slow(sorted, list(range(20000, 0, -1))))

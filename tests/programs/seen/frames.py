"""Nothing lies below the module: for inspection, tracebacks, warnings, logging, faulthandler, signal handlers."""

import faulthandler
import inspect
import logging
import os
import signal
import sys
import threading
import traceback
import warnings


def names(frame):
    found = []
    while frame is not None:
        found.append(frame.f_code.co_name)
        frame = frame.f_back
    return found


def inner():
    print([record.function for record in inspect.stack()], names(sys._getframe()))
    traceback.print_stack()
    faulthandler.dump_traceback(file=sys.stderr)


def outer():
    inner()


outer()
traceback.print_stack()
print(sys._getframe().f_back, traceback.extract_stack())
try:
    sys._getframe(1)
except ValueError as error:
    print(error, error.__traceback__.tb_frame.f_back)
warnings.warn("from the module")
warnings.warn("from below", stacklevel=2)
logging.basicConfig(format="%(filename)s %(funcName)s %(lineno)d %(message)s", stream=sys.stdout)
logging.warning("logged", stack_info=True)
exec("print(len(inspect.stack()))")
exec(compile("import sys; print(sys._getframe(1).f_code.co_name)", "<text>", "exec"))


def on_signal(number, frame):
    print(names(frame), names(sys._getframe()))


signal.signal(signal.SIGUSR1, on_signal)
os.kill(os.getpid(), signal.SIGUSR1)


def look():
    print(names(sys._current_frames()[threading.main_thread().ident])[-1], names(sys._getframe())[-1])


thread = threading.Thread(target=look)
thread.start()
thread.join()


def hook(kind, value, trace):
    print(kind, value, names(sys._getframe()), names(trace.tb_frame), trace.tb_next.tb_next)
    traceback.print_stack()


def fail():
    raise KeyError("uncaught")


sys.excepthook = hook
fail()

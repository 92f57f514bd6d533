"""Light frames and tracebacks of native activations, looked at by Python code."""

from __future__ import annotations

import gc
import linecache
import logging
import sys
import threading
import traceback
import types
import warnings
from collections import namedtuple
from functools import partial
from typing import Any

import pytest
from sample import Sample, plain


@pytest.fixture(scope="module")
def sample() -> Sample:
    return Sample()


def shown(call: Any, *args: Any) -> list[str]:
    """The traceback of a failing call as CPython prints it, below this function, without file names."""
    try:
        call(*args)
    except Exception:
        lines = traceback.format_exc().splitlines()
        del lines[1:3]
        return [line.split(", ", 1)[1] if line.startswith("  File ") else line for line in lines]
    raise AssertionError("it did not fail")


def test_tracebacks_have_pythons_lines_and_carets(sample: Sample) -> None:
    reference = plain()
    assert shown(sample.outer, 0) == shown(reference["outer"], 0)
    assert shown(sample.fail, "x") == shown(reference["fail"], "x")

    def nested(module: Any) -> Any:
        return lambda: module["outer"](0)

    assert shown(sample.look, nested(sample.dict)) == shown(reference["look"], nested(reference))


def test_traceback_entries_are_ordinary(sample: Sample) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        sample.outer(0)
    entries = [(entry.f_code.co_qualname, line) for entry, line in traceback.walk_tb(caught.value.__traceback__)]
    assert entries[1:] == [("outer", 8), ("fail", 6)]
    last: Any = caught.value.__traceback__
    while last.tb_next is not None:
        last = last.tb_next
    assert last.tb_frame.f_back.f_code is sample.outer.__code__
    assert last.tb_frame.f_back.f_back is sys._getframe()
    assert last.tb_lasti == sample.lasti[3]
    assert last.tb_frame.f_lasti == sample.lasti[3]
    assert last.tb_frame.f_globals is sample.dict
    assert last.tb_frame.f_locals == {}
    traceback.clear_frames(caught.value.__traceback__)


def test_a_callee_sees_its_native_caller(sample: Sample) -> None:
    def peek() -> tuple[Any, ...]:
        frame = sys._getframe(1)
        back = frame.f_back
        assert back is not None
        return (
            frame.f_code,
            frame.f_lineno,
            frame.f_lasti,
            frame.f_globals["__name__"],
            dict(frame.f_locals),
            back.f_code,
        )

    assert sample.look(peek)[0] == (sample.look.__code__, 4, sample.lasti[2], "sample", {}, sys._getframe().f_code)


def test_libraries_that_look_at_their_caller(sample: Sample, caplog: pytest.LogCaptureFixture) -> None:
    made = sample.look(lambda: None)
    assert made == [None]
    pair = sample.look(_make_pair)[0]
    assert pair.__module__ == "sample"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sample.look(lambda: warnings.warn("careful", stacklevel=2))
        assert caught[0].filename == sample.look.__code__.co_filename
        assert caught[0].lineno == 4
    with caplog.at_level(logging.WARNING):
        sample.look(_log)
    assert (caplog.records[0].funcName, caplog.records[0].lineno) == ("look", 4)
    assert sample.look(globals)[0] is sample.dict
    assert sample.look(locals)[0] == {}
    assert sample.look(traceback.extract_stack)[0][-1].name == "look"


def _make_pair() -> Any:
    return eval(
        "namedtuple('Pair', 'a b', module=frame.f_globals['__name__'])",
        {"namedtuple": namedtuple, "frame": sys._getframe(1)},
    )


def _log() -> None:
    logging.getLogger("sample").warning("here", stacklevel=2)


def test_a_kept_frame_outlives_its_activation(sample: Sample) -> None:
    frames: list[types.FrameType] = []
    sample.look(lambda: frames.append(sys._getframe(1)))
    sample.look(lambda: sample.look(lambda: frames.append(sys._getframe(1))))
    gc.collect()
    for frame in frames:
        assert frame.f_code is sample.look.__code__
        assert frame.f_lineno == 4
        assert frame.f_globals is sample.dict
        assert frame.f_builtins["len"] is len
        assert frame.f_locals == {}
        assert frame.f_trace is None
        frame.clear()
    assert frames[0].f_back is sys._getframe()
    names = [f.f_code.co_name for f, _ in traceback.walk_stack(frames[1])][:4]
    assert names == ["look", "<lambda>", "look", "test_a_kept_frame_outlives_its_activation"]


def test_frames_of_closures_have_no_locals_either(sample: Sample) -> None:
    inner = sample.make(1)
    for _ in range(50):
        with pytest.raises(TypeError) as caught:
            inner(None)
        last: Any = caught.value.__traceback__
        while last.tb_next is not None:
            last = last.tb_next
        assert last.tb_frame.f_code is inner.__code__
        assert dict(last.tb_frame.f_locals) == {}
        assert last.tb_lineno == 11
        last.tb_frame.clear()
    if sys.version_info >= (3, 13):
        last.tb_frame.f_locals["x"] = 5
        assert last.tb_frame.f_locals["x"] == 5


def test_an_offset_before_the_first_instruction_is_the_first_one() -> None:
    fresh = Sample()
    fresh.lasti[2] = fresh.lasti[3] = 0

    def fail() -> None:
        raise KeyError

    for call in (lambda: fresh.fail(0), lambda: fresh.look(fail)):
        with pytest.raises((ZeroDivisionError, KeyError)) as caught:
            call()
        entries = [entry.name for entry in caught.traceback]
        assert entries[2] in ("fail", "look")


def test_frames_are_freed(sample: Sample) -> None:
    def peek() -> Any:
        return sys._getframe(1).f_back

    def fail() -> Any:
        raise KeyError

    sample.look(peek)
    gc.collect()
    before = len(gc.get_objects()), sys.getrefcount(sample.look.__code__), sys.getrefcount(sample.dict)
    for _ in range(3000):
        sample.look(peek)
        with pytest.raises(KeyError):
            sample.look(fail)
    gc.collect()
    after = len(gc.get_objects()), sys.getrefcount(sample.look.__code__), sys.getrefcount(sample.dict)
    assert after[0] < before[0] + 50
    assert after[1:] == before[1:]


def test_deep_nesting_of_native_and_python_frames(sample: Sample) -> None:
    def down(n: int) -> Any:
        if n == 0:
            return len(list(traceback.walk_stack(None)))
        return sample.look(lambda: down(n - 1))[0]

    outside = len(list(traceback.walk_stack(None)))
    assert down(60) == outside + 3 * 60 + 1

    def endless() -> Any:
        return sample.look(endless)

    with pytest.raises(RecursionError):
        endless()
    assert sample.look(lambda: 1) == [1]


def test_the_data_stack_is_balanced(sample: Sample) -> None:
    def wide(n: int) -> int:
        a = b = c = d = e = f = g = h = n
        return a if n == 0 else sample.look(lambda: wide(n - 1))[0] + b - c + d - e + f - g + h - n

    for _ in range(50):
        assert wide(100) == 0


def test_generators_suspended_below_a_native_frame(sample: Sample) -> None:
    def generator() -> Any:
        for i in range(3):
            yield sample.look(partial(int, i))[0]

    iterator = generator()
    assert sample.look(lambda: next(iterator)) == [0]
    assert [next(iterator), sample.look(lambda: next(iterator))] == [1, [2]]


def test_frames_in_threads(sample: Sample) -> None:
    answers: list[Any] = []

    def run() -> None:
        for _ in range(300):
            answers.append(sample.look(lambda: sys._getframe(1).f_back.f_code.co_name)[0])  # type: ignore[union-attr]

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["run"] * 1200


def test_exception_groups_and_notes_survive(sample: Sample) -> None:
    def fail() -> None:
        error = ValueError("x")
        error.add_note("noted")
        raise ExceptionGroup("group", [error])

    with pytest.raises(ExceptionGroup) as caught:
        sample.look(fail)
    assert caught.value.exceptions[0].__notes__ == ["noted"]
    linecache.checkcache()

"""Named programs, donation loops, and resuming after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from pjrt_programs import ADD, STEP
from ppy_pjrt.client import Client
from ppy_pjrt.errors import ArgumentMismatch
from ppy_pjrt.session import Session, Slot

pytestmark = pytest.mark.cpu
X = np.arange(6, dtype=np.float32).reshape(2, 3)


def test_named_inputs_and_outputs(client: Client) -> None:
    with Session(client) as session:
        add = session.program(ADD, [Slot("a", "float32", (2, 3)), "b"], ["sum"])
        session.set("b", X)
        assert add(a=X)["sum"].tolist() == (2 * X).tolist()
        assert add(a=X, b=2 * X)["sum"].tolist() == (3 * X).tolist()
        with pytest.raises(ArgumentMismatch, match="no input c; it has a, b"):
            add(c=X)
        with pytest.raises(ArgumentMismatch, match="nothing is named 'a'.*there are: b"):
            add()
        with pytest.raises(ArgumentMismatch, match="slot 'a' takes float32, not int32"):
            add(a=X.astype(np.int32))
        with pytest.raises(ArgumentMismatch, match=r"slot 'a' takes shape \(2, 3\), not \(3, 2\)"):
            add(a=X.T)
        with pytest.raises(ArgumentMismatch, match="1 outputs, 2 names"):
            session.program(ADD, ["a", "b"], ["x", "y"])
        with pytest.raises(ArgumentMismatch, match="one name"):
            session.program(ADD, ["a", "a"])


def test_only_what_a_program_names_is_loaded_and_once(client: Client) -> None:
    loads: list[str] = []

    def loader(name: str) -> object:
        loads.append(name)
        return X

    with Session(client) as session:
        session.bind_many({name: lambda name=name: loader(name) for name in ("a", "b", "huge")})
        add = session.program(ADD, ["a", "b"])
        for _ in range(3):
            add()
        assert loads == ["a", "b"] and session.pending == ["huge"] and session.resident == ["a", "b"]


def test_a_donation_loop_stays_on_the_device(client: Client) -> None:
    with Session(client) as session:
        step = session.program(STEP, ["theta", "grad"], ["theta"])
        session.set("theta", client.put(np.zeros(8, np.float32)))
        session.set("grad", np.ones(8, np.float32))
        for _ in range(10):
            session.feed_back(step())
        assert session.get("theta").tolist() == [10] * 8
        step()
        with pytest.raises(ArgumentMismatch, match="'theta' was donated"):
            step()


_TRAIN = """
import os, sys, numpy
from pathlib import Path
from ppy_pjrt.client import Client
from ppy_pjrt.session import Session
plugin, folder, text, steps = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
state = folder / "state.npy"
with Client(plugin) as client, Session(client) as session:
    step = session.program(text, ["theta", "grad"], ["theta"])
    saved = numpy.load(state) if state.exists() else numpy.zeros(9, "float32")
    done, theta = int(saved[0]), saved[1:]
    session.set("theta", theta)
    session.set("grad", numpy.full(8, 0.1, "float32"))
    for index in range(done, steps):
        session.feed_back(step())
        value = numpy.concatenate([[index + 1], numpy.asarray(session.get("theta"))]).astype("float32")
        numpy.save(folder / "next.npy", value)
        os.replace(folder / "next.npy", state)
        print(index + 1, flush=True)
"""


def test_killed_and_resumed_is_the_same_to_the_byte(newest: Path, tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    whole.mkdir()
    broken.mkdir()
    command = [sys.executable, "-c", _TRAIN, str(newest)]
    subprocess.run([*command, str(whole), STEP, "400"], check=True, stdout=subprocess.DEVNULL, timeout=100)
    process = subprocess.Popen([*command, str(broken), STEP, "400"], stdout=subprocess.PIPE)
    assert process.stdout is not None
    for _ in range(20):
        process.stdout.readline()
    time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    subprocess.run([*command, str(broken), STEP, "400"], check=True, stdout=subprocess.DEVNULL, timeout=100)
    assert (whole / "state.npy").read_bytes() == (broken / "state.npy").read_bytes()

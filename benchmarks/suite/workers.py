"""Processes that time one program each, asked in turns.

Every engine has its own process, and one round asks each of them for one run: what slows the machine down for a while
slows all of them down. The first run of a process, which may compile, is not counted.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

TALKATIVE = {"PPY_VERBOSE": "1"}
"""PPY says where it could not run natively: that becomes a note."""


class Failed(Exception):
    """A worker ended, or took longer than it may, instead of answering."""


class Worker:
    """A process that answers each line with a result and the seconds that it took."""

    def __init__(self, command: Sequence[str], timeout: float = 300) -> None:
        self.timeout = timeout
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | TALKATIVE,
        )

    def run(self) -> tuple[str, float]:
        assert self.process.stdin is not None and self.process.stdout is not None
        alarm = threading.Timer(self.timeout, self.process.kill)
        alarm.start()
        try:
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            words = self.process.stdout.readline().split()
        except BrokenPipeError:
            words = []
        finally:
            alarm.cancel()
        if len(words) != 2:
            raise Failed(self.complaint())
        return words[0], float(words[1])

    def complaint(self) -> str:
        """The last line of what the process said, which is now over."""
        self.process.kill()
        lines = self.process.communicate()[1].strip().splitlines()
        return lines[-1] if lines else f"ended with status {self.process.returncode}"

    def close(self) -> str:
        """End the process; what it said on standard error."""
        return self.process.communicate()[1].strip()


@dataclass(slots=True)
class Series:
    """What one engine did: seconds of each counted run, or why there are none."""

    result: str = ""
    seconds: list[float] = field(default_factory=list)
    note: str = ""


def take_turns(
    commands: Mapping[str, Sequence[str]], rounds: int, reference: Callable[[str], str] | None = None
) -> dict[str, Series]:
    """Run every command `rounds` times, in turns.

    `reference` names the command whose result a command has to print; without it that is the first one.
    """
    series = {name: Series() for name in commands}
    workers: dict[str, Worker] = {}
    try:
        for name, command in commands.items():
            workers[name] = Worker(command)
        for turn in range(rounds + 1):
            for name in list(workers):
                try:
                    result, seconds = workers[name].run()
                except Failed as failure:
                    series[name] = Series(note=f"failed: {failure}")
                    del workers[name]
                    continue
                series[name].result = result
                if turn > 0:
                    series[name].seconds.append(seconds)
    finally:
        for name, worker in workers.items():
            series[name].note = worker.close()
    first = next(iter(series))
    for name, one in series.items():
        if one.seconds and one.result != series[reference(name) if reference else first].result:
            one.note = f"another result: {one.result}"
    return series

"""`python -m tests.fuzz`: gives every reader thousands of broken files, and prints the time and memory that they used.

A reader fails if it raises anything but an error message for the user, ends its process, uses more than 2 s of
processor time, if its process grows over 300 MB, or if it changes a file, starts a program or connects to an address,
unless it does the same for a sound file. Each failure is printed with its seed, and its file is saved. Add a
small file like it to `tests/hostile/READER/`, which an ordinary test reads.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.fuzz.inputs import made
from tests.fuzz.readers import READERS, Reader, give

SECONDS = 2.0
MEGABYTES = 300
_HANGS = 30.0
"""Seconds of processor time after which a call is ended."""


def _ended(*_: object) -> None:
    raise TimeoutError(f"no answer after {_HANGS:.0f} s")


_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_ACTS = ("os.", "shutil.", "subprocess.", "socket.connect", "ctypes.")
_HARMLESS = ("os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir", "os.putenv", "os.unsetenv")


def _changes(event: str, given: tuple[Any, ...]) -> tuple[str, ...]:
    """What an event of Python's audit changes outside of the process."""
    if event == "open":
        return (f"open {given[0]}",) if given[2] & _WRITES else ()
    return (f"{event} {given[:1]}",) if event.startswith(_ACTS) and event not in _HARMLESS else ()


def _work(reader: Reader, numbers: range, told: Connection) -> None:
    """In a separate process: a number before each call, and its result after."""
    sys.stderr = open("/dev/null", "w", encoding="utf-8")  # noqa: PTH123, SIM115
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGPROF, _ended)
    examples = reader.examples()
    did: set[str] = set()
    sys.addaudithook(lambda event, given: did.update(_changes(event, given)))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for sound in examples:  # first, so that what is loaded once does not count for a broken file
            give(reader, sound, folder)
        usual = frozenset(did)
        for number in numbers:
            data = made(examples, f"{reader.name}:{number}", reader.limit.most)
            told.send(number)
            signal.setitimer(signal.ITIMER_PROF, _HANGS)
            began, wrong, took_it = time.process_time(), "", False
            try:
                took_it = give(reader, data, folder)
            except Exception as fault:  # noqa: BLE001  (any exception is a failure)
                last = traceback.extract_tb(fault.__traceback__)[-1]
                wrong = f"{type(fault).__name__}: {str(fault)[:200]} ({Path(last.filename).name}:{last.lineno})"
            signal.setitimer(signal.ITIMER_PROF, 0)
            seconds = time.process_time() - began
            if not wrong and did != usual:
                wrong = f"it did more than with a sound file: {sorted(did - usual)[:3]}"
            did &= usual
            megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            told.send((seconds, megabytes, took_it, wrong))
            if megabytes > MEGABYTES:
                return


def _run(reader: Reader, numbers: range, kept: Path) -> tuple[int, float, int, int, int]:
    """The number of inputs, the longest time, the highest memory, the number of accepted inputs, and the number of
    failures. Ctrl-C ends the turn of one reader."""
    worst, peak, taken, failed, at = 0.0, 0, 0, 0, numbers.start
    while at < numbers.stop:
        here, there = get_context("fork").Pipe()
        child = get_context("fork").Process(target=_work, args=(reader, range(at, numbers.stop), there))
        wrong, first = "", at
        child.start()
        there.close()
        try:
            while True:
                at = here.recv()
                wrong = "the process ended"
                seconds, megabytes, took_it, wrong = here.recv()
                worst, peak, taken = max(worst, seconds), max(peak, megabytes), taken + took_it
                wrong = wrong or (f"{seconds:.1f} s" if seconds > SECONDS else "")
                wrong = wrong or (f"{megabytes} MB" if megabytes > MEGABYTES else "")
                if wrong:
                    failed += 1
                    _save(reader, at, wrong, kept)
                wrong, at = "", at + 1
        except KeyboardInterrupt:
            child.kill()
            break
        except EOFError:
            if wrong:
                failed += 1
                _save(reader, at, wrong, kept)
                at += 1
        child.join()
        if at == first:
            raise RuntimeError(f"no input of {reader.name}:{at} could be made, or no example was read")
    return at - numbers.start, worst, peak, taken, failed


def _save(reader: Reader, number: int, wrong: str, kept: Path) -> None:
    kept.mkdir(parents=True, exist_ok=True)
    file = kept / f"{reader.name}-{number}"
    file.write_bytes(made(reader.examples(), f"{reader.name}:{number}", reader.limit.most))
    print(f"FAILED {reader.name}:{number} {wrong} -> {file}", flush=True)


def main() -> int:
    """Exit code 1: a reader failed."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("readers", nargs="*", metavar="READER", help=f"{', '.join(READERS)}; default: all")
    options.add_argument("--inputs", type=int, default=10_000, help="for each reader (10000)")
    options.add_argument("--first", type=int, default=0, help="number of the first (0)")
    options.add_argument("--kept", type=Path, default=Path("build/fuzz"), help="where failing files are saved")
    given = options.parse_args()
    print("| reader | inputs | accepted | worst time | peak memory | failures |\n| --- | --- | --- | --- | --- | --- |")
    bad = 0
    for name in given.readers or READERS:
        numbers = range(given.first, given.first + given.inputs)
        count, worst, peak, taken, failed = _run(READERS[name], numbers, given.kept)
        print(f"| {name} | {count} | {taken} | {worst:.2f} s | {peak} MB | {failed} |", flush=True)
        bad += failed
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

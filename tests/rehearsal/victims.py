"""Programs that rehearse until they are killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 60
"""Seconds to end in after a signal: many times what it takes on a busy machine."""


@contextmanager
def a_victim(module: str, *arguments: str) -> "Iterator[subprocess.Popen[str]]":
    """One that is dead when this ends, whatever came of it: a failed test must not wait for what goes on for ever."""
    victim = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", module, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background of a shell has Ctrl-C ignored, and what they start would inherit it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509  (it takes no lock)
    )
    with victim:
        try:
            yield victim
        finally:
            victim.kill()


def signalled(victim: "subprocess.Popen[str]", number: signal.Signals, after: float) -> None:
    """Sends a signal after some seconds, and waits for the end.

    Python loses a Ctrl-C that comes while it runs a finalizer or a weak reference's callback (one for each import, one
    for each command that ended): it prints that it ignores it and goes on. Then it is pressed again, as anybody would.
    """
    time.sleep(after)
    victim.send_signal(number)
    until = time.monotonic() + PATIENCE
    while victim.poll() is None:
        if "Exception ignored in" in _said(victim):
            victim.send_signal(number)
        if time.monotonic() > until:
            victim.send_signal(signal.SIGABRT)  # which tells where each thread is
            victim.wait(PATIENCE)
            raise AssertionError(f"{number.name} after {after:.2f} s, and it goes on:\n{_said(victim)}")
        time.sleep(0.02)


def _said(victim: "subprocess.Popen[str]") -> str:
    """What it has printed as errors since this was last asked."""
    assert victim.stderr is not None
    os.set_blocking(victim.stderr.fileno(), False)
    try:
        return os.read(victim.stderr.fileno(), 1 << 16).decode(errors="replace")
    except BlockingIOError:
        return ""

"""Programs that rehearse until they are killed."""

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
        [sys.executable, "-m", module, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
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
    """Sends a signal after some seconds, and waits for the end."""
    time.sleep(after)
    victim.send_signal(number)
    victim.wait(PATIENCE)

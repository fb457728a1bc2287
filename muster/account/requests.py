"""How many requests a question takes: botocore repeats what fails, and asks for further pages, without telling."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Sent:
    """Requests of one question, as far as they were sent. One thread counts, any may look."""

    requests: int = 0


_OF_THREAD = threading.local()


@contextmanager
def counted(into: Sent) -> Iterator[None]:
    """Counts what this thread sends."""
    _OF_THREAD.into = into
    try:
        yield
    finally:
        _OF_THREAD.into = None


def sent(**_said: object) -> None:
    """Botocore calls it before each request, repeated ones too (its event `before-send`)."""
    into = getattr(_OF_THREAD, "into", None)
    if into is not None:
        into.requests += 1

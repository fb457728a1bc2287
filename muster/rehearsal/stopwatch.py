"""How long the steps of a rehearsal take."""

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    """Puts down a step that comes to its end, in seconds; of one that fails nothing is put down."""
    began = time.perf_counter()
    yield
    seconds[step] = round(time.perf_counter() - began, 2)

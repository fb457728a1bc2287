"""Threads beside the caller's: what breaks one of them is raised in the caller's `check`."""

import threading
from collections.abc import Callable

from muster.rehearsal.machine_limits import RehearsalError


class BackgroundThreads:
    """Tasks that go on, each in a thread of its own, until `end`."""

    def __init__(self, without: str) -> None:
        """`without`: what is no longer so once one of them has broken (``pods of DaemonSets no longer run``)."""
        self._without = without
        self._fault: BaseException | None = None
        self.started: list[threading.Thread] = []
        self.over = False
        """Whether they are to end. They look themselves."""

    def start(self, *tasks: Callable[[], object]) -> None:
        """Starts the tasks; none of them keeps the process alive."""
        for task in tasks:
            thread = threading.Thread(target=self._guarded, args=(task,), name="rehearsal", daemon=True)
            self.started.append(thread)
            thread.start()

    def end(self) -> None:
        """Lets them end; their errors from now on are ignored."""
        self.over = True

    def check(self) -> None:
        """Sees whether all of them still work.

        Raises:
            RehearsalError: one does not.
        """
        if self._fault:
            raise RehearsalError(f"{self._without}: {self._fault}") from self._fault

    def _guarded(self, task: Callable[[], object]) -> None:
        try:
            task()
        except BaseException as fault:  # noqa: BLE001 - raised in the caller's thread, by `check`
            if not self.over:
                self._fault = fault

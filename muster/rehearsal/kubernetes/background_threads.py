"""Background threads. If one of them fails, the caller's `check` raises its error."""

import threading
from collections.abc import Callable

from muster.rehearsal.machine_limits import RehearsalError


class BackgroundThreads:
    """Tasks that run until `end`, each in its own thread."""

    def __init__(self, without: str) -> None:
        """`without`: what no longer works after one of them has failed, for the message."""
        self._without = without
        self._fault: BaseException | None = None
        self.started: list[threading.Thread] = []
        self.over = False
        """Whether they should end. The tasks check it themselves."""

    def start(self, *tasks: Callable[[], object]) -> None:
        """Starts the tasks; none of them keeps the process alive."""
        for task in tasks:
            thread = threading.Thread(target=self._guarded, args=(task,), name="rehearsal", daemon=True)
            self.started.append(thread)
            thread.start()

    def end(self) -> None:
        """Ends them; ignores their errors from now on."""
        self.over = True

    def check(self) -> None:
        """Checks whether all of them still work.

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

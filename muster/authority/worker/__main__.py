"""Answers requests on stdin, one JSON document on each line, until stdin ends.

A request names a task and its arguments. The answer is the result of the task, or ``{"failed": message}``.
"""

import json
import os
import socket
import sys
from typing import Any


def main() -> None:
    """Reads from stdin and writes to the original stdout. The output of the package itself goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _close_the_network()
    from muster.authority.worker.tasks import TASKS  # noqa: PLC0415  (loads the package: a second)

    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps(_answer(TASKS[request.pop("task")], request)) + "\n")
        answers.flush()


def _answer(task: Any, arguments: dict[str, Any]) -> Any:
    try:
        return task(**arguments)
    except Exception as cause:  # noqa: BLE001  (the client raises it)
        if os.environ.get("MUSTER_DEBUG"):
            import traceback  # noqa: PLC0415

            traceback.print_exc()
        return {"failed": f"{type(cause).__name__}: {cause}"}


def _close_the_network() -> None:
    """Refuses connections: moto answers without sockets. If a validator connects, that is a bug in Muster."""

    def refuse(*_: Any) -> Any:
        raise ConnectionError("Muster does not allow validators to use the network")

    socket.socket.connect = refuse  # type: ignore[method-assign]
    socket.socket.connect_ex = refuse  # type: ignore[method-assign]
    socket.getaddrinfo = refuse  # type: ignore[assignment]


main()

"""Free ports on loopback, held until they are used.

To ask the system for a free port and give it back before a server takes it leaves a moment in which somebody else gets
it. Linux lets two sockets with SO_REUSEADDR share an address while neither listens, and Go's servers set that option:
so ours stays bound, nobody else is given the port, and the server binds beside it. Elsewhere it is given back just
before the server starts.
"""

import socket
import sys
from types import TracebackType
from typing import Self

from muster.rehearsal.certificates import LOOPBACK

_SHARED = sys.platform == "linux"


class HeldPort:
    """A port that nobody else gets, for as long as this is open."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind((LOOPBACK, 0))
        self.number: int = self._socket.getsockname()[1]

    def hand_over(self) -> int:
        """Says that its server starts now; the port's number."""
        if not _SHARED:
            self._socket.close()
        return self.number

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

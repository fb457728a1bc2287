"""Moto's own server, on loopback. Its account is the process's: each start begins with a new one."""

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.request import Request, urlopen

from moto.server import ThreadedMotoServer


@contextmanager
def serving() -> Iterator[str]:
    """Gives its address, for AWS_ENDPOINT_URL."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        _, port = server.get_host_and_port()
        address = f"http://127.0.0.1:{port}"
        with urlopen(Request(f"{address}/moto-api/reset", method="POST")):
            yield address
    finally:
        server.stop()

"""Servers that answer as an API server does, or as none should, and the kubeconfigs that name them."""

import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Answer = Callable[[str], tuple[int, str, Any]]
"""Path -> status, content type, body (JSON where it is no text)."""


class Served:
    """A server and what it was asked."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.asked: list[tuple[str, str, str | None]] = []
        """Method, path with query, and the Authorization header."""


@contextmanager
def serving(answer: Answer, context: ssl.SSLContext | None = None) -> Iterator[Served]:
    """Runs one on the loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served.asked.append((self.command, self.path, self.headers.get("Authorization")))
            status, content, body = answer(self.path)
            sent = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", content)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    served = Served(f"{'https' if context else 'http'}://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()


def listing(items: dict[str, list[Any]]) -> Answer:
    """Answers lists: the last step of the path -> items."""

    def answer(path: str) -> tuple[int, str, Any]:
        kind = path.partition("?")[0].rpartition("/")[2]
        return 200, "application/json", {"kind": "List", "metadata": {}, "items": items.get(kind, [])}

    return answer


def refusing(status: int, message: str, only: str = "") -> Answer:
    """Refuses lists whose path ends so, as Kubernetes does."""

    def answer(path: str) -> tuple[int, str, Any]:
        if not path.partition("?")[0].endswith(only):
            return listing({})(path)
        kind = path.partition("?")[0].rpartition("/")[2]
        said = {"kind": "Status", "status": "Failure", "message": message.format(kind=kind), "code": status}
        return status, "application/json", said

    return answer


def a_kubeconfig(
    folder: Path, server: str, user: dict[str, Any] | None = None, name: str = "config", **cluster: Any
) -> Path:
    """A kubeconfig with one context, `here`."""
    file = folder / name
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "clusters": [{"name": "c", "cluster": {"server": server, **cluster}}],
        "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": {"token": "secret"} if user is None else user}],
    }
    file.write_text(json.dumps(document))
    return file

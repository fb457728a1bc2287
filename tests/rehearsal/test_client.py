"""The client, its certificates and its ports, against a server of a few lines."""

import contextlib
import http.server
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from muster.rehearsal.kubernetes.client import ApiError, Client, Conflict, NotFound
from muster.rehearsal.loopback import LOOPBACK, Authority, ReservedPort
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError

Answer = tuple[int, Any]

OPEN = b"\n"
"""The content of an answer that does not end."""


class Server(http.server.ThreadingHTTPServer):
    """Answers each path with what it was told, and remembers what was asked."""

    answers: dict[str, Answer | Callable[[], Answer]]
    asked: list[tuple[str, str, Any]]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        self.server.asked.append((self.command, self.path, json.loads(body) if body else None))
        answer = self.server.answers[self.path]
        status, said = answer() if callable(answer) else answer
        content = said if isinstance(said, bytes) else json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", "100" if said is OPEN else str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        if status == 200 and said == b"bye":
            self.close_connection = True

    do_POST = do_PATCH = do_DELETE = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def server(authority: Authority) -> Iterator[Server]:
    yield from serving(Server((LOOPBACK, 0), Handler), authority)


@pytest.fixture
def client(server: Server, authority: Authority) -> Iterator[Client]:
    with Client(f"https://{LOOPBACK}:{server.server_port}", "token", authority.pem.decode()) as made:
        yield made


def a_refusal(status: int, reason: str) -> Answer:
    return status, {"kind": "Status", "reason": reason, "message": f"it is {reason}"}


@pytest.mark.parametrize(
    ("status", "kind"), [(404, NotFound), (409, Conflict), (403, ApiError), (422, ApiError), (500, ApiError)]
)
def test_a_refusal_is_told_in_the_servers_words(server: Server, client: Client, status: int, kind: type[ApiError]):
    server.answers["/x"] = a_refusal(status, "Reason")
    with pytest.raises(kind, match=r"^it is Reason$") as told:
        client.get("/x")
    assert (told.value.status, told.value.reason) == (status, "Reason")


@pytest.mark.parametrize(("said", "words"), [(b"plain words\n", "plain words"), (b"", "HTTP 500")])
def test_a_refusal_without_json_is_told_too(server: Server, client: Client, said: bytes, words: str):
    server.answers["/x"] = (500, said)
    with pytest.raises(ApiError, match=f"^{words}$"):
        client.get("/x")


def test_what_is_not_there_is_as_good_as_deleted(server: Server, client: Client):
    server.answers["/x"] = a_refusal(404, "NotFound")
    client.delete("/x", gracePeriodSeconds=0)
    assert server.asked == [("DELETE", "/x", {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0})]


def test_a_kept_connection_that_was_closed_is_made_anew(server: Server, client: Client):
    server.answers |= {"/bye": (200, b"bye"), "/x": (200, {"some": 1})}
    with pytest.raises(ValueError, match="Expecting value"):
        client.get("/bye")
    assert client.get("/x") == {"some": 1}


def test_a_server_that_is_not_there_is_told(authority: Authority):
    with ReservedPort() as port, Client(f"https://{LOOPBACK}:{port.number}", "token", authority.pem.decode()) as client:
        assert not client.ready()
        with pytest.raises(
            RehearsalError, match=rf"the API server {LOOPBACK}:{port.number} does not answer: .*refused"
        ):
            client.get("/x")


def test_who_knows_better_why_is_asked_first(authority: Authority):
    def check() -> None:
        raise ComponentDied("it died")

    with ReservedPort() as port:
        client = Client(f"https://{LOOPBACK}:{port.number}", "token", authority.pem.decode(), check)
        with pytest.raises(ComponentDied, match="it died"):
            client.get("/x")


def test_a_certificate_of_another_authority_is_refused(server: Server, tmp_path: Path):
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other").pem.decode()
    with Client(f"https://{LOOPBACK}:{server.server_port}", "t", other) as client:
        with pytest.raises(RehearsalError, match="CERTIFICATE_VERIFY_FAILED"):
            client.get("/x")
        assert server.asked == []


# A server that hangs up.


class Store(Server):
    """Keeps objects, and closes the connection once, at a point."""

    cut: str
    things: dict[str, Any]

    def handle_error(self, *_: Any) -> None:
        """A connection that is closed is what it is for."""


class Storing(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Store

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _cut(self, point: str) -> bool:
        if self.server.cut != point:
            return False
        self.server.cut = ""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
        return True

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.command, self.path, json.loads(body) if body else None))
        if self._cut("before it is done"):
            return
        if self.server.cut == "not now":
            self.server.cut = ""
            status, said = a_refusal(429, "TooManyRequests")
        else:
            status, said = self._done(json.loads(body) if body else None)
        if self._cut("after it is done"):
            return
        content = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:3])
        self.wfile.flush()
        if self._cut("in the answer"):
            return
        self.wfile.write(content[3:])

    def _done(self, body: Any) -> Answer:
        things = self.server.things
        if self.command == "POST":
            path = f"{self.path}/{body['metadata']['name']}"
            if path in things:
                return a_refusal(409, "AlreadyExists")
            things[path] = {**body, "uid": "made"}
            return 201, things[path]
        if self.path not in things:
            return a_refusal(404, "NotFound")
        if self.command == "DELETE":
            return 200, things.pop(self.path)
        if self.command == "PATCH":
            things[self.path] |= body
        return 200, things[self.path]

    do_POST = do_PATCH = do_DELETE = do_GET


def serving(made: Server, authority: Authority) -> Iterator[Any]:
    made.asked, made.answers = [], {}
    files = authority.serving("server")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(files.certificate, files.key)
    made.socket = tls.wrap_socket(made.socket, server_side=True)
    threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def store(authority: Authority) -> Iterator[Store]:
    made = Store((LOOPBACK, 0), Storing)
    made.cut, made.things = "", {"/things/old": {"metadata": {"name": "old"}, "uid": "old"}}
    yield from serving(made, authority)


@pytest.fixture
def talker(store: Store, authority: Authority) -> Iterator[Client]:
    with Client(f"https://{LOOPBACK}:{store.server_port}", "token", authority.pem.decode()) as made:
        yield made


POINTS = ("before it is done", "after it is done", "in the answer", "not now")


@pytest.mark.parametrize("kept", [False, True], ids=["a new connection", "a kept one"])
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_what_a_busy_server_hangs_up_on_is_done_once(store: Store, talker: Client, method: str, point: str, kept: bool):
    """Whether the server had done it already, or not."""
    if kept:
        talker.get("/things/old")
    store.asked.clear()
    store.cut = point
    new = {"metadata": {"name": "new"}}
    if method == "GET":
        assert talker.get("/things/old")["uid"] == "old"
    elif method == "POST":
        assert talker.request("POST", "/things", new)["uid"] == "made"
        assert store.things["/things/new"] == {**new, "uid": "made"}
    elif method == "PATCH":
        assert talker.patch("/things/old", {"some": 1})["some"] == 1
    else:
        talker.delete("/things/old")
        assert "/things/old" not in store.things
    assert store.cut == ""
    assert [each for each, *_ in store.asked][:2] == [method, method]


def test_what_was_there_before_is_told(store: Store, talker: Client):
    """Only a create that was repeated finds its own object."""
    with pytest.raises(Conflict):
        talker.request("POST", "/things", {"metadata": {"name": "old"}})


def test_another_object_of_the_name_is_not_deleted(server: Server, client: Client):
    server.answers["/x"] = a_refusal(409, "Conflict")
    client.delete("/x", preconditions={"uid": "old"})
    with pytest.raises(Conflict):
        client.delete("/x")


def test_a_server_that_always_hangs_up_is_given_up(store: Store, talker: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Storing, "do_GET", lambda each: each.connection.shutdown(socket.SHUT_RDWR))
    monkeypatch.setattr("muster.rehearsal.kubernetes.client._RETRY_SECONDS", 0.3)
    with pytest.raises(RehearsalError, match="does not answer"):
        talker.get("/things/old")
    assert not talker.ready()


def test_a_component_that_died_ends_the_tries(store: Store, authority: Authority, monkeypatch: pytest.MonkeyPatch):
    def check() -> None:
        raise ComponentDied("it died")

    store.cut = "before it is done"
    with (
        Client(f"https://{LOOPBACK}:{store.server_port}", "token", authority.pem.decode(), check) as client,
        pytest.raises(ComponentDied),
    ):
        client.get("/things/old")


def test_a_handshake_that_is_cut_is_made_again(authority: Authority, store: Store):
    """Nothing was sent yet. A server that is busy takes connections and hangs up."""
    with socket.create_server((LOOPBACK, 0)) as before:

        def between() -> None:
            before.accept()[0].close()
            connection, _ = before.accept()
            with socket.create_connection((LOOPBACK, store.server_port)) as behind, connection:
                other = threading.Thread(target=_pass, args=(behind, connection), daemon=True)
                other.start()
                _pass(connection, behind)

        threading.Thread(target=between, daemon=True).start()
        with Client(f"https://{LOOPBACK}:{before.getsockname()[1]}", "token", authority.pem.decode()) as client:
            assert client.get("/things/old")["uid"] == "old"


def _pass(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while received := source.recv(1 << 16):
            target.sendall(received)


@pytest.mark.parametrize("status", [429, 503, 504])
def test_follow_goes_on_where_the_server_is_not_ready_for_it(
    server: Server, client: Client, monkeypatch: pytest.MonkeyPatch, status: int
):
    monkeypatch.setattr("muster.rehearsal.kubernetes.client._LONGEST_PAUSE", 0.01)
    pod = {"metadata": {"name": "a", "resourceVersion": "6"}}
    watched = iter([a_refusal(status, "Busy"), (200, watching({"type": "ADDED", "object": pod}))])
    server.answers |= {
        "/pods": (200, {"metadata": {"resourceVersion": "5"}, "items": []}),
        "/pods?resourceVersion=5&watch=1": lambda: next(watched),
    }
    seen = client.follow("/pods")
    assert [next(seen).type for _ in range(2)] == ["SYNCED", "ADDED"]


def discovery(*resources: tuple[str, str, str, str, bool]) -> dict[str, Any]:
    def item(group: str, version: str, kind: str, plural: str, namespaced: bool) -> dict[str, Any]:
        scope = "Namespaced" if namespaced else "Cluster"
        resource = {"resource": plural, "responseKind": {"kind": kind}, "scope": scope}
        return {
            "metadata": {"name": group} if group else {},
            "versions": [{"version": version, "resources": [resource]}],
        }

    return {"items": [item(*resource) for resource in resources]}


def test_paths_are_asked_of_the_server(server: Server, client: Client):
    server.answers |= {
        "/api": (200, discovery(("", "v1", "Node", "nodes", False))),
        "/apis": (200, discovery(("apps", "v1", "DaemonSet", "daemonsets", True))),
    }
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}
    daemons = {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "b"}}
    assert client.path(node) == "/api/v1/nodes/a"
    assert client.path(daemons) == "/apis/apps/v1/namespaces/default/daemonsets/b"
    elsewhere = {**daemons, "metadata": {"name": "b", "namespace": "kube-system"}}
    assert client.path(elsewhere, named=False) == "/apis/apps/v1/namespaces/kube-system/daemonsets"
    assert [path for _, path, _ in server.asked] == ["/api", "/apis"]


@pytest.fixture
def knowing(server: Server) -> Server:
    """A server that knows Jobs."""
    server.answers |= {
        "/api": (200, discovery()),
        "/apis": (200, discovery(("batch", "v1", "Job", "jobs", True))),
    }
    return server


def a_job(**meta: Any) -> dict[str, Any]:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta}


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (a_job(), "a Job has no name"),
        (a_job(generateName="a-"), "a Job has no name"),
        (a_job(name=123), "a Job: name is 123, which is no text; put it into quotes"),
        (a_job(name="a", namespace=7), "the Job a: namespace is 7, which is no text; put it into quotes"),
        ({"apiVersion": "batch/v1", "kind": "Job"}, "a Job has no name"),
        ({"apiVersion": "batch/v1", "kind": "Job", "metadata": None}, "a Job has no name"),
        ({"apiVersion": 1, "kind": "Job"}, "an object: apiVersion is 1, which is no text; put it into quotes"),
        ({"apiVersion": "batch/v1"}, "an object has no kind"),
    ],
)
def test_what_has_no_path_is_told_in_words(knowing: Server, client: Client, thing: dict[str, Any], words: str):
    """Manifests are people's: YAML makes a number of the name 123."""
    with pytest.raises(RehearsalError, match=f"^{words}$"):
        client.path(thing)


def test_a_name_is_one_part_of_a_path(knowing: Server, client: Client):
    """Whatever is in it."""
    path = client.path(a_job(name="../nodes?a=b", namespace="a/b"))
    assert path == "/apis/batch/v1/namespaces/a%2Fb/jobs/..%2Fnodes%3Fa%3Db"
    assert client.path(a_job(name="a", namespace=None)) == "/apis/batch/v1/namespaces/default/jobs/a"


def test_whoever_is_strict_has_unknown_fields_refused(knowing: Server, client: Client):
    """As kubectl is; the server drops them otherwise."""
    path = "/apis/batch/v1/namespaces/default/jobs"
    knowing.answers |= {path: (201, {}), f"{path}?fieldValidation=Strict": (201, {})}
    for strict in (False, True):
        client.create(a_job(name="a"), strict=strict)
        client.create_all([a_job(name="b")], strict=strict)
    asked = [asked for method, asked, _ in knowing.asked if method == "POST"]
    assert asked == [path, path, f"{path}?fieldValidation=Strict", f"{path}?fieldValidation=Strict"]


def test_a_kind_that_appears_later_is_found(server: Server, client: Client):
    tries = iter([discovery(), discovery(), discovery(("kubeflow.org", "v1", "PyTorchJob", "pytorchjobs", True))])
    server.answers |= {"/api": (200, discovery()), "/apis": lambda: (200, next(tries))}
    assert client.kind("kubeflow.org/v1", "PyTorchJob").plural == "pytorchjobs"


def test_a_kind_that_never_appears_is_named(server: Server, client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("muster.rehearsal.kubernetes.client._NEW_KIND_SECONDS", 0.1)
    server.answers |= {"/api": (200, discovery()), "/apis": (200, discovery())}
    words = r"knows no MPIJob of kubeflow.org/v2beta1; its CustomResourceDefinition is missing"
    with pytest.raises(RehearsalError, match=words):
        client.kind("kubeflow.org/v2beta1", "MPIJob")


def test_of_many_none_is_left_out(client: Client):
    done: list[int] = []
    client.each(done.append, range(100))
    assert sorted(done) == list(range(100))


def test_after_the_first_fault_no_more_is_begun(client: Client):
    begun: list[int] = []

    def fail(number: int) -> None:
        begun.append(number)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        client.each(fail, range(1000))
    assert len(begun) < 1000


def watching(*events: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def test_follow_begins_again_where_the_server_forgot_what_was(server: Server, client: Client):
    """A list stands for what was missed."""
    found = {"metadata": {"resourceVersion": "5"}, "items": []}
    pod = {"metadata": {"name": "a", "resourceVersion": "6"}}
    watched = iter(
        [
            (200, watching({"type": "ADDED", "object": pod}, {"type": "ERROR", "object": {"code": 410}})),
            a_refusal(410, "Expired"),
            (200, watching({"type": "DELETED", "object": pod})),
        ]
    )
    server.answers |= {"/pods": (200, found), "/pods?resourceVersion=5&watch=1": lambda: next(watched)}
    seen = client.follow("/pods")
    assert [next(seen).type for _ in range(5)] == ["SYNCED", "ADDED", "SYNCED", "SYNCED", "DELETED"]


def test_follow_goes_on_from_the_last_change_where_the_server_only_hung_up(server: Server, client: Client):
    """No new list, and nothing twice."""
    found = {"metadata": {"resourceVersion": "5"}, "items": []}
    first, second = ({"metadata": {"name": "a", "resourceVersion": version}} for version in "67")
    server.answers |= {
        "/pods": (200, found),
        "/pods?resourceVersion=5&watch=1": (200, watching({"type": "ADDED", "object": first})),
        "/pods?resourceVersion=6&watch=1": (200, watching({"type": "MODIFIED", "object": second})),
    }
    seen = client.follow("/pods")
    assert [next(seen).type for _ in range(3)] == ["SYNCED", "ADDED", "MODIFIED"]
    seen.close()
    assert [path for _, path, _ in server.asked].count("/pods") == 1


def test_closing_ends_a_watch_without_events(server: Server, client: Client):
    server.answers |= {"/pods": (200, {"metadata": {"resourceVersion": "5"}, "items": []})}
    server.answers["/pods?resourceVersion=5&watch=1"] = (200, OPEN)
    seen: list[str] = []
    thread = threading.Thread(target=lambda: seen.extend(event.type for event in client.follow("/pods")))
    thread.start()
    end = time.monotonic() + 10
    while not client._requests._watches and time.monotonic() < end:
        time.sleep(0.005)
    client.close()
    thread.join(10)
    assert not thread.is_alive()
    assert seen == ["SYNCED"]


# Keys and ports.


def test_keys_are_for_their_owner_alone(authority: Authority):
    for file in (authority.serving("some").key, authority.signing_key("signing")):
        assert file.stat().st_mode & 0o077 == 0
        assert file.read_text().startswith("-----BEGIN EC PRIVATE KEY-----")  # the form that client-go reads


def test_a_held_port_is_given_to_nobody_else_and_its_server_takes_it():
    with ReservedPort() as port:
        others = [ReservedPort() for _ in range(50)]
        assert port.number not in {other.number for other in others}
        number = port.hand_over()
        with socket.socket() as server:
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            server.bind((LOOPBACK, number))
            server.listen()
            socket.create_connection((LOOPBACK, number)).close()
        for other in others:
            other.__exit__(None, None, None)

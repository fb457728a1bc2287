"""The client, against a server of a few lines that hangs up, is busy, or refuses."""

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

UNFINISHED = b"\n"
"""The content of an answer that does not end."""


class Server(http.server.ThreadingHTTPServer):
    """Answers a path as set, else as a store of objects; hangs up once, at a point."""

    answers: dict[str, Answer | Callable[[], Answer]]
    requests: list[tuple[str, str, Any]]
    objects: dict[str, Any]
    cut = ""

    def handle_error(self, *_: Any) -> None:
        """A connection that is closed is expected."""

    @property
    def address(self) -> str:
        return f"https://{LOOPBACK}:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = json.loads(self.rfile.read(length)) if length else None
        self.server.requests.append((self.command, self.path, body))
        if self._hangs_up("before it is done"):
            return
        status, answer = self._answer(body)
        if self._hangs_up("after it is done"):
            return
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", "100" if answer is UNFINISHED else str(len(content)))
        self.end_headers()
        self.wfile.write(content[:3])
        self.wfile.flush()
        if not self._hangs_up("in the answer"):
            self.wfile.write(content[3:])

    do_POST = do_PATCH = do_DELETE = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _hangs_up(self, point: str) -> bool:
        if self.server.cut != point:
            return False
        self.server.cut = ""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)
        return True

    def _answer(self, body: Any) -> Answer:
        if self.server.cut == "too many requests":
            self.server.cut = ""
            return a_refusal(429, "TooManyRequests")
        if (answer := self.server.answers.get(self.path)) is not None:
            return answer() if callable(answer) else answer
        return self._store(self.server.objects, body)

    def _store(self, objects: dict[str, Any], body: Any) -> Answer:
        if self.command == "POST":
            path = f"{self.path}/{body['metadata']['name']}"
            if path in objects:
                return a_refusal(409, "AlreadyExists")
            objects[path] = {**body, "uid": "made"}
            return 201, objects[path]
        if self.path not in objects:
            return a_refusal(404, "NotFound")
        if self.command == "DELETE":
            return 200, objects.pop(self.path)
        if self.command == "PATCH":
            objects[self.path] |= body
        return 200, objects[self.path]


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def running(authority: Authority) -> Iterator[Server]:
    server = Server((LOOPBACK, 0), Handler)
    files = authority.serving("server")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(files.certificate, files.key)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def server(running: Server) -> Server:
    running.answers, running.requests, running.cut = {}, [], ""
    running.objects = {"/things/old": {"metadata": {"name": "old"}, "uid": "old"}}
    return running


@pytest.fixture
def client(server: Server, authority: Authority) -> Iterator[Client]:
    with Client(server.address, "token", authority.pem.decode()) as made:
        yield made


def a_refusal(status: int, reason: str) -> Answer:
    return status, {"kind": "Status", "reason": reason, "message": f"it is {reason}"}


@pytest.mark.parametrize(
    ("answer", "kind", "message", "reason"),
    [
        (a_refusal(404, "NotFound"), NotFound, "it is NotFound", "NotFound"),
        (a_refusal(409, "Conflict"), Conflict, "it is Conflict", "Conflict"),
        (a_refusal(422, "Invalid"), ApiError, "it is Invalid", "Invalid"),
        ((500, b"plain words\n"), ApiError, "plain words", ""),
        ((500, b""), ApiError, "HTTP 500", ""),
    ],
)
def test_a_refusal_has_the_servers_words(
    server: Server, client: Client, answer: Answer, kind: type[ApiError], message: str, reason: str
):
    server.answers["/x"] = answer
    with pytest.raises(kind, match=f"^{message}$") as raised:
        client.get("/x")
    assert (raised.value.status, raised.value.reason) == (answer[0], reason)


def test_a_deletion_of_what_does_not_exist_succeeds(server: Server, client: Client):
    client.delete("/x", gracePeriodSeconds=0)
    assert server.requests == [("DELETE", "/x", {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0})]


def test_another_object_of_the_name_is_not_deleted(server: Server, client: Client):
    server.answers["/x"] = a_refusal(409, "Conflict")
    client.delete("/x", preconditions={"uid": "old"})
    with pytest.raises(Conflict):
        client.delete("/x")


@pytest.mark.parametrize("dies", [False, True])
def test_a_server_that_does_not_listen(authority: Authority, dies: bool):
    """Whoever knows why is called first."""

    def check() -> None:
        if dies:
            raise ComponentDied("it died")

    with (
        ReservedPort() as port,
        Client(f"https://{LOOPBACK}:{port.number}", "token", authority.pem.decode(), check) as client,
    ):
        assert not client.ready()
        words = "it died" if dies else rf"the API server {LOOPBACK}:{port.number} does not answer: .*refused"
        with pytest.raises(ComponentDied if dies else RehearsalError, match=words):
            client.get("/x")


def test_a_certificate_of_another_authority_is_refused(server: Server, tmp_path: Path):
    with (
        Client(server.address, "t", Authority(tmp_path).pem.decode()) as client,
        pytest.raises(RehearsalError, match="CERTIFICATE_VERIFY_FAILED"),
    ):
        client.get("/x")
    assert server.requests == []


@pytest.mark.parametrize("kept", [False, True], ids=["a new connection", "a kept one"])
@pytest.mark.parametrize("point", ["before it is done", "after it is done", "in the answer", "too many requests"])
@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
def test_what_a_busy_server_hangs_up_on_is_done_once(
    server: Server, client: Client, method: str, point: str, kept: bool
):
    """Whether the server had done it already, or not."""
    if kept:
        client.get("/things/old")
    server.requests.clear()
    server.cut = point
    new = {"metadata": {"name": "new"}}
    if method == "GET":
        assert client.get("/things/old")["uid"] == "old"
    elif method == "POST":
        assert client.request("POST", "/things", new)["uid"] == "made"
        assert server.objects["/things/new"] == {**new, "uid": "made"}
    elif method == "PATCH":
        assert client.patch("/things/old", {"some": 1})["some"] == 1
    else:
        client.delete("/things/old")
        assert "/things/old" not in server.objects
    assert server.cut == ""
    assert [each for each, *_ in server.requests][:2] == [method, method]


def test_only_a_repeated_create_finds_its_own_object(client: Client):
    with pytest.raises(Conflict):
        client.request("POST", "/things", {"metadata": {"name": "old"}})


def test_a_server_that_always_hangs_up_is_given_up(client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Handler, "do_GET", lambda each: each.connection.shutdown(socket.SHUT_RDWR))
    monkeypatch.setattr("muster.rehearsal.kubernetes.client._RETRY_SECONDS", 0.3)
    with pytest.raises(RehearsalError, match="does not answer"):
        client.get("/things/old")
    assert not client.ready()


# Where objects are.


def discovery(*resources: tuple[str, str, str, str, bool]) -> dict[str, Any]:
    def item(group: str, version: str, kind: str, plural: str, namespaced: bool) -> dict[str, Any]:
        scope = "Namespaced" if namespaced else "Cluster"
        resource = {"resource": plural, "responseKind": {"kind": kind}, "scope": scope}
        return {
            "metadata": {"name": group} if group else {},
            "versions": [{"version": version, "resources": [resource]}],
        }

    return {"items": [item(*resource) for resource in resources]}


@pytest.fixture
def with_jobs(server: Server) -> Server:
    server.answers |= {
        "/api": (200, discovery(("", "v1", "Node", "nodes", False))),
        "/apis": (200, discovery(("batch", "v1", "Job", "jobs", True))),
    }
    return server


def a_job(**meta: Any) -> dict[str, Any]:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta}


def test_a_path_has_the_kinds_plural_and_the_objects_namespace(with_jobs: Server, client: Client):
    """A name is one part of it, whatever is in it. The server is queried once for its kinds."""
    jobs = "/apis/batch/v1/namespaces"
    assert client.path({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}) == "/api/v1/nodes/a"
    assert client.path(a_job(name="a", namespace=None)) == f"{jobs}/default/jobs/a"
    assert client.path(a_job(name="a", namespace="team"), named=False) == f"{jobs}/team/jobs"
    strange = client.path(a_job(name="../nodes?a=b", namespace="a/b"))
    assert strange == f"{jobs}/a%2Fb/jobs/..%2Fnodes%3Fa%3Db"
    assert [path for _, path, _ in with_jobs.requests] == ["/api", "/apis"]


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (a_job(generateName="a-"), "a Job has no name"),
        (a_job(name=123), "a Job: name is 123, which is not text; put it into quotes"),
        (a_job(name="a", namespace=7), "the Job a: namespace is 7, which is not text; put it into quotes"),
        ({"apiVersion": "batch/v1", "kind": "Job"}, "a Job has no name"),
        ({"apiVersion": "batch/v1", "kind": "Job", "metadata": None}, "a Job has no name"),
        ({"apiVersion": 1, "kind": "Job"}, "an object: apiVersion is 1, which is not text; put it into quotes"),
        ({"apiVersion": "batch/v1"}, "an object has no kind"),
    ],
)
@pytest.mark.usefixtures("with_jobs")
def test_an_object_without_a_path_is_refused_in_words(client: Client, thing: dict[str, Any], words: str):
    """Manifests are users': YAML makes a number of the name 123."""
    with pytest.raises(RehearsalError, match=f"^{words}$"):
        client.path(thing)


def test_strict_validation_is_requested_as_kubectl_does(with_jobs: Server, client: Client):
    for strict in (False, True):
        client.create(a_job(name=f"a-{strict}"), strict=strict)
        client.create_all([a_job(name=f"b-{strict}")], strict=strict)
    posts = [path.partition("?")[2] for method, path, _ in with_jobs.requests if method == "POST"]
    assert posts == ["", "", "fieldValidation=Strict", "fieldValidation=Strict"]


def test_a_kind_that_appears_later_is_found(server: Server, client: Client):
    tries = iter([discovery(), discovery(("kubeflow.org", "v1", "PyTorchJob", "pytorchjobs", True))])
    server.answers |= {"/api": (200, discovery()), "/apis": lambda: (200, next(tries))}
    assert client.kind("kubeflow.org/v1", "PyTorchJob").plural == "pytorchjobs"


def test_a_kind_that_never_appears_is_named(server: Server, client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("muster.rehearsal.kubernetes.client._NEW_KIND_SECONDS", 0.1)
    server.answers |= {"/api": (200, discovery()), "/apis": (200, discovery())}
    words = r"has no kind MPIJob of kubeflow.org/v2beta1; its CustomResourceDefinition is missing"
    with pytest.raises(RehearsalError, match=words):
        client.kind("kubeflow.org/v2beta1", "MPIJob")


def test_after_the_first_error_no_more_is_begun(client: Client):
    begun: list[int] = []

    def fail(number: int) -> None:
        begun.append(number)
        time.sleep(0.001)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        client.each(fail, range(1000))
    assert len(begun) < 1000


def test_keys_are_for_their_owner_alone(authority: Authority):
    for file in (authority.serving("some").key, authority.signing_key("signing")):
        assert file.stat().st_mode & 0o077 == 0
        assert file.read_text().startswith("-----BEGIN EC PRIVATE KEY-----")  # the form that client-go reads


def test_a_reserved_port_is_given_to_no_other_and_its_server_takes_it():
    with contextlib.ExitStack() as stack:
        port = stack.enter_context(ReservedPort())
        others = [stack.enter_context(ReservedPort()) for _ in range(50)]
        assert port.number not in {other.number for other in others}
        with socket.socket() as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((LOOPBACK, port.release()))
            listening.listen()
            socket.create_connection((LOOPBACK, port.number)).close()

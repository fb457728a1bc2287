"""A small Kubernetes client: objects are the JSON they are sent as.

On the standard library, because a rehearsal shares its two cores with the API server: for the same 400 nodes
`http.client` takes 0.1 s of processor time, httpx and lightkube 0.3 s each. (A look at a live cluster is over in a
second and has to know every way to log in: `muster.extras.verify` has lightkube.) One connection a thread, kept open.
"""

import contextlib
import http.client
import json
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit

from muster.rehearsal.machine_limits import RehearsalError

JsonObject = dict[str, Any]

MANAGER = "muster"
"""Field manager of what is applied."""

WORKERS = 4
"""Connections that send many objects: more do not make two cores faster."""

_BRIEF = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
"""Of the object that comes back, its metadata: to write out the rest, and to read it, costs both sides."""
_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
_RETRY_SECONDS = 30.0
"""Seconds for one answer."""
_IN_ALL = 60.0
"""Seconds after which a request that got no answer is not sent again."""
_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two tries: each is twice as long as the one before."""
_LOST = (ConnectionError, TimeoutError, ssl.SSLError, http.client.BadStatusLine, http.client.IncompleteRead)
"""A busy server hangs up, or is late."""
_IN_VAIN = (ConnectionRefusedError, ssl.SSLCertVerificationError)
"""Nobody listens, or somebody else does."""
_NEW_KIND = 10.0
"""Seconds until a kind whose CustomResourceDefinition was just made must be there."""


class ApiError(RehearsalError):
    """The API server refused a request; the message is its own."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status, self.reason = status, reason


@dataclass(frozen=True, slots=True)
class Kind:
    """Where objects of a kind are."""

    api: str
    """``/api/v1``, ``/apis/apps/v1``."""
    plural: str
    namespaced: bool


@dataclass(frozen=True, slots=True)
class Event:
    """What a watch saw: ``ADDED``, ``MODIFIED``, ``DELETED``; ``SYNCED``, with a list, when it (re)starts."""

    type: str
    object: JsonObject


class Client:
    """Talks to one API server."""

    def __init__(
        self,
        server: str,
        token: str,
        authority: str | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        """What to talk to.

        Args:
            server: ``https://127.0.0.1:6443``.
            token: a bearer token.
            authority: the certificate authority, PEM; the machine's own without it.
            check: asked when the server does not answer; raises what it knows better.
        """
        self._server = urlsplit(server)
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": MANAGER}
        self._tls = ssl.create_default_context(cadata=authority)
        self._check = check
        self._local = threading.local()
        self._open: set[http.client.HTTPSConnection] = set()
        self._kinds: dict[tuple[str, str], Kind] = {}
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes every connection, watches too."""
        self._closed = True
        for connection in list(self._open):
            _hang_up(connection)

    def ready(self) -> bool:
        """Whether the server answers, and says that it is ready."""
        try:
            status, _, _ = self._exchange("GET", "/readyz", None, "", "text/plain", patience=0)
        except RehearsalError:
            return False
        return status == http.HTTPStatus.OK

    # Objects.

    def create(self, thing: JsonObject, *, strict: bool = False) -> JsonObject:
        """Creates an object, its status too where the kind takes one at creation (nodes do).

        Args:
            thing: the object.
            strict: whether fields that its kind does not have are refused, as `kubectl` has it; else they are dropped.
        """
        return self.request("POST", self._new(thing, strict=strict), thing)

    def apply(self, thing: JsonObject) -> JsonObject:
        """Server-side apply: creates the object or sets these fields of it."""
        query = urlencode({"fieldManager": MANAGER, "force": "true"})
        return self.request("PATCH", f"{self.path(thing)}?{query}", thing, "application/apply-patch+yaml")

    def patch(self, path: str, change: JsonObject) -> JsonObject:
        """Merges a change into the object, or a part of it (`.../status`); the metadata of what it is then."""
        return self.request("PATCH", path, change, "application/merge-patch+json", _BRIEF)

    def replace(self, path: str, thing: JsonObject) -> JsonObject:
        """Replaces the object, or a part of it (`.../status`); the metadata of what it is then.

        Raises:
            Conflict: it is no longer as it was at the `resourceVersion` that the thing carries.
        """
        return self.request("PUT", path, thing, accept=_BRIEF)

    def get(self, path: str) -> JsonObject:
        """One object, or a list of them, by its path."""
        return self.request("GET", path)

    def items(self, path: str, **query: str) -> list[JsonObject]:
        """The objects of a list; `labelSelector=`, `fieldSelector=`."""
        found: list[JsonObject] = self.get(f"{path}?{urlencode(query)}" if query else path)["items"]
        return found

    def delete(self, path: str, **options: Any) -> None:
        """Deletes an object, or all objects of a list. An object that does not exist counts as deleted.

        Args:
            path: the object's, or the list's.
            options: fields of DeleteOptions. Give `preconditions` (a uid) where another object may get the same name:
                the request is sent again where an answer is lost.
        """
        try:
            self.request("DELETE", path, {"kind": "DeleteOptions", "apiVersion": "v1", **options})
        except NotFound:
            pass
        except Conflict:
            if "preconditions" not in options:
                raise

    def create_all(self, things: Iterable[JsonObject], *, strict: bool = False) -> None:
        """Creates many objects, several at a time, in no order; `strict` as of `create`."""
        self.each(lambda thing: self.request("POST", self._new(thing, strict=strict), thing, accept=_BRIEF), things)

    def each(self, do: Callable[[Any], object], things: Iterable[Any]) -> None:
        """Does something for each thing, several at a time; the first fault stops the rest."""
        waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for thing in things:
            waiting.put(thing)
        faults: list[BaseException] = []

        def work() -> None:
            try:
                while not faults:
                    do(waiting.get_nowait())
            except queue.Empty:
                pass
            except BaseException as fault:  # noqa: BLE001 - raised below, in the caller's thread
                faults.append(fault)
            finally:
                self._drop()

        workers = [
            threading.Thread(target=work, name="rehearsal-client", daemon=True)
            for _ in range(min(WORKERS, waiting.qsize()))
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        if faults:
            raise faults[0]

    # Where things are.

    def path(self, thing: Mapping[str, Any], *, named: bool = True) -> str:
        """The path of an object, or of its kind's list in its namespace (`default` where it names none).

        Raises:
            RehearsalFault: it has no name or another thing in its place, or the server has no such kind.
        """
        meta = thing.get("metadata") or {}
        kind = self.kind(_required_text(thing, "an object", "apiVersion"), _required_text(thing, "an object", "kind"))
        whose = f"the {thing['kind']} {meta.get('name') or ''}".rstrip()
        namespace = "default" if meta.get("namespace") is None else _required_text(meta, whose, "namespace")
        path = f"{kind.api}/namespaces/{quote(namespace, safe='')}" if kind.namespaced else kind.api
        if not named:
            return f"{path}/{kind.plural}"
        name = quote(_required_text(meta, f"a {thing['kind']}", "name"), safe="")
        return f"{path}/{kind.plural}/{name}"

    def _new(self, thing: JsonObject, *, strict: bool) -> str:
        return self.path(thing, named=False) + ("?fieldValidation=Strict" if strict else "")

    def kind(self, version: str, name: str) -> Kind:
        """Where objects of a kind are, asked of the server.

        Raises:
            RehearsalFault: the server has no such kind, also not after a moment.
        """
        until = time.monotonic() + _NEW_KIND
        while (version, name) not in self._kinds:
            self._discover()
            if (version, name) in self._kinds:
                break
            if time.monotonic() > until:
                raise RehearsalError(
                    f"the control plane knows no {name} of {version}; its CustomResourceDefinition is missing"
                )
            time.sleep(0.05)
        return self._kinds[version, name]

    def knows(self, version: str, name: str) -> bool:
        """Whether the server has such a kind, now."""
        if (version, name) not in self._kinds:
            self._discover()
        return (version, name) in self._kinds

    def _discover(self) -> None:
        for root in ("/api", "/apis"):
            for group in self.request("GET", root, accept=_DISCOVERY)["items"]:
                name = group["metadata"].get("name", "")
                for version in group["versions"]:
                    full = f"{name}/{version['version']}" if name else version["version"]
                    for resource in version.get("resources", ()):
                        where = Kind(f"{root}/{full}", resource["resource"], resource["scope"] == "Namespaced")
                        self._kinds[full, resource["responseKind"]["kind"]] = where

    # The wire.

    def request(
        self,
        method: str,
        path: str,
        body: JsonObject | None = None,
        content: str = "application/json",
        accept: str = "application/json",
    ) -> JsonObject:
        """One request; what the server answers.

        Where the connection is lost the request is sent again, for a while. That is safe, for each kind of request has
        the same effect twice: reading changes nothing; apply and patch set what they set; a `replace` and a `delete`
        name the version or the uid of what they mean, where there could be another; an object that is created twice is
        there already.

        Raises:
            ApiError: it refused.
            RehearsalFault: it did not answer.
        """
        status, said, repeated = self._exchange(method, path, body, content, accept)
        if status < http.HTTPStatus.BAD_REQUEST:
            result: JsonObject = json.loads(said)
            return result
        refusal = _refusal(status, said)
        if repeated and method == "POST" and body and refusal.reason == "AlreadyExists":
            return self.get(f"{path.partition('?')[0]}/{quote(body['metadata']['name'], safe='')}")
        raise refusal

    def _exchange(
        self, method: str, path: str, body: JsonObject | None, content: str, accept: str, patience: float = _IN_ALL
    ) -> tuple[int, bytes, bool]:
        """Status and body of an answer, and whether an earlier try may have come through without one.

        Raises:
            RehearsalFault: there is no answer, and to try longer is in vain.
        """
        sent = None if body is None else json.dumps(body, separators=(",", ":")).encode()
        headers = {**self._headers, "Accept": accept, "Content-Type": content}
        until, pause, repeated = time.monotonic() + patience, 0.0, False
        while True:
            begun = False
            try:
                connection = self._connection()
                begun = True
                connection.request(method, path, sent, headers)
                answer = connection.getresponse()
                said = answer.read()
            except (OSError, http.client.HTTPException) as fault:
                self._drop()
                self._check()
                if not isinstance(fault, _LOST) or isinstance(fault, _IN_VAIN) or time.monotonic() >= until:
                    raise RehearsalError(f"the API server {self._server.netloc} does not answer: {fault}") from fault
                repeated = repeated or begun
            else:
                if not _come_again(method, answer.status) or time.monotonic() >= until:
                    return answer.status, said, repeated
            time.sleep(pause)  # not at first: a kept connection may have been closed long ago
            pause = min(2 * pause, _LONGEST_PAUSE) or _PAUSE

    def _connection(self) -> http.client.HTTPSConnection:
        """This thread's connection, made where there is none.

        Raises:
            OSError: the server is not there, or hangs up.
        """
        kept: http.client.HTTPSConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            return kept
        made = self._local.connection = self._connect(_RETRY_SECONDS)
        made.connect()
        return made

    def _connect(self, timeout: float | None) -> http.client.HTTPSConnection:
        if self._closed:
            raise RehearsalError("the rehearsal is over")
        made = http.client.HTTPSConnection(
            self._server.hostname or "", self._server.port, timeout=timeout, context=self._tls
        )
        self._open.add(made)
        return made

    def _drop(self) -> None:
        """Closes this thread's connection."""
        kept: http.client.HTTPSConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            self._local.connection = None
            self._open.discard(kept)
            kept.close()

    # Watching.

    def follow(self, path: str, **query: str) -> Iterator[Event]:
        """What is there (one ``SYNCED`` with the list), then every change, for ever; ends when the client is closed.

        A busy API server hangs up on watchers every second or so: they go on from what they saw last. Where it has
        forgotten that, there is a new list.
        """
        last = ""
        while not self._closed:
            try:
                if not last:
                    found = self.get(f"{path}?{urlencode(query)}")
                    yield Event("SYNCED", found)
                    last = found["metadata"]["resourceVersion"]
                for event in self._watch(path, {**query, "resourceVersion": last}):
                    last = event.object["metadata"]["resourceVersion"] if event.type != "ERROR" else ""
                    if last:
                        yield event
            except RehearsalError:
                if not self._closed:
                    raise

    def _watch(self, path: str, query: Mapping[str, str]) -> Iterator[Event]:
        """Changes until the server ends the watch; the last is an ``ERROR`` where that cannot be taken up again."""
        connection = self._connect(None)
        try:
            connection.request("GET", f"{path}?{urlencode({**query, 'watch': '1'})}", headers=self._headers)
            answer = connection.getresponse()
            if answer.status == http.HTTPStatus.GONE:
                yield Event("ERROR", {})
                return
            if _come_again("GET", answer.status):
                time.sleep(_LONGEST_PAUSE)
                return
            if answer.status >= http.HTTPStatus.BAD_REQUEST:
                raise _refusal(answer.status, answer.read())
            for line in answer:
                seen = json.loads(line)
                yield Event(seen["type"], seen["object"])
        except (OSError, http.client.HTTPException, ValueError, AttributeError):  # closed from another thread, or cut
            if not self._closed:
                self._check()
                time.sleep(_PAUSE)
        finally:
            self._open.discard(connection)
            connection.close()


class NotFound(ApiError):
    """There is no such object."""


class Conflict(ApiError):
    """It is there already, or has changed meanwhile."""


_REFUSALS = {http.HTTPStatus.NOT_FOUND: NotFound, http.HTTPStatus.CONFLICT: Conflict}


def _required_text(of: Mapping[str, Any], whose: str, key: str) -> str:
    """What stands at a key, which has to be a word: YAML makes numbers of some names."""
    word = of.get(key)
    if isinstance(word, str) and word:
        return word
    if word is None or word == "":
        raise RehearsalError(f"{whose} has no {key}")
    raise RehearsalError(f"{whose}: {key} is {word!r}, which is no text; put it into quotes")


def _refusal(status: int, said: bytes) -> ApiError:
    try:
        answer = json.loads(said)
    except ValueError:
        answer = {}
    message = answer.get("message") or said.decode(errors="replace").strip() or f"HTTP {status}"
    return _REFUSALS.get(http.HTTPStatus(status), ApiError)(status, answer.get("reason", ""), message)


def _come_again(method: str, status: int) -> bool:
    """Whether a server refuses only for now: it has done nothing (429), or there was nothing to do but read."""
    later = {http.HTTPStatus.SERVICE_UNAVAILABLE, http.HTTPStatus.GATEWAY_TIMEOUT}
    return status == http.HTTPStatus.TOO_MANY_REQUESTS or (method == "GET" and status in later)


def _hang_up(connection: http.client.HTTPSConnection) -> None:
    """Wakes whoever reads from it."""
    with contextlib.suppress(OSError, AttributeError):
        connection.sock.shutdown(socket.SHUT_RDWR)

"""A Kubernetes client on lightkube: objects are the JSON they are sent as.

lightkube connects, authenticates and watches. This module adds what its `Client` has no argument for: requests that are
repeated after a lost connection, strict field validation, preconditions of a deletion, answers that are metadata only,
and
the kinds that a server has at that moment (a CustomResourceDefinition may have just been created).
"""

import base64
import contextlib
import http
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ssl import SSLCertVerificationError
from typing import Any, Self
from urllib.parse import quote

import httpx2
from lightkube import ApiError as WatchError
from lightkube import KubeConfig, SingleConfig
from lightkube.config.client_adapter import ConnectionParams
from lightkube.config.models import Cluster, User
from lightkube.core.generic_client import BasicRequest, GenericSyncClient
from lightkube.generic_resource import Generic
from lightkube.types import OnErrorAction, OnErrorResult

from muster.rehearsal.machine_limits import RehearsalError

JsonObject = dict[str, Any]

MANAGER = "muster"
"""The user agent, which is also the field manager."""

WORKERS = 4
"""The number of connections that send many objects. With two cores, more are not faster."""

_OBJECT: Any = Generic
"""Makes lightkube return plain dictionaries. Otherwise it would create objects of its models for thousands of pods."""
_METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
"""Requests only the metadata: writing and reading the whole object takes time on both sides."""
_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
_TIMEOUT_SECONDS = 30.0
"""Seconds to wait for one answer."""
_RETRY_SECONDS = 60.0
"""Seconds for which a request without an answer is repeated."""
_PAUSE, _LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two attempts. Each pause is twice as long as the one before."""
_NEW_KIND_SECONDS = 60.0
"""Seconds to wait for a kind whose CustomResourceDefinition was just created."""


class ApiError(RehearsalError):
    """The API server rejected a request; the message is the server's."""

    def __init__(self, status: int, reason: str, message: str, *, repeated: bool = False) -> None:
        super().__init__(message)
        self.status, self.reason = status, reason
        self.repeated = repeated
        """Whether an earlier attempt may have succeeded, and only its answer was lost."""


class NotFound(ApiError):
    """The object does not exist."""


class Conflict(ApiError):
    """The object exists already, or has changed meanwhile."""


class Expired(ApiError):
    """The server no longer has the version that a watch starts from."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The API path of a kind's objects."""

    api: str
    """``/api/v1``, ``/apis/apps/v1``."""
    plural: str
    namespaced: bool


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a watch: ``ADDED``, ``MODIFIED``, ``DELETED``; ``SYNCED``, with a list, when it (re)starts."""

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
        """Connects at the first request.

        Args:
            server: ``https://127.0.0.1:6443``.
            token: a bearer token.
            authority: the certificate authority, PEM. Default: the machine's certificate authorities.
            check: called if the server does not answer; raises an error if it knows the reason.
        """
        data = base64.b64encode(authority.encode()).decode() if authority else None
        cluster = Cluster(server=server, certificate_auth_data=data)
        config = KubeConfig.from_one(cluster=cluster, user=User(token=token)).get()
        assert config is not None
        self._requests = _Requests(config, check)
        self._kinds: dict[tuple[str, str], Kind] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes every connection, including watches."""
        self._requests.close()

    def ready(self) -> bool:
        """Whether the server answers that it is ready."""
        return self._requests.ready()

    # Objects.

    def create(self, thing: JsonObject, *, strict: bool = False, dry_run: bool = False) -> JsonObject:
        """Creates an object, including its status if the kind accepts a status at creation (nodes do).

        Args:
            thing: the object.
            strict: whether the server rejects fields that the kind does not have, as with `kubectl`. Otherwise it drops
                them.
            dry_run: whether the server only checks the object.
        """
        query = {**_validation(strict=strict), **({"dryRun": "All"} if dry_run else {})}
        return self.request("POST", self.path(thing, named=False), thing, query=query)

    def apply(self, thing: JsonObject) -> JsonObject:
        """Server-side apply: creates the object or sets these fields of it."""
        query = {"fieldManager": MANAGER, "force": "true"}
        return self.request("PATCH", self.path(thing), thing, "application/apply-patch+yaml", query=query)

    def patch(self, path: str, change: JsonObject) -> JsonObject:
        """Merges a change into the object, or a part of it (`.../status`). Returns its metadata."""
        return self.request("PATCH", path, change, "application/merge-patch+json", _METADATA_ONLY)

    def replace(self, path: str, thing: JsonObject) -> JsonObject:
        """Replaces the object, or a part of it (`.../status`). Returns its metadata.

        Raises:
            Conflict: its `resourceVersion` is no longer that of the given object.
        """
        return self.request("PUT", path, thing, accept=_METADATA_ONLY)

    def get(self, path: str, **query: str) -> JsonObject:
        """One object, or a list of them, by its path; `labelSelector=`, `fieldSelector=`."""
        return self.request("GET", path, query=query)

    def items(self, path: str, **query: str) -> list[JsonObject]:
        """The objects of a list."""
        found: list[JsonObject] = self.get(path, **query)["items"]
        return found

    def delete(self, path: str, *, selector: str = "", **options: Any) -> None:
        """Deletes an object, or all objects of a list. An object that does not exist counts as deleted.

        Args:
            path: the object's, or the list's.
            selector: deletes only the objects of a list that have these labels.
            options: fields of DeleteOptions. Give `preconditions` (a uid) if another object may get the same name,
                because the request is sent again if its answer is lost.
        """
        query = {"labelSelector": selector} if selector else {}
        try:
            self.request("DELETE", path, {"kind": "DeleteOptions", "apiVersion": "v1", **options}, query=query)
        except NotFound:
            pass
        except Conflict:
            if "preconditions" not in options:
                raise

    def create_all(self, things: Iterable[JsonObject], *, strict: bool = False) -> None:
        """Creates many objects, several at a time, in no order; `strict` as of `create`."""
        query = _validation(strict=strict)
        self.each(
            lambda thing: self.request(
                "POST", self.path(thing, named=False), thing, accept=_METADATA_ONLY, query=query
            ),
            things,
        )

    def each(self, do: Callable[[Any], object], things: Iterable[Any]) -> None:
        """Calls `do` for each thing, several at a time; the first error stops the rest."""
        with ThreadPoolExecutor(WORKERS, thread_name_prefix="rehearsal-client") as pool:
            for _ in pool.map(do, things):
                pass

    # Paths.

    def path(self, thing: Mapping[str, Any], *, named: bool = True) -> str:
        """The path of an object, or of its kind's list in its namespace (`default` if it sets none).

        Raises:
            RehearsalError: its name is missing or is not text, or the server does not have its kind.
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

    def kind(self, version: str, name: str) -> Kind:
        """The API path of a kind's objects.

        Raises:
            RehearsalError: the server does not have the kind, even after a while.
        """
        until = time.monotonic() + _NEW_KIND_SECONDS
        while not self.knows(version, name):
            if time.monotonic() > until:
                raise RehearsalError(
                    f"the control plane has no kind {name} of {version}; its CustomResourceDefinition is missing"
                )
            time.sleep(0.05)
        return self._kinds[version, name]

    def knows(self, version: str, name: str) -> bool:
        """Whether the server has the kind at present."""
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

    def request(
        self,
        method: str,
        path: str,
        body: JsonObject | None = None,
        content: str = "application/json",
        accept: str = "application/json",
        query: Mapping[str, str] | None = None,
    ) -> JsonObject:
        """Sends one request. Returns the server's answer.

        If the connection is lost, the request is sent again, for up to a minute. This is safe, because each kind of
        request has the same effect twice: a read changes nothing; apply and patch set the same values; a `replace` and
        a `delete` contain the version or the uid of the object if another object could have its name; an object that is
        created twice already exists.

        Raises:
            ApiError: the server rejected it.
            RehearsalError: the server did not answer.
        """
        try:
            answer = self._requests.send(
                self._requests.build_adapter_request(
                    BasicRequest(
                        method,
                        path,
                        params=dict(query or {}),
                        data=body,
                        headers={"Accept": accept, "Content-Type": content},
                    )
                )
            )
        except Conflict as refusal:
            if refusal.repeated and method == "POST" and body and refusal.reason == "AlreadyExists":
                return self.get(f"{path}/{quote(body['metadata']['name'], safe='')}")
            raise
        result: JsonObject = answer.json()
        return result

    def follow(self, path: str, **query: str) -> Iterator[Event]:
        """Yields the list (one ``SYNCED``), then every change, until the client is closed.

        A busy API server closes watches every second or so; they continue from the last change. If the server no longer
        has that version, it sends a new list.
        """
        while not self._requests.closed:
            try:
                found = self.get(path, **query)
                yield Event("SYNCED", found)
                yield from self._requests.changes(path, query, found["metadata"]["resourceVersion"])
            except Expired:
                continue
            except Exception:
                if not self._requests.closed:
                    raise


class _Requests(GenericSyncClient):
    """Sends lightkube's requests. Repeats them if a busy server closes the connection, and raises the server's message
    if it rejects them."""

    def __init__(self, config: SingleConfig, check: Callable[[], None]) -> None:
        super().__init__(ConnectionParams(httpx2.Timeout(_TIMEOUT_SECONDS), trust_env=False), config)
        # msgspec 0.22.0 crashes if two threads convert to the same class for the first time: watches do.
        _OBJECT({"metadata": {}}).metadata  # noqa: B018
        self._client.headers["User-Agent"] = MANAGER
        self._client.headers["Accept-Encoding"] = "identity"  # on loopback, compression takes longer than sending
        self._server = config.cluster.server.partition("://")[2]
        self._check = check
        self._watches: weakref.WeakSet[httpx2.Response] = weakref.WeakSet()
        self._lock = threading.Lock()
        self.closed = False

    def ready(self) -> bool:
        try:
            return bool(self._client.get("/readyz").is_success)
        except httpx2.TransportError:
            return False

    def close(self) -> None:
        self.closed = True
        with self._lock:
            for answer in self._watches:
                with contextlib.suppress(OSError):  # wakes the thread that reads from it
                    connection = answer.extensions["network_stream"].get_extra_info("socket")
                    socket.socket.shutdown(connection, socket.SHUT_RDWR)
        self._client.close()

    def send(self, req: httpx2.Request, stream: bool = False) -> httpx2.Response:  # noqa: FBT001, FBT002 (lightkube's)
        """Sends a request until there is an answer.

        Raises:
            ApiError: the server rejected it.
            RehearsalError: there is no answer, and further attempts are useless.
        """
        until, pause, repeated = time.monotonic() + _RETRY_SECONDS, 0.0, False
        while True:
            if self.closed:
                raise RehearsalError("the rehearsal has ended")
            try:
                answer: httpx2.Response = super().send(req, stream)
            except httpx2.TransportError as fault:
                self._check()
                if _is_final(fault) or time.monotonic() >= until:
                    raise RehearsalError(f"the API server {self._server} does not answer: {fault}") from fault
                repeated = True
            else:
                if answer.is_success:
                    if stream:
                        with self._lock:
                            self._watches.add(answer)
                    return answer
                answer.read()
                if not _is_overloaded(req.method, answer.status_code) or time.monotonic() >= until:
                    raise _refusal(answer, repeated=repeated)
            time.sleep(pause)  # 0 at first: the server may have closed a kept connection long ago
            pause = min(2 * pause, _LONGEST_PAUSE) or _PAUSE

    def changes(self, path: str, query: Mapping[str, str], version: str) -> Iterator[Event]:
        """Every change since a version of a list.

        Raises:
            Expired: the server no longer has that version.
        """
        params = {**query, "resourceVersion": version, "watch": "1"}
        watch = BasicRequest("GET", path, response_type=_OBJECT, params=params)
        for kind, changed in self.watch(watch, self._on_watch_error):
            yield Event(kind, changed)

    def _on_watch_error(self, fault: Exception, _count: int) -> OnErrorResult:
        if self.closed or isinstance(fault, WatchError):  # an event of the type ERROR: the version has expired
            return OnErrorResult(OnErrorAction.STOP)
        self._check()
        return OnErrorResult(OnErrorAction.RETRY, _PAUSE)


_REFUSALS = {http.HTTPStatus.NOT_FOUND: NotFound, http.HTTPStatus.CONFLICT: Conflict, http.HTTPStatus.GONE: Expired}


def _validation(*, strict: bool) -> Mapping[str, str]:
    return {"fieldValidation": "Strict"} if strict else {}


def _required_text(of: Mapping[str, Any], whose: str, key: str) -> str:
    """The value of a key, which must be text: YAML reads some names as numbers."""
    word = of.get(key)
    if isinstance(word, str) and word:
        return word
    if word is None or word == "":
        raise RehearsalError(f"{whose} has no {key}")
    raise RehearsalError(f"{whose}: {key} is {word!r}, which is not text; put it into quotes")


def _refusal(answer: httpx2.Response, *, repeated: bool) -> ApiError:
    try:
        status = answer.json()
    except ValueError:
        status = {}
    message = status.get("message") or answer.text.strip() or f"HTTP {answer.status_code}"
    refusal = _REFUSALS.get(http.HTTPStatus(answer.status_code), ApiError)
    return refusal(answer.status_code, status.get("reason", ""), message, repeated=repeated)


def _is_overloaded(method: str, status: int) -> bool:
    """Whether the server's rejection is temporary and a repetition is safe: the server did nothing (429), or the
    request only reads."""
    later = {http.HTTPStatus.SERVICE_UNAVAILABLE, http.HTTPStatus.GATEWAY_TIMEOUT}
    return status == http.HTTPStatus.TOO_MANY_REQUESTS or (method == "GET" and status in later)


def _is_final(fault: BaseException | None) -> bool:
    """Whether further attempts are useless: no process listens at the address, or one with another certificate."""
    while fault is not None:
        if isinstance(fault, (ConnectionRefusedError, SSLCertVerificationError, httpx2.UnsupportedProtocol)):
            return True
        fault = fault.__cause__ or fault.__context__
    return False

"""A Kubernetes client on httpx2: objects are the JSON they are sent as.

The kinds are those that the server has at that moment: a CustomResourceDefinition may have just been created.
"""

import http
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote

import httpx2

from muster.rehearsal.machine_limits import RehearsalError

JsonObject = dict[str, Any]

MANAGER = "muster"
"""The user agent, which is also the field manager."""

WORKERS = 4
"""The number of connections that send many objects. With two cores, more are not faster."""

_METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
"""Requests only the metadata: writing and reading the whole object takes time on both sides."""
_DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
_TIMEOUT_SECONDS = 30.0
"""Seconds to wait for one answer."""
_RETRY_SECONDS = 60.0
"""Seconds for which a request to an overloaded server is repeated."""
_PAUSE = 0.1
"""Seconds between two attempts."""
_NEW_KIND_SECONDS = 60.0
"""Seconds to wait for a kind whose CustomResourceDefinition was just created."""


class ApiError(RehearsalError):
    """The API server rejected a request; the message is the server's."""

    def __init__(self, status: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.status, self.reason = status, reason


class NotFound(ApiError):
    """The object does not exist."""


class Conflict(ApiError):
    """The object exists already, or has changed meanwhile."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The API path of a kind's objects."""

    api: str
    """``/api/v1``, ``/apis/apps/v1``."""
    plural: str
    namespaced: bool


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
        self._http = httpx2.Client(
            base_url=server,
            verify=ssl.create_default_context(cadata=authority),
            timeout=_TIMEOUT_SECONDS,
            trust_env=False,
            headers={
                "Authorization": f"Bearer {token}",
                "User-Agent": MANAGER,
                "Accept-Encoding": "identity",  # on loopback, compression takes longer than sending
            },
        )
        self._server, self._check = server.partition("://")[2], check
        self._kinds: dict[tuple[str, str], Kind] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def ready(self) -> bool:
        """Whether the server answers that it is ready."""
        try:
            return bool(self._http.get("/readyz").is_success)
        except httpx2.TransportError:
            return False

    # Objects.

    def create(self, thing: JsonObject, *, strict: bool = False) -> JsonObject:
        """Creates an object, including its status if the kind accepts a status at creation (nodes do).

        Args:
            thing: the object.
            strict: whether the server rejects fields that the kind does not have, as with `kubectl`. Otherwise it drops
                them.
        """
        query = {"fieldValidation": "Strict"} if strict else {}
        return self.request("POST", self.path(thing, named=False), thing, query=query)

    def apply(self, thing: JsonObject) -> JsonObject:
        """Server-side apply: creates the object or sets these fields of it."""
        query = {"fieldManager": MANAGER, "force": "true"}
        return self.request("PATCH", self.path(thing), thing, "application/apply-patch+yaml", query=query)

    def create_namespaces(self, names: Iterable[str]) -> None:
        """Creates namespaces, if they do not exist."""
        for name in sorted(names):
            self.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})

    def patch(self, path: str, change: JsonObject) -> JsonObject:
        """Merges a change into the object, or a part of it (`.../status`). Returns its metadata."""
        return self.request("PATCH", path, change, "application/merge-patch+json", _METADATA_ONLY)

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
            options: fields of DeleteOptions. With `preconditions` (a uid), another object of the same name counts as
                deleted.
        """
        query = {"labelSelector": selector} if selector else {}
        try:
            self.request("DELETE", path, {"kind": "DeleteOptions", "apiVersion": "v1", **options}, query=query)
        except NotFound:
            pass
        except Conflict:
            if "preconditions" not in options:
                raise

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

        A request that an overloaded server did not begin, or that only reads, is sent again for up to a minute.

        Raises:
            ApiError: the server rejected it.
            RehearsalError: the server did not answer.
        """
        until = time.monotonic() + _RETRY_SECONDS
        headers = {"Accept": accept, "Content-Type": content}
        while True:
            try:
                answer = self._http.request(method, path, params=dict(query or {}), json=body, headers=headers)
            except httpx2.TransportError as fault:
                self._check()
                raise RehearsalError(f"the API server {self._server} does not answer: {fault}") from fault
            if answer.is_success:
                result: JsonObject = answer.json()
                return result
            if not _is_overloaded(method, answer.status_code) or time.monotonic() >= until:
                raise _refusal(answer)
            time.sleep(_PAUSE)


_REFUSALS = {http.HTTPStatus.NOT_FOUND: NotFound, http.HTTPStatus.CONFLICT: Conflict}


def _required_text(of: Mapping[str, Any], whose: str, key: str) -> str:
    """The value of a key, which must be text: YAML reads some names as numbers."""
    word = of.get(key)
    if isinstance(word, str) and word:
        return word
    if word is None or word == "":
        raise RehearsalError(f"{whose} has no {key}")
    raise RehearsalError(f"{whose}: {key} is {word!r}, which is not text; put it into quotes")


def _refusal(answer: httpx2.Response) -> ApiError:
    try:
        status = answer.json()
    except ValueError:
        status = {}
    message = status.get("message") or answer.text.strip() or f"HTTP {answer.status_code}"
    refusal = _REFUSALS.get(http.HTTPStatus(answer.status_code), ApiError)
    return refusal(answer.status_code, status.get("reason", ""), message)


def _is_overloaded(method: str, status: int) -> bool:
    """Whether the server's rejection is temporary and a repetition is safe: the server did nothing (429), or the
    request only reads."""
    later = {http.HTTPStatus.SERVICE_UNAVAILABLE, http.HTTPStatus.GATEWAY_TIMEOUT}
    return status == http.HTTPStatus.TOO_MANY_REQUESTS or (method == "GET" and status in later)

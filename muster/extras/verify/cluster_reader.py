"""Reads a cluster through its kubeconfig: only lists of objects. The only module that loads lightkube."""

import base64
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

import httpx2
import msgspec
from lightkube import ApiError, Client
from lightkube.config.kubeconfig import KubeConfig, SingleConfig
from lightkube.core.exceptions import ConfigError
from lightkube.generic_resource import create_global_resource, create_namespaced_resource

from muster.extras.verify import kubeconfig
from muster.extras.verify.expected import Expectations
from muster.extras.verify.kubeconfig import Kubeconfig, NoAccess
from muster.extras.verify.observed import ObservedCluster, observe


@dataclass(frozen=True, slots=True)
class Right:
    """The permission to list one kind in the whole cluster."""

    group: str
    """The API group; empty for the core's."""
    plural: str
    namespaced: bool

    @property
    def called(self) -> str:
        """``daemonsets.apps``."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


NODES = Right("", "nodes", namespaced=False)
PODS = Right("", "pods", namespaced=True)
DAEMON_SETS = Right("apps", "daemonsets", namespaced=True)
DEPLOYMENTS = Right("apps", "deployments", namespaced=True)
RESOURCE_SLICES = Right("resource.k8s.io", "resourceslices", namespaced=False)
"""Only if the description has a DRA driver."""

RIGHTS = (NODES, PODS, DAEMON_SETS, DEPLOYMENTS, RESOURCE_SLICES)


def cluster_role() -> dict[str, Any]:
    """The role, as a manifest. It can list, not watch, and not read Secrets."""
    groups = sorted({right.group for right in RIGHTS})
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "muster-verify"},
        "rules": [
            {
                "apiGroups": [group],
                "resources": [right.plural for right in RIGHTS if right.group == group],
                "verbs": ["list"],
            }
            for group in groups
        ],
    }


Json = dict[str, Any]

_TIMEOUT_SECONDS = 10.0
"""Seconds for one answer."""
_AT_A_TIME = 500
"""The number of objects in one answer, as in kubectl: about 5 MB of pods."""

_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND = 401, 403, 404

# Plain dictionaries: the typed models would be built for 10,000 pods, to read six fields of each.
_KINDS: dict[Right, Any] = {
    NODES: create_global_resource("", "v1", "Node", "nodes"),
    PODS: create_namespaced_resource("", "v1", "Pod", "pods"),
    DAEMON_SETS: create_namespaced_resource("apps", "v1", "DaemonSet", "daemonsets"),
    DEPLOYMENTS: create_namespaced_resource("apps", "v1", "Deployment", "deployments"),
    RESOURCE_SLICES: create_global_resource("resource.k8s.io", "v1", "ResourceSlice", "resourceslices"),
}


def read_cluster(config: Kubeconfig, expected: Expectations, timeout: float = _TIMEOUT_SECONDS) -> ObservedCluster:
    """Lists the objects that the expectations cover.

    Raises:
        NoAccess: the cluster cannot be reached or read; the message has the reason and the remedy.
    """
    claims = any(group.claims for group in expected.groups)
    operators, slices = (DEPLOYMENTS,) if expected.operators else (), (RESOURCE_SLICES,) if claims else ()
    wanted = (NODES, PODS, DAEMON_SETS, *operators, *slices)
    with _Reader(config, timeout) as reader:
        found = reader.all(wanted)
    return observe(
        config.server,
        config.context,
        expected,
        found[NODES],
        found[PODS],
        found[DAEMON_SETS],
        found.get(DEPLOYMENTS, ()),
        found.get(RESOURCE_SLICES, ()),
    )


@dataclass(frozen=True, slots=True)
class _Forbidden(Exception):
    right: Right
    message: str


class _Reader:
    """A client that only lists."""

    def __init__(self, config: Kubeconfig, timeout: float) -> None:
        self._config = config
        self._timeout = timeout
        try:
            self._client = Client(_single(config), timeout=httpx2.Timeout(timeout), proxy=config.proxy)
        except ssl.SSLError as fault:
            raise NoAccess(
                f"the certificates of context '{config.context}' cannot be used: {fault.reason or fault}"
            ) from None
        except (ConfigError, msgspec.ValidationError, httpx2.InvalidURL, OSError, ValueError, KeyError) as fault:
            raise NoAccess(f"context '{config.context}' cannot be used: {fault}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def all(self, wanted: tuple[Right, ...]) -> dict[Right, tuple[Json, ...]]:
        """Every list. One error has all missing permissions."""
        found: dict[Right, tuple[Json, ...]] = {}
        missing: list[_Forbidden] = []
        for right in wanted:
            try:
                found[right] = tuple(self._list(right))
            except _Forbidden as refused:
                missing.append(refused)
        if missing:
            rights = ", ".join(f"list {each.right.called}" for each in missing)
            raise NoAccess(
                f"{self._config.server} denies access: {missing[0].message}; missing permissions: {rights} in the "
                "whole cluster. the documentation of `muster verify` has a ClusterRole with them"
            )
        return found

    def _list(self, right: Right) -> Iterator[Json]:
        return self._in_words(lambda: iter(list(self._listed(right))), right)

    def _listed(self, right: Right) -> Iterator[Json]:
        found = self._client.list(_KINDS[right], chunk_size=_AT_A_TIME, namespace="*" if right.namespaced else None)
        for thing in found:
            if not isinstance(thing.get("metadata"), dict) or "name" not in thing["metadata"]:
                raise ValueError(f"{right.plural} without names")
            yield dict(thing)

    def _in_words(self, do: Callable[[], Iterator[Json]], right: Right) -> Iterator[Json]:
        server = self._config.server
        try:
            return do()
        except ApiError as refused:
            raise self._refusal(refused.response.status_code, str(refused.status.message or refused), right) from None
        except httpx2.HTTPStatusError as refused:
            raise self._refusal(refused.response.status_code, "", right) from None
        except httpx2.ProxyError as fault:
            raise NoAccess(f"the proxy to {server} refuses the connection: {fault}") from None
        except httpx2.ConnectTimeout:
            raise NoAccess(f"{server} did not answer within {self._timeout:g} s; {_REACH}") from None
        except httpx2.TimeoutException:
            raise NoAccess(f"{server} took longer than {self._timeout:g} s to answer; try again") from None
        except httpx2.TransportError as fault:
            raise NoAccess(_unreached(server, str(fault))) from None
        except (msgspec.MsgspecError, KeyError, AttributeError, TypeError, ValueError):
            raise NoAccess(
                f"{server} is not a Kubernetes API server: its answer is not a list of Kubernetes objects"
            ) from None

    def _refusal(self, status: int, message: str, right: Right) -> Exception:
        server, user = self._config.server, self._config.context
        if status == _UNAUTHORIZED:
            return NoAccess(
                f"{server} does not accept your credentials (401): the token of context '{user}' is for another "
                "cluster, or has expired; for EKS, `aws sts get-caller-identity` prints the AWS identity in use"
            )
        if status == _FORBIDDEN and message:
            return _Forbidden(right, message)
        if status == _NOT_FOUND and right is RESOURCE_SLICES:
            return NoAccess(
                f"{server} does not serve resource.k8s.io/v1, which the DRA drivers of the description need; update "
                "the cluster to Kubernetes 1.34 or later"
            )
        if status == _NOT_FOUND or not message:
            return NoAccess(f"{server} is not a Kubernetes API server: it answers {status} to a list of {right.plural}")
        return NoAccess(f"{server} answers {status} to a list of {right.plural}: {message}")


_REACH = "check whether it is in a private network (a VPN, the cluster's `api:`), or deleted"


def _unreached(server: str, reason: str) -> str:
    if "CERTIFICATE_VERIFY_FAILED" in reason or "certificate verify failed" in reason:
        why = reason.partition("failed: ")[2].partition(" (_ssl")[0] or reason
        return (
            f"{server} has a certificate that the kubeconfig's authority did not sign ({why}): the kubeconfig is of "
            "another cluster, or another server intercepts the connection"
        )
    if "ssl" in reason.lower():
        return f"{server} does not use TLS like a Kubernetes API server: {reason}"
    if any(
        word in reason for word in ("Name or service not known", "nodename nor servname", "getaddrinfo", "No address")
    ):
        host = urlsplit(server).hostname
        return f"the host '{host}' does not exist: the cluster is deleted, or its name exists only in its own network"
    return f"{server} cannot be reached: {reason or 'the connection broke'}; {_REACH}"


def _single(config: Kubeconfig) -> SingleConfig:
    """The configuration for the library: one context, with the credential program's answer instead of the program."""
    user = {key: value for key, value in config.user.items() if key != "exec"}
    if config.program and not (user.get("token") or user.get("tokenFile")):
        found = kubeconfig.run_credential_program(config)
        user |= {"token": found.token} if found.token else {}
        if found.certificate and found.key:
            user |= {"client-certificate-data": _base64(found.certificate), "client-key-data": _base64(found.key)}
    whole = KubeConfig.from_dict(
        {
            "current-context": config.context,
            "clusters": [{"name": "it", "cluster": {**config.cluster, "server": config.server}}],
            "contexts": [{"name": config.context, "context": {"cluster": "it", "user": "it"}}],
            "users": [{"name": "it", "user": user}],
        }
    )
    chosen = whole.get(config.context)
    assert chosen is not None
    return chosen


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()

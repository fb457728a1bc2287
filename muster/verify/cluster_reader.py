"""Reads a cluster through its kubeconfig: only lists of objects. The only module that loads lightkube."""

from dataclasses import dataclass
from typing import Any, Self

import httpx2
import msgspec
from lightkube import ApiError, Client
from lightkube.config.kubeconfig import SingleConfig
from lightkube.core.exceptions import ConfigError
from lightkube.generic_resource import create_global_resource, create_namespaced_resource

from muster.verify import kubeconfig
from muster.verify.expected import Expectations
from muster.verify.kubeconfig import Kubeconfig, NoAccess
from muster.verify.observed import ObservedCluster, observe


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
        found = {right: reader.list(right) for right in wanted}
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


class _Reader:
    """A client that only lists."""

    def __init__(self, config: Kubeconfig, timeout: float) -> None:
        self._config = config
        try:
            self._client = Client(_with_token(config), timeout=httpx2.Timeout(timeout), proxy=config.proxy)
        except (ConfigError, httpx2.InvalidURL, OSError, ValueError, TypeError) as fault:
            raise NoAccess(f"context '{config.context}' cannot be used: {fault}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def list(self, right: Right) -> tuple[Json, ...]:
        """All objects of a kind."""
        server, namespace = self._config.server, "*" if right.namespaced else None
        try:
            found = self._client.list(_KINDS[right], chunk_size=_AT_A_TIME, namespace=namespace)
            return tuple(_named(each) for each in found)
        except ApiError as refused:
            raise self._refused(right, refused.response.status_code, str(refused.status.message or refused)) from None
        except httpx2.HTTPStatusError as refused:
            raise self._refused(right, refused.response.status_code, "not an answer of Kubernetes") from None
        except (httpx2.TransportError, ConfigError, OSError) as fault:
            raise NoAccess(f"{server} cannot be reached: {str(fault) or type(fault).__name__}; {_REACH}") from None
        except (msgspec.MsgspecError, KeyError, AttributeError, TypeError, ValueError):
            raise NoAccess(f"{server} is not a Kubernetes API server: it lists no {right.plural}") from None

    def _refused(self, right: Right, status: int, message: str) -> NoAccess:
        remedy = _REMEDIES.get(status, "check that it is the API server of the cluster")
        return NoAccess(f"{self._config.server} answers {status} to a list of {right.called}: {message}; {remedy}")


_REACH = (
    "check whether the cluster is deleted, is in a private network (a VPN, the cluster's `api:`), or is not the one of "
    "the kubeconfig's certificate authority"
)
_REMEDIES = {
    401: "the token is for another cluster, or has expired: `aws sts get-caller-identity` prints your AWS identity",
    403: "the documentation of `muster verify` has a ClusterRole with the permissions",
    404: "it is no Kubernetes API server, or does not serve this kind: resourceslices need Kubernetes 1.34 or later",
}


def _named(thing: Any) -> Json:
    """The object, if it has a name."""
    if not isinstance(thing["metadata"]["name"], str):
        raise TypeError("an object without a name")
    return dict(thing)


def _with_token(config: Kubeconfig) -> SingleConfig:
    """The configuration for the library, with the credential program's answer instead of the program."""
    user = config.user
    if user.exec and not (user.token or user.token_file):
        user = kubeconfig.run_credential_program(config)
    return config.config._replace(user=user)

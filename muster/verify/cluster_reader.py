"""Reads a cluster through its kubeconfig: only lists of objects. The only module that loads lightkube, which reads one
kubeconfig, without limits, and whose `exec` waits forever, lets the program prompt, and prints its stderr."""

import base64
import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import msgspec
from lightkube import ApiError, Client
from lightkube.config.kubeconfig import SingleConfig
from lightkube.config.models import Cluster, Context, User
from lightkube.core.exceptions import ConfigError
from lightkube.generic_resource import create_global_resource, create_namespaced_resource

from muster import child_process, user_files
from muster.finding import WrongInput
from muster.message_text import did_you_mean
from muster.verify.expected import Expectations
from muster.verify.observed import ObservedCluster, observe
from muster.yaml_text import NotYaml, load_all


class Right(NamedTuple):
    """The permission to list one kind in the whole cluster."""

    group: str
    """The API group; empty for the core's."""
    plural: str
    kind: str
    namespaced: bool = True

    @property
    def called(self) -> str:
        """``daemonsets.apps``."""
        return f"{self.plural}.{self.group}" if self.group else self.plural


NODES = Right("", "nodes", "Node", namespaced=False)
PODS = Right("", "pods", "Pod")
DAEMON_SETS = Right("apps", "daemonsets", "DaemonSet")
DEPLOYMENTS = Right("apps", "deployments", "Deployment")
RESOURCE_SLICES = Right("resource.k8s.io", "resourceslices", "ResourceSlice", namespaced=False)
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


class NoAccess(WrongInput):
    """The cluster cannot be read; the message has the reason and the remedy."""


_GET_ONE = "write one with `aws eks update-kubeconfig --name CLUSTER`"
_NOT_SUPPORTED = ("tls-server-name", "as", "auth-provider")
"""Settings that lightkube ignores. It would read the cluster with other permissions, or fail without a reason."""


@dataclass(frozen=True, slots=True)
class Kubeconfig:
    """One context."""

    config: SingleConfig
    proxy: str | None

    @property
    def context(self) -> str:
        """Its name."""
        return self.config.context_name

    @property
    def server(self) -> str:
        """The API server's address."""
        return self.config.cluster.server


def load(given: Path | None, context: str | None, environment: Mapping[str, str] = os.environ) -> Kubeconfig:
    """The context with this name, or the current one.

    Args:
        given: a file. Default: the files of $KUBECONFIG, else ~/.kube/config. The first one with the context counts.
        context: its name.
        environment: the environment of the process.

    Raises:
        NoAccess: there is no file, no such context, or it is invalid.
    """
    listed = [Path(each).expanduser() for each in environment.get("KUBECONFIG", "").split(os.pathsep) if each]
    wanted = [given] if given is not None else listed or [Path.home() / ".kube" / "config"]
    files = [each for each in wanted if each.is_file()]
    called = ", ".join(map(str, files or wanted))
    if not files:
        raise NoAccess(f"no kubeconfig {called}; give --kubeconfig FILE or set KUBECONFIG; {_GET_ONE}")
    documents = [(file, _document(file)) for file in files]
    current = next(filter(None, (document.get("current-context") for _, document in documents)), "")
    name = str(current if context is None else context)
    contexts = {each["name"]: place for place in reversed(documents) for each in place[1].get("contexts") or ()}
    if name not in contexts:
        near, there = did_you_mean(name, contexts), ", ".join(sorted(contexts)) or "none"
        raise NoAccess(f"no context '{name}' in {called}{near}; choose one with --context (contexts: {there})")
    try:
        return _chosen(name, *contexts[name])
    except (KeyError, TypeError, AttributeError, ValueError, msgspec.ValidationError) as fault:
        raise NoAccess(f"context '{name}' in {called} is invalid: {fault}; {_GET_ONE}") from None


def _document(file: Path) -> Json:
    """A kubeconfig: a mapping with three lists of things that have a name."""
    try:
        (document, *_) = load_all(user_files.read_text(file, user_files.MANIFEST)) or [{}]
        named = [each["name"] for kind in ("clusters", "contexts", "users") for each in document.get(kind) or ()]
        if all(isinstance(each, str) for each in named):
            return dict(document)
    except user_files.CannotRead as fault:
        raise NoAccess(f"kubeconfig {file}: {fault}") from None
    except NotYaml as fault:  # its message may have a token
        at = f"line {fault.position.line}, column {fault.position.column}"
        raise NoAccess(f"kubeconfig {file} is not YAML ({at})") from None
    except (KeyError, TypeError, AttributeError):
        pass
    raise NoAccess(f"{file} is not a kubeconfig: clusters, contexts and users are lists of names; {_GET_ONE}")


def _chosen(name: str, file: Path, document: Json) -> Kubeconfig:
    """A context, with the cluster and the user of the same file."""

    def part(kind: str, wanted: str) -> Json:
        parts = {each["name"]: each[kind] for each in document.get(f"{kind}s") or ()}
        return dict(parts[wanted])

    context = part("context", name)
    cluster = part("cluster", context["cluster"])
    user = part("user", context["user"]) if context.get("user") else {}
    if wrong := [key for key in _NOT_SUPPORTED if cluster.get(key) or user.get(key)]:
        raise NoAccess(f"context '{name}' sets {wrong[0]}, which Muster does not support; choose another context")
    if user.get("tokenFile"):  # lightkube takes only certificates and keys from the folder of the kubeconfig
        user["tokenFile"] = str(file.parent / user["tokenFile"])
    if not cluster["server"].startswith(("https://", "http://")):
        raise NoAccess(f"context '{name}' has a server without https://; {_GET_ONE}")
    parts = msgspec.convert(context, Context), msgspec.convert(cluster, Cluster), msgspec.convert(user, User)
    return Kubeconfig(SingleConfig(name, *parts, fname=file.absolute()), cluster.get("proxy-url"))


_PROGRAM_TIMEOUT_SECONDS = 30.0
_VERSIONS = tuple(f"client.authentication.k8s.io/{version}" for version in ("v1", "v1beta1", "v1alpha1"))


def run_credential_program(config: Kubeconfig, timeout: float = _PROGRAM_TIMEOUT_SECONDS) -> User:
    """Runs the program (`users[].user.exec`), without a terminal, and gives the credentials that it prints.

    Its arguments and its stderr may contain secrets: no message has them.

    Raises:
        NoAccess: it does not exist, fails, or prints no credentials.
    """
    user, file = config.config.user, config.config.fname
    program = user.exec if user else None
    assert program is not None
    assert file is not None
    if program.apiVersion not in _VERSIONS:
        raise NoAccess(f"the kubeconfig's exec has version {program.apiVersion}; Muster supports {_VERSIONS[0]}")
    # A command with a folder is relative to the kubeconfig's folder.
    command = str(file.parent / program.command) if os.sep in program.command else program.command
    request = {"apiVersion": program.apiVersion, "kind": "ExecCredential", "spec": {"interactive": False}}
    own = {each.name: each.value for each in program.env or ()}
    environment = {**os.environ, "KUBERNETES_EXEC_INFO": json.dumps(request), **own}
    try:
        found = shutil.which(command) or command
        done = child_process.run([found, *(program.args or ())], env=environment, timeout=timeout)
        status = json.loads("" if done.returncode else done.stdout)["status"]
        if status.get("token"):
            return User(token=status["token"])
        certificate, key = (
            base64.b64encode(status[each].encode()).decode() for each in ("clientCertificateData", "clientKeyData")
        )
        return User(client_cert_data=certificate, client_key_data=key)
    except child_process.TimeoutExpired:
        why = f"within {timeout:.0f} s"
    except OSError as fault:
        why = f"({fault.strerror})"
    except (ValueError, KeyError, TypeError, AttributeError):
        why = "(no ExecCredential with a status.token)"
    raise NoAccess(
        f"'{program.command}' printed no token {why}; run it by hand, with the arguments in the kubeconfig for context "
        f"'{config.context}'"
    )


def read_cluster(config: Kubeconfig, expected: Expectations, timeout: float = _TIMEOUT_SECONDS) -> ObservedCluster:
    """Lists the objects that the expectations cover.

    Raises:
        NoAccess: the cluster cannot be reached or read; the message has the reason and the remedy.
    """
    claims = any(group.node.claims for group in expected.groups)
    operators, slices = (DEPLOYMENTS,) if expected.operators else (), (RESOURCE_SLICES,) if claims else ()
    try:
        client = Client(_with_token(config), timeout=httpx2.Timeout(timeout), proxy=config.proxy)
    except (ConfigError, httpx2.InvalidURL, OSError, ValueError, TypeError) as fault:
        raise NoAccess(f"context '{config.context}' cannot be used: {fault}") from None
    with contextlib.closing(client):
        rights = (NODES, PODS, DAEMON_SETS, *operators, *slices)
        found = {right.plural: _listed(client, config.server, right) for right in rights}
    return observe(config.server, config.context, expected, found)


@cache
def _resource(right: Right) -> Any:
    """The kind for lightkube, as plain dictionaries: typed models would be built for 10,000 pods."""
    make = create_namespaced_resource if right.namespaced else create_global_resource
    return make(right.group, "v1", right.kind, right.plural)


def _listed(client: Client, server: str, right: Right) -> tuple[Json, ...]:
    """All objects of a kind."""

    def refused(status: int, message: str) -> NoAccess:
        remedy = _REMEDIES.get(status, "check that it is the API server of the cluster")
        return NoAccess(f"{server} answers {status} to a list of {right.called}: {message}; {remedy}")

    namespace = "*" if right.namespaced else None
    try:
        return tuple(map(_named, client.list(_resource(right), chunk_size=_AT_A_TIME, namespace=namespace)))
    except ApiError as fault:
        raise refused(fault.response.status_code, str(fault.status.message or fault)) from None
    except httpx2.HTTPStatusError as fault:
        raise refused(fault.response.status_code, "not an answer of Kubernetes") from None
    except (httpx2.TransportError, ConfigError, OSError) as fault:
        raise NoAccess(f"{server} cannot be reached: {str(fault) or type(fault).__name__}; {_REACH}") from None
    except (msgspec.MsgspecError, KeyError, AttributeError, TypeError, ValueError):
        raise NoAccess(f"{server} is not a Kubernetes API server: it lists no {right.plural}") from None


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
    user = config.config.user or User()
    if user.exec and not (user.token or user.token_file):
        user = run_credential_program(config)
    return config.config._replace(user=user)

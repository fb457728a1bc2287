"""Reads a cluster through its kubeconfig: only lists of objects. The only module that loads lightkube, which reads one
kubeconfig, without limits, and whose `exec` waits forever, lets the program prompt, and prints its stderr."""

import base64
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import httpx2
import msgspec
from lightkube import ApiError, Client
from lightkube.config.kubeconfig import KubeConfig, SingleConfig
from lightkube.config.models import User
from lightkube.core.exceptions import ConfigError
from lightkube.generic_resource import create_global_resource, create_namespaced_resource

from muster import child_process, user_files
from muster.message_text import did_you_mean
from muster.verify.expected import Expectations
from muster.verify.observed import ObservedCluster, observe
from muster.yaml_text import NotYaml, load_all


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


class NoAccess(Exception):
    """The cluster cannot be read; the message has the reason and the remedy."""


_GET_ONE = "write one with `aws eks update-kubeconfig --name CLUSTER`"
_PARTS = ("clusters", "contexts", "users")
_FILES = ("certificate-authority", "client-certificate", "client-key", "tokenFile")
_NOT_SUPPORTED = ("tls-server-name", "as", "auth-provider")
"""Settings that lightkube ignores. It would read the cluster with other permissions, or fail without a reason."""


@dataclass(frozen=True, slots=True)
class Kubeconfig:
    """One context. File names in it are absolute."""

    config: SingleConfig
    folder: Path
    """The folder of the file with the user."""
    proxy: str | None

    @property
    def context(self) -> str:
        """Its name."""
        return self.config.context_name

    @property
    def server(self) -> str:
        """The API server's address."""
        return self.config.cluster.server

    @property
    def user(self) -> User:
        """The credentials."""
        return self.config.user or User()


def load(given: Path | None, context: str | None, environment: Mapping[str, str] = os.environ) -> Kubeconfig:
    """The context with this name, or the current one.

    Args:
        given: a file. Default: the files of $KUBECONFIG, else ~/.kube/config, as in kubectl.
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
    current, known = _merged(files)
    name = context if context is not None else current
    contexts = known["contexts"]
    if not isinstance(name, str) or name not in contexts:
        near = did_you_mean(name, contexts) if isinstance(name, str) else ""
        there = ", ".join(sorted(contexts)) or "none"
        raise NoAccess(f"no context '{name or ''}' in {called}{near}; choose one with --context (contexts: {there})")
    try:
        return _chosen(name, known)
    except (KeyError, TypeError, AttributeError, msgspec.ValidationError) as fault:
        raise NoAccess(f"context '{name}' in {called} is invalid: {fault}; {_GET_ONE}") from None


_Named = dict[str, dict[str, tuple[Json, Path]]]


def _merged(files: list[Path]) -> tuple[Any, _Named]:
    """The current context, and kind -> name -> the part and its folder. As in kubectl, the first definition counts."""
    current: Any = None
    known: _Named = {kind: {} for kind in _PARTS}
    for file in files:
        try:
            (data, *_) = load_all(user_files.read_text(file, user_files.MANIFEST)) or [None]
            current = current or data.get("current-context")
            for kind in _PARTS:
                for each in data.get(kind) or ():
                    known[kind].setdefault(str(each["name"]), (dict(each[kind[:-1]]), file.resolve().parent))
        except user_files.CannotRead as fault:
            raise NoAccess(f"kubeconfig {file}: {fault}") from None
        except NotYaml as fault:  # its message may have a token
            at = f"line {fault.position.line}, column {fault.position.column}"
            raise NoAccess(f"kubeconfig {file} is not YAML ({at})") from None
        except (KeyError, TypeError, AttributeError, ValueError):
            raise NoAccess(
                f"{file} is not a kubeconfig: clusters, contexts and users are lists of names; {_GET_ONE}"
            ) from None
    return current, known


def _chosen(name: str, known: _Named) -> Kubeconfig:
    context, _ = known["contexts"][name]
    cluster, at = known["clusters"][context["cluster"]]
    user, of = known["users"][context["user"]] if context.get("user") else ({}, at)
    for part, folder in ((cluster, at), (user, of)):
        for key in _NOT_SUPPORTED:
            if part.get(key):
                raise NoAccess(f"context '{name}' sets {key}, which Muster does not support; choose another context")
        part |= {key: str(folder / part[key]) for key in _FILES if part.get(key)}
    if not cluster["server"].startswith(("https://", "http://")):
        raise NoAccess(f"context '{name}' has a server without https://; {_GET_ONE}")
    whole = KubeConfig.from_dict(
        {
            "clusters": [{"name": "it", "cluster": {**cluster, "server": cluster["server"].rstrip("/")}}],
            "contexts": [{"name": name, "context": {"cluster": "it", "user": "it"}}],
            "users": [{"name": "it", "user": user}],
        }
    )
    config = whole.get(name)
    assert config is not None
    return Kubeconfig(config, of, cluster.get("proxy-url"))


_PROGRAM_TIMEOUT_SECONDS = 30.0
_VERSIONS = tuple(f"client.authentication.k8s.io/{version}" for version in ("v1", "v1beta1", "v1alpha1"))


def run_credential_program(config: Kubeconfig, timeout: float = _PROGRAM_TIMEOUT_SECONDS) -> User:
    """Runs the program (`users[].user.exec`), without a terminal, and gives the credentials that it prints.

    Its arguments and its stderr may contain secrets: no message has them.

    Raises:
        NoAccess: it does not exist, fails, or prints no credentials.
    """
    program = config.user.exec
    assert program is not None
    if program.apiVersion not in _VERSIONS:
        raise NoAccess(f"the kubeconfig's exec has version {program.apiVersion}; Muster supports {_VERSIONS[0]}")
    # A command with a folder is relative to the kubeconfig's folder.
    command = str(config.folder.absolute() / program.command) if os.sep in program.command else program.command
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
        user = run_credential_program(config)
    return config.config._replace(user=user)

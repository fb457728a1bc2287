"""The components of the control plane: the command line of each, and why it is so.

Everything is on loopback. etcd listens on sockets in the rehearsal's folder, which only its owner can enter; the
scheduler, the controller manager and KWOK serve nothing.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muster.plain_data import mappings_at, value_at
from muster.rehearsal.kubernetes import pod_lifecycle
from muster.rehearsal.kubernetes.operators import KUBERAY, VOLCANO, Operator
from muster.rehearsal.loopback import LOOPBACK, Serving

ETCD_SOCKET = "etcd.sock:0"
"""Relative to the rehearsal's folder, where every component runs: an absolute path may be too long for a socket."""
_ETCD = f"unix://{ETCD_SOCKET}"
_ETCD_PEERS = "unix://etcd-peers.sock:0"

ENVIRONMENT = {"GOGC": "300", "GOMEMLIMIT": "1500MiB", "DEBUG_SOCKET_DIR": "volcano"}
"""Of each component, which is written in Go: its heap may grow to four times what lives in it (twice is the default)
before garbage is collected, which took an eighth of the API server's time; near the limit it is collected as usual.
Paid in memory: of 1,000 nodes 1.9 GiB in all instead of 1.3. The last is where Volcano's scheduler makes a socket, in
the rehearsal's folder."""

_ADMISSION_OF_EKS = ("ExtendedResourceToleration",)
"""On in EKS ("Platform versions" in its user guide), off by default: a pod that asks for `nvidia.com/gpu` tolerates the
taint of that name by itself."""

_ADMISSION_LEFT_OUT = ("TaintNodesByCondition",)
"""It taints a new node as not ready until a controller has seen that it is; ours are ready when they are made."""

CONTROLLERS = (
    "daemonset-controller",
    "deployment-controller",
    "replicaset-controller",
    "statefulset-controller",
    "job-controller",
    "serviceaccount-controller",
    "namespace-controller",
    "pod-garbage-collector-controller",
    "node-lifecycle-controller",
    "taint-eviction-controller",
    "persistentvolume-binder-controller",
    "ephemeral-volume-controller",
)
"""What decides where pods go and what becomes of them. The rest serves networks, tokens and volumes, which are not; and
nothing waits for garbage to be collected, which costs an eighth of all processor time."""

QUOTAS = "resourcequota-controller"
"""Only where there are quotas: it follows everything there is."""

GARBAGE = "garbage-collector-controller"
"""Only where something is deleted that owns pods."""

_EVENTS = {
    "apiVersion": "apiserver.config.k8s.io/v1",
    "kind": "AdmissionConfiguration",
    "plugins": [
        {
            "name": "EventRateLimit",
            "configuration": {
                "apiVersion": "eventratelimit.admission.k8s.io/v1alpha1",
                "kind": "Configuration",
                "limits": [{"type": "Namespace", "qps": 5, "burst": 100}],
            },
        }
    ],
}
"""The event rate limit: two thousand pods of plugins create four thousand events that are never read. The first hundred
of a namespace, and later ones one by one, are kept."""


def admission_configuration() -> str:
    """The API server's file."""
    return json.dumps(_EVENTS)


@dataclass(frozen=True, slots=True)
class Access:
    """How components reach the API server."""

    server: str
    token: str
    authority: Path
    kubeconfig: Path

    @classmethod
    def write(cls, folder: Path, server: str, token: str, authority: Path) -> "Access":
        """Writes the kubeconfig."""
        access = cls(server, token, authority, folder / "kubeconfig")
        name = "rehearsal"
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": name,
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "clusters": [{"name": name, "cluster": {"server": server, "certificate-authority": str(authority)}}],
            "users": [{"name": name, "user": {"token": token}}],
        }
        access.kubeconfig.touch(mode=0o600)
        access.kubeconfig.write_text(json.dumps(content, indent=1))
        return access


def etcd() -> list[str]:
    """Its data lives as long as its folder: nothing is synced to disk."""
    return [
        "--name=rehearsal",
        "--data-dir=etcd",
        f"--listen-client-urls={_ETCD}",
        f"--advertise-client-urls={_ETCD}",
        f"--listen-peer-urls={_ETCD_PEERS}",
        f"--initial-advertise-peer-urls={_ETCD_PEERS}",
        f"--initial-cluster=rehearsal={_ETCD_PEERS}",
        "--unsafe-no-fsync",
        # It votes for itself alone, and need not wait a second for others to object.
        "--heartbeat-interval=10",
        "--election-timeout=50",
        "--log-level=warn",
    ]


def kube_apiserver(
    port: int, serving: Serving, signing_key: Path, tokens: Path, admission: Path, emulated: str | None
) -> list[str]:
    """Who has the token may do everything: pods do not run, so no rights but ours would ever be used, and to set up
    RBAC's own roles takes longer than the rest of the start."""
    return [
        f"--etcd-servers={_ETCD}",
        f"--bind-address={LOOPBACK}",
        f"--secure-port={port}",
        # Never reached. Without it the server looks for an address of this machine, and may find no network.
        "--advertise-address=192.0.2.1",
        "--endpoint-reconciler-type=none",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
        f"--token-auth-file={tokens}",
        "--anonymous-auth=false",
        "--authorization-mode=AlwaysAllow",
        f"--service-account-key-file={signing_key}",
        f"--service-account-signing-key-file={signing_key}",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-cluster-ip-range=10.100.0.0/16",  # as EKS
        f"--enable-admission-plugins={','.join((*_ADMISSION_OF_EKS, 'EventRateLimit'))}",
        f"--admission-control-config-file={admission}",
        # Then all send their events as core/v1 has them, which alone are limited.
        "--runtime-config=events.k8s.io/v1=false",
        f"--disable-admission-plugins={','.join(_ADMISSION_LEFT_OUT)}",
        "--allow-privileged=true",  # as EKS: the EFA plugin's pods are
        # All clients are ours: none is to wait in favour of another.
        "--enable-priority-and-fairness=false",
        "--max-requests-inflight=0",
        "--max-mutating-requests-inflight=0",
        "--profiling=false",
        *_emulating(emulated),
    ]


def kube_scheduler(configuration: Path, emulated: str | None) -> list[str]:
    """The default profile, as on EKS."""
    return [f"--config={configuration}", "--secure-port=0", *_emulating(emulated)]


def scheduler_configuration(access: Access) -> str:
    """The scheduler's file: its profile is the default one, only the brake on its requests is off, and a pod that waits
    is looked at again within a second of what may help it, however often it has waited."""
    return json.dumps(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "clientConnection": {"kubeconfig": str(access.kubeconfig), "qps": -1, "burst": 0},
            "leaderElection": {"leaderElect": False},
            "podMaxBackoffSeconds": 1,
            # Of more than a hundred nodes that fit, a hundred are compared (by default up to half of all): which of
            # them is best does not matter here, and whether one fits is still computed for all.
            "percentageOfNodesToScore": 1,
            "enableProfiling": False,
        }
    )


def kube_controller_manager(access: Access, emulated: str | None, more: Iterable[str]) -> list[str]:
    """Nodes send no heartbeats, because a thousand nodes' would load the API server. A drill makes a node lost; a
    missing heartbeat never does."""
    return [
        f"--kubeconfig={access.kubeconfig}",
        f"--controllers={','.join((*CONTROLLERS, *more))}",
        "--secure-port=0",
        "--leader-elect=false",
        "--kube-api-qps=2000",
        "--kube-api-burst=4000",
        # Each look at a DaemonSet goes over all nodes, and there is one for every change of a pod that waits meanwhile:
        # one worker sees more changes in a look, and brings all plugins of a node at about the same time.
        "--concurrent-daemonset-syncs=1",
        "--pvclaimbinder-sync-period=1s",  # a claim that was looked at too early waits as long (15 s by default)
        "--node-monitor-grace-period=24h",
        "--node-startup-grace-period=24h",
        "--profiling=false",
        *_emulating(emulated),
    ]


def kwok(access: Access, configuration: Path) -> list[str]:
    """It lives the pods' lives; nodes are ready as they are made."""
    return [
        f"--kubeconfig={access.kubeconfig}",
        f"--config={configuration}",
        "--manage-all-nodes=true",
        f"--disregard-status-with-label-selector={pod_lifecycle.LABEL}",
        "--node-lease-duration-seconds=0",
        "--cidr=10.64.0.0/10",
        "--node-port=0",
        "--server-address=",
        "--v=WARN",
    ]


def training_operator(access: Access, schemes: Iterable[str], port: int, serving: Serving) -> list[str]:
    """Our main around its controllers and webhooks (`tools/training-operator/main.go`)."""
    return [
        f"--kubeconfig={access.kubeconfig}",
        f"--schemes={','.join(schemes)}",
        f"--webhook-port={port}",
        f"--certificates={serving.certificate.parent}",
        f"--certificate={serving.certificate.name}",
        f"--key={serving.key.name}",
    ]


WEBHOOK_CERTIFICATES = "k8s-webhook-server/serving-certs"
"""The folder below the temporary one where controller-runtime's webhook server has its certificates by default."""


def operator_configuration(
    operator: Operator, port: int, certificates: Path, installed: Mapping[str, Any] | None = None
) -> str:
    """The configuration file of an operator whose main reads one: its webhook server is on loopback, and it serves
    nothing else.

    Args:
        operator: which.
        port: its webhook server's.
        certificates: the folder of its certificates.
        installed: the file that its installation gives it; its own defaults without it.
    """
    folder = {operator.certificates_key: str(certificates)} if operator.certificates_key else {}
    here: dict[str, Mapping[str, Any]] = {
        "webhook": {"host": LOOPBACK, "port": port, **folder},
        "metrics": {"bindAddress": "0"},
        "health": {"healthProbeBindAddress": "0"},
        "leaderElection": {"leaderElect": False},
        operator.own_certificates: _own_certificates(operator),
        "clientConnection": {"qps": 1000, "burst": 1000},
    }
    given = {"apiVersion": operator.configuration, "kind": "Configuration", **(installed or {})}
    found = {**given, **{key: {**(given.get(key) or {}), **value} for key, value in here.items()}}
    return json.dumps(found, default=str)  # YAML has dates


def _own_certificates(operator: Operator) -> Mapping[str, Any]:
    if not operator.certificates_name:
        return {"enable": False}
    return {
        "enable": True,
        "webhookServiceName": webhook_service(operator),
        "webhookSecretName": certificates_secret(operator),
    }


def webhook_service(operator: Operator) -> str:
    """The Service of its webhooks. An operator with certificates of its own finds its webhook configurations by it."""
    return f"{operator.name}-webhook-service"


def certificates_secret(operator: Operator) -> str:
    """The Secret in which an operator keeps its own certificates."""
    return f"{operator.name}-webhook-server-cert"


def configured_operator(access: Access, configuration: Path) -> list[str]:
    """Its own main."""
    return [f"--kubeconfig={access.kubeconfig}", f"--config={configuration}"]


def operator_without_webhooks(operator: Operator, access: Access, values: Mapping[str, Any]) -> list[str]:
    """The MPI operator is our main around its controller (`tools/mpi-operator/main.go`); KubeRay has its own."""
    return [f"--kubeconfig={access.kubeconfig}", *(_kuberay(values) if operator is KUBERAY else ())]


def batch_scheduler(values: Mapping[str, Any]) -> str:
    """The scheduler that KubeRay gives the pods of RayClusters, by the values of its chart; empty where it gives none.
    `enabled` alone is Volcano's, deprecated."""
    name, enabled = (value_at(values, "batchScheduler", each) for each in ("name", "enabled"))
    return str(name or (VOLCANO.scheduler if enabled is True else ""))


def _kuberay(values: Mapping[str, Any]) -> Iterator[str]:
    """Its flags as its chart gives them, and no server."""
    yield from ("--metrics-addr=0", "--health-probe-bind-address=0", "--enable-leader-election=false")
    yield from ("--qps=1000", "--burst=1000")
    if name := batch_scheduler(values):
        yield f"--batch-scheduler={name}"
    gates = mappings_at(values, "featureGates")
    if enabled := ",".join(f"{each.get('name')}={str(each.get('enabled')).lower()}" for each in gates):
        yield f"--feature-gates={enabled}"


_VOLCANO_DEPLOYMENT, _VOLCANO_CONFIGURATION = "volcano-admission", "volcano-scheduler-configmap"


def volcano_scheduler_configuration(manifests: Iterable[Mapping[str, Any]], values: Mapping[str, Any]) -> str:
    """The file of Volcano's scheduler: its chart's own, or the one that the chart's values have."""
    own = value_at(values, "custom", "scheduler_config_override")
    maps = (each for each in manifests if each["metadata"]["name"] == _VOLCANO_CONFIGURATION)
    return str(own or next(iter(next(maps)["data"].values())))


def volcano_webhooks(
    access: Access,
    manifests: Iterable[Mapping[str, Any]],
    names: Collection[str],
    port: int,
    serving: Serving,
    authority: Path,
) -> list[str]:
    """Its webhook manager, with the webhooks that its chart enables.

    Args:
        access: how it reaches the API server.
        manifests: Volcano's.
        names: of the webhook configurations on the API server: it looks for the one of each webhook.
        port: of its server.
        serving: its certificate.
        authority: whose certificate that is.
    """
    (given,) = (
        each["spec"]["template"]["spec"]["containers"][0]["args"]
        for each in manifests
        if (each["kind"], each["metadata"]["name"]) == ("Deployment", _VOLCANO_DEPLOYMENT)
    )
    flags = dict(each.lstrip("-").partition("=")[::2] for each in given)
    service = flags["webhook-service-name"]
    enabled = flags["enabled-admission"].split(",")
    return [
        f"--kubeconfig={access.kubeconfig}",
        f"--enabled-admission={','.join(each for each in enabled if service + each.replace('/', '-') in names)}",
        f"--webhook-namespace={flags['webhook-namespace']}",
        f"--webhook-service-name={service}",
        f"--listen-address={LOOPBACK}",
        f"--port={port}",
        f"--tls-cert-file={serving.certificate}",
        f"--tls-private-key-file={serving.key}",
        f"--ca-cert-file={authority}",
    ]


def volcano(access: Access, configuration: Path) -> dict[str, list[str]]:
    """Volcano's scheduler and its controllers, by the names of their binaries: they serve nothing. The period between
    two cycles of the scheduler is its chart's. Of the controllers those run that a Job, its PodGroup and its queue
    need."""
    common = [f"--kubeconfig={access.kubeconfig}", "--leader-elect=false"]
    limits = ["--kube-api-qps=2000", "--kube-api-burst=4000"]
    controllers = ("job-controller", "pg-controller", "queue-controller", "gc-controller")
    return {
        "volcano-scheduler": [*common, *limits, f"--scheduler-conf={configuration}", "--cache-dumper=false"],
        "volcano-controller-manager": [*common, *limits, f"--controllers={','.join(controllers)}"],
    }


def _emulating(version: str | None) -> list[str]:
    """Behave as an older minor version: its APIs, its feature gates."""
    return [f"--emulated-version={version}"] if version else []

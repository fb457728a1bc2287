"""The components of the control plane: the command line of each, with the reasons.

Everything is on loopback. etcd listens on sockets in the rehearsal's folder, which only its owner can enter; the
scheduler, the controller manager and KWOK serve nothing.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from muster.plain_data import mappings_at, value_at
from muster.rehearsal.kubernetes.operators import KUBERAY, VOLCANO, Operator
from muster.rehearsal.loopback import LOOPBACK, Serving
from muster.rehearsal.machine_limits import RehearsalError

ETCD_SOCKET = "etcd.sock:0"
"""Relative to the rehearsal's folder, where every component runs: an absolute path may be too long for a socket."""
_ETCD = f"unix://{ETCD_SOCKET}"
_ETCD_PEERS = "unix://etcd-peers.sock:0"

ENVIRONMENT = {"GOGC": "300", "GOMEMLIMIT": "1500MiB", "DEBUG_SOCKET_DIR": "volcano"}
"""The environment of each component. All of them are written in Go.

GOGC: the heap may grow to four times the live data before garbage collection (default: twice), which took an eighth of
the API server's time. GOMEMLIMIT: near this limit, Go collects garbage as usual. The price is memory: 1.9 GiB instead
of 1.3 GiB in total for 1,000 nodes. DEBUG_SOCKET_DIR: where Volcano's scheduler creates a socket, in the rehearsal's
folder.
"""

_ADMISSION_OF_EKS = ("ExtendedResourceToleration",)
"""An admission plugin that EKS enables ("Platform versions" in its user guide) and that is off by default: a pod that
requests `nvidia.com/gpu` automatically tolerates the taint of that name."""

_ADMISSION_LEFT_OUT = ("TaintNodesByCondition",)
"""An admission plugin that the rehearsal disables. It taints a new node as not ready until a controller has seen that
the node is ready. Simulated nodes are ready when they are created."""

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
"""The controllers that decide about pods. The others serve networks, tokens and volumes, which do not exist here; and
the rehearsal does not need garbage collection, which takes an eighth of all processor time."""

QUOTAS = "resourcequota-controller"
"""Only if there are quotas: this controller watches all objects."""

GARBAGE = "garbage-collector-controller"
"""Only if something is deleted that owns pods."""

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
    """The configuration file of the API server's admission plugins."""
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
    """The command line of etcd. Its data exists as long as its folder: nothing is synced to disk."""
    return [
        "--name=rehearsal",
        "--data-dir=etcd",
        f"--listen-client-urls={_ETCD}",
        f"--advertise-client-urls={_ETCD}",
        f"--listen-peer-urls={_ETCD_PEERS}",
        f"--initial-advertise-peer-urls={_ETCD_PEERS}",
        f"--initial-cluster=rehearsal={_ETCD_PEERS}",
        "--unsafe-no-fsync",
        # It is the only member, and need not wait a second for other votes.
        "--heartbeat-interval=10",
        "--election-timeout=50",
        "--log-level=warn",
    ]


def kube_apiserver(
    port: int,
    serving: Serving,
    signing_key: Path,
    tokens: Path,
    admission: Path,
    emulated: str | None,
    gates: Collection[str] = (),
) -> list[str]:
    """The token permits everything: pods do not run, so only the rehearsal uses permissions, and the creation of RBAC's
    roles takes longer than the rest of the start."""
    return [
        f"--etcd-servers={_ETCD}",
        f"--bind-address={LOOPBACK}",
        f"--secure-port={port}",
        # Never reached. If it is missing, the server looks for an address of this machine, and may find no network.
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
        "--service-cluster-ip-range=10.100.0.0/16",  # as on EKS
        f"--enable-admission-plugins={','.join((*_ADMISSION_OF_EKS, 'EventRateLimit'))}",
        f"--admission-control-config-file={admission}",
        # Without this API, all clients send events of core/v1, the only ones that the limit covers.
        "--runtime-config=events.k8s.io/v1=false",
        f"--disable-admission-plugins={','.join(_ADMISSION_LEFT_OUT)}",
        "--allow-privileged=true",  # as on EKS: the EFA plugin's pods are privileged
        # All clients belong to the rehearsal: none should wait in favor of another.
        "--enable-priority-and-fairness=false",
        "--max-requests-inflight=0",
        "--max-mutating-requests-inflight=0",
        "--profiling=false",
        *_emulating(emulated),
        *_with_gates(gates),
    ]


def kube_scheduler(configuration: Path, emulated: str | None, gates: Collection[str] = ()) -> list[str]:
    """The default profile, as on EKS."""
    return [f"--config={configuration}", "--secure-port=0", *_emulating(emulated), *_with_gates(gates)]


def scheduler_configuration(access: Access) -> str:
    """The scheduler's file. The profile is the default one, but requests are not rate limited, and the scheduler
    retries a waiting pod within a second of a change that may help it, regardless of earlier attempts."""
    return json.dumps(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "clientConnection": {"kubeconfig": str(access.kubeconfig), "qps": -1, "burst": 0},
            "leaderElection": {"leaderElect": False},
            "podMaxBackoffSeconds": 1,
            # If more than a hundred nodes fit, it compares a hundred (by default up to half of all). Which one is best
            # does not matter here, and it still computes for all nodes whether one fits.
            "percentageOfNodesToScore": 1,
            "enableProfiling": False,
        }
    )


def kube_controller_manager(
    access: Access, emulated: str | None, more: Iterable[str], gates: Collection[str] = ()
) -> list[str]:
    """Nodes send no heartbeats, because a thousand nodes' would load the API server. A drill makes a node lost; a
    missing heartbeat never does."""
    return [
        f"--kubeconfig={access.kubeconfig}",
        f"--controllers={','.join((*CONTROLLERS, *more))}",
        "--secure-port=0",
        "--leader-elect=false",
        "--kube-api-qps=2000",
        "--kube-api-burst=4000",
        # Each sync of a DaemonSet goes over all nodes, and every change of a waiting pod causes one: a single worker
        # handles more changes in one sync, and starts all plugins of a node at about the same time.
        "--concurrent-daemonset-syncs=1",
        "--pvclaimbinder-sync-period=1s",  # a claim that was processed too early waits this long (15 s by default)
        "--node-monitor-grace-period=24h",
        "--node-startup-grace-period=24h",
        "--profiling=false",
        *_emulating(emulated),
        *_with_gates(gates),
    ]


def kwok(access: Access, configuration: Path) -> list[str]:
    """KWOK simulates the life cycle of pods; nodes are ready when they are created."""
    return [
        f"--kubeconfig={access.kubeconfig}",
        f"--config={configuration}",
        "--manage-all-nodes=true",
        "--node-lease-duration-seconds=0",
        "--cidr=10.64.0.0/10",
        "--node-port=0",
        "--server-address=",
        "--v=WARN",
    ]


def training_operator(access: Access, schemes: Iterable[str], port: int, serving: Serving) -> list[str]:
    """The training operator: Muster's main around its controllers and webhooks
    (`programs/training-operator/main.go`)."""
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
        operator: the operator.
        port: the port of its webhook server.
        certificates: the folder of its certificates.
        installed: the file of its installation. Default: the operator's own defaults.
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
    return json.dumps(found, default=str)  # str: YAML may contain dates


def _own_certificates(operator: Operator) -> Mapping[str, Any]:
    if not operator.certificates_name:
        return {"enable": False}
    return {
        "enable": True,
        "webhookServiceName": webhook_service(operator),
        "webhookSecretName": certificates_secret(operator),
    }


def webhook_service(operator: Operator) -> str:
    """The Service of its webhooks. An operator with its own certificates finds its webhook configurations by it."""
    return f"{operator.name}-webhook-service"


def certificates_secret(operator: Operator) -> str:
    """The Secret in which an operator keeps its own certificates."""
    return f"{operator.name}-webhook-server-cert"


def configured_operator(access: Access, configuration: Path) -> list[str]:
    """Its own main."""
    return [f"--kubeconfig={access.kubeconfig}", f"--config={configuration}"]


def operator_without_webhooks(operator: Operator, access: Access, values: Mapping[str, Any]) -> list[str]:
    """The MPI operator has Muster's main around its controller (`programs/mpi-operator`); KubeRay has its own."""
    return [f"--kubeconfig={access.kubeconfig}", *(_kuberay(values) if operator is KUBERAY else ())]


def batch_scheduler(values: Mapping[str, Any]) -> str:
    """The scheduler that KubeRay sets for the pods of RayClusters, by the values of its chart; empty if it sets none.
    `enabled` without a name selects Volcano, and is deprecated."""
    name, enabled = (value_at(values, "batchScheduler", each) for each in ("name", "enabled"))
    return str(name or (VOLCANO.scheduler if enabled is True else ""))


def _kuberay(values: Mapping[str, Any]) -> Iterator[str]:
    """Its flags from its chart, without a server."""
    yield from ("--metrics-addr=0", "--health-probe-bind-address=0", "--enable-leader-election=false")
    yield from ("--qps=1000", "--burst=1000")
    if name := batch_scheduler(values):
        yield f"--batch-scheduler={name}"
    gates = mappings_at(values, "featureGates")
    if enabled := ",".join(f"{each.get('name')}={str(each.get('enabled')).lower()}" for each in gates):
        yield f"--feature-gates={enabled}"


_VOLCANO_DEPLOYMENT, _VOLCANO_CONFIGURATION = "volcano-admission", "volcano-scheduler-configmap"


_VOLCANO_CLAIMS = "predicate.DynamicResourceAllocationEnable"


def volcano_scheduler_configuration(
    manifests: Iterable[Mapping[str, Any]], values: Mapping[str, Any], *, claims: bool
) -> str:
    """The file of Volcano's scheduler: its chart's own, or the one that the chart's values have.

    Args:
        manifests: Volcano's manifests.
        values: the values of its chart.
        claims: whether it allocates claims for devices unless the file sets otherwise. 1.15.0 does by default (its
            release notes). The rehearsal runs an older version, whose default is false.
    """
    own = value_at(values, "custom", "scheduler_config_override")
    maps = (each for each in manifests if each["metadata"]["name"] == _VOLCANO_CONFIGURATION)
    try:
        found = yaml.safe_load(str(own or next(iter(next(maps)["data"].values()))))
    except yaml.YAMLError as fault:
        raise RehearsalError(f"{_OVERRIDE} is not YAML: {fault}") from None
    if not isinstance(found, dict):
        raise RehearsalError(f"{_OVERRIDE} is not a mapping; give the file of Volcano's scheduler")
    plugins = [plugin for tier in mappings_at(found, "tiers") for plugin in mappings_at(tier, "plugins")]
    unknown = [str(each) for each in found if each not in _VOLCANO_KEYS]
    unknown += [str(name) for each in plugins if (name := each.get("name")) not in _VOLCANO_PLUGINS]
    if unknown:
        raise RehearsalError(f"{_OVERRIDE} has {', '.join(unknown)}, which a rehearsal does not run; leave it out")
    for plugin in plugins if claims else ():
        arguments = plugin.get("arguments") or {}
        if plugin["name"] == "predicates" and isinstance(plugin, dict) and isinstance(arguments, dict):
            plugin["arguments"] = {_VOLCANO_CLAIMS: True, **arguments}
    return json.dumps(found, default=str)  # str: YAML may contain dates


_OVERRIDE = "addons.volcano.values: custom.scheduler_config_override"
_VOLCANO_KEYS = frozenset({"actions", "configurations", "tiers"})
_VOLCANO_PLUGINS = frozenset(
    (
        *("binpack", "capacity", "cdp", "conformance", "deviceshare", "drf", "gang", "network-topology-aware"),
        *("nodegroup", "nodeorder", "numaaware", "overcommit", "pdb", "predicates", "priority", "proportion"),
        *("resource-strategy-fit", "resourcequota", "sla", "task-topology", "tdm"),
    )
)
"""The plugins of its scheduler (`pkg/scheduler/plugins` of Volcano 1.14) that call no address."""


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
        manifests: Volcano's manifests.
        names: the names of the webhook configurations on the API server. For each webhook, it looks for one of them.
        port: the port of its server.
        serving: the certificate of its server.
        authority: the certificate authority that signed it.
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


def volcano(access: Access, configuration: Path, *, claims: bool) -> dict[str, list[str]]:
    """Volcano's scheduler and controllers, by the names of their binaries. They serve nothing. The chart sets the
    period between two cycles of the scheduler. Only those controllers run that a Job, its PodGroup and its queue
    need. `claims` is as of `volcano_scheduler_configuration`."""
    common = [f"--kubeconfig={access.kubeconfig}", "--leader-elect=false"]
    limits = ["--kube-api-qps=2000", "--kube-api-burst=4000"]
    controllers = ("job-controller", "pg-controller", "queue-controller", "gc-controller")
    return {
        "volcano-scheduler": [
            *common,
            *limits,
            f"--scheduler-conf={configuration}",
            "--cache-dumper=false",
            *(("--feature-gates=DynamicResourceAllocation=true",) if claims else ()),
        ],
        "volcano-controller-manager": [*common, *limits, f"--controllers={','.join(controllers)}"],
    }


def _emulating(version: str | None) -> list[str]:
    """The option that emulates an older minor version, with its APIs and feature gates."""
    return [f"--emulated-version={version}"] if version else []


def _with_gates(gates: Collection[str]) -> list[str]:
    """The option that enables feature gates that are off by default in the version of the binaries."""
    return [f"--feature-gates={','.join(f'{each}=true' for each in gates)}"] if gates else []

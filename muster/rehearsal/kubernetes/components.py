"""The components of the control plane: the command line of each, with the reasons.

Everything is on loopback. etcd listens on sockets in the rehearsal's folder, which only its owner can enter; the
scheduler, the controller manager and KWOK serve nothing.
"""

import json
from collections.abc import Collection, Iterable
from pathlib import Path

from muster.rehearsal.loopback import LOOPBACK, Certificate

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


def write_kubeconfig(file: Path, server: str, token: str, authority: Path) -> None:
    """Writes the file with which clients reach the API server."""
    name = "rehearsal"
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": name,
        "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
        "clusters": [{"name": name, "cluster": {"server": server, "certificate-authority": str(authority)}}],
        "users": [{"name": name, "user": {"token": token}}],
    }
    file.touch(mode=0o600)
    file.write_text(json.dumps(content, indent=1))


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
    certificate: Certificate,
    tokens: Path,
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
        f"--tls-cert-file={certificate.file}",
        f"--tls-private-key-file={certificate.key}",
        f"--token-auth-file={tokens}",
        "--anonymous-auth=false",
        "--authorization-mode=AlwaysAllow",
        f"--service-account-key-file={certificate.key}",
        f"--service-account-signing-key-file={certificate.key}",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-cluster-ip-range=10.100.0.0/16",  # as on EKS
        f"--enable-admission-plugins={','.join(_ADMISSION_OF_EKS)}",
        f"--disable-admission-plugins={','.join(_ADMISSION_LEFT_OUT)}",
        "--allow-privileged=true",  # as on EKS: the EFA plugin's pods are privileged
        # All clients belong to the rehearsal: none should wait in favor of another.
        "--enable-priority-and-fairness=false",
        "--max-requests-inflight=0",
        "--max-mutating-requests-inflight=0",
        "--profiling=false",
        *_features(emulated, gates),
    ]


def kube_scheduler(configuration: Path, emulated: str | None, gates: Collection[str] = ()) -> list[str]:
    """The default profile, as on EKS."""
    return [f"--config={configuration}", "--secure-port=0", *_features(emulated, gates)]


def scheduler_configuration(kubeconfig: Path) -> str:
    """The scheduler's file. The profile is the default one, but requests are not rate limited, and the scheduler
    retries a waiting pod within a second of a change that may help it, regardless of earlier attempts."""
    return json.dumps(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "clientConnection": {"kubeconfig": str(kubeconfig), "qps": -1, "burst": 0},
            "leaderElection": {"leaderElect": False},
            "podMaxBackoffSeconds": 1,
            # If more than a hundred nodes fit, it compares a hundred (by default up to half of all). Which one is best
            # does not matter here, and it still computes for all nodes whether one fits.
            "percentageOfNodesToScore": 1,
            "enableProfiling": False,
        }
    )


def kube_controller_manager(
    kubeconfig: Path, emulated: str | None, more: Iterable[str], gates: Collection[str] = ()
) -> list[str]:
    """Nodes send no heartbeats, because a thousand nodes' would load the API server. A drill makes a node lost; a
    missing heartbeat never does."""
    return [
        f"--kubeconfig={kubeconfig}",
        f"--controllers={','.join((*CONTROLLERS, *more))}",
        "--secure-port=0",
        "--leader-elect=false",
        "--kube-api-qps=2000",
        "--kube-api-burst=4000",
        "--pvclaimbinder-sync-period=1s",  # a claim that was processed too early waits this long (15 s by default)
        "--node-monitor-grace-period=24h",
        "--node-startup-grace-period=24h",
        "--profiling=false",
        *_features(emulated, gates),
    ]


def kwok(kubeconfig: Path, configuration: Path) -> list[str]:
    """KWOK simulates the life cycle of pods; nodes are ready when they are created."""
    return [
        f"--kubeconfig={kubeconfig}",
        f"--config={configuration}",
        "--manage-all-nodes=true",
        "--node-lease-duration-seconds=0",
        "--cidr=10.64.0.0/10",
        "--node-port=0",
        "--server-address=",
        "--v=WARN",
    ]


def _features(version: str | None, gates: Collection[str]) -> list[str]:
    """The options that emulate an older minor version, with its APIs and feature gates, and that enable feature gates
    that are off by default in the version of the binaries."""
    emulated = [f"--emulated-version={version}"] if version else []
    return [*emulated, *([f"--feature-gates={','.join(f'{each}=true' for each in gates)}"] if gates else [])]

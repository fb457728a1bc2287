"""Edits of a healthy cluster."""

from collections.abc import Callable

from muster.finding import Level
from tests.verify.clusters import Cluster, Json, a_daemon_set, a_plugin_pod, a_worker

EFA, GPU = "vpc.amazonaws.com/efa", "nvidia.com/gpu"
EFA_SET, NVIDIA_SET = "aws-efa-k8s-device-plugin", "nvidia-device-plugin"
M, A = Level.MANDATORY, Level.ADVISORY


def node(cluster: Cluster, name: str = "workers-0") -> Json:
    return cluster.nodes[name]


def offering(resource: str, allocatable: str | None, capacity: str | None = None) -> Callable[[Cluster], None]:
    def edit(cluster: Cluster) -> None:
        status = node(cluster)["status"]
        for part, amount in (("allocatable", allocatable), ("capacity", capacity or allocatable)):
            status[part].pop(resource, None)
            if amount is not None:
                status[part][resource] = amount

    return edit


def conditioned(type: str, status: str, message: str = "it says so", reason: str = "Why") -> Callable[[Cluster], None]:
    def edit(cluster: Cluster) -> None:
        conditions = node(cluster)["status"]["conditions"]
        conditions[:] = [each for each in conditions if each["type"] != type]
        conditions.append({"type": type, "status": status, "reason": reason, "message": message})

    return edit


def tainted(*taints: tuple[str, str, str]) -> Callable[[Cluster], None]:
    def edit(cluster: Cluster) -> None:
        node(cluster)["spec"]["taints"] = [
            {"key": key, "value": value, "effect": effect} for key, value, effect in taints
        ]

    return edit


OWN = (GPU, "true", "NoSchedule")


def another_nvidia_plugin(cluster: Cluster) -> None:
    spec = {
        "containers": [{"image": "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"}],
        "tolerations": [{"operator": "Exists"}],
    }
    cluster.daemon_sets["other"] = a_daemon_set("nvidia-device-plugin-daemonset", spec, "gpu-operator")
    cluster.add(a_plugin_pod("nvidia-device-plugin-daemonset", "workers-0", "gpu-operator"))


PLUGIN_IMAGE = "nvcr.io/nvidia/k8s-device-plugin:v0.20.0"


def beside_the_plugin(name: str, container: Json, namespace: str = "kube-system") -> Callable[[Cluster], None]:
    """A DaemonSet of the plugin's image that is no plugin, with a ready pod on the node."""

    def edit(cluster: Cluster) -> None:
        spec = {
            "containers": [
                {"name": f"{name}-sidecar", "image": PLUGIN_IMAGE, "command": ["config-manager"]},
                {"name": "ctr", "image": PLUGIN_IMAGE, **container},
            ],
            "tolerations": [{"operator": "Exists"}],
        }
        cluster.daemon_sets[name] = a_daemon_set(name, spec, namespace)
        cluster.add(a_plugin_pod(name, "workers-0", namespace))

    return edit


BESIDE_THE_PLUGIN: dict[str, Callable[[Cluster], None]] = {
    "the chart's feature discovery": beside_the_plugin(
        "nvidia-device-plugin-gpu-feature-discovery", {"command": ["gpu-feature-discovery"]}
    ),
    "the chart's MPS daemon": beside_the_plugin(
        "nvidia-device-plugin-mps-control-daemon", {"command": ["mps-control-daemon"]}
    ),
    "the chart's under another name": beside_the_plugin("mine", {"command": ["/usr/bin/gpu-feature-discovery"]}),
    "the operator's feature discovery": beside_the_plugin("gpu-feature-discovery", {}, "gpu-operator"),
    "the operator's MPS daemon": beside_the_plugin(
        "nvidia-device-plugin-mps-control-daemon", {"command": ["/bin/entrypoint.sh"]}, "gpu-operator"
    ),
    "one that says it in its arguments": beside_the_plugin("mine", {"args": ["gpu-feature-discovery", "--oneshot"]}),
    "one that says it in its container's name": beside_the_plugin("mine", {"name": "mps-control-daemon-ctr"}),
}


def without_pod(daemon_set: str, resource: str) -> Callable[[Cluster], None]:
    def edit(cluster: Cluster) -> None:
        cluster.pods.remove(cluster.pod_of(daemon_set))
        offering(resource, None)(cluster)

    return edit


def not_tolerating(cluster: Cluster) -> None:
    without_pod(EFA_SET, EFA)(cluster)
    cluster.daemon_sets[EFA_SET]["spec"]["template"]["spec"]["tolerations"] = [{"key": "CriticalAddonsOnly"}]


def landing_nowhere(cluster: Cluster) -> None:
    without_pod(NVIDIA_SET, GPU)(cluster)
    terms = [{"matchExpressions": [{"key": "nvidia.com/gpu.product", "operator": "In", "values": ["H100"]}]}]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    cluster.daemon_sets[NVIDIA_SET]["spec"]["template"]["spec"]["affinity"] = {"nodeAffinity": required}


def crashing(cluster: Cluster) -> None:
    offering(EFA, "0", "32")(cluster)
    waiting = {"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting"}
    cluster.pod_of(EFA_SET)["status"] = {
        "phase": "Running",
        "conditions": [{"type": "Ready", "status": "False"}],
        "containerStatuses": [{"state": {"waiting": waiting}}],
    }


def unscheduled(cluster: Cluster) -> None:
    offering(EFA, None)(cluster)
    pod = cluster.pod_of(EFA_SET)
    fields = [{"key": "metadata.name", "operator": "In", "values": ["workers-0"]}]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": fields}]}}
    pod["spec"] = {"affinity": {"nodeAffinity": required}}
    why = {"type": "PodScheduled", "status": "False", "message": "0/2 nodes are available: 1 Insufficient memory."}
    pod["status"] = {"phase": "Pending", "conditions": [why]}


def pods(*workers: Json) -> Callable[[Cluster], None]:
    return lambda cluster: cluster.pods.extend(workers)


def on_two_nodes(cluster: Cluster) -> None:
    cluster.pods += [a_worker(efa=1), a_worker("job-worker-1", "workers-1", efa=1)]


INFINIBAND = {"volumes": [{"name": "x", "hostPath": {"path": "/dev/infiniband"}}]}


def edit_of(what: Callable[[Json], object]) -> Callable[[Cluster], None]:
    return lambda cluster: (what(node(cluster)), None)[1]


def relabel(key: str, value: str | None) -> Callable[[Cluster], None]:
    def edit(cluster: Cluster) -> None:
        labels = node(cluster)["metadata"]["labels"]
        labels.pop(key)
        if value is not None:
            labels[key] = value

    return edit

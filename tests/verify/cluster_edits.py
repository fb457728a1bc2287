"""Edits of a healthy cluster."""

from collections.abc import Callable

from tests.verify.clusters import Cluster, Json, a_daemon_set, a_plugin_pod

EFA, GPU = "vpc.amazonaws.com/efa", "nvidia.com/gpu"
EFA_SET, NVIDIA_SET = "aws-efa-k8s-device-plugin", "nvidia-device-plugin"
PLUGIN_IMAGE = "nvcr.io/nvidia/k8s-device-plugin:v0.20.0"

Edit = Callable[[Cluster], object]


def node(cluster: Cluster, name: str = "workers-0") -> Json:
    return cluster.nodes[name]


def pod_spec(cluster: Cluster, daemon_set: str) -> Json:
    """That of a DaemonSet's template."""
    found: Json = cluster.daemon_sets[daemon_set]["spec"]["template"]["spec"]
    return found


def offering(resource: str, allocatable: str | None, capacity: str | None = None) -> Edit:
    def edit(cluster: Cluster) -> None:
        status = node(cluster)["status"]
        for part, amount in (("allocatable", allocatable), ("capacity", capacity or allocatable)):
            status[part].pop(resource, None)
            if amount is not None:
                status[part][resource] = amount

    return edit


def conditioned(type: str, status: str) -> Edit:
    def edit(cluster: Cluster) -> None:
        conditions = node(cluster)["status"]["conditions"]
        conditions[:] = [each for each in conditions if each["type"] != type]
        conditions.append({"type": type, "status": status, "reason": "Why", "message": "it says so"})

    return edit


def tainted(*taints: tuple[str, str, str]) -> Edit:
    """Besides its own taint."""

    def edit(cluster: Cluster) -> None:
        listed = [dict(zip(("key", "value", "effect"), each, strict=True)) for each in taints]
        node(cluster)["spec"]["taints"] = [{"key": GPU, "value": "true", "effect": "NoSchedule"}, *listed]

    return edit


def labelled(number: int = 1, /, **labels: str | None) -> Edit:
    """So many workers carry other labels; None takes one away."""

    def edit(cluster: Cluster) -> None:
        workers = [
            each for name, each in cluster.nodes.items() if each["metadata"]["labels"]["muster/group"] == "workers"
        ]
        for each in workers[:number]:
            found = {**each["metadata"]["labels"], **labels}
            each["metadata"]["labels"] = {key: value for key, value in found.items() if value is not None}

    return edit


def pods(*workers: Json) -> Edit:
    return lambda cluster: cluster.pods.extend(workers)


def another_nvidia_plugin(cluster: Cluster) -> None:
    image = "nvcr.io/nvidia/k8s-device-plugin:v0.17.1"
    spec = {"containers": [{"image": image}], "tolerations": [{"operator": "Exists"}]}
    cluster.daemon_sets["other"] = a_daemon_set("nvidia-device-plugin-daemonset", spec, "gpu-operator")
    cluster.add(a_plugin_pod("nvidia-device-plugin-daemonset", "workers-0", "gpu-operator"))


def beside_the_plugin(name: str, container: Json, namespace: str = "kube-system") -> Edit:
    """A DaemonSet of the plugin's image that is no plugin, with a ready pod on the node."""

    def edit(cluster: Cluster) -> None:
        sidecar = {"name": f"{name}-sidecar", "image": PLUGIN_IMAGE, "command": ["config-manager"]}
        own = {"name": "ctr", "image": PLUGIN_IMAGE, **container}
        spec = {"containers": [sidecar, own], "tolerations": [{"operator": "Exists"}]}
        cluster.daemon_sets[name] = a_daemon_set(name, spec, namespace)
        cluster.add(a_plugin_pod(name, "workers-0", namespace))

    return edit


def without_pod(daemon_set: str, resource: str) -> Edit:
    def edit(cluster: Cluster) -> None:
        cluster.pods.remove(cluster.pod_of(daemon_set))
        offering(resource, None)(cluster)

    return edit


def not_tolerating(cluster: Cluster) -> None:
    without_pod(EFA_SET, EFA)(cluster)
    pod_spec(cluster, EFA_SET)["tolerations"] = [{"key": "CriticalAddonsOnly"}]


def landing_nowhere(cluster: Cluster) -> None:
    without_pod(NVIDIA_SET, GPU)(cluster)
    terms = [{"matchExpressions": [{"key": "nvidia.com/gpu.product", "operator": "In", "values": ["H100"]}]}]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}
    pod_spec(cluster, NVIDIA_SET)["affinity"] = {"nodeAffinity": required}


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

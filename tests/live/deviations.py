"""Named deviations of a healthy cluster, each with the finding it must give."""

from collections.abc import Callable

from muster.fleet.finding import Level

from .clusters import Cluster, Json, a_daemon_set, a_plugin_pod, a_worker

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


DEVIATIONS: list[tuple[str, Callable[[Cluster], object], str, Level, str, str]] = [
    (
        "none-joined",
        lambda c: c.nodes.pop("system-0"),
        "nodes-joined",
        M,
        "groups.system.nodes",
        "none of 1 node joined",
    ),
    (
        "not-ready",
        conditioned("Ready", "Unknown", "Kubelet stopped posting node status.", "NodeStatusUnknown"),
        "node-ready",
        M,
        "groups.workers",
        "workers-0: not Ready: NodeStatusUnknown: Kubelet stopped posting node status.",
    ),
    (
        "wrong-zone",
        relabel("topology.kubernetes.io/zone", "us-west-2b"),
        "node-zone",
        M,
        "groups.workers.zone",
        "workers-0: in zone us-west-2b, planned in us-west-2a",
    ),
    (
        "wrong-type",
        relabel("node.kubernetes.io/instance-type", "p5en.48xlarge"),
        "node-instance-type",
        M,
        "groups.workers.instance",
        "workers-0: of type p5en.48xlarge, planned p5.48xlarge",
    ),
    (
        "older-kubelet",
        edit_of(lambda n: n["status"]["nodeInfo"].update(kubeletVersion="v1.34.2-eks-113cf36")),
        "node-kubelet-version",
        A,
        "kubernetes",
        "workers-0: runs kubelet v1.34.2-eks-113cf36, planned 1.35",
    ),
    (
        "newer-kubelet",
        edit_of(lambda n: n["status"]["nodeInfo"].update(kubeletVersion="v1.36.0")),
        "node-kubelet-version",
        A,
        "kubernetes",
        "workers-0: runs kubelet v1.36.0, planned 1.35 (newer than the description)",
    ),
    (
        "far-older-kubelet",
        edit_of(lambda n: n["status"]["nodeInfo"].update(kubeletVersion="v1.31.9")),
        "node-kubelet-version",
        M,
        "kubernetes",
        "workers-0: runs kubelet v1.31.9, planned 1.35",
    ),
    (
        "lacking-purpose",
        relabel("muster/purpose", None),
        "node-labels",
        A,
        "groups.workers.labels",
        "workers-0: lacks the label muster/purpose=training",
    ),
    (
        "lacking-taint",
        tainted(),
        "node-taints",
        A,
        "groups.workers.taints",
        "workers-0: lacks the taint nvidia.com/gpu=true:NoSchedule",
    ),
    (
        "another-taint",
        tainted(OWN, ("team", "a", "NoSchedule")),
        "node-taints",
        A,
        "groups.workers.taints",
        "workers-0: has the taint team=a:NoSchedule, which is not planned: jobs do not tolerate it",
    ),
    (
        "one-efa-unhealthy",
        offering(EFA, "31", "32"),
        "node-offers",
        M,
        "groups.workers",
        "workers-0: offers 31 of 32 vpc.amazonaws.com/efa: 1 of 32 are unhealthy",
    ),
    (
        "fewer-efa",
        offering(EFA, "4"),
        "node-offers",
        M,
        "groups.workers",
        "workers-0: offers 4 of 32 vpc.amazonaws.com/efa",
    ),
    (
        "no-gpu",
        offering(GPU, None),
        "node-offers",
        M,
        "groups.workers",
        "workers-0: offers no nvidia.com/gpu, planned 8",
    ),
    (
        "more-efa",
        offering(EFA, "34"),
        "node-offers",
        M,
        "groups.workers",
        "workers-0: offers 34 vpc.amazonaws.com/efa, planned 32",
    ),
    (
        "neuron-unplanned",
        offering("aws.amazon.com/neuron", "16"),
        "node-offers",
        A,
        "groups.workers",
        "workers-0: offers 16 aws.amazon.com/neuron, planned none",
    ),
    (
        "no-huge-pages",
        offering("hugepages-2Mi", "0"),
        "node-offers",
        M,
        "groups.workers.huge-pages",
        "workers-0: offers 0Mi of hugepages-2Mi, planned 10256Mi",
    ),
    (
        "more-huge-pages",
        offering("hugepages-2Mi", "20Gi"),
        "node-offers",
        A,
        "groups.workers.huge-pages",
        "workers-0: offers 20480Mi of hugepages-2Mi, planned 10256Mi",
    ),
    (
        "less-cpu",
        offering("cpu", "189"),
        "node-room",
        M,
        "groups.workers",
        "workers-0: has 189000m of cpu for pods, planned 191450m: a job of that size waits",
    ),
    (
        "less-memory",
        offering("memory", "1800Gi"),
        "node-room",
        M,
        "groups.workers",
        (
            "workers-0: has 1843200Mi of memory for pods, planned 1928154Mi (an estimate on the careful "
            "side): a job of that size waits"
        ),
    ),
    ("other-pods", offering("pods", "100"), "node-room", A, "groups.workers", "workers-0: takes 100 pods, planned 51"),
    (
        "cordoned",
        edit_of(lambda n: n["spec"].update(unschedulable=True)),
        "node-healthy",
        A,
        "groups.workers",
        "workers-0: is cordoned: no new pod gets there",
    ),
    (
        "gpu-fault",
        conditioned("AcceleratedHardwareReady", "False", "XID 79", "NvidiaXID79Error"),
        "node-healthy",
        M,
        "groups.workers",
        "workers-0: AcceleratedHardwareReady is False: NvidiaXID79Error: XID 79",
    ),
    (
        "disk-full",
        conditioned("DiskPressure", "True"),
        "node-healthy",
        M,
        "groups.workers",
        "workers-0: DiskPressure is True: Why: it says so",
    ),
    (
        "hyperpod-replaces",
        lambda c: node(c)["metadata"]["labels"].update(
            {
                "sagemaker.amazonaws.com/node-health-status": "UnschedulablePendingReplacement",
                "sagemaker.amazonaws.com/fault-reasons": "NvidiaGPUCount",
            }
        ),
        "node-healthy",
        M,
        "groups.workers",
        "workers-0: HyperPod says UnschedulablePendingReplacement (NvidiaGPUCount)",
    ),
    (
        "hyperpod-replaces-while-it-checks",
        lambda c: node(c)["metadata"]["labels"].update(
            {
                "sagemaker.amazonaws.com/node-health-status": "UnschedulablePendingReplacement",
                "sagemaker.amazonaws.com/deep-health-check-status": "InProgress",
            }
        ),
        "node-healthy",
        M,
        "groups.workers",
        "workers-0: HyperPod says UnschedulablePendingReplacement",
    ),
    (
        "hyperpod-checks",
        lambda c: node(c)["metadata"]["labels"].update(
            {
                "sagemaker.amazonaws.com/node-health-status": "Unschedulable",
                "sagemaker.amazonaws.com/deep-health-check-status": "InProgress",
            }
        ),
        "node-healthy",
        A,
        "groups.workers",
        "workers-0: HyperPod says Unschedulable: its deep health checks run",
    ),
    (
        "deep-check-failed",
        lambda c: node(c)["metadata"]["labels"].update({"sagemaker.amazonaws.com/deep-health-check-status": "Failed"}),
        "node-healthy",
        M,
        "groups.workers",
        "workers-0: HyperPod's deep health check failed",
    ),
    (
        "plugin-not-installed",
        lambda c: (
            c.daemon_sets.pop(EFA_SET),
            without_pod(EFA_SET, EFA)(c),
        ),
        "plugin-ready",
        M,
        "addons.efa-device-plugin",
        "there is no DaemonSet kube-system/aws-efa-k8s-device-plugin: no node offers vpc.amazonaws.com/efa",
    ),
    (
        "plugin-not-tolerating",
        not_tolerating,
        "plugin-ready",
        M,
        "addons.efa-device-plugin",
        (
            "workers-0: no ready pod of kube-system/aws-efa-k8s-device-plugin, so vpc.amazonaws.com/efa is "
            "not offered: it does not tolerate the taint nvidia.com/gpu=true:NoSchedule"
        ),
    ),
    (
        "plugin-landing-nowhere",
        landing_nowhere,
        "plugin-ready",
        M,
        "addons.nvidia-device-plugin",
        (
            "workers-0: no ready pod of kube-system/nvidia-device-plugin, so nvidia.com/gpu is not offered: "
            "its affinity asks for nvidia.com/gpu.product in H100, the node has no such label"
        ),
    ),
    (
        "plugin-gone-beside-feature-discovery",
        lambda c: (
            without_pod(NVIDIA_SET, GPU)(c),
            BESIDE_THE_PLUGIN["the chart's feature discovery"](c),
        ),
        "plugin-ready",
        M,
        "addons.nvidia-device-plugin",
        (
            "workers-0: no ready pod of kube-system/nvidia-device-plugin, so nvidia.com/gpu is not offered: its "
            "DaemonSet has made no pod for it: see `kubectl describe daemonset`"
        ),
    ),
    (
        "plugin-crashing",
        crashing,
        "plugin-ready",
        M,
        "addons.efa-device-plugin",
        (
            "workers-0: no ready pod of kube-system/aws-efa-k8s-device-plugin, so vpc.amazonaws.com/efa is "
            "not offered: CrashLoopBackOff: back-off 5m0s restarting"
        ),
    ),
    (
        "plugin-unscheduled",
        unscheduled,
        "plugin-ready",
        M,
        "addons.efa-device-plugin",
        (
            "workers-0: no ready pod of kube-system/aws-efa-k8s-device-plugin, so vpc.amazonaws.com/efa is "
            "not offered: 0/2 nodes are available: 1 Insufficient memory."
        ),
    ),
    (
        "two-nvidia-plugins",
        another_nvidia_plugin,
        "one-nvidia-plugin",
        M,
        "groups.workers",
        (
            "workers-0: served by 2 NVIDIA device plugins: gpu-operator/nvidia-device-plugin-daemonset and "
            "kube-system/nvidia-device-plugin"
        ),
    ),
    (
        "mofed-by-default",
        lambda c: c.daemon_sets[NVIDIA_SET]["spec"]["template"]["spec"]["containers"][0].update(
            image="nvcr.io/nvidia/k8s-device-plugin:v0.19.1"
        ),
        "efa-left-to-its-plugin",
        M,
        "groups.workers",
        "workers-0: kube-system/nvidia-device-plugin mounts all of /dev/infiniband into GPU pods (MOFED_ENABLED)",
    ),
    (
        "operator-missing",
        lambda c: c.deployments.clear(),
        "operator-ready",
        M,
        "addons.mpi-operator",
        "there is no Deployment mpi-operator/mpi-operator",
    ),
    (
        "operator-not-ready",
        lambda c: c.deployments[0]["status"].update(readyReplicas=0),
        "operator-ready",
        M,
        "addons.mpi-operator",
        "no pod of the Deployment mpi-operator/mpi-operator is ready; its jobs do not start",
    ),
    (
        "lone-pod-without-efa",
        pods(a_worker(efa=0)),
        "efa-pod-asks-for-all",
        A,
        "groups.workers",
        (
            "pod jobs/job-worker-0: asks for all nvidia.com/gpu of its node and no vpc.amazonaws.com/efa of "
            "32; fine as long as its job stays on one node"
        ),
    ),
    (
        "host-path",
        pods(a_worker(**INFINIBAND)),
        "efa-pod-without-host-path",
        A,
        "groups.workers",
        (
            "pod jobs/job-worker-0: mounts /dev/infiniband of its node: if some device there is no EFA, libfabric may "
            "open none"
        ),
    ),
    *(
        (
            f"{name}={value}",
            pods(a_worker(env={name: value})),
            "efa-pod-environment",
            M,
            "groups.workers",
            f"pod jobs/job-worker-0: has {name}={value}: NCCL does not use EFA",
        )
        for name, value in (
            ("FI_PROVIDER", "tcp"),
            ("FI_PROVIDER", "^efa"),
            ("NCCL_NET", "Socket"),
            ("NCCL_NET_PLUGIN", "none"),
        )
    ),
]

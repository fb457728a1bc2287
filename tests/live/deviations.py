"""Named deviations of a healthy cluster, each with the finding it must give."""

from collections.abc import Callable

from muster.finding import Level
from tests.live.cluster_edits import (
    BESIDE_THE_PLUGIN,
    EFA,
    EFA_SET,
    GPU,
    INFINIBAND,
    NVIDIA_SET,
    OWN,
    A,
    M,
    another_nvidia_plugin,
    conditioned,
    crashing,
    edit_of,
    landing_nowhere,
    node,
    not_tolerating,
    offering,
    pods,
    relabel,
    tainted,
    unscheduled,
    without_pod,
)
from tests.live.clusters import Cluster, a_worker

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

"""Named deviations of a healthy cluster; the finding that each must give is in `deviations.yaml`."""

from collections.abc import Callable
from pathlib import Path

import yaml

from tests.verify.cluster_edits import (
    BESIDE_THE_PLUGIN,
    EFA,
    EFA_SET,
    GPU,
    INFINIBAND,
    NVIDIA_SET,
    OWN,
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
from tests.verify.clusters import Cluster, a_worker

DEVIATIONS: dict[str, Callable[[Cluster], object]] = {
    "none-joined": lambda c: c.nodes.pop("system-0"),
    "not-ready": conditioned("Ready", "Unknown", "Kubelet stopped posting node status.", "NodeStatusUnknown"),
    "wrong-zone": relabel("topology.kubernetes.io/zone", "us-west-2b"),
    "wrong-type": relabel("node.kubernetes.io/instance-type", "p5en.48xlarge"),
    "older-kubelet": edit_of(lambda n: n["status"]["nodeInfo"].update(kubeletVersion="v1.34.2-eks-113cf36")),
    "newer-kubelet": edit_of(lambda n: n["status"]["nodeInfo"].update(kubeletVersion="v1.36.0")),
    "far-older-kubelet": edit_of(lambda n: n["status"]["nodeInfo"].update(kubeletVersion="v1.31.9")),
    "lacking-purpose": relabel("muster/purpose", None),
    "lacking-taint": tainted(),
    "another-taint": tainted(OWN, ("team", "a", "NoSchedule")),
    "one-efa-unhealthy": offering(EFA, "31", "32"),
    "fewer-efa": offering(EFA, "4"),
    "no-gpu": offering(GPU, None),
    "more-efa": offering(EFA, "34"),
    "neuron-unplanned": offering("aws.amazon.com/neuron", "16"),
    "no-huge-pages": offering("hugepages-2Mi", "0"),
    "more-huge-pages": offering("hugepages-2Mi", "20Gi"),
    "less-cpu": offering("cpu", "189"),
    "less-memory": offering("memory", "1800Gi"),
    "other-pods": offering("pods", "100"),
    "cordoned": edit_of(lambda n: n["spec"].update(unschedulable=True)),
    "gpu-fault": conditioned("AcceleratedHardwareReady", "False", "XID 79", "NvidiaXID79Error"),
    "disk-full": conditioned("DiskPressure", "True"),
    "hyperpod-replaces": lambda c: node(c)["metadata"]["labels"].update(
        {
            "sagemaker.amazonaws.com/node-health-status": "UnschedulablePendingReplacement",
            "sagemaker.amazonaws.com/fault-reasons": "NvidiaGPUCount",
        }
    ),
    "hyperpod-replaces-while-it-checks": lambda c: node(c)["metadata"]["labels"].update(
        {
            "sagemaker.amazonaws.com/node-health-status": "UnschedulablePendingReplacement",
            "sagemaker.amazonaws.com/deep-health-check-status": "InProgress",
        }
    ),
    "hyperpod-checks": lambda c: node(c)["metadata"]["labels"].update(
        {
            "sagemaker.amazonaws.com/node-health-status": "Unschedulable",
            "sagemaker.amazonaws.com/deep-health-check-status": "InProgress",
        }
    ),
    "deep-check-failed": lambda c: node(c)["metadata"]["labels"].update(
        {"sagemaker.amazonaws.com/deep-health-check-status": "Failed"}
    ),
    "plugin-not-installed": lambda c: (
        c.daemon_sets.pop(EFA_SET),
        without_pod(EFA_SET, EFA)(c),
    ),
    "plugin-not-tolerating": not_tolerating,
    "plugin-landing-nowhere": landing_nowhere,
    "plugin-gone-beside-feature-discovery": lambda c: (
        without_pod(NVIDIA_SET, GPU)(c),
        BESIDE_THE_PLUGIN["the chart's feature discovery"](c),
    ),
    "plugin-crashing": crashing,
    "plugin-unscheduled": unscheduled,
    "two-nvidia-plugins": another_nvidia_plugin,
    "mofed-by-default": lambda c: c.daemon_sets[NVIDIA_SET]["spec"]["template"]["spec"]["containers"][0].update(
        image="nvcr.io/nvidia/k8s-device-plugin:v0.19.1"
    ),
    "operator-missing": lambda c: c.deployments.clear(),
    "operator-not-ready": lambda c: c.deployments[0]["status"].update(readyReplicas=0),
    "lone-pod-without-efa": pods(a_worker(efa=0)),
    "host-path": pods(a_worker(**INFINIBAND)),
    **{
        f"{name}={value}": pods(a_worker(env={name: value}))
        for name, value in (
            ("FI_PROVIDER", "tcp"),
            ("FI_PROVIDER", "^efa"),
            ("NCCL_NET", "Socket"),
            ("NCCL_NET_PLUGIN", "none"),
        )
    },
}

FINDINGS: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text())

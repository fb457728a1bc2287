"""The checks of a running cluster, by id (the `rule` of their findings), each with its source."""

from dataclasses import dataclass

from muster.finding import Finding, Level


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    id: str
    title: str
    source: str


_EKS, _KUBERNETES = "EKS user guide", "Kubernetes"
_EFA_THREAD = "NVIDIA/nvcf#1349"

CHECKS = {
    each.id: each
    for each in (
        Check("nodes-joined", "A group has the number of nodes in the description", f"{_EKS}, Troubleshooting"),
        Check("node-ready", "Every node is Ready", f"{_KUBERNETES}, Node status"),
        Check("node-zone", "A node is in its group's zone", f"{_EKS}, Run machine learning training with EFA"),
        Check("node-instance-type", "A node is of its group's instance type", f"{_KUBERNETES}, Well-known labels"),
        Check(
            "node-kubelet-version",
            ("A node runs the description's Kubernetes version"),
            f"{_KUBERNETES}, Version skew policy",
        ),
        Check("node-labels", "A node has its group's labels", f"{_KUBERNETES}, Labels and selectors"),
        Check(
            "node-taints",
            ("A node has the taints of its group, and no others"),
            f"{_KUBERNETES}, Taints and tolerations",
        ),
        Check("node-offers", "A node offers the planned devices and huge pages", f"{_KUBERNETES}, Device plugins"),
        Check(
            "node-publishes",
            "A DRA driver publishes the planned devices of a node",
            f"{_EKS}, device-management-efa and device-management-nvidia-dra-device-plugin",
        ),
        Check("node-room", "A node has the planned CPU, memory and number of pods", "amazon-eks-ami, nodeadm kubelet"),
        Check("node-healthy", "A node is not cordoned, and no agent reports it as faulty", f"{_EKS}, node-health"),
        Check(
            "node-of-hyperpod",
            "A node of an instance group belongs to HyperPod",
            "SageMaker guide, Resilience-related Kubernetes labels; sagemaker-hyperpod-cli, constants",
        ),
        Check("plugin-ready", "A device plugin runs on every node that it serves", f"{_KUBERNETES}, DaemonSet"),
        Check("one-nvidia-plugin", "One NVIDIA device plugin serves a node", f"{_EKS}, device-management-nvidia"),
        Check("operator-ready", "An operator runs", f"{_KUBERNETES}, Deployment"),
        Check("efa-one-zone", "A group's nodes with EFA are in one zone", _EFA_THREAD),
        Check("efa-left-to-its-plugin", "No other plugin allocates EFA devices", "NVIDIA/k8s-device-plugin#1692"),
        Check(
            "efa-pod-asks-for-all",
            "A pod that requests all GPUs of a node requests all of its EFA interfaces",
            "skypilot-org/skypilot#10055",
        ),
        Check("efa-pod-without-host-path", "No pod mounts the node's own EFA devices", "aws-samples/aws-do-eks#63"),
        Check("efa-pod-environment", "No variable of a pod disables EFA", "libfabric, fi_efa; NCCL, NCCL_NET"),
        Check("efa-pod-huge-pages", "A pod that requests EFA requests huge pages", f"{_EKS}, node-efa"),
        Check("efa-security-groups", "The security groups allow EFA traffic", "EC2 user guide, Get started with EFA"),
        Check("efa-carries-traffic", "Training traffic goes over EFA", _EFA_THREAD),
    )
}


@dataclass(frozen=True, slots=True, order=True)
class Deviation:
    """One deviation from the expectations. Equal deviations of several nodes become one finding."""

    check: str
    level: Level
    where: str
    """Its place in the description."""
    resource: str
    what: str
    """The text after the nodes' names, or the whole text if there are none."""
    remedy: str
    subject: str = ""
    """The node or pod of the deviation."""


_NAMED = 3


def merge_deviations(deviations: list[Deviation]) -> tuple[Finding, ...]:
    """The findings: one for all nodes (or pods) with the same deviation, with the first few names."""
    alike: dict[tuple[str, Level, str, str, str, str], list[str]] = {}
    for each in deviations:
        key = (each.check, each.level, each.where, each.resource, each.what, each.remedy)
        alike.setdefault(key, []).extend([each.subject] if each.subject else [])
    return tuple(
        sorted(
            Finding(where, check, level, f"{list_names(subjects)}: {what}" if subjects else what, remedy, resource)
            for (check, level, where, resource, what, remedy), subjects in alike.items()
        )
    )


def list_names(names: list[str]) -> str:
    """Names; only the first few, if there are many."""
    listed = sorted(set(names))
    shown = ", ".join(listed[:_NAMED])
    return f"{shown} and {len(listed) - _NAMED} more" if len(listed) > _NAMED else shown

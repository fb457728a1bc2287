"""The checks of a running cluster, by id (the `rule` of their findings), each with its remedy and its source."""

from dataclasses import dataclass

from muster.blueprint.hyperpod.commands import REPLACE_NODES
from muster.finding import Finding, Level


@dataclass(frozen=True, slots=True)
class Check:
    """One check."""

    id: str
    title: str
    remedy: str
    source: str


_EKS, _KUBERNETES = "EKS user guide", "Kubernetes"
_EFA_THREAD = "NVIDIA/nvcf#1349"
_UP = "run `pulumi up --refresh`; then replace nodes that still differ, or correct the description"
_POD = "correct the pod: `muster job` prints jobs with the devices and variables that EFA needs"

CHECKS = {
    each.id: each
    for each in (
        Check(
            "nodes-joined",
            "A group has the number of nodes in the description",
            "scale the group, or find out why instances do not join: `aws eks describe-nodegroup`, `aws sagemaker "
            "list-cluster-events`, and on the instance `journalctl -u kubelet`",
            f"{_EKS}, Troubleshooting",
        ),
        Check(
            "node-ready",
            "Every node is Ready",
            "run `kubectl describe node`, and on the instance `journalctl -u kubelet`",
            f"{_KUBERNETES}, Node status",
        ),
        Check("node-zone", "A node is in its group's zone", _UP, f"{_EKS}, Run machine learning training with EFA"),
        Check("node-instance-type", "A node is of its group's instance type", _UP, f"{_KUBERNETES}, Well-known labels"),
        Check(
            "node-kubelet-version",
            "A node runs the description's Kubernetes version",
            "update the group: `pulumi up`, on HyperPod `aws sagemaker update-cluster-software`",
            f"{_KUBERNETES}, Version skew policy",
        ),
        Check(
            "node-labels",
            "A node has its group's labels, on HyperPod also those of HyperPod",
            _UP,
            f"{_KUBERNETES}, Labels and selectors; SageMaker guide, Resilience-related Kubernetes labels",
        ),
        Check(
            "node-taints",
            "A node has the taints of its group, and no others",
            _UP,
            f"{_KUBERNETES}, Taints and tolerations",
        ),
        Check(
            "node-offers",
            "A node offers the planned devices, huge pages, CPU, memory and number of pods, or its DRA driver "
            "publishes them",
            "read the log of the device plugin or driver on the node; replace the node, or correct the description",
            f"{_KUBERNETES}, Device plugins; {_EKS}, device-management-efa; amazon-eks-ami, nodeadm kubelet",
        ),
        Check(
            "node-healthy",
            "A node is not cordoned, and no agent reports it as faulty",
            f"wait until node repair or HyperPod replaces it; without them terminate the instance, or run "
            f"`{REPLACE_NODES}`; if it is healthy, run `kubectl uncordon`",
            f"{_EKS}, node-health",
        ),
        Check(
            "plugin-ready",
            "A device plugin runs on every node that it serves",
            "run `pulumi up`, and read `kubectl describe` and `kubectl logs --previous` of the plugin's DaemonSet and "
            "pod",
            f"{_KUBERNETES}, DaemonSet",
        ),
        Check(
            "one-nvidia-plugin",
            "One NVIDIA device plugin serves a node",
            "keep one: two plugins give the same GPU to two pods",
            f"{_EKS}, device-management-nvidia",
        ),
        Check(
            "operator-ready",
            "An operator runs",
            "run `pulumi up`, and `kubectl describe` for its pod, which needs a system node and its image",
            f"{_KUBERNETES}, Deployment",
        ),
        Check(
            "efa-one-zone",
            "A group's nodes with EFA are in one zone",
            "set `zone` of the group to one zone; nodes in other zones are then replaced",
            _EFA_THREAD,
        ),
        Check(
            "efa-left-to-its-plugin",
            "No other plugin allocates EFA devices",
            "set mofedEnabled of the chart to false (its default is true in 0.19.0 to 0.19.2)",
            "NVIDIA/k8s-device-plugin#1692",
        ),
        Check(
            "efa-pod-asks-for-all",
            "A pod that requests all GPUs of a node requests all of its EFA interfaces",
            _POD,
            "skypilot-org/skypilot#10055",
        ),
        Check(
            "efa-pod-without-host-path", "No pod mounts the node's own EFA devices", _POD, "aws-samples/aws-do-eks#63"
        ),
        Check("efa-pod-environment", "No variable of a pod disables EFA", _POD, "libfabric, fi_efa; NCCL, NCCL_NET"),
        Check("efa-pod-huge-pages", "A pod that requests EFA requests huge pages", _POD, f"{_EKS}, node-efa"),
        Check(
            "efa-security-groups",
            "The security groups allow EFA traffic",
            "allow all protocols from and to each group itself",
            "EC2 user guide, Get started with EFA",
        ),
        Check("efa-carries-traffic", "Training traffic goes over EFA", "run `muster job nccl-tests`", _EFA_THREAD),
    )
}


@dataclass(frozen=True, slots=True, order=True)
class Deviation:
    """One deviation from the expectations. Equal deviations of several nodes become one finding."""

    check: str
    level: Level
    resource: str
    """The group or add-on in the description."""
    what: str
    """The text after the nodes' names, or the whole text if there are none."""
    subject: str = ""
    """The node or pod of the deviation."""
    key: str = ""
    """The key below the resource that plans it, if there is one."""


_NAMED = 3


def merge_deviations(deviations: list[Deviation]) -> tuple[Finding, ...]:
    """The findings: one for all nodes (or pods) with the same deviation, with the first few names."""
    alike: dict[tuple[str, str, Level, str, str], list[str]] = {}
    for each in deviations:
        where = f"{each.resource}.{each.key}" if each.key else each.resource
        subjects = alike.setdefault((where, each.check, each.level, each.what, each.resource), [])
        subjects.extend([each.subject] if each.subject else [])
    return tuple(
        sorted(
            Finding(where, check, level, _said(what, subjects), CHECKS[check].remedy, resource)
            for (where, check, level, what, resource), subjects in alike.items()
        )
    )


def _said(what: str, subjects: list[str]) -> str:
    """The text, after the names of the nodes or pods that it is about."""
    return f"{list_names(subjects)}: {what}" if subjects else what


def list_names(names: list[str]) -> str:
    """Names; only the first few, if there are many."""
    listed = sorted(set(names))
    shown = ", ".join(listed[:_NAMED])
    return f"{shown} and {len(listed) - _NAMED} more" if len(listed) > _NAMED else shown

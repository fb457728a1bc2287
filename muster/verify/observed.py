"""The observed state of a cluster: Kubernetes' objects, reduced to what the checks need. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.blueprint.dra import published_devices
from muster.blueprint.hyperpod.node_labels import COMPUTE_TYPE, HYPERPOD
from muster.blueprint.hyperpod.node_labels import GROUP as INSTANCE_GROUP
from muster.blueprint.labels import GROUP, INSTANCE_TYPE, ZONE
from muster.config.identifiers import group_of_generated_name
from muster.fleet.resources import Taint
from muster.jobs.pod_requests import pod_requests
from muster.kubernetes_quantity import Quantity, base_units
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.taints import taints_of
from muster.verify.expected import Expectations

Json = dict[str, Any]

NODE_GROUP = "eks.amazonaws.com/nodegroup"
"""Set by EKS on nodes of managed groups: the group's name in AWS."""


@dataclass(frozen=True, slots=True)
class NodeCondition:
    """One condition of a node."""

    status: str
    reason: str = ""
    message: str = ""

    @property
    def said(self) -> str:
        """Its message, if it has one."""
        return ": ".join(filter(None, (self.reason, self.message))) or self.status


@dataclass(frozen=True, slots=True)
class ObservedNode:
    """One node."""

    name: str
    group: str | None
    """The description's group that it belongs to."""
    labels: Mapping[str, str]
    taints: frozenset[Taint]
    capacity: Mapping[str, str]
    allocatable: Mapping[str, str]
    conditions: Mapping[str, NodeCondition]
    kubelet: str
    """``v1.35.3-eks-113cf36``."""
    cordoned: bool

    @property
    def ready(self) -> bool:
        """Whether its kubelet reports that pods can run."""
        return self.conditions.get("Ready", NodeCondition("Unknown")).status == "True"

    @property
    def zone(self) -> str:
        """Empty if it has no such label."""
        return self.labels.get(ZONE, "")

    @property
    def instance(self) -> str:
        """Empty where it has no such label."""
        return self.labels.get(INSTANCE_TYPE, "")

    def offers(self, resource: str) -> int:
        """The amount of a resource for pods, in its base unit; 0 if it is not listed."""
        return base_units(resource, Quantity.parse(self.allocatable.get(resource, 0)))

    def has(self, resource: str) -> int:
        """The capacity of a resource, in its base unit, including broken devices."""
        return base_units(resource, Quantity.parse(self.capacity.get(resource, 0)))


@dataclass(frozen=True, slots=True)
class ObservedPod:
    """One pod that has not ended."""

    namespace: str
    name: str
    node: str
    """Its node or, for a DaemonSet's pod, its intended node; empty if it is not scheduled yet."""
    owner: tuple[str, str]
    """Kind of its owner, and ``NAMESPACE/NAME``."""
    labels: Mapping[str, str] = field(default_factory=dict)
    phase: str = "Running"
    ready: bool = False
    waiting: str = ""
    """Why it does not run: its containers' reason and message, or the scheduler's."""
    asks: Mapping[str, int] = field(default_factory=dict)
    """Resource -> the amount that the pod requests from its node, as the scheduler counts."""
    environment: Mapping[str, str] = field(default_factory=dict)
    host_paths: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """Its name for messages."""
        return f"{self.namespace}/{self.name}"

    @property
    def job(self) -> tuple[str, ...] | None:
        """Namespace and name of its job; None if no label states it: a Deployment's pods need not
        communicate with each other."""
        found = (tuple(self.labels.get(each, "") for each in labels) for labels in _JOB_LABELS)
        job = next((each for each in found if each[0]), None)
        return (self.namespace, *job) if job else None


_JOB_LABELS = (
    ("training.kubeflow.org/job-name",),
    ("jobset.sigs.k8s.io/jobset-name",),
    ("volcano.sh/job-name",),
    ("leaderworkerset.sigs.k8s.io/name", "leaderworkerset.sigs.k8s.io/group-index"),
    ("ray.io/cluster",),
    ("batch.kubernetes.io/job-name",),
)
"""Labels that the pods of one job have in common. The groups of a LeaderWorkerSet count as separate jobs."""


@dataclass(frozen=True, slots=True)
class ObservedCluster:
    """All observed objects, sorted by name."""

    cluster: str
    """The API server's address."""
    context: str
    nodes: tuple[ObservedNode, ...] = ()
    pods: tuple[ObservedPod, ...] = ()
    daemon_sets: Mapping[str, Json] = field(default_factory=dict)
    """``NAMESPACE/NAME`` -> the `spec` of its pods."""
    deployments: Mapping[str, Json] = field(default_factory=dict)
    """``NAMESPACE/NAME`` -> its `status`."""
    published: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Node -> DeviceClass -> the number of devices in its ResourceSlices."""

    def of_group(self, group: str) -> tuple[ObservedNode, ...]:
        """A group's nodes."""
        return tuple(node for node in self.nodes if node.group == group)


def observe(
    cluster: str,
    context: str,
    expected: Expectations,
    found: Mapping[str, Iterable[Json]],
) -> ObservedCluster:
    """Reads the lists of an API server: plural (``daemonsets``) -> objects. A list that is not there is empty."""
    groups = {group.name: group.instance for group in expected.groups}
    pods = (each for each in found["pods"] if each.get("status", {}).get("phase") not in {"Succeeded", "Failed"})
    deployments = ((_name(each), each.get("status", {})) for each in found.get("deployments", ()))
    return ObservedCluster(
        cluster=cluster,
        context=context,
        nodes=tuple(sorted((_node(each, groups) for each in found["nodes"]), key=lambda node: node.name)),
        pods=tuple(sorted(map(_pod, pods), key=lambda pod: (pod.namespace, pod.name))),
        daemon_sets=dict(sorted((_name(each), each["spec"]["template"]["spec"]) for each in found["daemonsets"])),
        deployments=dict(sorted(deployments)),
        published=published_devices(found.get("resourceslices", ())),
    )


def _node(thing: Json, groups: Mapping[str, str]) -> ObservedNode:
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    labels = meta.get("labels") or {}
    return ObservedNode(
        name=meta["name"],
        group=_group_of(labels, groups),
        labels=labels,
        taints=frozenset(taints_of(spec)),
        capacity=status.get("capacity") or {},
        allocatable=status.get("allocatable") or {},
        conditions={
            each["type"]: NodeCondition(each["status"], each.get("reason") or "", each.get("message") or "")
            for each in status.get("conditions") or ()
        },
        kubelet=status.get("nodeInfo", {}).get("kubeletVersion", ""),
        cordoned=bool(spec.get("unschedulable")),
    )


def _group_of(labels: Mapping[str, str], groups: Mapping[str, str]) -> str | None:
    """The group, by Muster's label. If it is missing: by the name of HyperPod's instance group or of the managed group,
    if the instance type also matches.

    Args:
        labels: the labels of the node.
        groups: name -> instance type.
    """
    if GROUP in labels:
        return labels[GROUP] if labels[GROUP] in groups else None
    if labels.get(COMPUTE_TYPE) == HYPERPOD:
        name = labels.get(INSTANCE_GROUP, "")
        return name if name in groups and labels.get(INSTANCE_TYPE) in {None, groups[name]} else None
    given = group_of_generated_name(labels.get(NODE_GROUP, ""))
    if given is None or given not in groups:
        return None
    return given if labels.get(INSTANCE_TYPE) in {None, groups[given]} else None


def _pod(thing: Json) -> ObservedPod:
    meta, spec, status = thing["metadata"], thing.get("spec", {}), thing.get("status", {})
    owner = next((each for each in meta.get("ownerReferences") or () if each.get("controller", True)), None)
    containers = [*spec.get("containers", ()), *_sidecars(spec)]
    conditions = {each["type"]: each for each in status.get("conditions") or ()}
    namespace = meta.get("namespace", "default")
    return ObservedPod(
        namespace=namespace,
        name=meta["name"],
        node=spec.get("nodeName") or PodConstraints.of(spec).node_name,
        owner=(owner["kind"], f"{namespace}/{owner['name']}") if owner else ("", ""),
        labels=meta.get("labels") or {},
        phase=status.get("phase", "Pending"),
        ready=conditions.get("Ready", {}).get("status") == "True" and not meta.get("deletionTimestamp"),
        waiting=_waiting(status, conditions),
        asks=pod_requests(spec),
        environment=plain_environment(containers),
        host_paths=tuple(each["hostPath"]["path"] for each in spec.get("volumes") or () if each.get("hostPath")),
    )


def _sidecars(spec: Json) -> list[Json]:
    """Init containers that continue to run."""
    return [each for each in spec.get("initContainers") or () if each.get("restartPolicy") == "Always"]


def _waiting(status: Json, conditions: Mapping[str, Json]) -> str:
    states = [
        each.get("state", {})
        for each in [*(status.get("initContainerStatuses") or ()), *(status.get("containerStatuses") or ())]
    ]
    for state in states:
        for why in (state.get("waiting"), state.get("terminated")):
            if why and why.get("reason") not in {None, "Completed", "PodInitializing"}:
                return ": ".join(filter(None, (why["reason"], why.get("message"))))
    scheduled = conditions.get("PodScheduled", {})
    if scheduled.get("status") == "False":
        return str(scheduled.get("message") or scheduled.get("reason") or "")
    return str(status.get("message") or status.get("reason") or "")


def plain_environment(containers: Iterable[Json]) -> dict[str, str]:
    """The variables of containers that have a plain value."""
    return {
        each["name"]: str(each["value"])
        for container in containers
        for each in container.get("env") or ()
        if each.get("value") is not None
    }


def _name(thing: Json) -> str:
    return f"{thing['metadata'].get('namespace', 'default')}/{thing['metadata']['name']}"

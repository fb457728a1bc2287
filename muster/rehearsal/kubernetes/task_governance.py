"""The queues that HyperPod's task governance creates for the teams of a description.

SageMaker publishes neither these objects nor Kueue's configuration. Known are their names, the resources that a
ClusterQueue covers, and how quotas, borrowing and preemption work (docs/facts/addons.md#task-governance). The rest is
Kueue's default. All teams are in one cohort: they can borrow from each other.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.blueprint.hyperpod.task_governance import (
    governance_of,
    priority_class,
    team_cluster_queue,
    team_namespace,
    team_queue,
)
from muster.blueprint.kubernetes import Blueprint
from muster.blueprint.node import EFA_RESOURCE
from muster.fleet.resources import ComputeQuota, QuotaAmount
from muster.fleet.resources.task_governance import QuotaResources, quota_resources
from muster.hardware.catalogue import Accelerator, Hardware, hardware
from muster.hardware.hyperpod_types import ML
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.operators import KUEUE
from muster.rehearsal.outcome import Cause, SimulatedPart
from muster.unknown import Derived
from muster.versions import ADDONS

ADDON = "hyperpod-task-governance"
COUNTED_ELSEWHERE = "hugepages-"
"""Resources of pods that its ClusterQueues do not cover. Kueue admits no pod that requests a resource without a quota,
so the rehearsal's Kueue ignores them."""

_GPU, _NEURON = "nvidia.com/gpu", "aws.amazon.com/neurondevice"
_COVERED = ("cpu", "memory", _GPU, _NEURON, EFA_RESOURCE)
"""From the status of a ClusterQueue in AWS's walkthrough."""
_COHORT = "hyperpod"
_UNALLOCATED = "hyperpod-ns-idle-resource-sharing-cq-1"
_INSTANCE_TYPE = "node.kubernetes.io/instance-type"
_OF_NAMESPACE = {
    "sagemaker.amazonaws.com/activate-quota": "Enabled",
    "sagemaker.amazonaws.com/sagemaker-managed-queue": "true",
}

Amounts = Mapping[str, float]
"""Resource -> amount: CPUs, GiB of memory, devices."""


def has_teams(blueprint: Blueprint) -> bool:
    """Whether the description has the add-on, and teams with quotas."""
    described = governance_of(blueprint)
    return ADDON in blueprint.described.addons.chosen and described is not None and bool(described.teams)


def team_objects(blueprint: Blueprint) -> tuple[JsonObject, ...]:
    """Namespaces, flavors, queues and priority classes; none without teams."""
    described = governance_of(blueprint)
    if not has_teams(blueprint) or described is None or blueprint.hyperpod is None:
        return ()
    quotas = blueprint.hyperpod.quotas
    return (
        *(_namespace(team) for team in sorted(described.teams)),
        *(_flavor(kind) for kind in sorted({str(each.instance_type) for quota in quotas for each in quota.amounts})),
        *(_cluster_queue(each) for each in quotas),
        *(_local_queue(team) for team in sorted(described.teams)),
        *(_priority(name, weight) for name, weight in sorted(described.priorities.items())),
        *((_unallocated(blueprint, quotas),) if described.share_unallocated else ()),
    )


def paths_of_queues(blueprint: Blueprint) -> Mapping[str, str]:
    """ClusterQueue -> the key of the description that sets its quota."""
    described = governance_of(blueprint) if has_teams(blueprint) else None
    teams = described.teams if described else {}
    return {team_cluster_queue(team): f"hyperpod.task-governance.teams.{team}.quota" for team in teams}


def namespaces(blueprint: Blueprint) -> frozenset[str]:
    """The namespaces that HyperPod creates for the teams."""
    described = governance_of(blueprint) if has_teams(blueprint) else None
    return frozenset(map(team_namespace, described.teams)) if described else frozenset()


def simulated_queues(blueprint: Blueprint) -> tuple[SimulatedPart, ...]:
    """What the report states about these queues."""
    if not has_teams(blueprint):
        return ()
    why = (
        "SageMaker creates the queues, and publishes neither them nor Kueue's configuration: fair-share weights have "
        "no effect here, and huge pages have no quota"
    )
    by = f"Kueue {ADDONS['kueue'].version}, with the quotas of the teams"
    return (SimulatedPart("queues of task governance", by, why),)


def unqueued_cause(blueprint: Blueprint, namespace: str, queue: str | None) -> Cause | None:
    """Why the add-on denies the job's pods on AWS; None if it accepts them (docs/facts/addons.md#task-governance)."""
    described = governance_of(blueprint) if has_teams(blueprint) else None
    for team in described.teams if described and not queue else ():
        if namespace == team_namespace(team):
            return Cause(
                "queue-not-set",
                f"task governance denies pods in namespace {namespace} without a queue, and the job sets none",
                f"set the job's label kueue.x-k8s.io/queue-name: {team_queue(team)}",
                "hyperpod.task-governance",
            )
    return None


def _namespace(team: str) -> JsonObject:
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": team_namespace(team), "labels": dict(_OF_NAMESPACE)},
    }


def _of_kueue(kind: str, name: str, spec: JsonObject, namespace: str = "") -> JsonObject:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": KUEUE.api_version, "kind": kind, "metadata": metadata, "spec": spec}


def _flavor(instance_type: str) -> JsonObject:
    return _of_kueue("ResourceFlavor", instance_type, {"nodeLabels": {_INSTANCE_TYPE: instance_type}})


def _local_queue(team: str) -> JsonObject:
    return _of_kueue("LocalQueue", team_queue(team), {"clusterQueue": team_cluster_queue(team)}, team_namespace(team))


def _priority(name: str, weight: int) -> JsonObject:
    metadata = {"name": priority_class(name)}
    return {
        "apiVersion": KUEUE.api_version,
        "kind": "WorkloadPriorityClass",
        "metadata": metadata,
        "value": weight,
        "description": "",
    }


def _cluster_queue(quota: ComputeQuota[Derived]) -> JsonObject:
    most = {each.instance_type: each for each in quota.borrow_limits}
    borrows, lends = quota.strategy == "LendAndBorrow", quota.strategy != "DontLend"
    flavors = []
    for each in quota.amounts:
        machine = _machine(each)
        amounts = _amounts(quota_resources(each, machine), machine)
        limit: Amounts = dict.fromkeys(amounts, 0.0)
        if borrows and each.instance_type in most:
            limit = _amounts(quota_resources(most[each.instance_type], machine), machine)
        elif borrows and quota.borrow_percent is not None:
            limit = {name: amount * quota.borrow_percent / 100 for name, amount in amounts.items()}
        elif borrows:
            limit = {}
        flavors.append(_flavor_quotas(str(each.instance_type), amounts, limit, lends=lends))
    return _queue(team_cluster_queue(str(quota.team)), flavors, str(quota.preemption), team_namespace(str(quota.team)))


def _unallocated(blueprint: Blueprint, quotas: Iterable[ComputeQuota[Derived]]) -> JsonObject:
    """What is in no team's quota: the nodes of the cluster, less the quotas (SageMaker guide, "How unallocated resource
    sharing works")."""
    nodes: dict[str, int] = {}
    for group in blueprint.instance_groups:
        kind = group.described.instance_type
        nodes[kind] = nodes.get(kind, 0) + group.described.nodes_now.max
    given = [each for quota in quotas for each in quota.amounts]
    flavors = []
    for kind in sorted({str(each.instance_type) for each in given}):
        machine = hardware(kind.removeprefix(ML))
        every = _amounts(quota_resources(QuotaAmount(kind, instances=nodes.get(kind, 0)), machine), machine)
        own = [_amounts(quota_resources(each, machine), machine) for each in given if each.instance_type == kind]
        left = {name: max(0.0, every[name] - sum(each[name] for each in own)) for name in every}
        flavors.append(_flavor_quotas(kind, left, dict.fromkeys(left, 0.0), lends=True))
    return _queue(_UNALLOCATED, flavors, "Never", None)


def _queue(name: str, flavors: list[JsonObject], own_preemption: str, namespace: str | None) -> JsonObject:
    return _of_kueue(
        "ClusterQueue",
        name,
        {
            "cohortName": _COHORT,
            "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}} if namespace else None,
            "preemption": {
                # The team that lends compute takes it back from jobs of other teams.
                "reclaimWithinCohort": "Any",
                # A job with borrowed quota may be stopped by one of higher priority.
                "borrowWithinCohort": {"policy": "LowerPriority"},
                "withinClusterQueue": own_preemption,
            },
            "resourceGroups": [{"coveredResources": list(_COVERED), "flavors": flavors}],
        },
    )


def _flavor_quotas(kind: str, amounts: Amounts, limits: Amounts, *, lends: bool) -> JsonObject:
    resources: list[dict[str, Any]] = []
    for name in _COVERED:
        entry = {"name": name, "nominalQuota": _text(name, amounts[name])}
        if name in limits:
            entry["borrowingLimit"] = _text(name, limits[name])
        if not lends:
            entry["lendingLimit"] = "0"
        resources.append(entry)
    return {"name": kind, "resources": resources}


def _machine(amount: QuotaAmount[Derived]) -> Hardware:
    return hardware(str(amount.instance_type).removeprefix(ML))


def _amounts(resources: QuotaResources, machine: Hardware) -> Amounts:
    """The amounts of the covered resources. EFA interfaces have the share of the accelerators, else of the vCPUs."""
    share = resources.accelerators / machine.accelerators if machine.accelerators else resources.vcpus / machine.vcpus
    return {
        "cpu": resources.vcpus,
        "memory": resources.memory_gib,
        _GPU: resources.accelerators if machine.accelerator is Accelerator.GPU else 0.0,
        _NEURON: resources.accelerators if machine.accelerator is Accelerator.NEURON else 0.0,
        EFA_RESOURCE: share * machine.max_efa,
    }


def _text(name: str, amount: float) -> str:
    """As a Kubernetes quantity; devices are whole, and rounded down."""
    if name == "cpu":
        return f"{round(amount * 1000)}m"
    if name == "memory":
        return f"{round(amount * 1024)}Mi"
    return str(int(amount + 1e-9))

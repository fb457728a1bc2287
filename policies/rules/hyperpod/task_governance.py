"""Quotas of teams in HyperPod's task governance."""

from collections.abc import Iterable, Iterator, Mapping

from muster.finding import Level
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, ComputeQuota, EksAddon, Fleet, HyperPodCluster, QuotaAmount
from muster.fleet.resources.task_governance import QuotaResources, quota_resources
from muster.hardware.catalogue import Hardware
from muster.hardware.hyperpod_types import ML, hyperpod_types, machine_of
from muster.policies.engine.finding_text import and_list, or_list, quantity_text
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.hyperpod import control_plane_of, display_name, groups_of
from muster.policies.lookups.installed_addons import name_of, ordered_addons
from muster.unknown import UNKNOWN


def _unknown(amounts: tuple[QuotaAmount, ...] | object) -> bool:
    return not isinstance(amounts, tuple) or not all(each.known for each in amounts)


def _label(quota: ComputeQuota) -> str:
    return (
        f"the quota of team {quota.team}" if isinstance(quota.team, str) and quota.team else f"quota {quota.ref.name}"
    )


@rule(
    "hyperpod-quotas-fit-cluster",
    title="The quotas of all teams together are not more than the instances of the cluster",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="A quota is what a team always gets. If the quotas add up to more than the cluster has, Kueue admits jobs for "
    "which there are no nodes, and their pods wait as pending. A borrow limit of a type that the cluster does not have "
    "limits nothing.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-console-ui-governance-policies.html",
    ),
    remedy="Lower the quotas, or raise the number of instances.",
    facts=("addons.md#task-governance",),
)
def hyperpod_quotas_fit_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    quotas = _quotas_of(cluster, fleet)
    if not quotas or cluster.autoscaler not in (None, UNKNOWN):
        return  # Karpenter adds instances: no document states up to which number
    unknown = [_label(each) for each in quotas if UNKNOWN in (each.amounts, each.enabled) or _unknown(each.amounts)]
    if unknown:
        missing = f"the instance types and amounts of {and_list(unknown)} (known only after `pulumi up`)"
        yield rule.unjudged(cluster.place, missing)
        return
    if cluster.autoscaler is UNKNOWN or not (there := _instances(cluster, fleet)).known:
        yield rule.unjudged(
            cluster.place,
            f"the number of instances of each type in {display_name(cluster)} (known only after `pulumi up`)",
        )
        return
    for kind, wanted in _wanted(quotas).items():
        machine = machine_of(kind)
        if machine is None:
            if kind in hyperpod_types():
                yield rule.unjudged(cluster.place, f"the hardware of {kind}, which Muster does not know")
            continue
        yield from _beyond(cluster, quotas, kind, wanted, machine, there.of, rule)
    yield from _borrows_other_types(cluster, quotas, there.of, rule)


def _borrows_other_types(
    cluster: HyperPodCluster, quotas: Iterable[ComputeQuota], instances: Mapping[str, int], rule: Rule
) -> Iterator[Verdict]:
    """The limits for types that the cluster does not have, which limit nothing."""
    for quota in quotas:
        limits = quota.borrow_limits if isinstance(quota.borrow_limits, tuple) else ()
        types = {each.instance_type for each in limits if isinstance(each.instance_type, str)}
        for kind in sorted(types - {each.instance_type for each in _listed(quota)} - instances.keys()):
            yield rule.finding(
                cluster.place,
                at="task-governance.teams",
                got=f"team {quota.team} has a borrow limit of {kind}, but {display_name(cluster)} has no such instance",
                remedy=_other_type(each.removeprefix(ML) for each in sorted(instances)),
                program_remedy=_other_type(sorted(instances)),
            )


class _Instances:
    """The instances of a cluster by type."""

    def __init__(self) -> None:
        self.of: dict[str, int] = {}
        self.known = True


def _instances(cluster: HyperPodCluster, fleet: Fleet) -> _Instances:
    found = _Instances()
    found.known = cluster.groups_known
    for group in groups_of(cluster, fleet):
        types = group.instance_types
        if types is UNKNOWN or group.nodes_max is UNKNOWN or len(types) != 1:
            found.known = False
        else:
            found.of[types[0]] = found.of.get(types[0], 0) + group.nodes_max
    return found


def _quotas_of(cluster: HyperPodCluster, fleet: Fleet) -> list[ComputeQuota]:
    return [each for each in fleet.of(ComputeQuota) if each.cluster == cluster.ref and each.enabled is not False]


def _wanted(quotas: Iterable[ComputeQuota]) -> Mapping[str, QuotaResources]:
    """Instance type -> what all teams together get of it."""
    found: dict[str, QuotaResources] = {}
    for quota in quotas:
        for amount in quota.amounts if isinstance(quota.amounts, tuple) else ():
            kind = str(amount.instance_type)
            machine = machine_of(kind)
            more = quota_resources(amount, machine) if machine else QuotaResources(0, 0, 0)
            found[kind] = found.get(kind, QuotaResources(0, 0, 0)) + more
    return found


_ROUNDING = 1.001
"""Shares of an instance are rounded."""


def _beyond(
    cluster: HyperPodCluster,
    quotas: list[ComputeQuota],
    kind: str,
    wanted: QuotaResources,
    machine: Hardware,
    instances: Mapping[str, int],
    rule: Rule,
) -> Iterator[Verdict]:
    """The first resource of which the teams get more than there is."""
    there, others = instances.get(kind, 0), sorted(instances)
    has = QuotaResources(machine.accelerators, machine.vcpus, machine.memory_mib / 1024) * there
    words = {"accelerators": "accelerators", "vcpus": "vCPUs", "memory_gib": "GiB of memory"}
    over = next(
        (field for field in QuotaResources._fields if getattr(wanted, field) > getattr(has, field) * _ROUNDING), None
    )
    if over is None:
        return
    teams = [str(each.team) for each in quotas if any(one.instance_type == kind for one in _listed(each))]
    amount, capacity = f"{getattr(wanted, over):g}", f"{getattr(has, over):g}"
    count = quantity_text(there, "instance")
    got = (
        f"the quotas of {and_list(teams)} add up to {amount} {words[over]} of {kind}, but {display_name(cluster)} has "
        f"{capacity} ({count})"
        if there
        else f"{and_list(teams)} {'has' if len(teams) == 1 else 'have'} a quota of {kind}, but {display_name(cluster)} "
        "has no such instance"
    )
    yield rule.finding(
        cluster.place,
        at="task-governance.teams",
        got=got,
        remedy="lower the quotas, or raise the number of instances of the groups"
        if there
        else _other_type(each.removeprefix(ML) for each in others),
        program_remedy="lower computeQuotaResources, or raise instanceCount of the groups"
        if there
        else _other_type(others),
    )


def _other_type(others: Iterable[str]) -> str:
    return f"use a type of the cluster ({or_list(others)}), or add a group of this type"


def _listed(quota: ComputeQuota) -> tuple[QuotaAmount, ...]:
    return quota.amounts if isinstance(quota.amounts, tuple) else ()


_ADDON = "amazon-sagemaker-hyperpod-taskgovernance"


@rule(
    "hyperpod-quotas-after-task-governance",
    title="A cluster with quotas of teams has the add-on of task governance, and the quotas come after it",
    level=Level.ADVISORY,
    severity=Severity.HIGH,
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="The add-on contains the Kueue that enforces the quotas. A policy that is created before the add-on is "
    "complete ends as CreateFailed, and must be deleted and created again.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-operate-console-ui-governance-setup.html",
        "https://github.com/aws/sagemaker-hyperpod-cli/blob/011ca927123e/examples/end_to_end_walkthrough/00-getting-started/00-setup.md",
    ),
    remedy="Install the EKS add-on amazon-sagemaker-hyperpod-taskgovernance, and make the quotas depend on it.",
    facts=("addons.md#task-governance",),
)
def hyperpod_quotas_after_task_governance(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    quotas = _quotas_of(cluster, fleet)
    if not quotas:
        return
    every = ordered_addons(fleet)
    installed = [each for each in every if name_of(each) in (_ADDON, "hyperpod-task-governance")]
    if not installed:
        yield from _without_addon(cluster, every, fleet, rule)
        return
    early = [
        each for each in quotas if not each.place.described and not any(one.ref in each.after for one in installed)
    ]
    if early:
        got = f"{and_list(map(_label, early))} may be created before the add-on {installed[0].ref.name} is complete"
        yield rule.finding(cluster.place, got, f"add {installed[0].ref.name} to the dependsOn option of the quota")


def _without_addon(
    cluster: HyperPodCluster, every: Iterable[Addon | EksAddon], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if any(name_of(each) is UNKNOWN for each in every):
        yield rule.unjudged(cluster.place, "the add-ons that are installed (known only after `pulumi up`)")
        return
    plane, _ = control_plane_of(cluster, fleet)
    if plane is None or plane.existing:
        known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts and plane else None
        there = known.eks_addons if known else None
        if there is None:
            if plane is None or not fleet.gone(ResourceKind.CLUSTER, plane.name):
                yield rule.unjudged(cluster.place, fleet.missing(f"whether the EKS cluster has the add-on {_ADDON}"))
            return
        if _ADDON in there:
            return
    got = f"{display_name(cluster)} has quotas of teams, but its EKS cluster has no add-on {_ADDON}"
    yield rule.finding(
        cluster.place,
        got=got,
        remedy="add `hyperpod-task-governance: {}` to addons",
        program_remedy=f"install the EKS add-on {_ADDON}, and make the quotas depend on it",
    )

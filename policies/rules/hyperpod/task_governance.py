"""Quotas of teams in HyperPod's task governance."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from muster.finding import Level
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ComputeQuota, Fleet, HyperPodCluster
from muster.fleet.resources.task_governance import QuotaResources, quota_resources
from muster.hardware.hyperpod_types import hyperpod_types, machine_of
from muster.message_text import count_noun, or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.hyperpod import control_plane_of, display_name, groups_of
from muster.policies.lookups.installed_addons import name_of, ordered_addons
from muster.unknown import NotKnown, if_known, stored


def _team(quota: ComputeQuota) -> str:
    return stored(quota, "team", None) or quota.ref.name


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
    if not quotas or cluster.autoscaler is not None:
        return  # Karpenter adds instances: no document states up to which number
    there = _instances(cluster, fleet)
    wanted = _wanted(quotas).items()
    yield from rule.each(wanted, lambda each: _beyond(*each, cluster, quotas, there, rule), cluster.place)
    yield from rule.each(quotas, lambda each: _borrows_other_types(each, cluster, there, rule), cluster.place)


def _borrows_other_types(
    quota: ComputeQuota, cluster: HyperPodCluster, instances: Mapping[str, int], rule: Rule
) -> Iterator[Verdict]:
    """The limits for types that the cluster does not have, which limit nothing."""
    types = {each.instance_type for each in quota.borrow_limits if each.instance_type}
    for kind in sorted(types - {each.instance_type for each in quota.amounts} - instances.keys()):
        got = f"team {_team(quota)} has a borrow limit of {kind}, but {display_name(cluster)} has no such instance"
        yield rule.finding(cluster, "task-governance.teams", got=got, change=_other_type(instances))


def _instances(cluster: HyperPodCluster, fleet: Fleet) -> Mapping[str, int]:
    """The instances of a cluster by type."""
    groups, found = groups_of(cluster, fleet), Counter[str]()
    if not cluster.groups_known or any(len(group.instance_types) != 1 for group in groups):
        raise NotKnown(f"the number of instances of each type in {display_name(cluster)}")
    for group in groups:
        found[group.instance_types[0]] += group.nodes_max
    return found


def _quotas_of(cluster: HyperPodCluster, fleet: Fleet) -> list[ComputeQuota]:
    every = fleet.having(ComputeQuota, "cluster", cluster.ref)
    return [each for each in every if stored(each, "enabled") is not False]


def _wanted(quotas: Iterable[ComputeQuota]) -> Mapping[str, QuotaResources]:
    """Instance type -> what all teams together get of it."""
    found: dict[str, QuotaResources] = {}
    for amount in (amount for quota in quotas if quota.enabled for amount in quota.amounts):
        kind = str(amount.instance_type)
        machine = machine_of(kind)
        more = quota_resources(amount, machine) if machine else QuotaResources(0, 0, 0)
        found[kind] = found.get(kind, QuotaResources(0, 0, 0)) + more
    return found


_ROUNDING = 1.001
"""Shares of an instance are rounded."""


def _beyond(
    kind: str,
    wanted: QuotaResources,
    cluster: HyperPodCluster,
    quotas: list[ComputeQuota],
    instances: Mapping[str, int],
    rule: Rule,
) -> Iterator[Verdict]:
    """The first resource of which the teams get more than there is."""
    machine = machine_of(kind)
    if machine is None:
        if kind in hyperpod_types():
            raise NotKnown(f"the hardware of {kind}, which Muster does not know")
        return
    there = instances.get(kind, 0)
    has = QuotaResources(machine.accelerators, machine.vcpus, machine.memory_mib / 1024) * there
    words = {"accelerators": "accelerators", "vcpus": "vCPUs", "memory_gib": "GiB of memory"}
    over = next(
        (field for field in QuotaResources._fields if getattr(wanted, field) > getattr(has, field) * _ROUNDING), None
    )
    if over is None:
        return
    teams = [_team(each) for each in quotas if any(one.instance_type == kind for one in each.amounts)]
    got = (
        f"the quotas of {and_list(teams)} add up to {getattr(wanted, over):g} {words[over]} of {kind}, but "
        f"{display_name(cluster)} has {getattr(has, over):g} ({count_noun(there, 'instance')})"
        if there
        else f"{and_list(teams)} {'has' if len(teams) == 1 else 'have'} a quota of {kind}, but {display_name(cluster)} "
        "has no such instance"
    )
    lower = "lower the quotas, or raise the number of instances of the groups"
    yield rule.finding(cluster, "task-governance.teams", got=got, change=lower if there else _other_type(instances))


def _other_type(instances: Iterable[str]) -> str:
    return f"use a type of the cluster ({or_list(sorted(instances))}), or add a group of this type"


_ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
_NAMES = (_ADDON, "hyperpod-task-governance")


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
    installed = [each for each in every if if_known(lambda: name_of(each)) in _NAMES]
    installed = installed or [each for each in every if name_of(each) in _NAMES]  # an unknown name may be one of these
    if not installed:
        yield from _without_addon(cluster, fleet, rule)
        return
    early = [
        each for each in quotas if not each.place.described and not any(one.ref in each.after for one in installed)
    ]
    if early:
        addon, of = installed[0].ref.name, and_list(map(_team, early))
        got = f"the quota of {of} may be created before the add-on {addon} is complete"
        yield rule.finding(cluster, "", got=got, change=f"make the quota depend on {addon}")


def _without_addon(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plane = control_plane_of(cluster, fleet)
    if plane is None or plane.existing:
        if plane and fleet.gone(ResourceKind.CLUSTER, plane.name):
            return
        there = fleet.cluster_facts(plane.name if plane else None).eks_addons
        if _ADDON in fleet.need(there, f"whether the EKS cluster has the add-on {_ADDON}"):
            return
    got = f"{display_name(cluster)} has quotas of teams, but its EKS cluster has no add-on {_ADDON}"
    yield rule.finding(
        cluster,
        "",
        got=got,
        change="install it before the quotas (in a description: addons.hyperpod-task-governance)",
    )

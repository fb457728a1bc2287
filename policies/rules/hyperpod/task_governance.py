"""Quotas of teams in HyperPod's task governance."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ComputeQuota, Fleet, HyperPodCluster
from muster.fleet.resources.task_governance import QuotaResources, quota_resources
from muster.hardware.hyperpod_types import hyperpod_types, machine_of
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import control_plane_of, display_name, groups_of
from muster.policies.lookups.installed_addons import name_of, ordered_addons
from muster.unknown import UNKNOWN, NotKnown, if_known, stored


def _team(quota: ComputeQuota) -> str:
    return stored(quota, "team", None) or quota.ref.name


def hyperpod_quotas_fit_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    quotas, unclear = _quotas_of(cluster, fleet), fleet.having(ComputeQuota, "cluster", UNKNOWN)
    if not (quotas or unclear) or cluster.autoscaler is not None:
        return  # Karpenter adds instances: no document states up to which number
    there = _instances(cluster, fleet)
    change = f"use no more than the cluster has, and of its types ({or_list(sorted(there))}); or add instances"

    def within(wanted: tuple[str, QuotaResources]) -> Iterator[Verdict]:
        if over := _beyond(*wanted, there.get(wanted[0], 0)):
            teams = [_team(each) for each in quotas if any(one.instance_type == wanted[0] for one in each.amounts)]
            got = f"of {wanted[0]}, {and_list(teams)} get {over} of {display_name(cluster)}"
            yield rule.finding(cluster, "task-governance.teams", got=got, change=change)

    def borrowed(quota: ComputeQuota) -> Iterator[Verdict]:
        types = {each.instance_type for each in quota.borrow_limits if each.instance_type}
        # A limit of what the cluster does not have limits nothing.
        for kind in sorted(types - {each.instance_type for each in quota.amounts} - there.keys()):
            got = f"team {_team(quota)} has a borrow limit of {kind}, which {display_name(cluster)} does not have"
            yield rule.finding(cluster, "task-governance.teams", got=got, change=change)

    yield from rule.each(_wanted(quotas).items(), within, cluster.place)
    yield from rule.each(quotas, borrowed, cluster.place)
    if unclear:
        raise NotKnown(f"which cluster the quota of {and_list(map(_team, unclear))} is for")


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
_WORDS = {"accelerators": "accelerators", "vcpus": "vCPUs", "memory_gib": "GiB of memory"}


def _beyond(kind: str, wanted: QuotaResources, instances: int) -> str:
    """The first resource of which the teams get more than there is: ``16 of 8 accelerators``."""
    machine = machine_of(kind)
    if machine is None:
        if kind in hyperpod_types():
            raise NotKnown(f"the hardware of {kind}, which Muster does not know")
        return ""
    has = QuotaResources(machine.accelerators, machine.vcpus, machine.memory_mib / 1024) * instances
    each = ((getattr(wanted, field), getattr(has, field), words) for field, words in _WORDS.items())
    return next((f"{most:g} of {all_:g} {words}" for most, all_, words in each if most > all_ * _ROUNDING), "")


_ADDON = "amazon-sagemaker-hyperpod-taskgovernance"
_NAMES = (_ADDON, "hyperpod-task-governance")


def hyperpod_quotas_after_task_governance(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    quotas, every = _quotas_of(cluster, fleet), ordered_addons(fleet)
    if not quotas:
        return
    installed = [each for each in every if if_known(lambda: name_of(each)) in _NAMES]
    installed = installed or [each for each in every if name_of(each) in _NAMES]  # an unknown name may be one of these
    early = [each for each in quotas if not (each.place.described or any(one.ref in each.after for one in installed))]
    if installed and early:
        addon, of = installed[0].ref.name, and_list(map(_team, early))
        got = f"the quota of {of} may be created before the add-on {addon} is complete"
        yield rule.finding(cluster, "", got=got, change=f"make the quota depend on {addon}")
    elif not installed and not _installed_there(cluster, fleet):
        got = f"{display_name(cluster)} has quotas of teams, but its EKS cluster has no add-on {_ADDON}"
        change = "install it before the quotas (in a description: addons.hyperpod-task-governance)"
        yield rule.finding(cluster, "", got=got, change=change)


def _installed_there(cluster: HyperPodCluster, fleet: Fleet) -> bool:
    """Whether an existing EKS cluster has the add-on, or does not exist."""
    plane = control_plane_of(cluster, fleet)
    if plane and (not plane.existing or fleet.gone(ResourceKind.CLUSTER, plane.name)):
        return plane.existing
    there = fleet.cluster_facts(plane.name if plane else None).eks_addons
    return _ADDON in fleet.need(there, f"whether the EKS cluster has the add-on {_ADDON}")

"""SageMaker's quotas for HyperPod."""

from collections.abc import Iterator, Mapping

from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.hardware.hyperpod_quotas import (
    IN_ALL_CLUSTERS,
    IN_ONE_CLUSTER,
    LARGEST_VOLUME,
    ON_SPOT,
    instance_quota,
    request,
)
from muster.hardware.hyperpod_types import hyperpod_types
from muster.message_text import count_noun
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed, unknown_use, used_by_others
from muster.policies.lookups.hyperpod import Sharing, groups_of
from muster.unknown import NotKnown, if_known, stored


@rule(
    "hyperpod-quota-covers-cluster",
    title="SageMaker's quotas for one cluster and for all clusters cover the HyperPod cluster",
    judges=HyperPodCluster,
    backends=IN_HYPERPOD,
    why="Besides the quota of each type, SageMaker limits the instances of one HyperPod cluster (20 in a new account), "
    "the instances of all clusters together, the spot instances among them, and the size of volumes.",
    source=("https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html",),
    remedy="Request a quota increase before you create the cluster.",
    facts=("rules.md#37", "pains.md#8"),
)
def hyperpod_quota_covers_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is not None:
        wanted = _wanted(groups_of(cluster, fleet))
        yield from rule.each(wanted, lambda each: _of_cluster(*each, cluster, fleet, rule), cluster.place)


def _of_cluster(
    name: str, wanted: int, words: str, cluster: HyperPodCluster, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    allowed = _allowed(name, fleet)
    if allowed is None and not facts_observed(fleet):
        return  # facts that a person wrote before this rule existed do not have it
    allowed = fleet.need(allowed, f"the value of quota '{name}', which must be {wanted} or more")
    used = _used(name, fleet) if name in (IN_ALL_CLUSTERS, ON_SPOT) else 0
    together = wanted + (used or 0)
    if together > allowed:
        beside = f", and other clusters use {used} of them" if used else ""
        got = f"the cluster requests {words}, but quota '{name}' allows {allowed}{beside}"
        change = f"request an increase: {request(name, together)}; or request less"
        yield rule.finding(cluster, "", got=got, change=change)
    elif used is None:
        raise NotKnown(unknown_use(f"'{name}'", allowed, wanted, fleet))


def _allowed(quota: str, fleet: Fleet) -> int | None:
    return fleet.facts.hyperpod_quotas.get(quota) if fleet.facts else None


def _used(quota: str, fleet: Fleet) -> int | None:
    return used_by_others(fleet.facts.hyperpod_quotas_used if fleet.facts else None, quota, fleet)


def _wanted(groups: tuple[InstanceGroup, ...]) -> Iterator[tuple[str, int, str]]:
    """Quotas with the number of requested instances, as far as it is known, and the number as text."""
    every = sum(stored(each, "nodes_start", 0) for each in groups)
    spot = sum(stored(each, "nodes_start", 0) for each in groups if stored(each, "spot", False))
    for name in (IN_ONE_CLUSTER, IN_ALL_CLUSTERS) if every else ():
        yield name, every, count_noun(every, "instance")
    if spot:
        yield ON_SPOT, spot, count_noun(spot, "spot instance")
    largest = max((stored(one, "gib", 0) or 0 for each in groups for one in stored(each, "volumes", ())), default=0)
    if largest:
        yield LARGEST_VOLUME, largest, f"a volume of {largest} GB"


@rule(
    "hyperpod-quota-covers-nodes",
    title="SageMaker's quota for an instance type covers all its instances",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="HyperPod has its own quota for each type (`ml.p5.48xlarge for cluster usage`), which is 0 in a new account. "
    "EC2's quotas do not count. Beyond the quota, HyperPod rolls the cluster back. Instances of a training plan count "
    "against other quotas, and this rule does not count them.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-prerequisites.html",
        "https://github.com/awslabs/awsome-distributed-ai/issues/198",
    ),
    remedy="Request a quota increase before you create the cluster.",
    facts=("rules.md#37", "pains.md#8"),
)
def hyperpod_quota_covers_nodes(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if stored(group, "training_plan") is not None:
        return
    types = sorted({each for each in group.instance_types if each in hyperpod_types()})
    quotas = [_quota(each, fleet, spot=group.spot) for each in types]
    if not types:
        return  # hyperpod-instance-type-taken reports the types
    # The number of instances of each of several types is not known.
    alone = len(group.instance_types) > 1
    sharing = Sharing.of([group]) if alone else _sharing(fleet)[group.instance_types, group.spot]
    wanted = sharing.wanted
    if unknown := [each for each in quotas if _allowed(each, fleet) is None]:
        raise NotKnown(fleet.missing(f"the value of quota {and_list(unknown)}, which must be {wanted} or more"))
    allowed = sum(_allowed(each, fleet) or 0 for each in quotas)
    used = [_used(each, fleet) for each in quotas]
    others = sum(each or 0 for each in used)
    names = [f"'{each}'" for each in quotas]
    if sharing.more_than(allowed - others):
        which = f"quotas {and_list(names)} together allow" if len(names) > 1 else f"quota {names[0]} allows"
        beside = f", and other clusters use {others} of them" if others else ""
        increase = request(quotas[0], (_allowed(quotas[0], fleet) or 0) + wanted + others - allowed)
        got = f"{sharing.requests} {count_noun(wanted, 'instance')}, but {which} {allowed}{beside}"
        change = f"request an increase: {increase}; or request fewer instances"
        yield rule.finding(group, "nodes", got=got, change=change)
    elif None in used:
        raise NotKnown(unknown_use(and_list(names), allowed, wanted, fleet))


@cached_by_identity(4)
def _sharing(fleet: Fleet) -> Mapping[object, Sharing]:
    """Types, and whether they are spot instances -> the groups that count against one quota."""
    return Sharing.by(
        (each for each in fleet.of(InstanceGroup) if stored(each, "training_plan") is None),
        lambda each: if_known(lambda: (each.instance_types, each.spot)),
    )


def _quota(instance_type: str, fleet: Fleet, *, spot: bool) -> str:
    """The quota's name in Service Quotas. SageMaker's guide does not document the name for spot instances, so it is the
    quota among the facts whose name has the type, "spot" and "cluster"."""
    every = sorted(fleet.facts.hyperpod_quotas) if fleet.facts else []
    ours = [each for each in every if each.startswith(f"{instance_type} ") and "cluster" in each and "spot" in each]
    if spot:
        return ours[0] if ours else instance_quota(instance_type, spot=True)
    return instance_quota(instance_type, spot=False)

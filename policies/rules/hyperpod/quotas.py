"""SageMaker's quotas for HyperPod."""

from collections.abc import Iterator, Mapping

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
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import exceeds_quota, unknown_use, used_by_others
from muster.policies.lookups.hyperpod import Sharing, groups_of
from muster.unknown import NotKnown, if_known, stored


def hyperpod_quota_covers_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is not None:
        wanted = _wanted(groups_of(cluster, fleet))
        yield from rule.each(wanted, lambda each: _of_cluster(*each, cluster, fleet, rule), cluster.place)


def _of_cluster(name: str, wanted: int, cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    allowed, used = _allowed(name, fleet), _used(name, fleet) if name in (IN_ALL_CLUSTERS, ON_SPOT) else 0
    if exceeds_quota(f"'{name}'", wanted, allowed, used, fleet):
        beside = f", and other clusters use {used} of them" if used else ""
        got = f"the cluster requests {wanted} of quota '{name}', which allows {allowed}{beside}"
        change = f"request an increase: {request(name, wanted + (used or 0))}; or request less"
        yield rule.finding(cluster, "", got=got, change=change)


def _allowed(quota: str, fleet: Fleet) -> int | None:
    return fleet.facts.hyperpod_quotas.get(quota) if fleet.facts else None


def _used(quota: str, fleet: Fleet) -> int | None:
    return used_by_others(fleet.facts.hyperpod_quotas_used if fleet.facts else None, quota, fleet)


def _wanted(groups: tuple[InstanceGroup, ...]) -> Iterator[tuple[str, int]]:
    """Quotas, and what the groups request of each, as far as it is known and not nothing."""
    starting = [(each, stored(each, "nodes_start", 0)) for each in groups]
    sizes = (stored(one, "gib", 0) or 0 for each in groups for one in stored(each, "volumes", ()))
    wanted = {
        **dict.fromkeys((IN_ONE_CLUSTER, IN_ALL_CLUSTERS), sum(count for _, count in starting)),
        ON_SPOT: sum(count for each, count in starting if stored(each, "spot", False)),
        LARGEST_VOLUME: max(sizes, default=0),
    }
    return ((name, number) for name, number in wanted.items() if number)


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
    if unknown := [each for each in quotas if _allowed(each, fleet) is None]:
        what = f"the value of quota {and_list(unknown)}, which must be {sharing.wanted} or more"
        raise NotKnown(fleet.missing(what))
    allowed, used = sum(_allowed(each, fleet) or 0 for each in quotas), [_used(each, fleet) for each in quotas]
    others, names = sum(each or 0 for each in used), and_list(f"'{each}'" for each in quotas)
    if sharing.more_than(allowed - others):
        beside = f", and other clusters use {others} of them" if others else ""
        increase = request(quotas[0], (_allowed(quotas[0], fleet) or 0) + sharing.wanted + others - allowed)
        got = f"{sharing.requests}, but the limit of quota {names} is {allowed}{beside}"
        yield rule.finding(group, "nodes", got=got, change=f"request an increase: {increase}; or fewer instances")
    elif None in used:
        raise NotKnown(unknown_use(names, allowed, sharing.wanted, fleet))


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
    every = sorted(fleet.facts.hyperpod_quotas) if spot and fleet.facts else []
    ours = (each for each in every if each.startswith(f"{instance_type} ") and "cluster" in each and "spot" in each)
    return next(ours, instance_quota(instance_type, spot=spot))

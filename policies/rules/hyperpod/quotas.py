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
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed, unknown_use, used_by_others
from muster.policies.lookups.hyperpod import Sharing, display_name, groups_of
from muster.unknown import UNKNOWN


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
    if fleet.facts is None:
        return
    for name, wanted, words in _wanted(groups_of(cluster, fleet)):
        allowed = fleet.facts.hyperpod_quotas.get(name)
        if allowed is None:
            if facts_observed(fleet):  # facts that a person wrote before this rule existed do not have it
                yield rule.unjudged(
                    cluster.place, fleet.missing(f"the value of quota '{name}', which must be {wanted} or more")
                )
            continue
        used = (
            used_by_others(fleet.facts.hyperpod_quotas_used, name, fleet) if name in (IN_ALL_CLUSTERS, ON_SPOT) else 0
        )
        together = wanted + (used or 0)
        if together > allowed:
            beside = f", and other clusters use {used} of them" if used else ""
            yield rule.finding(
                cluster.place,
                got=f"the cluster requests {words}, but quota '{name}' allows {allowed}{beside}",
                remedy=f"request an increase: {request(name, together)}; or request less",
                program_remedy=f"request an increase: {request(name, together)}; or lower instanceCount",
            )
        elif used is None:
            yield rule.unjudged(cluster.place, unknown_use(f"'{name}'", allowed, wanted, fleet))


def _wanted(groups: tuple[InstanceGroup, ...]) -> Iterator[tuple[str, int, str]]:
    """Quotas with the number of requested instances, as far as it is known, and the number as text."""
    known = [(each.nodes_start, each.spot is True) for each in groups if each.nodes_start is not UNKNOWN]
    every, spot = sum(count for count, _ in known), sum(count for count, on_spot in known if on_spot)
    for name in (IN_ONE_CLUSTER, IN_ALL_CLUSTERS) if every else ():
        yield name, every, quantity_text(every, "instance")
    if spot:
        yield ON_SPOT, spot, quantity_text(spot, "spot instance")
    volumes = [each.volumes for each in groups if each.volumes is not UNKNOWN]
    sizes = [one.gib for each in volumes for one in each if one.gib is not None and one.gib is not UNKNOWN]
    if sizes:
        yield LARGEST_VOLUME, max(sizes), f"a volume of {max(sizes)} GB"


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
    if group.training_plan is not None:
        return
    if group.instance_types is UNKNOWN or group.spot is UNKNOWN:
        yield rule.unjudged(
            group.place,
            f"the instance types of {display_name(group)} and whether it uses spot (known only after `pulumi up`)",
        )
        return
    types = sorted({each for each in group.instance_types if each in hyperpod_types()})
    spot = group.spot
    called_ = {each: _quota(each, fleet, spot=spot) for each in types}
    known = {each: fleet.facts.hyperpod_quotas.get(called_[each]) if fleet.facts else None for each in types}
    # The number of instances of each of several types is not known.
    alone = len(group.instance_types) > 1
    sharing = Sharing.of([group]) if alone else _sharing(fleet)[group.instance_types, spot]
    wanted, unknown = sharing.wanted, sharing.unknown
    if not types:
        return  # hyperpod-instance-type-taken reports the types
    unknown_quotas = [called_[each] for each, allowed in known.items() if allowed is None]
    allowed = sum(each or 0 for each in known.values())
    in_use = fleet.facts.hyperpod_quotas_used if fleet.facts else None
    used = [used_by_others(in_use, each, fleet) for each in called_.values()]
    others = sum(each or 0 for each in used)
    quotas = [f"'{each}'" for each in called_.values()]
    if unknown_quotas:
        yield rule.unjudged(
            group.place, fleet.missing(f"the value of quota {and_list(unknown_quotas)}, which must be {wanted} or more")
        )
    elif wanted + others > allowed:
        names = f"quota {quotas[0]} allows"
        if len(quotas) > 1:
            names = f"quotas {and_list(quotas)} together allow"
        beside = f", and other clusters use {others} of them" if others else ""
        enough = (known[types[0]] or 0) + wanted + others - allowed
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{sharing.requests} {quantity_text(wanted, 'instance')}, but {names} {allowed}{beside}",
            remedy=f"request an increase: {request(called_[types[0]], enough)}; or request fewer instances",
            program_remedy=f"request an increase: {request(called_[types[0]], enough)}; or lower instanceCount",
        )
    elif None in used:
        yield rule.unjudged(group.place, unknown_use(and_list(quotas), allowed, wanted, fleet))
    elif unknown:
        yield rule.unjudged(group.place, f"the number of instances of {unknown} (known only after `pulumi up`)")


@cached_by_identity(4)
def _sharing(fleet: Fleet) -> Mapping[object, Sharing]:
    """Types, and whether they are spot instances -> the groups that count against one quota."""
    return Sharing.by(
        (each for each in fleet.of(InstanceGroup) if each.training_plan is None),
        lambda each: (each.instance_types, each.spot),
    )


def _quota(instance_type: str, fleet: Fleet, *, spot: bool) -> str:
    """The quota's name in Service Quotas. SageMaker's guide does not document the name for spot instances, so it is the
    quota among the facts whose name has the type, "spot" and "cluster"."""
    every = sorted(fleet.facts.hyperpod_quotas) if fleet.facts else []
    ours = [each for each in every if each.startswith(f"{instance_type} ") and "cluster" in each and "spot" in each]
    if spot:
        return ours[0] if ours else instance_quota(instance_type, spot=True)
    return instance_quota(instance_type, spot=False)

"""SageMaker's limits of whole clusters against a description."""

from collections.abc import Iterator

from muster.fleet.hyperpod_quotas import IN_ALL_CLUSTERS, IN_ONE_CLUSTER, LARGEST_VOLUME, ON_SPOT, request
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.instance_groups import groups_of
from policies.reading.others import others_use, use_unknown
from policies.rule import Rule, Verdict, rule
from policies.words import number


@rule(
    "hyperpod-quota-covers-cluster",
    title="SageMaker's limits of a cluster, and of all together, cover it",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="Beside the quota of each type SageMaker limits how many instances one HyperPod cluster has (20 in a new "
    "account), how many all have together, how many of them are spot, and how large their volumes are.",
    source="SageMaker guide, sagemaker-hyperpod-prerequisites (quotas); quota codes as in public repositories",
    remedy="Have the limit raised before the cluster is made.",
    facts=("rules.md#37", "pains.md#8"),
)
def hyperpod_quota_covers_cluster(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if fleet.facts is None:
        return
    for name, wanted, words in _wanted(groups_of(cluster, fleet)):
        allowed = fleet.facts.hyperpod_quotas.get(name)
        if allowed is None:
            if was_asked(fleet):  # what a person wrote before this rule was there says nothing of it
                yield rule.unjudged(cluster.place, fleet.missing(f"quota '{name}': {wanted} or more"))
            continue
        used = others_use(fleet.facts.hyperpod_quotas_used, name, fleet) if name in (IN_ALL_CLUSTERS, ON_SPOT) else 0
        together = wanted + (used or 0)
        if together > allowed:
            beside = f", and other clusters have {used} of them" if used else ""
            yield rule.finding(
                cluster.place,
                got=f"the cluster asks for {words}; quota '{name}' allows {allowed}{beside}",
                remedy=f"have it raised: {request(name, together)}; or ask for less",
            )
        elif used is None:
            yield rule.unjudged(cluster.place, use_unknown(f"'{name}'", allowed, wanted, fleet))


def _wanted(groups: tuple[InstanceGroup, ...]) -> Iterator[tuple[str, int, str]]:
    """Quota -> how much of it is asked for, as far as that is known, and in words."""
    known = [(each.nodes_start, each.spot is True) for each in groups if each.nodes_start is not UNKNOWN]
    every, spot = sum(count for count, _ in known), sum(count for count, on_spot in known if on_spot)
    for name in (IN_ONE_CLUSTER, IN_ALL_CLUSTERS) if every else ():
        yield name, every, number(every, "instance")
    if spot:
        yield ON_SPOT, spot, number(spot, "spot instance")
    volumes = [each.volumes for each in groups if each.volumes is not UNKNOWN]
    sizes = [one.gib for each in volumes for one in each if one.gib is not None and one.gib is not UNKNOWN]
    if sizes:
        yield LARGEST_VOLUME, max(sizes), f"a volume of {max(sizes)} GB"

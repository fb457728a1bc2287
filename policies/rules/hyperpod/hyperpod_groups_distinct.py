"""How many groups a HyperPod cluster has, and what they are called."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster
from policies.reading.instance_groups import called, groups_of
from policies.rule import Rule, Verdict, rule
from policies.words import some

_MOST = 100


@rule(
    "hyperpod-groups-distinct",
    title="A HyperPod cluster has up to 100 groups, each of a name of its own",
    judges=HyperPodCluster,
    backends=("hyperpod",),
    why="The API takes 1 to 100 groups. Two of one name cannot be told apart: an update of one would be the other's. A "
    "description has its groups by name.",
    source="SageMaker API, CreateCluster and ClusterInstanceGroupSpecifications",
    remedy="Rename or merge groups.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_groups_distinct(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.groups_known:
        yield rule.unjudged(cluster.place, f"the instance groups of {called(cluster)}, not known before creation")
        return
    groups = groups_of(cluster, fleet)
    names = Counter(each.name for each in groups if isinstance(each.name, str) and each.name)
    doubled = [name for name, times in names.items() if times > 1]
    if len(groups) > _MOST:
        got = f"{called(cluster)} has {len(groups)} instance groups; the API takes {_MOST}"
        yield rule.finding(cluster.place, got, "merge groups of one type, or make a second cluster")
    if doubled:
        got = f"{called(cluster)} has more than one instance group called {some(doubled)}"
        yield rule.finding(cluster.place, got, "give each group a name of its own")

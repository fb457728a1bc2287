"""Names and counts of instance groups."""

import re
from collections import Counter
from collections.abc import Iterator

from muster.config.description.instance_group import MOST_INSTANCES
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import display_name, groups_of


@rule(
    "hyperpod-counts-in-order",
    title="A HyperPod group asks for 0 to 6758 instances, and for no fewer than its minimum",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Until the minimum is there the group is not in service, and after three hours everything is taken back: a "
    "minimum above the count never comes.",
    source="SageMaker API, ClusterInstanceCount and MinInstanceCount",
    remedy="Keep the minimum at the count or below.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_counts_in_order(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count, minimum = group.nodes_start, group.minimum
    for key, number in (("count", count), ("minimum", minimum)):
        if isinstance(number, int) and not 0 <= number <= MOST_INSTANCES:
            got = f"{display_name(group)} has a {key} of {number}; the API takes 0 to {MOST_INSTANCES}"
            remedy = f"write 0 to {MOST_INSTANCES}, or spread the instances over several groups"
            yield rule.finding(group.place, at="nodes", got=got, remedy=remedy)
    if count is UNKNOWN or minimum is UNKNOWN:
        yield rule.unjudged(
            group.place, f"the numbers of instances of {display_name(group)}, not known before creation"
        )
    elif minimum is not None and minimum > count:
        got = f"{display_name(group)} asks for {count} instances and needs {minimum} at least"
        remedy = f"ask for {minimum} instances, or lower the minimum to {count}"
        yield rule.finding(group.place, at="nodes.minimum", got=got, remedy=remedy)


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
        yield rule.unjudged(cluster.place, f"the instance groups of {display_name(cluster)}, not known before creation")
        return
    groups = groups_of(cluster, fleet)
    names = Counter(each.name for each in groups if isinstance(each.name, str) and each.name)
    doubled = [name for name, times in names.items() if times > 1]
    if len(groups) > _MOST:
        got = f"{display_name(cluster)} has {len(groups)} instance groups; the API takes {_MOST}"
        yield rule.finding(cluster.place, got, "merge groups of one type, or make a second cluster")
    if doubled:
        got = f"{display_name(cluster)} has more than one instance group called {and_list(doubled)}"
        yield rule.finding(cluster.place, got, "give each group a name of its own")


_FORM = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
_LONGEST = 63


@rule(
    "hyperpod-names-legal",
    title="HyperPod takes the names of the cluster and of its groups",
    judges=HyperPodCluster | InstanceGroup,
    backends=("hyperpod",),
    why="A name has 1 to 63 letters, digits and dashes, no dash at either end. Groups' names become part of nodes' "
    "labels and of the addresses of their sessions. A description's own types refuse others.",
    source="SageMaker API, ClusterName and ClusterInstanceGroupName",
    remedy="Take letters, digits and dashes.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_names_legal(thing: HyperPodCluster | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = thing.ref.name if isinstance(thing, InstanceGroup) and thing.name == "" else thing.name
    what = "cluster" if isinstance(thing, HyperPodCluster) else "instance group"
    if name is None and isinstance(thing, HyperPodCluster):
        return  # CloudFormation makes one up
    if name is UNKNOWN:
        yield rule.unjudged(thing.place, f"the name of the {what} {thing.ref.name}, not known before creation")
    elif not name:
        yield rule.finding(thing.place, f"{thing.ref.name} has no name", f"give the {what} one, as in workers")
    elif len(name) > _LONGEST or not _FORM.fullmatch(name):
        counted = f" ({len(name)} characters)" if len(name) > _LONGEST else ""
        yield rule.finding(
            thing.place,
            got=f"'{name}'{counted} is no name for a HyperPod {what}",
            remedy=f"take up to {_LONGEST} letters, digits and dashes, a letter or digit at either end",
        )

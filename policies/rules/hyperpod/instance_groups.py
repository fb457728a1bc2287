"""Names and counts of instance groups."""

import re
from collections import Counter
from collections.abc import Iterator

from muster.config.description.instance_group import MOST_INSTANCES
from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.policies.engine.finding_text import and_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import display_name, groups_of
from muster.unknown import UNKNOWN


@rule(
    "hyperpod-counts-in-order",
    title="A HyperPod group requests 0 to 6758 instances, and at least its minimum",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="A group is not in service until its minimum number of instances runs, and HyperPod rolls everything back "
    "after three hours. A group never reaches a minimum above its count.",
    source="SageMaker API, ClusterInstanceCount and MinInstanceCount",
    remedy="Set a minimum of at most the count.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_counts_in_order(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count, minimum = group.nodes_start, group.minimum
    for key, number, name in (("count", count, "instanceCount"), ("minimum", minimum, "minInstanceCount")):
        if isinstance(number, int) and not 0 <= number <= MOST_INSTANCES:
            got = f"{display_name(group)} has a {key} of {number}, but the API accepts 0 to {MOST_INSTANCES}"
            to = f"from 0 to {MOST_INSTANCES}, or split the instances into several groups"
            in_program = f"set {name} to a number {to}"
            yield rule.finding(group.place, at="nodes", got=got, remedy=f"set a number {to}", program_remedy=in_program)
    if count is UNKNOWN or minimum is UNKNOWN:
        yield rule.unjudged(
            group.place, f"the number of instances of {display_name(group)} (known only after `pulumi up`)"
        )
    elif minimum is not None and minimum > count:
        yield rule.finding(
            group.place,
            at="nodes.minimum",
            got=f"{display_name(group)} requests {quantity_text(count, 'instance')}, but has a minimum of {minimum}",
            remedy=f"set count to {minimum}, or lower minimum to {count}",
            program_remedy=f"set instanceCount to {minimum}, or lower minInstanceCount to {count}",
        )


_MOST = 100


@rule(
    "hyperpod-groups-distinct",
    title="A HyperPod cluster has up to 100 groups, each with a unique name",
    judges=HyperPodCluster,
    backends=IN_HYPERPOD,
    why="The API accepts 1 to 100 groups. An update cannot distinguish two groups of one name. In a description, names "
    "are unique by its format.",
    source="SageMaker API, CreateCluster and ClusterInstanceGroupSpecifications",
    remedy="Rename or merge groups.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_groups_distinct(cluster: HyperPodCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not cluster.groups_known:
        yield rule.unjudged(
            cluster.place, f"the instance groups of {display_name(cluster)} (known only after `pulumi up`)"
        )
        return
    groups = groups_of(cluster, fleet)
    names = Counter(each.name for each in groups if isinstance(each.name, str) and each.name)
    doubled = [name for name, times in names.items() if times > 1]
    if len(groups) > _MOST:
        got = f"{display_name(cluster)} has {len(groups)} instance groups, but the API accepts at most {_MOST}"
        yield rule.finding(cluster.place, got, "merge groups of the same type, or create a second cluster")
    if doubled:
        got = f"{display_name(cluster)} has several instance groups with the same name: {and_list(doubled)}"
        yield rule.finding(
            cluster.place,
            got=got,
            remedy="give each instance group a unique name",
            program_remedy="set a unique instanceGroupName for each instance group",
        )


_FORM = re.compile(r"[a-zA-Z0-9](-*[a-zA-Z0-9]){0,62}")
_LONGEST = 63


@rule(
    "hyperpod-names-legal",
    title="HyperPod accepts the names of the cluster and of its groups",
    judges=HyperPodCluster | InstanceGroup,
    backends=IN_HYPERPOD,
    why="A name has 1 to 63 letters, digits and dashes, with no dash at either end. The names of groups become part of "
    "node labels and of session addresses. The schema of a description refuses other names.",
    source="SageMaker API, ClusterName and ClusterInstanceGroupName",
    remedy="Use letters, digits and dashes.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_names_legal(thing: HyperPodCluster | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    name = thing.ref.name if isinstance(thing, InstanceGroup) and thing.name == "" else thing.name
    what = "cluster" if isinstance(thing, HyperPodCluster) else "instance group"
    key = "clusterName" if isinstance(thing, HyperPodCluster) else "instanceGroupName"
    if name is None and isinstance(thing, HyperPodCluster):
        return  # CloudFormation generates one
    if name is UNKNOWN:
        yield rule.unjudged(thing.place, f"the name of the {what} {thing.ref.name} (known only after `pulumi up`)")
    elif not name:
        yield rule.finding(
            thing.place,
            got=f"{thing.ref.name} has no name",
            remedy=f"give the {what} a name, such as workers",
            program_remedy=f"set {key}, for example to workers",
        )
    elif len(name) > _LONGEST or not _FORM.fullmatch(name):
        counted = f" ({len(name)} characters)" if len(name) > _LONGEST else ""
        form = f"up to {_LONGEST} letters, digits and dashes, with a letter or digit at either end"
        yield rule.finding(
            thing.place,
            got=f"SageMaker does not accept '{name}'{counted} as the name of a HyperPod {what}",
            remedy=f"use {form}",
            program_remedy=f"set {key} to {form}",
        )

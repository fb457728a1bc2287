"""A cluster on AWS PCS: its controller and its compute node groups."""

from collections.abc import Collection, Iterator, Mapping

from muster.config.description.pcs_nodes import ClusterSize
from muster.edits import set_to
from muster.fleet.resources import ComputeNodeGroup, Fleet, PcsCluster
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import BLOCK_CAPACITY, template_on_block
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import known_machines, machines_of
from muster.policies.lookups.security_groups import SLURMCTLD, SLURMD, both_ways, carried_groups, shut_way
from muster.unknown import NotKnown, all_of, stored


def pcs_size_covers_nodes(cluster: PcsCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    size = next((each for each in ClusterSize if each.value.upper() == cluster.size), None)
    if size is None:
        return  # PCS refuses it
    groups = fleet.having(ComputeNodeGroup, "cluster", cluster.ref)
    most, always = (sum(stored(group, count, 0) for group in groups) for count in ("nodes_max", "nodes_min"))
    if most <= size.nodes:
        most = sum(group.nodes_max for group in groups)  # those that are known are not too many
    if most > size.nodes:
        larger = next((each for each in ClusterSize if each.nodes >= most), None)
        enlarge = set_to(larger.value, in_program=larger.value.upper()) if larger else "create several clusters"
        got = f"its groups have up to {most} nodes, but size {size.value} allows {size.nodes}"
        change = (enlarge, f"lower {rule.key(groups[0], 'nodes.max')} of its groups")
        yield (rule if always > size.nodes else rule.advice).finding(cluster, "size", got=got, change=change)


def pcs_controller_reaches_nodes(group: ComputeNodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = fleet.find(PcsCluster, group.cluster)
    if cluster is None:
        return
    theirs, nodes = cluster.security_groups, carried_groups(group, fleet)
    if not nodes.sure:
        raise NotKnown("which security groups the nodes have")
    if not theirs or not nodes.groups:
        return  # the default security group of the VPC, whose rules no program has
    controller = frozenset(theirs)
    ways = (*both_ways(nodes.groups, SLURMCTLD, controller), *both_ways(controller, SLURMD, nodes.groups))
    if got := shut_way(ways, fleet):
        change = "attach one group to both, with rules for all protocols (-1) from itself and to itself"
        yield rule.finding(group, "", got=got, change=change)


def pcs_types_alike(group: ComputeNodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if len(group.instance_types) <= 1:
        return
    machines = known_machines(group, fleet)
    kinds: Mapping[str, Collection[object]] = {
        "numbers of CPUs": {each.vcpus for each in machines},
        "architecture": {each.architecture for each in machines},
        "support for EFA": {each.max_efa > 0 for each in machines},
    }
    differing = [name for name, values in kinds.items() if len(values) > 1]
    if differing:
        got = f"the types {and_list([each.instance for each in machines])} differ in {and_list(differing)}"
        yield rule.finding(group, "", got=got, change=set_to(words="types that do not differ", at="instanceConfigs"))
    machines_of(group, fleet)  # one that is not known may differ too


def pcs_one_architecture(group: ComputeNodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.image is None:
        return
    first = min(fleet.having(ComputeNodeGroup, "image", group.image), key=lambda each: (each.login, each.ref.name))
    if first is group:
        return
    own, theirs = ({each.architecture for each in known_machines(one, fleet)} for one in (group, first))
    if own and theirs and own.isdisjoint(theirs):
        got = f"its types are {and_list(own)}, but those of {first.ref.name}, which are {and_list(theirs)}, have the "
        got += f"same {rule.key(group, 'image')} {group.image}"
        yield rule.finding(
            group, "instance", got=got, change=f"use an instance type with {and_list(theirs)} processors"
        )
    machines_of(group, fleet)  # one that is not known may differ too


def pcs_capacity_block_purchase_option(group: ComputeNodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template = template_of(group, fleet)
    if template and all_of(lambda: template_on_block(template, fleet), lambda: group.capacity_type != BLOCK_CAPACITY):
        got = f"the group is on a Capacity Block, but its purchase option is {group.capacity_type or 'ONDEMAND'}"
        yield rule.finding(group, "capacity", got=got, change=set_to(BLOCK_CAPACITY, at="purchaseOption"))

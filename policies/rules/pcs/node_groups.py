"""Compute node groups: instance types, counts, launch templates, Capacity Blocks."""

from collections.abc import Collection, Iterator, Mapping

from muster.edits import set_to
from muster.fleet.resources import ComputeNodeGroup, Fleet
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import BLOCK_CAPACITY, template_on_block
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import known_machines, machines_of
from muster.unknown import all_of


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
    first = group if group.image is None else fleet.having(ComputeNodeGroup, "image", group.image)[0]
    if first is group:
        return
    own, theirs = ({each.architecture for each in known_machines(one, fleet)} for one in (group, first))
    if own and theirs and own.isdisjoint(theirs):
        image, others = f"{rule.key(group, 'image')} {group.image}", and_list(sorted(theirs))
        own_kind, name = and_list(sorted(own)), first.ref.name
        got = f"its types are {own_kind}, but those of {name} have the same {image} and are {others}"
        yield rule.finding(group, "instance", got=got, change=f"use an instance type with {others} processors")
    machines_of(group, fleet)  # one that is not known may differ too


def pcs_capacity_block_purchase_option(group: ComputeNodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template = template_of(group, fleet)
    if template and all_of(lambda: template_on_block(template, fleet), lambda: group.capacity_type != BLOCK_CAPACITY):
        got = f"the group is on a Capacity Block, but its purchase option is {group.capacity_type or 'ONDEMAND'}"
        yield rule.finding(group, "capacity", got=got, change=set_to(BLOCK_CAPACITY, at="purchaseOption"))

"""A group's zone against the network."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "group-has-subnet",
    title="A group has at least one subnet",
    judges=NodeGroup,
    why="Without a subnet in its zone a group has nowhere to be; EKS refuses it after the control plane is paid for.",
    source="EKS API, CreateNodegroup",
    remedy="Name a zone that the network has a subnet in.",
    facts=("pains.md#4",),
)
def group_has_subnet(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.subnets != ():  # unknown ones are some
        return
    zones = {subnet.zone for subnet in fleet.subnets.values() if subnet.zone}
    if group.zone:
        got = f"the network lists no subnet of the group's kind in {group.zone} (subnets there are in {some(zones)})"
        remedy = f"list its subnet in {group.zone} in the network, or name another zone"
    else:
        got = "the network lists no subnet of the group's kind"
        remedy = "list such subnets in the network, or take the others (subnets: private)"
    yield rule.finding(group.place, got, remedy, at="zone" if group.zone else "subnets")

"""Devices that one pod asks for against what one node has."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, PodOwner
from policies.reading.pods import DEVICES, each_pod, has, nodes_for
from policies.rule import Rule, Verdict, rule


@rule(
    "devices-within-instance",
    title="A pod asks for no more devices than one of its nodes has",
    judges=PodOwner,
    why="A pod runs on one node. One that asks for more than any node has waits for ever, beside nodes that bill.",
    source="hyperpod-cli quota_allocation_util.py; EC2 DescribeInstanceTypes, GpuInfo and MaximumEfaInterfaces",
    remedy="Ask for what one node has, with more pods.",
    facts=("rules.md#44", "hardware.md#R7", "pains.md#9"),
)
def devices_within_instance(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template, asks, missing in each_pod(owner):
        if missing:
            yield rule.unjudged(owner.place, missing)
        wanted = {resource: asks[resource] for resource in DEVICES if resource in asks}
        nodes = nodes_for(template, fleet) if wanted else ()
        if wanted and not nodes:
            yield rule.unjudged(owner.place, f"the nodes that {template.path} is for")
        for resource, asked in wanted.items() if nodes else ():
            known = {spot: has(spot, resource, fleet) for spot in nodes}
            if any(number is not None and number >= asked for number in known.values()):
                continue
            unsure = [spot for spot, number in known.items() if number is None]
            if unsure:
                yield rule.unjudged(owner.place, f"how many {resource} the nodes of {unsure[0].name} have")
                continue
            best = max(known, key=lambda spot: known[spot] or 0)
            most = known[best] or 0
            yield rule.finding(
                owner.place,
                got=f"{template.path} asks {asked} {resource}; a node of {best.name} ({best.machine.instance}) "
                f"has {most}",
                remedy=f"ask for {most} at most, with more pods" if most else f"ask for nodes that have {resource}",
            )

"""Devices that one pod asks for against what one node has."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, PodOwner
from policies.reading.landing import Spot
from policies.reading.pods import DEVICES, each_pod, has, lacks, nodes_for
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "devices-within-instance",
    title="A pod asks for no more devices than one of its nodes has",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
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
        each_alone = True
        for resource, asked in wanted.items() if nodes else ():
            known = {spot: has(spot, resource, fleet) for spot in nodes}
            if any(number is not None and number >= asked for number in known.values()):
                continue
            each_alone = False
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
        if each_alone and nodes:
            yield from _together(owner, template.path, wanted, nodes, fleet, rule)


def _together(
    owner: PodOwner, path: str, wanted: dict[str, int], nodes: tuple[Spot, ...], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """Devices of which some node has enough of each, but perhaps none of all."""
    lacking = [(spot, lacks(spot, wanted, fleet)) for spot in nodes]
    if any(short == {} for _, short in lacking):
        return
    known = [(spot, short) for spot, short in lacking if short is not None]
    if len(known) < len(lacking):
        unsure = next(spot for spot, short in lacking if short is None)
        yield rule.unjudged(owner.place, f"whether a node of {unsure.name} has all devices that {path} asks for")
        return
    best, short = min(known, key=lambda each: sum(wanted[resource] - few for resource, few in each[1].items()))
    asked = some(f"{number} {resource}" for resource, number in wanted.items())
    yield rule.finding(
        owner.place,
        got=f"{path} asks {asked}, which no node has together; a node of {best.name} ({best.machine.instance}) has "
        f"{some(f'{number} {resource}' for resource, number in short.items())}",
        remedy=f"ask for what a {best.machine.instance} has, or for nodes that have all of it",
    )

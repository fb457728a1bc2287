"""Instance types that no Capacity Block comes in."""

from collections.abc import Iterator

from muster.fleet.hardware import UnknownInstance, hardware, instance_types
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.reading.targets import Kind, on_block, target_of, types_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "capacity-block-instance-type",
    title="A Capacity Block is of a type that AWS sells in blocks",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Blocks come in P4, P5, P6 and Trainium types only, not in G5, nor in trn1n: there is no such block to name, "
    "and none to buy.",
    source="EC2 user guide, Capacity Blocks (supported instance types); the catalogue's capacity_block column",
    remedy="Take a type that comes in blocks, or other capacity.",
    facts=("rules.md#23", "hardware.md#R16", "hardware.md#D27"),
)
def capacity_block_instance_type(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not on_block(group, fleet):
        return
    types = types_of(group, fleet)
    if types is None:
        yield rule.unjudged(group.place, "the group's instance type")
        return
    for each in sorted(types):
        try:
            sold_as = hardware(each).capacity_block
        except UnknownInstance:
            yield rule.unjudged(group.place, f"whether {each} comes in Capacity Blocks: it is not catalogued")
            continue
        if sold_as == "false":
            yield rule.finding(
                group.place,
                at="instance",
                got=f"a Capacity Block of {each}: AWS sells none",
                remedy=f"take one of {some(_sold())}, or capacity that {each} comes in",
            )
        elif sold_as == "ultraserver-only" and not _by_group(group, fleet):
            yield rule.finding(
                group.place,
                at="instance",
                got=f"a Capacity Block of single {each}: AWS sells them as UltraServers only",
                remedy="target the UltraServer block's resource group by its ARN",
            )


def _by_group(group: Ec2Group, fleet: Fleet) -> bool:
    target, missing = target_of(group, fleet)
    return bool(missing) or (target is not None and target.kind is Kind.GROUP)


def _sold() -> list[str]:
    return [each for each in instance_types() if hardware(each).capacity_block == "true"]

"""The subnet of a file system."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from muster.unknown import UNKNOWN
from policies.engine.finding_text import name_list
from policies.engine.rule import Rule, Verdict, rule


@rule(
    "lustre-single-subnet",
    title="A file system is in exactly one subnet",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx for Lustre takes one subnet and refuses every other number; a zone that the network has no subnet in "
    "gives it none.",
    source="FSx API, CreateFileSystem; ParallelCluster fsx_validators.py; aws-fsx-csi-driver#47",
    remedy="Name a zone in which the network has a private subnet.",
    facts=("rules.md#51", "pains.md#14"),
)
def lustre_single_subnet(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing:
        return
    if system.subnets is UNKNOWN:
        yield rule.unjudged(system.place, "the subnet, not known before creation")
    elif not system.subnets:
        got = f"the network has no private subnet in {system.zone}" if system.zone else "no subnet"
        remedy = "name a zone that has one, or add one there" if system.zone else "name the subnet in the nodes' zone"
        yield rule.finding(system.place, got, remedy, at="zone")
    elif len(system.subnets) > 1:
        got = f"{len(system.subnets)} subnets: {name_list(system.subnets)}"
        yield rule.finding(system.place, got, "name the one in the nodes' zone", at="zone")

"""The subnet of a file system."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.policies.engine.rule import Rule, Verdict


def lustre_single_subnet(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or len(system.subnets) == 1:
        return
    words = "the subnet in the zone of the nodes"
    got = f"the file system has {len(system.subnets)} subnets, but FSx accepts exactly one"
    if system.zone and not system.subnets:
        got = f"the network has no private subnet in {system.zone}, the zone of the file system"
        words = "one with a private subnet, or add a private subnet there"
    yield rule.finding(system, "zone", got=got, change=set_to(words=words))

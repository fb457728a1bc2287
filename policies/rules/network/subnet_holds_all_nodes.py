"""All nodes that a group may grow to against the addresses of their subnets."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.options import Options
from policies.reading.room import AT_FIRST, AT_MOST, room_for, shortage
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import number


class Spare(Options):
    """What stays for others."""

    addresses: int = Field(default=0, ge=0, description="Addresses of a group's subnets that are kept for others.")


@rule(
    "subnet-holds-all-nodes",
    title="A group's subnets have addresses for all nodes it may grow to, full of pods",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="The group stops to grow where addresses end, and says so only in its activity log.",
    source="amazon-vpc-cni-k8s pkg/ipamd and docs/eni-and-ip-target.md",
    remedy="Give the group a larger subnet, or let it grow less.",
    facts=("rules.md#15",),
    options=Spare,
)
def subnet_holds_all_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    less, wanting = shortage(group, fleet, AT_FIRST)
    if less:
        return  # it cannot even start: subnet-holds-nodes says so
    short, missing = shortage(group, fleet, AT_MOST, Spare.of(rule.settings).addresses)
    if missing and missing != wanting:  # what both want, subnet-holds-nodes asks for
        yield rule.unjudged(group.place, missing)
    if short:
        fewer = f", or let it grow to {number(short.fitting, 'node')} at most" if short.fitting else ""
        yield rule.finding(group.place, at="nodes", got=short.got, remedy=f"{room_for(group, fleet, short)}{fewer}")

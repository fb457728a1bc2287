"""Nodes that the internet can address."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "nodes-without-public-address",
    title="Nodes have no public address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="A node with a public address is one security group rule away from the internet, and needs none: images and "
    "AWS's APIs are reached by a NAT gateway or by endpoints.",
    source="AWS Config rules, ec2-launch-template-public-ip-disabled; AWS Control Tower controls, CT.EC2.PR.9",
    remedy="Ask for no public address, and put the nodes in private subnets.",
    facts=("aws-controls#CT.EC2.PR.9",),
)
def nodes_without_public_address(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ComputeResource):
        if thing.has_efa is not False:
            return  # with several interfaces, as below
        settings, key = [thing.public_ip], "AssignPublicIp"
    elif thing.interfaces is UNKNOWN:
        yield rule.unjudged(thing.place, "the network interfaces, not known before creation")
        return
    elif len(thing.interfaces) > 1:
        return  # EC2 gives none then: several-interfaces-no-public-ip says what becomes of asking
    else:
        settings, key = [nic.public_ip for nic in thing.interfaces], "associatePublicIpAddress"
    if True in settings:
        yield rule.finding(
            thing.place, f"asks for a public address ({key}: true)", f"say {key}: false, or leave it out"
        )
    elif UNKNOWN in settings:
        yield rule.unjudged(thing.place, f"{key}, not known before creation")

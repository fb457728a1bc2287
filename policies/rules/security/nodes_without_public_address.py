"""Nodes with a public address."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "nodes-without-public-address",
    title="Nodes have no public address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LaunchTemplate | ComputeResource,
    backends=IN_EC2,
    why="A single security group rule exposes a node with a public address to the internet. Nodes need no public "
    "address, because they reach images and AWS's APIs through a NAT gateway or endpoints.",
    source="AWS Config rules, ec2-launch-template-public-ip-disabled; AWS Control Tower controls, CT.EC2.PR.9",
    remedy="Request no public address, and put the nodes in private subnets.",
    facts=("aws-controls#CT.EC2.PR.9",),
)
def nodes_without_public_address(
    thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, ComputeResource):
        if thing.has_efa is not False:
            return  # it has several interfaces, as below
        settings, key = [thing.public_ip], "AssignPublicIp"
    elif thing.interfaces is UNKNOWN:
        yield rule.unjudged(thing.place, "the network interfaces (known only after `pulumi up`)")
        return
    elif len(thing.interfaces) > 1:
        return  # EC2 assigns none then: several-interfaces-no-public-ip reports such a request
    else:
        settings, key = [nic.public_ip for nic in thing.interfaces], "associatePublicIpAddress"
    if True in settings:
        yield rule.finding(
            thing.place, f"the nodes request a public address ({key}: true)", f"set {key} to false, or remove it"
        )
    elif UNKNOWN in settings:
        yield rule.unjudged(thing.place, f"{key} (known only after `pulumi up`)")

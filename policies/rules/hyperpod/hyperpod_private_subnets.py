"""Public subnets under HyperPod's nodes."""

from collections.abc import Iterator

from muster.fleet.named import Kind
from muster.fleet.resources import Among, Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule
from policies.words import agree, some


@rule(
    "hyperpod-private-subnets",
    title="HyperPod's instances are in private subnets",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="An instance's interface in your VPC is SageMaker's and has no public address: in a public subnet, which has "
    "no NAT, it reaches neither S3 nor the EKS API, its scripts do not download, and the cluster is taken back.",
    source="SageMaker guide, sagemaker-hyperpod-prerequisites; awsome-distributed-ai validate-config.py",
    remedy="Use private subnets with a NAT gateway or endpoints.",
    facts=("rules.md#60", "rules.md#9", "hardware.md#f5"),
)
def hyperpod_private_subnets(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed = group.subnets
    if listed is UNKNOWN and group.subnets_among and _all_private(group.subnets_among, fleet):
        return
    if listed is UNKNOWN:
        yield rule.unjudged(group.place, f"the subnets of {called(group)}, not known before creation")
        return
    subnets = fleet.subnets_of(listed)
    public = [subnet.id for subnet in subnets if subnet.public or subnet.map_public_ip]
    open_ = [subnet.id for subnet in subnets if subnet.map_public_ip is None and not fleet.gone(Kind.SUBNET, subnet.id)]
    if public:
        giving = f"{some(public)}, which {agree(public, 'gives', 'give')} public IP addresses"
        got = f"{called(group)} is in {giving} to what launches there"
        yield rule.finding(group.place, at="subnets", got=got, remedy="name private subnets")
    elif open_:
        yield rule.unjudged(
            group.place, fleet.missing(f"whether {some(open_)} {agree(open_, 'gives', 'give')} public IP addresses")
        )


def _all_private(among: Among, fleet: Fleet) -> bool:
    """Whether every subnet is private that a group can be in, whichever of them it is."""
    subnets = fleet.subnets_of(among.candidates)
    return bool(subnets) and all(not subnet.public and subnet.map_public_ip is False for subnet in subnets)

"""Subnets and security groups against the VPC that they are said to be in."""

from collections.abc import Iterator

from muster.fleet.named import Kind, Named
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from policies.reading.networks import vpc_of
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "named-things-in-vpc",
    title="Subnets and security groups are of the VPC that the description names",
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="An instance takes security groups of its subnet's VPC only, and Muster's own are made in the one that is "
    "named: with a subnet or a group of another VPC every launch is refused.",
    source="EC2 API, DescribeSubnets; EC2 API, DescribeSecurityGroups; EKS user guide, networking requirements",
    remedy="Name the VPC that they are in, or subnets and groups of that one.",
    facts=("rules.md#55", "pains.md#4"),
)
def named_things_in_vpc(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    vpc = vpc_of(fleet)
    if vpc is None or fleet.gone(Kind.VPC, vpc.id):
        return
    inside = {each: where for each in fleet.named if (where := _vpc_of(each, fleet))}
    elsewhere = {each: where for each, where in inside.items() if where != vpc.id}
    subnets = {where for each, where in inside.items() if each.kind is Kind.SUBNET}
    if len(subnets) == 1 and elsewhere == inside:
        # All are together, and it is the VPC's id that is another's.
        (real,) = subnets
        got = f"{vpc.id} is named, and AWS says that its {some({f'{each.kind}s' for each in inside})} are in {real}"
        yield rule.finding(cluster.place, got, f"write vpc: {real}, or name subnets of {vpc.id}", at=vpc.at)
        return
    for each, where in elsewhere.items():
        got = f"{each.id} is in {where} (AWS says so), and the network in {vpc.id}"
        yield rule.finding(cluster.place, got, f"name a {each.kind} of {vpc.id}", at=each.at)


def _vpc_of(each: Named, fleet: Fleet) -> str | None:
    """What AWS says; None of what is in no VPC, and of what it did not say."""
    if fleet.facts is None:
        return None
    if each.kind is Kind.SUBNET:
        subnet = fleet.facts.subnets.get(each.id)
        return subnet.vpc if subnet else None
    group = fleet.facts.security_groups.get(each.id) if each.kind is Kind.SECURITY_GROUP else None
    return group.vpc if group else None

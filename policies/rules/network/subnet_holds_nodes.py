"""Nodes at first against the addresses of their subnets."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup
from policies.reading.room import AT_FIRST, room_for, shortage
from policies.rule import Rule, Verdict, rule
from policies.words import number


@rule(
    "subnet-holds-nodes",
    title="A group's subnets have addresses for the nodes it starts with",
    judges=NodeGroup | InstanceGroup | ComputeResource,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="The VPC CNI takes addresses by whole interfaces: 50 on a p5.48xlarge, 100 on a p4d.24xlarge with some pods; "
    "on HyperPod 81 on a p5.48xlarge; ParallelCluster's nodes have one, or one on each network card without "
    "EFA. Without addresses a node does not launch, or its pods wait for ever.",
    source="amazon-vpc-cni-k8s pkg/ipamd and docs/eni-and-ip-target.md; EKS user guide, networking requirements; "
    "SageMaker AI developer guide, Prerequisites for using HyperPod",
    remedy="Give the group a larger subnet, or fewer nodes.",
    facts=("rules.md#15", "hardware.md#R20", "pains.md#14"),
)
def subnet_holds_nodes(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    short, missing = shortage(group, fleet, AT_FIRST)
    if missing:
        yield rule.unjudged(group.place, missing)
    if short:
        fewer = f", or start with {number(short.fitting, 'node')} at most" if short.fitting else ""
        yield rule.finding(group.place, at="nodes", got=short.got, remedy=f"{room_for(group, fleet, short)}{fewer}")

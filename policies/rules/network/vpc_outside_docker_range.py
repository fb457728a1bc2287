"""Addresses that Docker and some AWS services have for themselves."""

from collections.abc import Iterator
from ipaddress import IPv4Network, ip_network

from muster.fleet.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some

_DOCKER = IPv4Network("172.17.0.0/16")


@rule(
    "vpc-outside-docker-range",
    title="A network that is created is outside 172.17.0.0/16",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Docker's bridge and services such as Cloud9 and SageMaker AI use that range: what runs on them does not reach "
    "nodes and endpoints there.",
    source="VPC user guide, VPC CIDR blocks (considerations)",
    remedy="Take another range, before the network is there: it cannot change later.",
    facts=("rules.md#42",),
)
def vpc_outside_docker_range(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    inside = {each.cidr for each in fleet.subnets.values() if each.created and each.cidr and _overlaps(each.cidr)}
    if inside:
        yield rule.finding(
            cluster.place,
            at="network.create.cidr",
            got=f"subnets inside {_DOCKER}: {some(inside)}",
            remedy="take another range, as in 10.0.0.0/16",
        )


def _overlaps(cidr: str) -> bool:
    try:
        network = ip_network(cidr, strict=False)
    except ValueError:
        return False
    return isinstance(network, IPv4Network) and network.overlaps(_DOCKER)

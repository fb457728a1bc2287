"""Addresses that Docker and some AWS services use themselves."""

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from pydantic import Field

from muster.config.identifiers import AnyCidr
from muster.finding import Level
from muster.fleet.resources import Fleet, WholeCluster
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule


class Taken(Options):
    """Networks with other uses."""

    networks: tuple[AnyCidr, ...] = Field(
        default=("172.17.0.0/16",),
        description="Networks that no subnet may overlap, as CIDR ranges: Docker's, and those behind a peering "
        "connection or a VPN. Default: 172.17.0.0/16.",
    )


@rule(
    "vpc-outside-docker-range",
    title="A new network is outside 172.17.0.0/16",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=WholeCluster,
    backends=("eks", "hyperpod", "hyperpod-slurm", "parallelcluster"),
    why="Docker's bridge and services such as Cloud9 and SageMaker AI use that range: what runs on them cannot reach "
    "nodes and endpoints in it.",
    source="VPC user guide, VPC CIDR blocks (considerations)",
    remedy="Use another range before you create the network: it cannot change later.",
    facts=("rules.md#42",),
    options=Taken,
)
def vpc_outside_docker_range(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    made = {each.cidr for each in fleet.subnets.values() if each.created and each.cidr}
    for taken in Taken.of(rule.settings).networks:
        inside = {cidr for cidr in made if _overlaps(cidr, ip_network(taken))}
        if not inside:
            continue
        other = "another range, for example 10.0.0.0/16" if taken.startswith("172.") else "another range"
        yield rule.finding(
            cluster.root,
            at="network.create.cidr",
            got=f"these subnets overlap the reserved network {taken}: {and_list(inside)}",
            remedy=f"use {other}",
            program_remedy=f"set cidrBlock to {other}",
        )


def _overlaps(cidr: str, taken: IPv4Network | IPv6Network) -> bool:
    try:
        network = ip_network(cidr, strict=False)
    except ValueError:
        return False
    return isinstance(network, type(taken)) and network.overlaps(taken)

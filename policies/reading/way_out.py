"""How nodes reach AWS's services from a subnet."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from muster.fleet.facts import EndpointDoubt, Facts, GatewayFault, SubnetFacts, VpcFacts
from muster.fleet.resources import Fleet, HeadNode, Subnet
from muster.fleet.resources.fleet import EKS, HYPERPOD, PARALLELCLUSTER, AnyGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.traffic import carried
from policies.words import agree, some

_NODES = ("ec2", "ecr.api", "ecr.dkr", "s3")

NEEDED: Mapping[str, tuple[str, ...]] = {
    EKS: _NODES,
    HYPERPOD: _NODES,
    PARALLELCLUSTER: ("cloudformation", "dynamodb", "ec2", "logs", "s3"),
}
"""Backend -> the services that its nodes cannot do without, as endpoints name them.

Of EKS those to join and to have images: the VPC CNI asks EC2, as the image does for its node's name; the kubelet asks
ECR, whose layers are in S3 (EKS user guide, "Deploy private clusters with limited internet access"). EKS itself nobody
asks: nodes are told where the API is. STS, EKS Auth, CloudWatch Logs, Auto Scaling, load balancing and SSM are for pods
and operators that use them: what those ask for only they know. HyperPod's nodes are EKS's, and fetch their scripts from
S3; no page lists more for them. Of ParallelCluster those that its guide lists ("in a single subnet with no internet
access"), without what a directory or a load balancer takes.
"""

DOUBTS: Mapping[EndpointDoubt, str] = {
    EndpointDoubt.PRIVATE_DNS_OFF: "whether a hosted zone leads to the endpoint of {}, whose private DNS is off",
    EndpointDoubt.CALLERS_UNKNOWN: "whether the endpoint of {} lets nodes in on TCP 443",
    EndpointDoubt.KIND_UNKNOWN: "whether the endpoint of {} is in the subnet's route table",
}


FAULTS: Mapping[GatewayFault, str] = {
    GatewayFault.GONE: "which is gone",
    GatewayFault.NOT_AVAILABLE: "which is not available",
    GatewayFault.WITHOUT_INTERNET: "whose own subnet has no route to an internet gateway",
}


@dataclass(frozen=True, slots=True)
class Lack:
    """What nodes of a subnet need and do not reach by endpoints."""

    absent: tuple[str, ...] = ()
    """Services without any endpoint."""
    shut: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Services whose endpoints do not serve it, each with the security groups that they do let in, if any."""
    open: tuple[str, ...] = ()
    """What is not known, in words."""

    @property
    def services(self) -> tuple[str, ...]:
        """Those that are not reached."""
        return tuple(sorted((*self.absent, *(name for name, _ in self.shut))))


def lack(subnet: str, vpc: str | None, needed: Iterable[str], fleet: Fleet) -> Lack | None:
    """What of some services nodes of a subnet do not reach by endpoints; None where nobody says which there are."""
    facts = fleet.facts or Facts()
    known = facts.subnets.get(subnet, SubnetFacts())
    there = facts.vpcs.get(vpc or "", VpcFacts()).endpoints
    served = known.endpoints
    if served is None and not was_asked(fleet):
        # A person says it of the VPC.
        served = there
    if served is None:
        return None
    absent, shut, open_ = [], [], []
    for name in sorted({*needed} - {*served}):
        callers = known.endpoints_open_to.get(name, ())
        in_ = _in(subnet, callers, fleet) if callers else False
        if in_ is True:
            continue
        if in_ is None or name in known.endpoints_in_doubt:
            open_.append(DOUBTS[known.endpoints_in_doubt.get(name, EndpointDoubt.CALLERS_UNKNOWN)].format(name))
        elif callers or name in (there or ()):
            shut.append((name, callers))
        else:
            absent.append(name)
    return Lack(tuple(absent), tuple(shut), tuple(open_))


def _in(subnet: str, groups: tuple[str, ...], fleet: Fleet) -> bool | None:
    """Whether all nodes of a subnet carry one of some security groups; None where that is not known."""
    nodes: list[AnyGroup | HeadNode] = [
        *(each for each in fleet.groups if each.subnets is not UNKNOWN and subnet in map(str, each.subnets)),
        *(each for each in fleet.of(HeadNode) if str(each.subnet) == subnet),
    ]
    each_carries = [carried(node, fleet) for node in nodes]
    among = [bool({*map(str, each.groups)} & {*groups}) for each in each_carries]
    if any(each.missing or (not each.sure and inside) for each, inside in zip(each_carries, among, strict=True)):
        return None
    return all(among)


def lacking(of: Lack, network: str) -> Iterator[str]:
    """``vpc-1 has no endpoint of ec2``."""
    if of.absent:
        yield f"{network} has no endpoint of {some(of.absent)}"
    closed = [name for name, groups in of.shut if not groups]
    if closed:
        those = f"{agree(closed, 'the endpoint', 'the endpoints')} of {some(closed)}"
        yield f"{those} {agree(closed, 'does', 'do')} not serve it"
    for name, groups in of.shut:
        if groups:
            yield f"the endpoint of {name} lets only {some(groups)} in on TCP 443, which not all nodes carry"


def mending(of: Lack) -> Iterator[str]:
    """``make endpoints of ec2 in the VPC``."""
    if of.absent:
        yield f"make endpoints of {some(of.absent)} in the VPC"
    if of.shut:
        those = f"{agree(of.shut, 'the endpoint', 'the endpoints')} of {some(name for name, _ in of.shut)}"
        how = "put a gateway endpoint into its route table, let its addresses in on TCP 443 of an interface endpoint"
        yield f"have {those} serve it ({how})"


def subnets_of_nodes(fleet: Fleet) -> Iterator[Subnet]:
    """The subnets that exist and that nodes are in. A head node in a public one has an address of its own."""
    used = {str(each) for group in fleet.groups if group.subnets is not UNKNOWN for each in group.subnets}
    heads = {str(head.subnet) for head in fleet.of(HeadNode) if isinstance(head.subnet, str)}
    for subnet in fleet.subnets.values():
        if not subnet.created and (subnet.id in used or (subnet.id in heads and not subnet.public)):
            yield subnet

"""The DNS of a VPC that exists."""

from collections.abc import Iterator

from muster.fleet.facts import VpcFacts
from muster.fleet.named import Kind
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from policies.reading.asked import was_asked
from policies.reading.networks import vpc_of
from policies.rule import Rule, Verdict, rule
from policies.words import agree, some

_FLAGS = {"DNS support": "--enable-dns-support", "DNS host names": "--enable-dns-hostnames"}


@rule(
    "vpc-resolves-names",
    title="A VPC that exists has DNS support and DNS host names on",
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Nodes find the EKS API, their head node, file systems and endpoints by names that the VPC's own DNS answers: "
    "without it nodes never join, Slurm's never report, and Lustre is not mounted.",
    source="EKS user guide, networking requirements; ParallelCluster guide, network configurations; "
    "FSx Lustre guide, Prerequisites",
    remedy="Turn both on.",
    facts=("rules.md#62",),
)
def vpc_resolves_names(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    vpc = vpc_of(fleet)
    if vpc is None or fleet.gone(Kind.VPC, vpc.id):
        return
    known = fleet.facts.vpcs.get(vpc.id, VpcFacts()) if fleet.facts else VpcFacts()
    settings = {"DNS support": known.dns_support, "DNS host names": known.dns_hostnames}
    off = [name for name, on in settings.items() if on is False]
    unknown = [name for name, on in settings.items() if on is None]
    if off:
        region = f" --region {fleet.region}" if fleet.region else ""
        commands = (f"`aws ec2 modify-vpc-attribute --vpc-id {vpc.id} {_FLAGS[name]}{region}`" for name in off)
        got = f"{vpc.id} has {some(off)} off"
        remedy = f"have its owner turn {agree(off, 'it', 'both')} on: {', then '.join(commands)}"
        yield rule.finding(cluster.place, got, remedy, at=vpc.at)
    if unknown and was_asked(fleet) and not vpc.blank:
        yield rule.unjudged(cluster.place, fleet.missing(f"{some(unknown)} of {vpc.id}"))

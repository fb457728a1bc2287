"""Who reaches the head node by SSH."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.networks import cover_every_address, wider_than_any_owner


@rule(
    "parallelcluster-ssh-not-open-to-all",
    title="SSH on the head node is not opened to every address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=HeadNode,
    backends=("parallelcluster",),
    why="ParallelCluster opens port 22 to the whole world unless it is told a network, whether there is a key or not: "
    "whoever finds a flaw or a key is where every job is submitted. Sessions of SSM need no port.",
    source="aws-parallelcluster 3.16.1, HeadNodeSsh: AllowedIps is 0.0.0.0/0 without it",
    remedy="Name the network that people come from.",
    facts=("hardware.md#g",),
)
def parallelcluster_ssh_not_open_to_all(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.replaces_groups:
        return  # groups of one's own decide, and ParallelCluster opens nothing
    if head.ssh_from is UNKNOWN:
        yield rule.unjudged(head.place, "the networks that reach the head node, not known before creation")
    elif head.ssh_from is None or cover_every_address([head.ssh_from]) or wider_than_any_owner(head.ssh_from):
        everybody = head.ssh_from is None or cover_every_address([head.ssh_from])
        yield rule.finding(
            head.place,
            at="ssh-from",
            got="port 22 of the head node is open to every address"
            if everybody
            else f"port 22 of the head node is open to {head.ssh_from}, a part of the Internet that has many owners",
            remedy="name the network you come from (ssh-from; AllowedIps to ParallelCluster), as in 203.0.113.0/24",
        )

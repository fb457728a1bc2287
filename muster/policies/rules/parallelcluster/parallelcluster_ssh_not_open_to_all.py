"""Who can reach the head node through SSH."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.networks import cover_every_address, wider_than_any_owner
from muster.unknown import UNKNOWN


@rule(
    "parallelcluster-ssh-not-open-to-all",
    title="SSH on the head node is not open to every address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=HeadNode,
    backends=("parallelcluster",),
    why="If you set no network, ParallelCluster opens port 22 to the whole internet, with or without a key pair. An "
    "attacker with a key or an exploit then controls the node that submits every job. SSM sessions need no open port.",
    source="aws-parallelcluster 3.16.1, HeadNodeSsh: AllowedIps is 0.0.0.0/0 without it",
    remedy="Set the network that users connect from.",
    facts=("hardware.md#g",),
)
def parallelcluster_ssh_not_open_to_all(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.replaces_groups:
        return  # the cluster's own groups decide, and ParallelCluster opens nothing
    if head.ssh_from is UNKNOWN:
        yield rule.unjudged(head.place, "the networks that reach the head node (known only after `pulumi up`)")
    elif head.ssh_from is None or cover_every_address([head.ssh_from]) or wider_than_any_owner(head.ssh_from):
        open_to_all = head.ssh_from is None or cover_every_address([head.ssh_from])
        yield rule.finding(
            head.place,
            at="ssh-from",
            got="port 22 of the head node is open to every address"
            if open_to_all
            else f"port 22 of the head node is open to {head.ssh_from}, a range that has many owners",
            remedy="set ssh-from to the network that you connect from, such as 203.0.113.0/24",
            program_remedy="set Ssh.AllowedIps to the network that you connect from, such as 203.0.113.0/24",
        )

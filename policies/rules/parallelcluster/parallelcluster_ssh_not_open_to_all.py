"""Who can reach the head node and the login nodes through SSH."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode, LoginPool
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.networks import cover_every_address, wider_than_any_owner
from muster.policies.lookups.parallelcluster import cluster_of, display_name, head_of
from muster.unknown import UNKNOWN


@rule(
    "parallelcluster-ssh-not-open-to-all",
    title="SSH on the head node and on login nodes is not open to every address",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=HeadNode | LoginPool,
    backends=("parallelcluster",),
    why="If you set no network, ParallelCluster opens port 22 to the whole internet, with or without a key pair. An "
    "attacker with a key or an exploit then controls a node that submits jobs. SSM sessions need no open port.",
    source=("https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/config/cluster_config.py#L818",),
    remedy="Set the network that users connect from.",
    facts=("hardware.md#g",),
)
def parallelcluster_ssh_not_open_to_all(node: HeadNode | LoginPool, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if node.replaces_groups:
        return  # the cluster's own groups decide, and ParallelCluster opens nothing
    if isinstance(node, LoginPool) and node.ssh_from is None and _head(node, fleet):
        return  # the network is that of the head node, which is reported there
    which = display_name(node)
    if node.ssh_from is UNKNOWN:
        yield rule.unjudged(node.place, f"the networks that reach {which} (known only after `pulumi up`)")
    elif node.ssh_from is None or cover_every_address([node.ssh_from]) or wider_than_any_owner(node.ssh_from):
        open_to_all = node.ssh_from is None or cover_every_address([node.ssh_from])
        yield rule.finding(
            node.place,
            at="ssh-from",
            got=f"port 22 of {which} is open to every address"
            if open_to_all
            else f"port 22 of {which} is open to {node.ssh_from}, a range that has many owners",
            remedy="set ssh-from to the network that you connect from, such as 203.0.113.0/24",
            program_remedy="set Ssh.AllowedIps to the network that you connect from, such as 203.0.113.0/24",
        )


def _head(pool: LoginPool, fleet: Fleet) -> HeadNode | None:
    """The head node, if its network is reported."""
    cluster = cluster_of(pool, fleet)
    head = head_of(cluster, fleet) if cluster else None
    return None if head is None or head.replaces_groups else head

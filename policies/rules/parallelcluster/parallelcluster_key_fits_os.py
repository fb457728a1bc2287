"""SSH keys of the head node."""

from collections.abc import Iterator

from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, HeadNode
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import cluster_of
from policies.rule import Rule, Verdict, rule

_NO_RSA = frozenset({"ubuntu2204", "ubuntu2404"})
_RSA = frozenset({"ssh-rsa", "rsa"})


@rule(
    "parallelcluster-key-fits-os",
    title="Ubuntu is logged in to with an ED25519 key",
    judges=HeadNode,
    backends=("parallelcluster",),
    why="ParallelCluster refuses an RSA key pair on Ubuntu 22.04 and 24.04, whose SSH servers no longer take the "
    "signatures that older clients make with it.",
    source="aws-parallelcluster 3.16.1, KeyPairValidator",
    remedy="Take an ED25519 key.",
    facts=("rules.md#62",),
)
def parallelcluster_key_fits_os(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(head, fleet)
    if cluster is None or head.key_pair is None or fleet.gone(Kind.KEY_PAIR, head.key_pair):
        return
    if cluster.os is not UNKNOWN and cluster.os not in _NO_RSA:
        return
    known = fleet.key_pair_facts(head.key_pair) if isinstance(head.key_pair, str) else None
    kind = known.type if known else head.key_type
    if UNKNOWN in (cluster.os, head.key_pair, kind):
        yield rule.unjudged(head.place, "the key pair or the operating system, not known before creation")
    elif kind is None:
        yield rule.unjudged(head.place, fleet.missing(f"whether key pair {_called(head)} is RSA or ED25519"))
    elif kind in _RSA:
        yield rule.finding(
            head.place,
            at="login",
            got=f"an RSA key (key pair {_called(head)}), and {cluster.os} takes none",
            remedy="make one with `ssh-keygen -t ed25519`, or log in by SSM",
        )


def _called(head: HeadNode) -> str:
    return head.key_pair if isinstance(head.key_pair, str) else getattr(head.key_pair, "name", "of the program")

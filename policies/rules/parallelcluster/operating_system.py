"""The operating system, the types it runs on, and the key it takes."""

from collections.abc import Iterator

from muster.config.description.slurm_cluster import ENDED, Os
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, ParallelCluster
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.message_text import did_you_mean
from muster.unknown import UNKNOWN
from policies.engine.finding_text import or_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import cluster_of, display_name, types_of


@rule(
    "parallelcluster-os-supported",
    title="ParallelCluster has the operating system",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Each version has a list of its own, and refuses a cluster of any other system. Amazon Linux 2 left it with "
    "3.16, and most templates that people copy still say alinux2.",
    source="aws-parallelcluster 3.16.1, constants.py: SUPPORTED_OSES",
    remedy="Take one of the list.",
    facts=("hardware.md#R22", "hardware.md#D21"),
)
def parallelcluster_os_supported(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed = [each.value for each in Os]
    if cluster.os is UNKNOWN:
        yield rule.unjudged(cluster.place, "the operating system, not known before creation")
    elif cluster.os is None:
        yield rule.finding(
            cluster.place, at="os", got="no operating system is named", remedy=f"write {or_list(listed)}"
        )
    elif cluster.os in ENDED:
        got = f"'{cluster.os}' is an operating system that ParallelCluster 3.16 no longer has"
        yield rule.finding(
            cluster.place, at="os", got=got, remedy=f"write {ENDED[cluster.os].value}, which replaces it"
        )
    elif cluster.os not in listed:
        got = f"'{cluster.os}' is no operating system of ParallelCluster's{did_you_mean(cluster.os, listed)}"
        yield rule.finding(cluster.place, at="os", got=got, remedy=f"write {or_list(listed)}")


_INSTEAD = ("alinux2023", "ubuntu2204", "ubuntu2404", "rocky9")


@rule(
    "parallelcluster-os-runs-type",
    title="The operating system runs on the instance type",
    judges=ComputeResource | HeadNode,
    backends=("parallelcluster",),
    why="The p6e-gb200 has an Arm processor and drivers that older systems have no package for: ParallelCluster "
    "refuses it with them.",
    source="aws-parallelcluster 3.16.1, InstanceTypeOSCompatibleValidator: UNSUPPORTED_OSES_FOR_P6E_GB200",
    remedy="Take an operating system that the type runs.",
    facts=("hardware.md#R22",),
)
def parallelcluster_os_runs_type(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(thing, fleet)
    types = types_of(thing) if isinstance(thing, ComputeResource) else (thing.instance,)
    for each in types:
        refused = _refused_systems(str(each))
        if not refused or cluster is None:
            continue
        if cluster.os is UNKNOWN:
            yield rule.unjudged(thing.place, f"the operating system for {each}, not known before creation")
        elif cluster.os in refused:
            got = f"{display_name(thing)} has {each}, which does not run {cluster.os}"
            yield rule.finding(thing.place, at="instance", got=got, remedy=f"take os: {or_list(_INSTEAD)}")


def _refused_systems(instance: str) -> tuple[str, ...]:
    try:
        return hardware(instance).parallelcluster_refuses
    except UnknownInstance:
        return ()


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
    if cluster is None or head.key_pair is None or fleet.gone(ResourceKind.KEY_PAIR, head.key_pair):
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

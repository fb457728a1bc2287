"""The operating system, the instance types that it runs on, and the SSH keys that it accepts."""

import re
from collections.abc import Iterator

from muster.config.description.slurm_cluster import ENDED, Os
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, LoginPool, ParallelCluster
from muster.hardware.catalogue import UnknownInstance, hardware
from muster.message_text import did_you_mean
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import cluster_of, display_name, types_of
from muster.unknown import UNKNOWN
from muster.versions import PARALLELCLUSTER
from muster.whole_number import version_numbers, whole_number


@rule(
    "parallelcluster-os-supported",
    title="ParallelCluster supports the operating system",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Each version of ParallelCluster has its own list of operating systems, and refuses any other. Version 3.16 "
    "dropped Amazon Linux 2, but most templates that people copy still set alinux2.",
    source=("https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/constants.py#L27",),
    remedy="Use an operating system of the list.",
    facts=("hardware.md#R22", "hardware.md#D21"),
)
def parallelcluster_os_supported(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed = [each.value for each in Os]
    if cluster.os is UNKNOWN:
        yield rule.unjudged(cluster.place, "the operating system (known only after `pulumi up`)")
    elif cluster.os is None:
        yield rule.finding(
            cluster.place,
            at="os",
            got="the operating system is not set",
            remedy=f"set it to {or_list(listed)}",
            program_remedy=f"set Image.Os to {or_list(listed)}",
        )
    elif cluster.os in ENDED and cluster.version is UNKNOWN:
        what = f"the version of ParallelCluster: 3.16 no longer supports the operating system '{cluster.os}'"
        yield rule.unjudged(cluster.place, what)
    elif cluster.os in ENDED and _is_of_an_older_version(cluster):
        missing = f"the operating systems that ParallelCluster {cluster.version} supports, as '{cluster.os}' was once"
        yield rule.unjudged(cluster.place, missing)
    elif cluster.os in ENDED:
        got = f"ParallelCluster 3.16 no longer supports the operating system '{cluster.os}'"
        yield rule.finding(
            cluster.place,
            at="os",
            got=got,
            remedy=f"set it to {ENDED[cluster.os].value}, which replaces it",
            program_remedy=f"set Image.Os to {ENDED[cluster.os].value}, which replaces it",
        )
    elif cluster.os not in listed:
        got = f"ParallelCluster does not support the operating system '{cluster.os}'{did_you_mean(cluster.os, listed)}"
        remedy, in_program = f"set it to {or_list(listed)}", f"set Image.Os to {or_list(listed)}"
        yield rule.advice.finding(cluster.place, at="os", got=got, remedy=remedy, program_remedy=in_program)


def _is_of_an_older_version(cluster: ParallelCluster) -> bool:
    """Whether the cluster has a version of ParallelCluster before the one that Muster knows."""
    numbers = (
        [whole_number(each) for each in re.findall(r"[0-9]{1,6}", cluster.version)]
        if isinstance(cluster.version, str)
        else []
    )
    return bool(numbers) and tuple(numbers) < version_numbers(PARALLELCLUSTER)


_INSTEAD = ("alinux2023", "ubuntu2204", "ubuntu2404", "rocky9")


@rule(
    "parallelcluster-os-runs-type",
    title="The operating system runs on the instance type",
    judges=ComputeResource | HeadNode | LoginPool,
    backends=("parallelcluster",),
    why="The p6e-gb200 has an Arm processor, and needs drivers that have no packages for older operating systems. "
    "ParallelCluster refuses it with those systems.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/ec2_validators.py#L197",
    ),
    remedy="Use an operating system that runs on the type.",
    facts=("hardware.md#R22",),
)
def parallelcluster_os_runs_type(
    thing: ComputeResource | HeadNode | LoginPool, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    cluster = cluster_of(thing, fleet)
    types = types_of(thing) if isinstance(thing, ComputeResource) else (thing.instance,)
    for each in types:
        refused = _refused_systems(str(each))
        if not refused or cluster is None:
            continue
        if cluster.os is UNKNOWN:
            yield rule.unjudged(
                thing.place, f"the operating system of the cluster with {each} (known only after `pulumi up`)"
            )
        elif cluster.os in refused:
            yield rule.finding(
                thing.place,
                at="instance",
                got=f"{display_name(thing)} has {each}, which {cluster.os} does not run on",
                remedy=f"set os to {or_list(_INSTEAD)}",
                program_remedy=f"set Image.Os to {or_list(_INSTEAD)}",
            )


def _refused_systems(instance: str) -> tuple[str, ...]:
    try:
        return hardware(instance).parallelcluster_refuses
    except UnknownInstance:
        return ()


_NO_RSA = frozenset({"ubuntu2204", "ubuntu2404"})
_RSA = frozenset({"ssh-rsa", "rsa"})


@rule(
    "parallelcluster-key-fits-os",
    title="A cluster on Ubuntu has an ED25519 key pair",
    judges=HeadNode,
    backends=("parallelcluster",),
    why="ParallelCluster refuses an RSA key pair on Ubuntu 22.04 and 24.04. Their SSH servers no longer accept the "
    "signatures that older clients create with such a key.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/ec2_validators.py#L225",
    ),
    remedy="Use an ED25519 key.",
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
        yield rule.unjudged(head.place, "the key pair or the operating system (known only after `pulumi up`)")
    elif kind is None:
        yield rule.unjudged(head.place, fleet.missing(f"whether key pair {_called(head)} is RSA or ED25519"))
    elif kind in _RSA:
        yield rule.finding(
            head.place,
            at="login",
            got=f"key pair {_called(head)} is an RSA key, which {cluster.os} does not accept",
            remedy="create a key with `ssh-keygen -t ed25519`, or log in through SSM",
        )


def _called(head: HeadNode) -> str:
    return head.key_pair if isinstance(head.key_pair, str) else getattr(head.key_pair, "name", "of the program")

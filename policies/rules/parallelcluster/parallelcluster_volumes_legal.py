"""EBS volumes of nodes, and EBS volumes that the head node shares."""

from collections.abc import Iterator

from muster.finding import KeyPath
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster, Queue, Volume
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import display_name
from muster.unknown import UNKNOWN

_SIZES = {
    "standard": (1, 1024),
    "io1": (4, 16384),
    "io2": (4, 65536),
    "gp2": (1, 16384),
    "gp3": (1, 16384),
    "st1": (500, 16384),
    "sc1": (500, 16384),
}
_IOPS = {"io1": (100, 64000, 50), "io2": (100, 256000, 1000), "gp3": (3000, 16000, 500)}
"""Least, most, most for each GiB."""
_THROUGHPUT = (125, 1000)
_DEFAULT_TYPE, _DEFAULT_IOPS = "gp3", {"io1": 100, "io2": 100, "gp3": 3000}


@rule(
    "parallelcluster-volumes-legal",
    title="EBS volumes have a size, IOPS and throughput that their type allows",
    judges=ParallelCluster | HeadNode | Queue,
    backends=("parallelcluster",),
    why="EC2 refuses other volumes, so the node does not launch. ParallelCluster refuses the cluster before that.",
    source=("https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/ebs_validators.py",),
    remedy="Set a size, IOPS and throughput within the limits of the type.",
    facts=("rules.md#62",),
)
def parallelcluster_volumes_legal(
    thing: ParallelCluster | HeadNode | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    for at, whose, volume, inside in _volumes(thing):
        if UNKNOWN in (volume.type, volume.gib, volume.iops, volume.throughput):
            yield rule.unjudged(thing.place, f"the volume of {whose} (known only after `pulumi up`)")
            continue
        for got, remedy, in_program in _wrong(volume):
            place = thing.place.within(inside)
            level = rule if volume.type is None or volume.type in _SIZES else rule.advice
            yield level.finding(place, at=at, got=f"{whose}: {got}", remedy=remedy, program_remedy=in_program)


def _volumes(thing: ParallelCluster | HeadNode | Queue) -> list[tuple[str, str, Volume, KeyPath]]:
    """Each volume's path in the description, the name of its owner, its settings, and its path in the configuration."""
    if not isinstance(thing, ParallelCluster):
        return [("root", display_name(thing), thing.root, ())] if thing.root else []
    mounts = () if thing.mounts is UNKNOWN else thing.mounts
    return [
        ("head.apps", str(each.name), each.volume, each.inside)
        for each in mounts
        if each.volume and each.file_system is None
    ]


def _wrong(volume: Volume) -> Iterator[tuple[str, str, str]]:
    """What was found, the remedy, and that for a program."""
    kind = str(volume.type or _DEFAULT_TYPE)
    if kind not in _SIZES:
        yield f"EBS has no volume type '{kind}'", "set the type to gp3", "set VolumeType to gp3"
        return
    least, most = _SIZES[kind]
    if isinstance(volume.gib, int) and not least <= volume.gib <= most:
        got, size = f"volumes of type {kind} cannot have {volume.gib} GiB", f"{least} to {most} GiB"
        yield got, f"set a size of {size}", f"set Size to {size}"
        return
    iops = volume.iops if isinstance(volume.iops, int) else _DEFAULT_IOPS.get(kind)
    if iops is not None and kind not in _IOPS:
        yield f"volumes of type {kind} cannot set IOPS", "remove the IOPS", "remove Iops"
    elif iops is not None:
        fewest, highest, each = _IOPS[kind]
        fitting = min(highest, each * volume.gib) if isinstance(volume.gib, int) else highest
        if fitting < fewest:
            got = f"{volume.gib} GiB are too small for a volume of type {kind}, which has at least {fewest} IOPS"
            smallest = f"at least {-(-fewest // each)} GiB"
            yield got, f"set a size of {smallest}", f"set Size to {smallest}"
        elif not fewest <= iops <= fitting:
            size = f" with {volume.gib} GiB" if isinstance(volume.gib, int) else ""
            got, to = f"volumes of type {kind}{size} cannot have {iops} IOPS", f"{fewest} to {fitting}"
            yield got, f"set {to} IOPS", f"set Iops to a number from {to}"
    if isinstance(volume.throughput, int) and kind == "gp3":
        lowest, top = _THROUGHPUT[0], min(_THROUGHPUT[1], (iops or 0) // 4)
        if not lowest <= volume.throughput <= top:
            got = f"volumes of type gp3 with {iops} IOPS cannot have a throughput of {volume.throughput} MB/s"
            to = f"{lowest} to {top} MB/s"
            yield got, f"set a throughput of {to}", f"set Throughput to {to}"

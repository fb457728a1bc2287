"""EBS volumes of nodes, and those that the head node shares."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HeadNode, ParallelCluster, Queue, Volume
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import display_name

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
    title="EBS volumes have a size, IOPS and throughput that their type has",
    judges=ParallelCluster | HeadNode | Queue,
    backends=("parallelcluster",),
    why="EC2 refuses other volumes, and with them the node; ParallelCluster refuses the cluster before.",
    source="aws-parallelcluster 3.16.1, ebs_validators.py",
    remedy="Take a size, IOPS and throughput within the type's limits.",
    facts=("rules.md#62",),
)
def parallelcluster_volumes_legal(
    thing: ParallelCluster | HeadNode | Queue, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    for at, whose, volume in _volumes(thing):
        if UNKNOWN in (volume.type, volume.gib, volume.iops, volume.throughput):
            yield rule.unjudged(thing.place, f"the volume of {whose}, not known before creation")
            continue
        for got, remedy in _wrong(volume):
            yield rule.finding(thing.place, at=at, got=f"{whose}: {got}", remedy=remedy)


def _volumes(thing: ParallelCluster | HeadNode | Queue) -> list[tuple[str, str, Volume]]:
    """Each volume's path in the description, the name of its owner, and its settings."""
    if not isinstance(thing, ParallelCluster):
        return [("root", display_name(thing), thing.root)] if thing.root else []
    mounts = () if thing.mounts is UNKNOWN else thing.mounts
    return [("head.apps", str(each.name), each.volume) for each in mounts if each.volume and each.file_system is None]


def _wrong(volume: Volume) -> Iterator[tuple[str, str]]:
    kind = str(volume.type or _DEFAULT_TYPE)
    if kind not in _SIZES:
        yield f"there are no volumes of type '{kind}'", "write gp3"
        return
    least, most = _SIZES[kind]
    if isinstance(volume.gib, int) and not least <= volume.gib <= most:
        yield f"{kind} volumes have no {volume.gib} GiB", f"take {least} to {most} GiB"
        return
    iops = volume.iops if isinstance(volume.iops, int) else _DEFAULT_IOPS.get(kind)
    if iops is not None and kind not in _IOPS:
        yield f"{kind} volumes take no IOPS", "leave IOPS out"
    elif iops is not None:
        fewest, highest, each = _IOPS[kind]
        fitting = min(highest, each * volume.gib) if isinstance(volume.gib, int) else highest
        if fitting < fewest:
            yield f"a volume of type {kind} of {volume.gib} GiB", f"take {-(-fewest // each)} GiB or more, for its IOPS"
        elif not fewest <= iops <= fitting:
            yield f"a volume of type {kind} with {iops} IOPS", f"take {fewest} to {fitting} for its size"
    if isinstance(volume.throughput, int) and kind == "gp3":
        lowest, top = _THROUGHPUT[0], min(_THROUGHPUT[1], (iops or 0) // 4)
        if not lowest <= volume.throughput <= top:
            yield f"a volume of type gp3 with {volume.throughput} MB/s", f"take {lowest} to {top} for its IOPS"

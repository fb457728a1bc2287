"""Sizes of file systems."""

from collections.abc import Iterator

from muster.fleet.lustre import DISKS, INTELLIGENT_TIERING, sizes
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import choice


@rule(
    "lustre-size-valid",
    title="A file system has a size that FSx makes, for its type, its disks and EFA",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx makes file systems of certain sizes only, and says so when everything else is up: 3000 GiB is none.",
    source="FSx API, CreateFileSystem; FSx Lustre guide, EFA; ParallelCluster fsx_validators.py",
    remedy="Take a size that the type has: 1200 GiB or a multiple of 2400 GiB, most of them.",
    facts=("rules.md#51", "pains.md#15"),
)
def lustre_size_valid(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    size, deployment, disk, throughput = system.size, system.deployment, system.disk, system.throughput
    if system.existing or disk == INTELLIGENT_TIERING:
        return
    if size is UNKNOWN or deployment is UNKNOWN or disk is UNKNOWN or throughput is UNKNOWN or system.efa is UNKNOWN:
        yield rule.unjudged(system.place, "the size, and what kind of file system it is for")
        return
    valid = sizes(deployment, disk, throughput, efa=system.efa)
    if valid is None:
        return  # rules about the type, the disks, the throughput or EFA say what there is no size for
    kind = f"{deployment} ({disk})" if len(DISKS[deployment]) > 1 else deployment
    kind += f" with EFA at {throughput} MB/s per TiB" if system.efa else ""
    if size is None:
        yield rule.finding(system.place, "no size", f"state one: {valid} on {kind}", at="size")
    elif not valid.take(size):
        near = choice(f"{each}GiB" for each in valid.near(size))
        yield rule.finding(system.place, f"{size}GiB on {kind}", f"take {near} ({valid})", at="size")

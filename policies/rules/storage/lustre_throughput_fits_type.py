"""Throughput for each TiB."""

from collections.abc import Iterator

from muster.fleet.lustre import DISKS, THROUGHPUTS
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import choice


@rule(
    "lustre-throughput-fits-type",
    title="A persistent file system states a throughput that its type has, a scratch one none",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Persistent file systems are bought by throughput and FSx makes none without it; scratch ones have their own "
    "200 MB/s per TiB and are refused with it. Both show only when everything else is up.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="State one of the throughputs of the type, or none on scratch.",
    facts=("rules.md#52", "pains.md#15"),
)
def lustre_throughput_fits_type(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    deployment, disk, throughput = system.deployment, system.disk, system.throughput
    if system.existing:
        return
    if deployment is UNKNOWN or disk is UNKNOWN or throughput is UNKNOWN:
        yield rule.unjudged(system.place, "the throughput, and what kind of file system it is for")
        return
    if disk not in DISKS.get(deployment, ()):
        return  # lustre-disk-fits-type says so
    choices, wrong = THROUGHPUTS.get((deployment, disk), frozenset()), None
    if not choices and throughput is not None:
        wrong = f"a throughput of {throughput} on {deployment}", "remove it: this type takes none"
    elif choices and throughput not in choices:
        said = "no throughput" if throughput is None else f"a throughput of {throughput}"
        wrong = f"{said} on {deployment} ({disk})", f"take {choice(sorted(choices))} (MB/s per TiB)"
    if wrong:
        yield rule.finding(system.place, *wrong, at="throughput")

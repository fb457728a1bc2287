"""What a Lustre deployment type takes: disks, size, throughput, EFA, keys."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import (
    DISKS,
    HDD,
    INTELLIGENT_TIERING,
    PERSISTENT,
    PERSISTENT_1,
    PERSISTENT_2,
    THROUGHPUTS,
    sizes,
)
from muster.unknown import UNKNOWN
from policies.engine.finding_text import or_list
from policies.engine.rule import Rule, Verdict, rule


@rule(
    "lustre-disk-fits-type",
    title="A file system's deployment type has the disks that it asks for, and a drive cache where they are hard disks",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx makes hard disks for PERSISTENT_1 only, with a drive cache stated; it refuses everything else, after the "
    "rest of the stack is up.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="Use ssd, or hdd with persistent-1.",
    facts=("rules.md#52", "pains.md#15"),
)
def lustre_disk_fits_type(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing:
        return
    if system.deployment is UNKNOWN or system.disk is UNKNOWN:
        yield rule.unjudged(system.place, "the deployment type and the disks")
        return
    disks, cache, wrong = DISKS.get(system.deployment), system.drive_cache, None
    if disks is None:
        wrong = f"'{system.deployment}' is no deployment type", f"take {or_list(DISKS)}", "type"
    elif system.disk not in disks:
        wrong = f"{system.deployment} on {system.disk}", f"take SSD, or {PERSISTENT_1} for HDD", "disk"
    elif system.disk == HDD and cache is None:
        wrong = "hard disks, and no drive cache", "say NONE or READ", "drive-cache"
    elif system.disk != HDD and isinstance(cache, str):
        wrong = f"a drive cache ({cache}) before {system.disk}", "remove it: only hard disks have one", "drive-cache"
    if wrong:
        yield rule.finding(system.place, *wrong)


@rule(
    "lustre-efa-allowed",
    title="A file system with EFA is PERSISTENT_2 and has a metadata configuration",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx gives EFA to these only, and only at creation: nothing but another file system mends it later.",
    source="FSx API, CreateFileSystemLustreConfiguration; FSx Lustre guide, EFA-enabled file systems",
    remedy="Take persistent-2 with metadata, or do without EFA.",
    facts=("rules.md#54",),
)
def lustre_efa_allowed(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or system.efa is False:
        return
    if system.efa is UNKNOWN or system.deployment is UNKNOWN:
        yield rule.unjudged(system.place, "whether it has EFA, and its deployment type")
    elif system.deployment != PERSISTENT_2:
        got, remedy = f"EFA on {system.deployment}", f"take {PERSISTENT_2}, or do without EFA"
        yield rule.finding(system.place, got, remedy, at="efa")
    elif system.metadata_mode is None:
        got, remedy = "EFA without a metadata configuration", "add one (mode AUTOMATIC), or do without EFA"
        yield rule.finding(system.place, got, remedy, at="efa")


@rule(
    "lustre-key-and-backups-persistent",
    title="Only a persistent file system has a KMS key of its own and backups",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="FSx refuses both on scratch, which it encrypts with its own key and never backs up.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="Remove them, or make the file system persistent.",
    facts=("rules.md#52",),
)
def lustre_key_and_backups_persistent(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    days, deployment = system.backup_days, system.deployment
    if system.existing or (system.key is None and days == 0):
        return
    if deployment is UNKNOWN:
        yield rule.unjudged(system.place, "the deployment type")
    elif deployment not in PERSISTENT:
        if system.key is not None:
            got, remedy = f"a KMS key on {deployment}", "remove the key, or take a persistent type"
            yield rule.finding(system.place, got, remedy, at="key")
        if days is UNKNOWN:
            yield rule.unjudged(system.place, "whether there are backups")
        elif days:
            got, remedy = f"backups kept on {deployment}", "set them to 0 days, or take a persistent type"
            yield rule.finding(system.place, got, remedy, at="backup-days")


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
        return  # the rules about type, disks, throughput or EFA report the cause
    kind = f"{deployment} ({disk})" if len(DISKS[deployment]) > 1 else deployment
    kind += f" with EFA at {throughput} MB/s per TiB" if system.efa else ""
    if size is None:
        yield rule.finding(system.place, "no size", f"state one: {valid} on {kind}", at="size")
    elif not valid.take(size):
        near = or_list(f"{each}GiB" for each in valid.near(size))
        yield rule.finding(system.place, f"{size}GiB on {kind}", f"take {near} ({valid})", at="size")


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
        return  # lustre-disk-fits-type reports it
    choices, wrong = THROUGHPUTS.get((deployment, disk), frozenset()), None
    if not choices and throughput is not None:
        wrong = f"a throughput of {throughput} on {deployment}", "remove it: this type takes none"
    elif choices and throughput not in choices:
        given = "no throughput" if throughput is None else f"a throughput of {throughput}"
        wrong = f"{given} on {deployment} ({disk})", f"take {or_list(sorted(choices))} (MB/s per TiB)"
    if wrong:
        yield rule.finding(system.place, *wrong, at="throughput")

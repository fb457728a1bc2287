"""What a Lustre deployment type supports: disks, size, throughput, EFA, keys."""

from collections.abc import Iterator

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.hardware.lustre import (
    BEFORE_EFA,
    DISKS,
    INTELLIGENT_TIERING,
    PERSISTENT_2,
    THROUGHPUTS,
    sizes,
)
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "lustre-efa-allowed",
    title="A file system with EFA is PERSISTENT_2 and has a metadata configuration",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx supports EFA only on these file systems, and only at creation. Later, you must replace the file system.",
    source=(
        "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemLustreConfiguration.html",
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html",
    ),
    remedy="Use PERSISTENT_2 with a metadata configuration, or turn EFA off.",
    facts=("rules.md#54",),
)
def lustre_efa_allowed(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or system.efa is False:
        return
    if system.efa is UNKNOWN or system.deployment is UNKNOWN:
        yield rule.unjudged(system.place, "whether the file system has EFA, and its deployment type")
    elif system.deployment in BEFORE_EFA:
        got = f"the file system has EFA, which {system.deployment} does not support"
        remedy = f"use {PERSISTENT_2}, or turn EFA off"
        in_program = f"set deploymentType to {PERSISTENT_2}, or efaEnabled to false"
        yield rule.finding(system.place, got, remedy, at="efa", program_remedy=in_program)
    elif system.metadata_mode is UNKNOWN:
        yield rule.unjudged(system.place, "the metadata configuration (known only after `pulumi up`)")
    elif system.metadata_mode is None:
        got = "the file system has EFA, but no metadata configuration"
        remedy = "add a metadata configuration (mode AUTOMATIC), or turn EFA off"
        in_program = "set metadataConfiguration.mode to AUTOMATIC, or efaEnabled to false"
        yield rule.finding(system.place, got, remedy, at="efa", program_remedy=in_program)


@rule(
    "lustre-size-valid",
    title="A file system has a size that FSx supports for its type, its disks and EFA",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx supports only certain sizes: 3000 GiB, for example, is not one. It refuses others only after the "
    "deployment has created everything else.",
    source=(
        "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystem.html",
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/fsx_validators.py",
    ),
    remedy="Use a size that the type supports: for most types, 1200 GiB or a multiple of 2400 GiB.",
    facts=("rules.md#51", "pains.md#15"),
)
def lustre_size_valid(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    size, deployment, disk, throughput = system.size, system.deployment, system.disk, system.throughput
    if system.existing or disk == INTELLIGENT_TIERING:
        return
    if size is UNKNOWN or deployment is UNKNOWN or disk is UNKNOWN or throughput is UNKNOWN or system.efa is UNKNOWN:
        yield rule.unjudged(system.place, "the size, or the kind of the file system")
        return
    valid = sizes(deployment, disk, throughput, efa=system.efa)
    if valid is None:
        return  # the rules about type, disks, throughput or EFA report the cause
    kind = f"{deployment} ({disk})" if len(DISKS[deployment]) > 1 else deployment
    kind += f" with EFA at {throughput} MB/s per TiB" if system.efa else ""
    if size is None:
        got = "the file system does not set a size"
        to = f"that {kind} supports: {valid}"
        in_program = f"set storageCapacity to a size {to}"
        yield rule.finding(system.place, got, f"set a size {to}", at="size", program_remedy=in_program)
    elif not valid.take(size):
        near = valid.near(size)
        yield rule.finding(
            system.place,
            got=f"the size is {size}GiB, which FSx does not support on {kind}",
            remedy=f"set size to {or_list(f'{each}GiB' for each in near)} ({valid})",
            at="size",
            program_remedy=f"set storageCapacity to {or_list(near)} ({valid})",
        )


@rule(
    "lustre-throughput-fits-type",
    title="A persistent file system sets a throughput that its type supports, and a scratch file system sets none",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="FSx refuses a persistent file system without a throughput, and a scratch file system with one: those always "
    "have 200 MB/s per TiB. It refuses them only after the deployment has created everything else.",
    source=(
        "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemLustreConfiguration.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/fsx_validators.py",
    ),
    remedy="Set one of the throughputs of the type, or none on scratch.",
    facts=("rules.md#52", "pains.md#15"),
)
def lustre_throughput_fits_type(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    deployment, disk, throughput = system.deployment, system.disk, system.throughput
    if system.existing:
        return
    if deployment is UNKNOWN or disk is UNKNOWN or throughput is UNKNOWN:
        yield rule.unjudged(system.place, "the throughput, or the kind of the file system")
        return
    if disk not in DISKS.get(deployment, ()):
        return  # FSx refuses it at once
    choices, wrong = THROUGHPUTS.get((deployment, disk), frozenset()), None
    if not choices and throughput is not None:
        got = f"the file system sets throughput {throughput}, but {deployment} does not allow a throughput"
        wrong = got, "remove the throughput", "remove perUnitStorageThroughput"
    elif choices and throughput not in choices:
        given = "not set" if throughput is None else f"{throughput}, which {deployment} ({disk}) does not support"
        to = f"to {or_list(sorted(choices))} (MB/s per TiB)"
        wrong = f"the throughput is {given}", f"set the throughput {to}", f"set perUnitStorageThroughput {to}"
    if wrong:
        got, remedy, in_program = wrong
        yield rule.finding(system.place, got, remedy, at="throughput", program_remedy=in_program)

"""What the description says of an existing file system against what AWS says."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LustreFileSystem
from policies.reading.asked import was_asked
from policies.reading.file_systems import is_no_lustre
from policies.rule import Rule, Verdict, rule


@rule(
    "lustre-as-declared",
    title="An existing file system is what the description says",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Pods mount what the description says: with another file system's names every mount fails, with another zone "
    "every byte crosses zones.",
    source="FSx API, DescribeFileSystems",
    remedy="Write what AWS says.",
    facts=("rules.md#55", "pains.md#14"),
)
def lustre_as_declared(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or is_no_lustre(system, fleet):
        return
    known = fleet.file_system_facts(system.id)
    said = (
        ("mount-name", system.mount_name, known.mount_name),
        ("dns-name", system.dns_name, known.dns_name),
        ("zone", system.zone, known.zone),
    )
    for key, ours, theirs in said:
        if ours is not None and theirs is None and was_asked(fleet):
            yield rule.unjudged(system.place, fleet.missing(f"the {key} of file system {system.id}"))
        if ours is not None and theirs is not None and ours != theirs:
            got = f"{system.id} is said to have {key} {ours}; AWS says {theirs}"
            yield rule.finding(system.place, got, f"write {key}: {theirs}, or name another file system", at=key)

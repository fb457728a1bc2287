"""EFA of file systems."""

from collections.abc import Iterator

from muster.fleet.lustre import PERSISTENT_2
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


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

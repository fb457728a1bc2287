"""Whether a file system that exists can be mounted at all."""

from collections.abc import Iterator

from muster.fleet.facts import FileSystemState
from muster.fleet.lustre import LUSTRE
from muster.fleet.named import Kind
from muster.fleet.resources import Fleet, LustreFileSystem
from policies.reading.asked import was_asked
from policies.rule import Rule, Verdict, rule

_MOUNTED = (FileSystemState.AVAILABLE, FileSystemState.UPDATING)
"""A file system that is being updated stays in use."""

_MEND = "have its owner mend it, as its FailureDetails say, or use another"
_REMEDIES = {
    FileSystemState.CREATING: "wait until it is AVAILABLE",
    FileSystemState.MISCONFIGURED: _MEND,
    FileSystemState.MISCONFIGURED_UNAVAILABLE: _MEND,
}


@rule(
    "lustre-usable",
    title="An existing file system is Lustre, and available",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Nodes mount Lustre alone, and only one that is there for its clients: every pod that wants another waits in "
    "ContainerCreating, and Slurm's nodes do not come up.",
    source="FSx API, FileSystem (Lifecycle, FileSystemType)",
    remedy="Name a Lustre file system that is AVAILABLE.",
    facts=("rules.md#55", "pains.md#14"),
)
def lustre_usable(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not system.existing or fleet.gone(Kind.FILE_SYSTEM, system.id):
        return
    known = fleet.file_system_facts(system.id)
    if known.type not in (None, LUSTRE):
        got = f"{system.id} is a file system of type {known.type}"
        yield rule.finding(system.place, got, "name one of type LUSTRE", at="id")
    elif known.state not in (None, *_MOUNTED):
        remedy = _REMEDIES.get(known.state, "name one that is AVAILABLE")
        yield rule.finding(system.place, f"{system.id} is {known.state.value}", remedy, at="id")
    elif was_asked(fleet):
        for what, value in (("type", known.type), ("state", known.state)):
            if value is None:
                yield rule.unjudged(system.place, fleet.missing(f"the {what} of file system {system.id}"))

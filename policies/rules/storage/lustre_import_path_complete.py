"""The older link to S3, before there were associations."""

from collections.abc import Iterator

from muster.fleet.lustre import PERSISTENT_2
from muster.fleet.resources import Fleet, LustreFileSystem
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "lustre-import-path-complete",
    title="Export path, chunk size and automatic import stand beside an import path, and none of them on PERSISTENT_2",
    judges=LustreFileSystem,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="They mean nothing without the import path, and PERSISTENT_2 knows associations only: FSx refuses them.",
    source="FSx API, CreateFileSystemLustreConfiguration; ParallelCluster fsx_validators.py",
    remedy="Link S3 by data repository associations instead.",
    facts=("rules.md#53",),
)
def lustre_import_path_complete(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    given = {*system.needs_import_path, *(("importPath",) if system.import_path is not None else ())}
    if not given:
        return
    if system.deployment is UNKNOWN:
        yield rule.unjudged(system.place, "the deployment type")
    elif system.deployment == PERSISTENT_2:
        got, remedy = f"{some(given)} on {PERSISTENT_2}", "make a data repository association of it"
        yield rule.finding(system.place, got, remedy)
    if system.needs_import_path and system.import_path is None:
        got = f"{some(system.needs_import_path)} without an importPath"
        yield rule.finding(system.place, got, f"name the importPath, or remove {some(system.needs_import_path)}")

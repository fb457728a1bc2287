"""Further lines of slurm.conf."""

from collections.abc import Iterator
from functools import cache

from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster, Queue
from muster.hardware.tables import read_table
from muster.message_text import did_you_mean
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import display_name

_OF_CLUSTER = frozenset(
    [
        "epilog",
        "grestypes",
        "launchparameters",
        "prolog",
        "reconfigflags",
        "resumefailprogram",
        "resumeprogram",
        "resumetimeout",
        "slurmctldhost",
        "slurmctldlogfile",
        "slurmctldparameters",
        "slurmdlogfile",
        "slurmuser",
        "suspendexcnodes",
        "suspendprogram",
        "suspendtime",
        "taskplugin",
        "treewidth",
    ]
)
_OF_ACCOUNTING = frozenset(
    [
        "accountingstoragetype",
        "accountingstoragehost",
        "accountingstorageport",
        "accountingstorageuser",
        "jobacctgathertype",
    ]
)
_OF_QUEUE = frozenset(["nodes", "partitionname", "resumetimeout", "state", "suspendtime", "oversubscribe"])
_OF_RESOURCE = frozenset(["cpus", "gres", "nodeaddr", "nodehostname", "nodename", "state", "weight"])


@rule(
    "parallelcluster-slurm-settings-allowed",
    title="Slurm's settings are none that ParallelCluster makes itself",
    judges=ParallelCluster | Queue | ComputeResource,
    backends=("parallelcluster",),
    why="How nodes start, stop and are called is what ParallelCluster's daemons live by: it refuses another value of "
    "those settings, and nodes called -st- or -dy-, which are its own.",
    source="aws-parallelcluster 3.16.1, slurm_settings_validator.py: SLURM_SETTINGS_DENY_LIST",
    remedy="Leave them out.",
    facts=("rules.md#61",),
)
def parallelcluster_slurm_settings_allowed(
    thing: ParallelCluster | Queue | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if thing.slurm_settings is UNKNOWN:
        yield rule.unjudged(thing.place, f"the Slurm settings of {display_name(thing)}, not known before creation")
        return
    at = "slurm.settings" if isinstance(thing, ParallelCluster) else ""
    for key in sorted(thing.slurm_settings):
        if key.lower() in _refused(thing):
            got = f"the Slurm setting {key} is ParallelCluster's own"
            yield rule.finding(thing.place, at=f"{at}.{key}" if at else "", got=got, remedy=f"leave {key} out")
    if not isinstance(thing, ParallelCluster):
        return
    of_accounting = sorted(each for each in thing.slurm_settings if each.lower() in _OF_ACCOUNTING)
    if thing.accounting is UNKNOWN and of_accounting:
        own = (
            f"with it {and_list(of_accounting)} {singular_or_plural(of_accounting, 'is', 'are')} ParallelCluster's own"
        )
        yield rule.unjudged(thing.place, f"whether there is accounting, not known before creation: {own}")
    if taken := [name for name in thing.node_names if "-st-" in name or "-dy-" in name]:
        got = f"nodes of your own are called {and_list(taken)}"
        yield rule.finding(thing.place, at=at, got=got, remedy="call them without -st- and -dy-")
    if thing.include_file and thing.slurm_settings:
        got = "both CustomSlurmSettings and CustomSlurmSettingsIncludeFile are given"
        yield rule.finding(thing.place, at=at, got=got, remedy="put all settings in one of them")


def _refused(thing: ParallelCluster | Queue | ComputeResource) -> frozenset[str]:
    if isinstance(thing, ParallelCluster):
        return _OF_CLUSTER if thing.accounting is not True else _OF_CLUSTER | _OF_ACCOUNTING
    return _OF_QUEUE if isinstance(thing, Queue) else _OF_RESOURCE


@rule(
    "slurm-settings-known",
    title="Slurm's settings are parameters that Slurm has",
    judges=ParallelCluster | Queue | ComputeResource,
    backends=("parallelcluster",),
    why='The controller does not start with a parameter that it does not know: "Parsing error at unrecognized key". '
    "ParallelCluster checks its own list of forbidden ones only, so the cluster's creation fails after half an hour.",
    source="SchedMD/slurm, src/common/read_config.c of 24.11, 25.05 and 25.11",
    remedy="Write the parameter as slurm.conf(5) has it.",
    facts=("rules.md#61",),
)
def slurm_settings_known(
    thing: ParallelCluster | Queue | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if thing.slurm_settings is UNKNOWN:
        return  # parallelcluster-slurm-settings-allowed reports it
    of = "cluster" if isinstance(thing, ParallelCluster) else "partition" if isinstance(thing, Queue) else "node"
    known = {each.lower(): each for each in _parameters(of)}
    if _DEFINES_OTHERS & {each.lower() for each in thing.slurm_settings}:
        # One entry of CustomSlurmSettings may define nodes and partitions, with their own parameters.
        known |= {each.lower(): each for kind in ("partition", "node") for each in _parameters(kind)}
    at = "slurm.settings" if isinstance(thing, ParallelCluster) else ""
    for key in sorted(thing.slurm_settings):
        if now := _REMOVED.get(key.lower()):
            got = f"Slurm has removed the parameter {key}, and does not start with it"
            yield rule.finding(thing.place, at=f"{at}.{key}" if at else "", got=got, remedy=now)
        elif key.lower() not in known:
            kind = "slurm.conf" if of == "cluster" else f"a {of} in slurm.conf"
            yield rule.finding(
                thing.place,
                at=f"{at}.{key}" if at else "",
                got=f"{key} is no parameter of {kind}{did_you_mean(key, known.values())}",
                remedy="write a parameter of slurm.conf(5), or leave it out",
            )


_REMOVED = {
    "accountingstorejobcomment": "write AccountingStoreFlags: job_comment",
    "fastschedule": "leave it out; SlurmdParameters: config_overrides does what FastSchedule=2 did",
    "sallocdefaultcommand": "leave it out; LaunchParameters: use_interactive_step does what it did",
}
"""Parameters that Slurm reads only to end with "has been removed" -> what to do."""
_DEFINES_OTHERS = frozenset({"nodename", "partitionname", "nodeset", "downnodes"})


@cache
def _parameters(of: str) -> tuple[str, ...]:
    """The parameters of the cluster, of a partition or of a node."""
    return tuple(row["parameter"] for row in read_table("slurm_parameters.csv", "policies.lookups") if row["of"] == of)

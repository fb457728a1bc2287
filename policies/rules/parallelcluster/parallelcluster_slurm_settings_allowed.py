"""Further lines of slurm.conf."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster, Queue
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

"""Further lines of slurm.conf."""

from collections.abc import Iterator
from functools import cache

from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster, PcsCluster, Queue
from muster.hardware.tables import read_table
from muster.message_text import did_you_mean
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import display_name
from muster.unknown import UNKNOWN

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
    title="Slurm settings do not include those that ParallelCluster writes itself",
    judges=ParallelCluster | Queue | ComputeResource,
    backends=("parallelcluster",),
    why="ParallelCluster's daemons depend on the settings for how nodes start, stop and are named. ParallelCluster "
    "refuses your values for them, and refuses node names with -st- or -dy-, which it uses itself.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/slurm_settings_validator.py#L19",
    ),
    remedy="Remove these settings.",
    facts=("rules.md#61",),
)
def parallelcluster_slurm_settings_allowed(
    thing: ParallelCluster | Queue | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if thing.slurm_settings is UNKNOWN:
        yield rule.unjudged(thing.place, f"the Slurm settings of {display_name(thing)} (known only after `pulumi up`)")
        return
    at = "slurm.settings" if isinstance(thing, ParallelCluster) else ""
    for key in sorted(thing.slurm_settings):
        if key.lower() in _refused(thing):
            got = f"ParallelCluster writes the Slurm setting {key} itself, and does not allow another value"
            yield rule.finding(thing.place, at=f"{at}.{key}" if at else "", got=got, remedy=f"remove {key}")
    if not isinstance(thing, ParallelCluster):
        return
    of_accounting = sorted(each for each in thing.slurm_settings if each.lower() in _OF_ACCOUNTING)
    if thing.accounting is UNKNOWN and of_accounting:
        what = f"whether the cluster has accounting, with which ParallelCluster writes {and_list(of_accounting)} itself"
        yield rule.unjudged(thing.place, f"{what} (known only after `pulumi up`)")
    if taken := [name for name in thing.node_names if "-st-" in name or "-dy-" in name]:
        got = f"your own nodes have names with -st- or -dy-, which ParallelCluster uses itself: {and_list(taken)}"
        yield rule.finding(thing.place, at=at, got=got, remedy="rename them without -st- and -dy-")
    if thing.include_file and thing.slurm_settings:
        got = "both CustomSlurmSettings and CustomSlurmSettingsIncludeFile are set"
        yield rule.finding(thing.place, at=at, got=got, remedy="move all settings into one of them")


def _refused(thing: ParallelCluster | Queue | ComputeResource) -> frozenset[str]:
    if isinstance(thing, ParallelCluster):
        return _OF_CLUSTER if thing.accounting is not True else _OF_CLUSTER | _OF_ACCOUNTING
    return _OF_QUEUE if isinstance(thing, Queue) else _OF_RESOURCE


@rule(
    "slurm-settings-known",
    title="Slurm settings are parameters that Slurm knows",
    judges=ParallelCluster | Queue | ComputeResource | PcsCluster,
    backends=("parallelcluster", "pcs"),
    why='The controller does not start with a parameter that it does not know: "Parsing error at unrecognized key". '
    "ParallelCluster checks only its own list of refused parameters, so the cluster's creation fails after half an "
    "hour. PCS supports only some of Slurm's parameters.",
    source=(
        "https://github.com/SchedMD/slurm/blob/slurm-25.11/src/common/read_config.c",
        "https://docs.aws.amazon.com/pcs/latest/userguide/slurm-custom-settings-cluster.html",
    ),
    remedy="Spell the parameter as in slurm.conf(5).",
    facts=("rules.md#61", "pcs.md#settings"),
)
def slurm_settings_known(
    thing: ParallelCluster | Queue | ComputeResource | PcsCluster, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(thing, PcsCluster):
        yield from _of_pcs(thing, rule)
        return
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
            got = f"Slurm no longer has the parameter {key}, and does not start with it"
            yield rule.finding(thing.place, at=f"{at}.{key}" if at else "", got=got, remedy=now)
        elif key.lower() not in known:
            kind = "slurm.conf" if of == "cluster" else f"a {of} in slurm.conf"
            yield rule.advice.finding(
                thing.place,
                at=f"{at}.{key}" if at else "",
                got=f"{key} is not a parameter of {kind}{did_you_mean(key, known.values())}",
                remedy="use a parameter of slurm.conf(5), or remove this one",
            )


_LISTED = frozenset({"accountingstorageenforce", "epilog", "prolog", "selecttypeparameters"})
"""Those that a document lists for clusters (AWS SDK for Kotlin, SlurmCustomSetting). PCS now supports more."""


def _of_pcs(cluster: PcsCluster, rule: Rule) -> Iterator[Verdict]:
    if cluster.settings is UNKNOWN:
        yield rule.unjudged(cluster.place, "the custom Slurm settings (known only after `pulumi up`)")
        return
    known = {each.lower(): each for each in _parameters("cluster")}
    written = [key for key, _ in cluster.settings]
    for key in written:
        if key.lower() not in known:
            yield rule.advice.finding(
                cluster.place,
                at=f"slurm.settings.{key}",
                got=f"{key} is not a parameter of slurm.conf{did_you_mean(key, known.values())}",
                remedy="use a parameter of slurm.conf(5) that AWS PCS supports, or remove this one",
            )
    unlisted = [key for key in written if key.lower() in known.keys() - _LISTED]
    if unlisted:
        guide = 'the user guide, "Custom Slurm settings for AWS PCS clusters", lists them'
        yield rule.unjudged(cluster.place, f"whether AWS PCS supports {and_list(unlisted)} for clusters ({guide})")


_REMOVED = {
    "accountingstorejobcomment": "set AccountingStoreFlags: job_comment instead",
    "fastschedule": "remove it; SlurmdParameters: config_overrides replaces FastSchedule=2",
    "sallocdefaultcommand": "remove it; LaunchParameters: use_interactive_step replaces it",
}
"""Parameters that Slurm reads only to end with "has been removed" -> what to do."""
_DEFINES_OTHERS = frozenset({"nodename", "partitionname", "nodeset", "downnodes"})


@cache
def _parameters(of: str) -> tuple[str, ...]:
    """The parameters of the cluster, of a partition or of a node."""
    return tuple(
        row["parameter"] for row in read_table("slurm_parameters.csv", "muster.policies.lookups") if row["of"] == of
    )

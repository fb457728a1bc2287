"""Custom settings in slurm.conf: of the cluster, of a partition, of nodes."""

from collections.abc import Iterator, Mapping
from functools import cache

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster, PcsCluster, Queue
from muster.hardware.tables import read_table
from muster.message_text import did_you_mean
from muster.policies.engine.rule import Rule, Verdict, rule


@rule(
    "slurm-settings-known",
    title="Slurm settings are parameters that Slurm knows",
    level=Level.ADVISORY,  # the list grows with Slurm
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
    thing: ParallelCluster | Queue | ComputeResource | PcsCluster, _fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    of = "partition" if isinstance(thing, Queue) else "node" if isinstance(thing, ComputeResource) else "cluster"
    known = _parameters(of)
    kind = "slurm.conf" if of == "cluster" else f"a {of} in slurm.conf"
    for key in sorted(thing.setting_names):
        if key.lower() not in known:
            place, at = thing.place, f"slurm.settings.{key}"
            if of != "cluster":  # a description has settings of the cluster only
                place, at = place.within((*place.inside, "CustomSlurmSettings", key)), ""
            got = f"{key} is not a parameter of {kind}{did_you_mean(key, known.values())}"
            change = f"use a parameter of slurm.conf(5), or remove {key}"
            yield rule.finding(thing, at, got=got, change=change, place=place)


@cache
def _parameters(of: str) -> Mapping[str, str]:
    """The parameters of the cluster, a partition or a node: in small letters -> as slurm.conf(5) writes them."""
    rows = read_table("slurm_parameters.csv", "muster.policies.lookups")
    return {row["parameter"].lower(): row["parameter"] for row in rows if row["of"] == of}

"""Custom settings in slurm.conf: of the cluster, of a partition, of nodes."""

from collections.abc import Iterator, Mapping
from functools import cache

from muster.fleet.resources import ComputeResource, Fleet, ParallelCluster, PcsCluster, Queue
from muster.hardware.tables import read_table
from muster.message_text import did_you_mean
from muster.policies.engine.rule import Rule, Verdict


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

"""Custom settings in slurm.conf."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, ParallelCluster, PcsCluster
from muster.hardware.tables import read_table
from muster.message_text import did_you_mean
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "slurm-settings-known",
    title="Slurm settings are parameters that Slurm knows",
    level=Level.ADVISORY,  # the list grows with Slurm
    judges=ParallelCluster | PcsCluster,
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
def slurm_settings_known(cluster: ParallelCluster | PcsCluster, _fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.settings is UNKNOWN:
        yield rule.unjudged(cluster.place, "the custom Slurm settings (known only after `pulumi up`)")
        return
    known = {
        row["parameter"].lower(): row["parameter"]
        for row in read_table("slurm_parameters.csv", "muster.policies.lookups")
    }
    for key in sorted(each if isinstance(each, str) else each[0] for each in cluster.settings):
        if key.lower() not in known:
            yield rule.finding(
                cluster.place,
                at=f"slurm.settings.{key}",
                got=f"{key} is not a parameter of slurm.conf{did_you_mean(key, known.values())}",
                remedy="use a parameter of slurm.conf(5), or remove this one",
            )

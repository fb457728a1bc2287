"""Two that define and run MPIJobs."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, Fleet
from policies.reading.part import What
from policies.reading.parts import before, parts_of
from policies.rule import Rule, Verdict, rule


@rule(
    "one-owner-of-mpijobs",
    title="One add-on defines mpijobs.kubeflow.org",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="The training operator has it as v1, the MPI operator as v2beta1: the API server refuses the second definition "
    "(storedVersions), or both operators start launchers for the same job.",
    source="kubeflow/trainer#1930, #1777, #1972; aws/sagemaker-hyperpod-cli charts/mpi-operator",
    remedy="Leave MPIJob to one of them.",
    facts=("rules.md#48", "addons.md#conflicts", "pains.md#13"),
)
def one_owner_of_mpijobs(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    mine, missing = parts_of(addon)
    if missing:
        yield rule.unjudged(addon.place, missing)
    owned = [part for part in mine if part.what is What.MPI_JOBS]
    for index, part in enumerate(owned):
        for other in (*before(part, fleet), *owned[:index]):
            got = f"{What.MPI_JOBS} is defined by {part.name} and by {other.name}"
            if other.addon.ref == addon.ref:
                got = f"{part.name} has both the MPI operator and a training operator that runs MPIJobs"
            yield rule.finding(addon.place, at=part.at, got=got, remedy=f"{part.without}, or {other.without}")
            return

"""Laws over random clusters on ParallelCluster: a legal one is clean."""

from hypothesis import given, settings

from muster.blueprint.derive.cluster import derive
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from muster.finding import Level
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge
from tests.strategies import Described
from tests.strategies.parallelcluster import legal_slurm

ADVICE_FOR_LEGAL_ONES = {
    "efa-used-fully",
    "type-offered-in-zone",
    "parallelcluster-neuron-software",
}
"""EFA may be off; the table of offerings is indicative; whoever has Trainium may install its driver by hand; a job may
run on CPUs."""

slowly = settings(max_examples=15)


def judgement_of(described: Described) -> Judgement:
    """What is found of a description."""
    made, faults = validate(SlurmCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    return judge(described_fleet(blueprint, described.as_of), made.suppress)


def found(judgement: Judgement) -> set[tuple[str, str]]:
    """Rule and place of everything that is no advice for legal ones."""
    return {(each.rule, each.where) for each in judgement.findings if each.rule not in ADVICE_FOR_LEGAL_ONES}


@settings(max_examples=80)
@given(legal_slurm())
def test_a_legal_description_is_clean(described: Described) -> None:
    """No rule minds what is legal."""
    judgement = judgement_of(described)
    assert found(judgement) == set()
    assert all(each.level is Level.ADVISORY for each in judgement.findings)


@slowly
@given(legal_slurm(facts=True))
def test_with_facts_everything_is_judged(described: Described) -> None:
    """Nothing is missing but what AWS does not say: that a reservation was made in no placement group, the type of an
    offering that is still to be bought, and which spot quota counts the newest types."""
    untold = {"placement-group-fits-capacity", "quota-covers-vcpus", "reservation-instance-type-matches"}
    assert {each.rule for each in judgement_of(described).not_evaluated} <= untold

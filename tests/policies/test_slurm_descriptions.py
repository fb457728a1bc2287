"""Laws over random clusters on ParallelCluster: a legal one is clean; one broken in one way yields exactly that."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.validation import validate
from muster.finding import Level
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge
from tests.parallelcluster_breakages import BrokenSlurm, broken_slurm
from tests.slurm_strategies import WantedSlurm, legal_slurm
from tests.strategies import Described

ADVICE_FOR_LEGAL_ONES = {
    "efa-used-fully",
    "type-offered-in-zone",
    "parallelcluster-neuron-software",
}
"""EFA may be off; the table of offerings is indicative; whoever has Trainium may install its driver by hand; a job may
run on CPUs."""

slowly = settings(max_examples=15)


def judgement_of(described: Described, stack: str = "random") -> Judgement:
    """What is found of a description."""
    made, faults = validate(SlurmCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, stack, described.region, described.known)
    return judge(described_fleet(blueprint, described.as_of), made.suppress)


def found(judgement: Judgement, *asked: str) -> set[tuple[str, str]]:
    """Rule and place of everything that is no advice for legal ones."""
    ignored = ADVICE_FOR_LEGAL_ONES - set(asked)
    return {(each.rule, each.where) for each in judgement.findings if each.rule not in ignored}


@settings(max_examples=80)
@given(legal_slurm())
def test_a_legal_description_is_clean(described: Described) -> None:
    """No rule minds what is legal."""
    judgement = judgement_of(described)
    assert found(judgement) == set()
    assert all(each.level is Level.ADVISORY for each in judgement.findings)


@slowly
@given(legal_slurm(WantedSlurm(facts=True)))
def test_with_facts_everything_is_judged(described: Described) -> None:
    """Nothing is missing but what AWS does not say: that a reservation was made in no placement group, the type of an
    offering that is still to be bought, and which spot quota counts the newest types."""
    untold = {"placement-group-fits-capacity", "quota-covers-vcpus", "reservation-instance-type-matches"}
    assert {each.rule for each in judgement_of(described).not_evaluated} <= untold


@pytest.mark.parametrize("how", BrokenSlurm, ids=lambda how: how.name.lower())
@settings(max_examples=8)
@given(data=st.data())
def test_a_broken_one_yields_exactly_that(how: BrokenSlurm, data: st.DataObject) -> None:
    """The rule names the place, and no other rule says anything."""
    described, expected = data.draw(broken_slurm(how))
    assert found(judgement_of(described), how.value.rule) == expected

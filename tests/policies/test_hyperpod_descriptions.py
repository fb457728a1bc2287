"""Laws over random clusters on HyperPod: a legal one is clean; one broken in one way yields exactly that, there."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from addons.judged import described_fleet
from muster.fleet.derive import derive
from muster.fleet.description import HyperPodCluster
from muster.fleet.finding import Level
from muster.fleet.shape import shape
from policies.judgement import Judgement, judge
from tests.hyperpod_breakages import BrokenHyperPod, broken_hyperpod
from tests.hyperpod_strategies import WantedHyperPod, legal_hyperpod
from tests.strategies import Described

SAID_OF_LEGAL_ONES = {"instance-offered-in-zone"}
"""The table of offerings is indicative."""

slowly = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=40)


def judgement_of(described: Described) -> Judgement:
    """What is found of a description."""
    made, faults = shape(HyperPodCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    return judge(described_fleet(blueprint, described.as_of), made.suppress)


def found(judgement: Judgement) -> set[tuple[str, str]]:
    """Rule and place of everything that is no advice for legal ones."""
    return {(each.rule, each.where) for each in judgement.findings if each.rule not in SAID_OF_LEGAL_ONES}


@settings(slowly, max_examples=200)
@given(legal_hyperpod())
def test_a_legal_description_is_clean(described: Described) -> None:
    """No rule minds what is legal."""
    judgement = judgement_of(described)
    assert found(judgement) == set()
    assert all(each.level is Level.ADVISORY for each in judgement.findings)


@slowly
@given(legal_hyperpod(WantedHyperPod(facts=True)))
def test_with_facts_everything_is_judged(described: Described) -> None:
    """But for the quota of spot instances, which AWS names nowhere."""
    missing = judgement_of(described).not_evaluated
    assert [each for each in missing if "the spot instances" not in each.missing] == []


@pytest.mark.parametrize("how", BrokenHyperPod, ids=lambda how: how.name.lower())
@settings(slowly, max_examples=20)
@given(data=st.data())
def test_a_broken_one_yields_exactly_that(how: BrokenHyperPod, data: st.DataObject) -> None:
    """The rule names the place, and no other rule says anything."""
    described, expected = data.draw(broken_hyperpod(how))
    assert found(judgement_of(described)) == expected

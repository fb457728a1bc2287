"""Laws over random descriptions: a legal one is clean; one broken in one way yields exactly that, at that place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.finding import SCHEMA, Level
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge
from tests.policies.case import beside_alike
from tests.strategies import Broken, Described, Misshapen, Wanted, broken, legal, misshapen

ADVICE_FOR_LEGAL_ONES = {
    "aws-auth-kept",
    "efa-used-fully",
    "type-offered-in-zone",
    "lustre-has-its-driver",
    "training-operator-resumes-jobs",
}
"""Advice that a legal description may be given all the same: a training group may do without EFA, the table of
offerings is indicative, a cluster may have no access entries, HyperPod may start no job again, an add-on may have
nothing to do, nodes may mount a file system by themselves."""

OUTSIDE = ("muster schema facts", "aws ec2 describe-capacity-block-offerings", "EC2's guide does not state")
"""Of a description everything is known but the account, what a Capacity Block's offering alone tells, and what AWS has
not said."""

slowly = settings(max_examples=10)
few = settings(max_examples=8)


def judgement_of(described: Described) -> Judgement:
    made, faults = validate(EksCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    return judge(described_fleet(blueprint, described.as_of), made.suppress)


def found(judgement: Judgement) -> set[tuple[str, str]]:
    return {(each.rule, each.where) for each in judgement.findings if each.rule not in ADVICE_FOR_LEGAL_ONES}


@settings(max_examples=100)
@given(legal())
def test_a_legal_description_is_clean(described: Described) -> None:
    judgement = judgement_of(described)
    assert found(judgement) == set()
    assert all(each.level is Level.ADVISORY for each in judgement.findings)
    for missing in judgement.not_evaluated:
        assert any(each in missing.missing for each in OUTSIDE), missing


@pytest.mark.parametrize("how", Broken, ids=lambda how: how.name.lower())
@slowly
@given(data=st.data())
def test_a_broken_one_yields_exactly_that(how: Broken, data: st.DataObject) -> None:
    described, expected = data.draw(broken(how))
    assert beside_alike(found(judgement_of(described)), expected) == expected


@slowly
@given(legal(Wanted(joins=False)))
def test_an_api_open_to_all_is_advised_against(described: Described) -> None:
    opened = described.edit({"api": {"public": ["0.0.0.0/0"]}})
    assert found(judgement_of(opened)) == {("api-not-open-to-all", "api.public")}


@pytest.mark.parametrize("how", Misshapen, ids=lambda how: how.name.lower())
@few
@given(data=st.data())
def test_a_misshapen_one_yields_exactly_that_fault(how: Misshapen, data: st.DataObject) -> None:
    document, where, got = data.draw(misshapen(how))
    made, faults = validate(EksCluster, document)
    assert made is None
    assert [(finding.where, finding.rule) for _, finding in faults] == [(where, SCHEMA)]
    assert faults[0][1].got.startswith(got), faults[0][1].got


@few
@given(st.data())
def test_several_faults_of_form_are_all_said_at_once(data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from([Misshapen.NUMBER_FOR_TEXT, Misshapen.NOT_AN_ID, Misshapen.NO_VALUE])))
    document, places = data.draw(legal(Wanted(network="existing"))).document, set()
    for how in set(kinds):
        edits, where, _ = how.value
        document = Described(document, "us-west-2").edit(edits).document
        places.add(where)
    _, faults = validate(EksCluster, document)
    assert {finding.where for _, finding in faults} == places

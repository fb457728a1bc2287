"""Laws over random clusters on HyperPod: a legal one is clean."""

from typing import Any

import pytest
from hypothesis import given, settings

from muster.blueprint.derive.cluster import derive
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.validation import validate
from muster.finding import Level
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge
from tests.factories import AS_OF, REGION
from tests.factories.hyperpod import a_hyperpod_description
from tests.policies.case import rule_of
from tests.strategies import WORKERS, Described
from tests.strategies.hyperpod import legal_hyperpod

ADVICE_FOR_LEGAL_ONES = {
    "hyperpod-huge-pages-set-aside",
    "type-offered-in-zone",
    "lustre-has-its-driver",
}
"""An add-on may have nothing to do; scripts of one's own may set pages aside; the table of offerings is indicative;
nodes may mount a file system by themselves."""

slowly = settings(max_examples=15)


def judgement_of(described: Described) -> Judgement:
    """What is found of a description."""
    made, faults = validate(HyperPodCluster, described.document)
    assert made is not None, faults
    blueprint = derive(made, "random", described.region, described.known)
    return judge(described_fleet(blueprint, described.as_of), made.suppress)


def found(judgement: Judgement) -> set[tuple[str, str]]:
    """Rule and place of everything that is no advice for legal ones."""
    return {(each.rule, each.where) for each in judgement.findings if each.rule not in ADVICE_FOR_LEGAL_ONES}


@settings(max_examples=80)
@given(legal_hyperpod())
def test_a_legal_description_is_clean(described: Described) -> None:
    """No rule minds what is legal; with facts all judge it, but for the quotas of spot instances, which nobody
    documents."""
    judgement = judgement_of(described)
    assert found(judgement) == set()
    assert all(each.level is Level.ADVISORY for each in judgement.findings)
    if described.known:
        assert all("spot instances" in each.missing for each in judgement.not_evaluated), judgement.not_evaluated


@slowly
@given(legal_hyperpod(facts=True))
def test_with_facts_everything_is_judged(described: Described) -> None:
    """Nothing is missing."""
    assert judgement_of(described).not_evaluated == ()


REFUSED = [
    (
        {"labels": {"sagemaker.amazonaws.com/node-health-status": "Schedulable"}},
        "hyperpod-labels-not-reserved",
        "labels",
    ),
    ({"taints": {"eks.amazonaws.com/ml": "NoSchedule"}}, "hyperpod-labels-not-reserved", "taints"),
    (
        {"huge-pages": "1024MiB", "hyperpod": {"lifecycle": "none"}},
        "hyperpod-huge-pages-set-aside",
        "huge-pages",
    ),
]
"""What a group's form allows, the rule that refuses it, and where."""


@pytest.mark.parametrize(("said", "rule", "at"), REFUSED, ids=[f"{each[1]}-{each[2]}" for each in REFUSED])
def test_what_is_refused_of_a_group(said: dict[str, Any], rule: str, at: str) -> None:
    """Each rule says where in the group it is."""
    described = a_hyperpod_description({f"groups.{WORKERS}.{key}": value for key, value in said.items()})
    fleet = described_fleet(derive(described, "test", REGION), AS_OF)
    findings = judge(fleet, rules=[rule_of(rule)]).findings
    assert [each.where for each in findings] == [f"groups.{WORKERS}.{at}"]

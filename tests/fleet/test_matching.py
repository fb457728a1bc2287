"""The scheduler's filters on labels and taints."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.fleet.resources import Taint
from muster.scheduling.matching import (
    Term,
    matches_expression,
    node_named,
    taints,
    terms,
    tolerates,
    unselected,
    untolerated,
    values,
)

GPU = Taint("nvidia.com/gpu", "true", "NoSchedule")
LABELS = {"node.kubernetes.io/instance-type": "p5.48xlarge", "generation": "5"}
YES, NO = {"key": "generation", "operator": "Exists"}, {"key": "absent", "operator": "Exists"}

texts = st.sampled_from(["", "a", "b", "NoSchedule", "NoExecute"])
any_taint = st.builds(Taint, texts, texts, texts)


def requiring(*listed: dict[str, Any]) -> dict[str, Any]:
    """A pod spec whose affinity requires one of these terms."""
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": list(listed)}}
    return {"affinity": {"nodeAffinity": required}}


@pytest.mark.parametrize(
    ("toleration", "tolerated"),
    [
        ({"operator": "Exists"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "nvidia.com/gpu", "value": "true"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Equal", "value": "true", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu"}, False),
        ({"key": "nvidia.com/gpu", "value": "false"}, False),
        ({"value": "true"}, False),
        ({"key": "CriticalAddonsOnly", "operator": "Exists"}, False),
    ],
)
def test_a_toleration_takes_a_taint_by_key_value_and_effect(toleration: dict[str, Any], tolerated: bool) -> None:
    """What is left out takes all; `Equal` is the default, and a missing value is an empty one."""
    assert tolerates(toleration, GPU) is tolerated
    assert (not untolerated({"tolerations": [toleration]}, [GPU])) is tolerated


@given(any_taint)
def test_a_toleration_of_everything(taint: Taint) -> None:
    """`Exists` without a key; without any toleration, only a wish is no obstacle."""
    assert tolerates({"operator": "Exists"}, taint)
    assert tolerates({"key": taint.key or "x", "value": taint.value}, taint) is bool(taint.key)
    assert (not untolerated({}, [taint])) is (taint.effect not in {"NoSchedule", "NoExecute"})


def test_only_hard_taints_keep_a_pod_off() -> None:
    """PreferNoSchedule is a wish."""
    wish, away = Taint(GPU.key, "true", "PreferNoSchedule"), Taint(GPU.key, "true", "NoExecute")
    assert untolerated({}, [GPU, wish, away]) == (GPU, away)


def test_taints_are_read_in_order() -> None:
    """A value may be left out; kubectl writes them so."""
    listed = [{"key": "b", "effect": "NoSchedule"}, {"key": "a", "value": "c", "effect": "NoExecute"}]
    assert [str(each) for each in taints({"taints": listed})] == ["b:NoSchedule", "a=c:NoExecute"]
    assert taints({}) == taints({"taints": None}) == ()


@pytest.mark.parametrize(
    ("expression", "is_met"),
    [
        ({"key": "generation", "operator": "In", "values": ["4", "5"]}, True),
        ({"key": "generation", "operator": "In", "values": ["4"]}, False),
        ({"key": "generation", "operator": "NotIn", "values": ["4"]}, True),
        ({"key": "generation", "operator": "NotIn", "values": ["5"]}, False),
        ({"key": "absent", "operator": "NotIn", "values": ["4"]}, True),
        ({"key": "generation", "operator": "Exists"}, True),
        ({"key": "absent", "operator": "Exists"}, False),
        ({"key": "absent", "operator": "DoesNotExist"}, True),
        ({"key": "generation", "operator": "DoesNotExist"}, False),
        ({"key": "generation", "operator": "Gt", "values": ["4"]}, True),
        ({"key": "generation", "operator": "Gt", "values": ["5"]}, False),
        ({"key": "generation", "operator": "Gt", "values": ["-6"]}, True),
        ({"key": "generation", "operator": "Lt", "values": ["6"]}, True),
        ({"key": "generation", "operator": "Lt", "values": ["5"]}, False),
        ({"key": "generation", "operator": "Lt", "values": ["six"]}, False),
        ({"key": "generation", "operator": "Lt", "values": ["9" * 30]}, False),
        ({"key": "generation", "operator": "Lt", "values": [str(2**63 - 1)]}, True),
        ({"key": "generation", "operator": "Lt", "values": [str(2**63)]}, False),
        ({"key": "generation", "operator": "Gt", "values": [str(-(2**63))]}, True),
        ({"key": "generation", "operator": "Gt", "values": [str(-(2**63) - 1)]}, False),
        ({"key": "generation", "operator": "Lt"}, False),
        ({"key": "absent", "operator": "Lt", "values": ["6"]}, False),
        ({"key": "node.kubernetes.io/instance-type", "operator": "Lt", "values": ["6"]}, False),
    ],
)
def test_each_operator_is_met_as_the_scheduler_meets_it(expression: dict[str, Any], is_met: bool) -> None:
    """A label that is missing is in no list, and in every `NotIn`; numbers have 64 bits."""
    assert matches_expression(expression, LABELS) is is_met


def test_a_term_is_met_by_meeting_all_of_it() -> None:
    """What is not met is handed back, labels and the node's name apart."""
    other = {"key": "metadata.name", "operator": "In", "values": ["workers-1"]}
    (term,) = terms(requiring({"matchExpressions": [YES, NO], "matchFields": [other]})) or ()
    assert term.unmet(LABELS, "workers-0") == Term((NO,), (other,))
    assert term.unmet({**LABELS, "absent": ""}, "workers-1").empty


def test_a_term_that_asks_for_nothing_is_no_missing_affinity() -> None:
    """None: nothing is required. A term without anything, or no term at all, is met by no node."""
    assert terms({}) is terms({"affinity": {"nodeAffinity": {}}}) is terms({"affinity": None}) is None
    assert terms(requiring()) == ()
    assert [term.empty for term in terms(requiring({}, {"matchExpressions": [YES]})) or ()] == [True, False]


def test_a_daemon_sets_pod_names_its_node() -> None:
    """Its controller writes the name into `matchFields`."""
    field = {"key": "metadata.name", "operator": "In", "values": ["workers-0"]}
    assert node_named(requiring({"matchExpressions": [YES]}, {"matchFields": [field]})) == "workers-0"
    assert node_named(requiring({"matchExpressions": [YES]})) == node_named({}) == ""


labels = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz"))


@given(labels, labels)
def test_a_selector_is_met_exactly_by_labels_that_contain_it(selector: dict[str, str], carried: dict[str, str]) -> None:
    """Whatever else the node carries; what is lacking is handed back."""
    lacking = unselected({"nodeSelector": selector}, carried)
    assert lacking.items() == selector.items() - carried.items()


def test_long_lists_of_values_end() -> None:
    """With the number of those left out."""
    assert values({"values": list("abcd")}) == "a, b, c, d"
    assert values({"values": list("abcdef")}) == "a, b, c, d and 2 more"
    assert values({}) == ""

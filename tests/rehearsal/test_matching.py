"""The scheduler's filters on labels and taints, as the explanation of a waiting pod reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.rehearsal.matching import required_keys, unmatched, untolerated

GPU = {"key": "nvidia.com/gpu", "value": "true", "effect": "NoSchedule"}
LABELS = {"node.kubernetes.io/instance-type": "p5.48xlarge", "generation": "5"}


def affinity(*terms: list[dict]) -> dict:
    """A pod spec that requires one of these terms."""
    listed = [{"matchExpressions": term} for term in terms]
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": listed}}
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
        ({"key": "CriticalAddonsOnly", "operator": "Exists"}, False),
    ],
)
def test_a_toleration_takes_a_taint_by_key_value_and_effect(toleration: dict, tolerated: bool) -> None:
    """What is left out takes all; `Equal` is the default, and a missing value is an empty one."""
    assert (not untolerated({"tolerations": [toleration]}, [GPU])) is tolerated


def test_only_hard_taints_keep_a_pod_off() -> None:
    """PreferNoSchedule is a wish."""
    wish = {**GPU, "effect": "PreferNoSchedule"}
    away = {**GPU, "effect": "NoExecute"}
    assert untolerated({}, [GPU, wish, away]) == (GPU, away)


@pytest.mark.parametrize(
    ("expression", "met"),
    [
        ({"key": "generation", "operator": "In", "values": ["4", "5"]}, True),
        ({"key": "generation", "operator": "In", "values": ["4"]}, False),
        ({"key": "generation", "operator": "NotIn", "values": ["4"]}, True),
        ({"key": "absent", "operator": "NotIn", "values": ["4"]}, True),
        ({"key": "generation", "operator": "Exists"}, True),
        ({"key": "absent", "operator": "Exists"}, False),
        ({"key": "absent", "operator": "DoesNotExist"}, True),
        ({"key": "generation", "operator": "DoesNotExist"}, False),
        ({"key": "generation", "operator": "Gt", "values": ["4"]}, True),
        ({"key": "generation", "operator": "Gt", "values": ["5"]}, False),
        ({"key": "generation", "operator": "Lt", "values": ["6"]}, True),
        ({"key": "absent", "operator": "Lt", "values": ["6"]}, False),
    ],
)
def test_each_operator_is_met_as_the_scheduler_meets_it(expression: dict, met: bool) -> None:
    """A label that is missing is in no list and not in every `NotIn`."""
    assert (not unmatched(affinity([expression]), LABELS)) is met


def test_all_of_a_term_and_one_of_the_terms_must_hold() -> None:
    """Terms are alternatives, their expressions are not; the nearest term is the one that is told."""
    yes = {"key": "generation", "operator": "Exists"}
    no = {"key": "absent", "operator": "Exists"}
    worse = {"key": "other", "operator": "In", "values": ["a", "b"]}
    assert unmatched(affinity([yes, no], [yes]), LABELS) == ()
    assert unmatched(affinity([yes, no], [no, worse]), LABELS) == ("the label absent",)
    assert unmatched(affinity([worse]), LABELS) == ("other in (a, b)",)


def test_a_term_that_asks_for_nothing_is_met_by_nothing() -> None:
    """Nor is an empty list of terms: the API server lets neither mean everything."""
    assert unmatched(affinity([]), LABELS)
    assert unmatched(affinity(), LABELS)


def test_the_selector_and_the_affinity_must_both_hold() -> None:
    """And each is told."""
    pod = {**affinity([{"key": "absent", "operator": "Exists"}]), "nodeSelector": {"generation": "6"}}
    assert unmatched(pod, LABELS) == ("generation=6", "the label absent")
    assert required_keys(pod) == {"absent", "generation"}


def test_a_daemon_sets_pod_is_for_its_node() -> None:
    """Its controller writes the node's name into `matchFields`."""
    field = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["workers-0"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [field]}}
    pod = {"affinity": {"nodeAffinity": required}}
    assert unmatched(pod, LABELS, "workers-0") == ()
    assert unmatched(pod, LABELS, "workers-1") == ("metadata.name=workers-0",)


SOME = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz"))


@given(SOME, SOME)
def test_a_selector_is_met_exactly_by_labels_that_contain_it(selector: dict, labels: dict) -> None:
    """Whatever else the node carries."""
    assert (not unmatched({"nodeSelector": selector}, labels)) is (selector.items() <= labels.items())

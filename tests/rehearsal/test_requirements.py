"""What of a pod's requirements a node does not meet, in the words of the explanation."""

import pytest

from muster.rehearsal.kubernetes.cluster_snapshot import required_keys, unmet_requirements
from tests.fleet.test_matching import LABELS, NO, YES, requiring


def all_of(*expressions: dict) -> dict:
    """A term that asks for these labels."""
    return {"matchExpressions": list(expressions)}


def test_the_nearest_term_is_told() -> None:
    """Terms are alternatives, their expressions are not."""
    worse = {"key": "other", "operator": "In", "values": ["a", "b"]}
    assert unmet_requirements(requiring(all_of(YES, NO), all_of(YES)), LABELS) == ()
    assert unmet_requirements(requiring(all_of(NO, worse), all_of(YES, NO)), LABELS) == ("the label absent",)
    assert unmet_requirements(requiring(all_of(worse)), LABELS) == ("other in (a, b)",)


@pytest.mark.parametrize(
    ("operator", "values", "said"),
    [
        ("In", ["6"], "generation=6"),
        ("In", ["6", "7"], "generation in (6, 7)"),
        ("In", ["6", "7", "8", "9", "10", "11"], "generation in (6, 7, 8, 9 and 2 more)"),
        ("NotIn", ["5"], "generation not in (5)"),
        ("DoesNotExist", [], "no label generation"),
        ("Gt", ["6"], "generation > 6"),
        ("Lt", ["5"], "generation < 5"),
    ],
)
def test_each_operator_in_words(operator: str, values: list[str], said: str) -> None:
    """As a person would say it."""
    expression = {"key": "generation", "operator": operator, "values": values}
    assert unmet_requirements(requiring(all_of(expression)), LABELS) == (said,)


def test_a_term_that_asks_for_nothing_is_met_by_nothing() -> None:
    """Nor is an empty list of terms: the API server lets neither mean everything."""
    assert unmet_requirements(requiring({}), LABELS) == ("(a term that asks for nothing)",)
    assert unmet_requirements(requiring(), LABELS) == ("(no term at all)",)


def test_the_selector_and_the_affinity_must_both_hold() -> None:
    """And each is told."""
    pod = {**requiring(all_of(NO)), "nodeSelector": {"generation": "6"}}
    assert unmet_requirements(pod, LABELS) == ("generation=6", "the label absent")
    assert required_keys(pod) == {"absent", "generation"}


def test_a_daemon_sets_pod_is_for_its_node() -> None:
    """Its controller writes the node's name into `matchFields`."""
    pod = requiring({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["workers-0"]}]})
    assert unmet_requirements(pod, LABELS, "workers-0") == ()
    assert unmet_requirements(pod, LABELS, "workers-1") == ("metadata.name=workers-0",)

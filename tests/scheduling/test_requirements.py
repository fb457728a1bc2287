"""Requirements on labels: each operator, and what several come to together."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.scheduling.requirements import Operator, Requirement, Term
from muster.unknown import UNKNOWN
from tests.scheduling.strategies import VALUES, expressions, fields, labels, partly_known_labels, terms


def met_by_brute_force(expression: dict[str, Any], carried: dict[str, str]) -> bool:
    """An expression by the set of all values that meet it, of those that the strategies have."""
    key, operator, values = expression["key"], expression["operator"], expression.get("values", [])
    numbers = {"7": 7, "12": 12, "-3": -3, "-5": -5, "10": 10}
    bound = numbers.get(values[0]) if values else None
    meeting: dict[str, set[str | None]] = {
        "In": set(values),
        "NotIn": {None, *VALUES} - set(values),
        "Exists": set(VALUES),
        "DoesNotExist": {None},
        "Gt": {each for each in VALUES if each in numbers and bound is not None and numbers[each] > bound},
        "Lt": {each for each in VALUES if each in numbers and bound is not None and numbers[each] < bound},
    }
    return carried.get(key) in meeting[operator]


@given(expressions, labels)
def test_each_operator_agrees_with_brute_force(expression: dict[str, Any], carried: dict[str, str]) -> None:
    """Kubernetes API reference, NodeSelectorRequirement."""
    assert (not Requirement.of(expression).unmet(carried)) is met_by_brute_force(expression, carried)


GENERATION = {"generation": "5", "type": "p5.48xlarge"}


@pytest.mark.parametrize(
    ("requirement", "is_met"),
    [
        (Requirement("absent", "NotIn", ("4",)), True),
        (Requirement("generation", "Gt", ("4",)), True),
        (Requirement("generation", "Gt", ("5",)), False),
        (Requirement("generation", "Lt", (str(2**63 - 1),)), True),
        (Requirement("generation", "Lt", (str(2**63),)), False),
        (Requirement("generation", "Gt", (str(-(2**63)),)), True),
        (Requirement("generation", "Gt", (str(-(2**63) - 1),)), False),
        (Requirement("generation", "Lt", ("9" * 30,)), False),
        (Requirement("generation", "Lt"), False),
        (Requirement("type", "Lt", ("6",)), False),
        (Requirement("absent", "Lt", ("6",)), False),
        (Requirement("generation", "Near", ("5",)), False),
    ],
)
def test_numbers_have_64_bits(requirement: Requirement, is_met: bool) -> None:
    """As `strconv.ParseInt` reads them; an operator that Kubernetes does not have is met by nothing."""
    assert (not requirement.unmet(GENERATION)) is is_met


@given(terms.map(Term.of), partly_known_labels, st.data())
def test_what_is_certain_stays_so_once_all_labels_are_known(term: Term, carried: Any, data: st.DataObject) -> None:
    """Whatever the unknown labels turn out to be, also not to be there."""
    before = term.unmet(carried, "node-0")
    drawn = {
        key: data.draw(st.sampled_from([*VALUES, None])) if value is UNKNOWN else value
        for key, value in carried.items()
    }
    after = term.unmet({key: value for key, value in drawn.items() if value is not None}, "node-0")
    if before is None:
        assert after is None
    elif before.certain:
        assert after is not None


@given(st.lists(expressions, max_size=3), st.lists(fields, max_size=1), labels, st.sampled_from(["node-0", "node-1"]))
def test_a_term_is_met_by_meeting_all_of_it(listed: Any, named: Any, carried: Any, name: str) -> None:
    """A term that requires nothing is met by no node (Kubernetes API reference, NodeSelectorTerm)."""
    term = Term.of({"matchExpressions": listed, "matchFields": named})
    every = (*(met_by_brute_force(each, carried) for each in listed), *(_named(each, name) for each in named))
    assert (term.unmet(carried, name) is None) is (bool(every) and all(every))


def _named(field: dict[str, Any], name: str) -> bool:
    return (name in field["values"]) is (field["operator"] is Operator.IN)

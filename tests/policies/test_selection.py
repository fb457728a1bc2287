"""`--select` and `--ignore`: which rules a word selects."""

import re
from collections.abc import Callable

import pytest

from muster.policies.engine.catalogue import NothingSelected, all_rules, selection
from muster.policies.engine.rule import Rule


def chosen(*select: str, ignore: tuple[str, ...] = ()) -> set[str]:
    return {each.id for each in selection(select, ignore).of(all_rules())}


EVERY = {each.id for each in all_rules()}


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("interfaces-fit-cards", lambda rule: rule.id == "interfaces-fit-cards"),
        ("efa-*", lambda rule: rule.id.startswith("efa-")),
        ("capacity/*", lambda rule: rule.topic == "capacity"),
        ("capacity/reservation-*", lambda rule: rule.topic == "capacity" and rule.id.startswith("reservation-")),
        ("hyperpod", lambda rule: "hyperpod" in rule.backends),
        ("rules.md#24", lambda rule: "rules.md#24" in rule.facts),
    ],
)
def test_a_word_names_rules_by_id_glob_topic_backend_or_fact(word: str, names: Callable[[Rule], bool]) -> None:
    """`--select` leaves only these rules, `--ignore` all others."""
    named = {each.id for each in all_rules() if names(each)}
    assert named
    assert chosen(word) == named
    if word != "hyperpod":
        assert chosen(ignore=(word,)) == EVERY - named


def test_a_backend_that_is_ignored_takes_no_rule_from_another() -> None:
    """Ignoring backends removes the rules that no other backend has."""
    assert chosen(ignore=("hyperpod",)) == {each.id for each in all_rules() if each.backends != ("hyperpod",)}
    assert chosen(ignore=("hyperpod", "parallelcluster")) == {
        each.id for each in all_rules() if not set(each.backends) <= {"hyperpod", "parallelcluster"}
    }
    assert "efa-single-zone" in chosen(ignore=("parallelcluster",))


def test_words_are_many_and_what_is_ignored_is_never_asked() -> None:
    """Words are separated by commas or in repeated options. `--ignore` wins over `--select`."""
    assert chosen() == EVERY
    assert chosen("interfaces-fit-cards, efa-single-zone", "efa-used-fully") == {
        "interfaces-fit-cards",
        "efa-single-zone",
        "efa-used-fully",
    }
    assert chosen("efa-single-zone,efa-used-fully", ignore=("efa-s*",)) == {"efa-used-fully"}


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("interfaces-fit-crads", "interfaces-fit-cards"),
        ("capacty/*", "capacity/*"),
        ("hyperpode", "hyperpod"),
        ("rules.md#99", "rules.md#9"),
    ],
)
def test_a_word_that_names_no_rule_is_refused_with_the_nearest(word: str, near: str) -> None:
    """Otherwise a misspelt word would select no rule, and every cluster would pass."""
    with pytest.raises(NothingSelected, match=re.escape(f"'{near}'")):
        selection([word], [])


def test_all_wrong_words_are_reported_at_once() -> None:
    """Of both options."""
    with pytest.raises(NothingSelected) as refused:
        selection(["nope"], ["efa-*,neither"])
    assert [line.partition(":")[0] for line in refused.value.args] == ["--select", "--ignore"]

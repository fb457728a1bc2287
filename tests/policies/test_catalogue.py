"""The catalogue of rules keeps its word: sheets are whole, names agree, and no rule has only ever passed, or failed."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from muster.finding import Level
from muster.policies.coverage.documented_facts import BACKENDS_OF, EVERY, IN_PART, NOT_ON, PREVENTED, UNJUDGEABLE
from muster.policies.engine import catalogue
from muster.policies.engine.catalogue import all_rules, rule_of, rules_in_modules
from muster.policies.engine.rule_index import UnknownRule
from tests.policies.case import all_cases, found, judged, unjudged
from tests.stack_files import ROOT

DOCUMENTS = ("rules.md", "hardware.md", "pains.md", "addons.md", "pcs.md")

FOLDER = Path(catalogue.__file__).parent.parent / "rules"
CONTROLS = {
    "aws-controls": re.compile(r"aws-controls#(CT\.[A-Z0-9]+\.PR\.\d+|[a-z0-9]+(-[a-z0-9]+)*)"),
    "kubernetes": re.compile(r"kubernetes#(rbac|secrets)-good-practices"),
    "pod-security": re.compile(r"pod-security#(baseline|restricted)"),
    "pulumi": re.compile(r"pulumi#[a-z]+"),
}
"""What others publish and facts name beside `docs/facts`, whose anchors test_facts_documents reads."""


def test_the_function_is_named_like_the_rule() -> None:
    for rule in rules_in_modules():
        assert rule.predicate.__name__ == rule.id.replace("-", "_")


def test_every_file_of_rules_has_a_rule() -> None:
    """What several files of rules read is in `muster.policies.lookups`: no rule imports a rule."""
    files = {
        f"muster.policies.rules.{file.parent.name}.{file.stem}"
        for file in FOLDER.glob("*/*.py")
        if file.stem != "__init__"
    }
    assert files == {rule.function.partition(":")[0] for rule in rules_in_modules()}
    assert {file.name for file in FOLDER.glob("*.py")} == {"__init__.py"}


def test_sheets_are_whole() -> None:
    for rule in all_rules():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.id)
        for text in (rule.title, rule.why, rule.source, rule.remedy):
            assert len(text) > 10, rule.id
            assert text == text.strip()
            assert "  " not in text
            assert "!" not in text
        assert rule.title[-1] != ".", rule.title
        for sentence in (rule.why, rule.remedy):
            assert sentence[-1] == ".", sentence
            assert sentence[0].isupper() or sentence[0].isdigit(), sentence
        assert rule.backends, rule.id
        assert rule.level in Level, rule.id


def test_facts_are_well_formed() -> None:
    for rule in all_rules():
        assert rule.facts, rule.id
        assert len(set(rule.facts)) == len(rule.facts), rule.id
        for fact in rule.facts:
            document = fact.partition("#")[0]
            assert document in DOCUMENTS or CONTROLS[document].fullmatch(fact), fact


def test_every_documented_fact_is_numbered() -> None:
    """Rules 1 to 62 and three traps, R1 to R25, pains 1 to 22 and Pulumi's two traps, each once."""
    numbered = [f"rules.md#{each}" for each in (*range(1, 63), *(f"trap-{trap}" for trap in range(1, 4)))]
    numbered += [f"hardware.md#R{each}" for each in range(1, 26)]
    numbered += [f"pains.md#{each}" for each in (*range(1, 23), "trap-1", "trap-2")]
    assert sorted(EVERY) == sorted(numbered)


def judged_by() -> dict[str, set[str]]:
    """Fact -> the backends of the rules that stand for it."""
    backends: dict[str, set[str]] = defaultdict(set)
    for rule in all_rules():
        for fact in rule.facts:
            backends[fact] |= set(rule.backends)
    return backends


def test_every_documented_fact_is_judged_or_prevented_or_said_not_to_be() -> None:
    """Each stands in a rule's sheet, in the table of what prevents it, or in the list of the others."""
    judged_ = judged_by().keys()
    assert set(EVERY) - judged_ - PREVENTED.keys() - UNJUDGEABLE.keys() == set()
    assert (judged_ | PREVENTED.keys()) & UNJUDGEABLE.keys() == set()
    assert IN_PART.keys() - judged_ == set()
    assert (PREVENTED.keys() | UNJUDGEABLE.keys()) - set(EVERY) == set()


def test_a_documented_rule_is_judged_on_every_backend_that_it_is_true_of() -> None:
    """Or its table says why not on that one; and what the table excuses is not judged there indeed."""
    judged_ = judged_by()
    lacking = {fact: backends - judged_[fact] for fact, backends in BACKENDS_OF.items() if fact not in UNJUDGEABLE}
    assert {fact: set(why) for fact, why in NOT_ON.items()} == {fact: each for fact, each in lacking.items() if each}


def test_what_prevents_a_failure_is_proven_by_a_test_that_there_is() -> None:
    for fact, prevention in PREVENTED.items():
        file, _, test = prevention.test.partition("::")
        assert f"\ndef {test}(" in (ROOT / file).read_text(), fact


def test_why_a_rule_is_not_judged_is_a_clause() -> None:
    clauses = [*(UNJUDGEABLE | IN_PART).items(), *((fact, each.how) for fact, each in PREVENTED.items())]
    clauses += [(fact, why) for fact, whys in NOT_ON.items() for why in whys.values()]
    for fact, why in clauses:
        assert fact in EVERY, fact
        assert why[-1] not in ".,;:"
        assert "|" not in why
        assert "  " not in why
    assert all(why[0].islower() for why in (UNJUDGEABLE | IN_PART).values())


def seen() -> dict[str, set[str]]:
    """Rule -> what cases have seen of it: pass, find, not evaluated."""
    outcomes: dict[str, set[str]] = defaultdict(set)
    for one in all_cases():
        judgement = judged(one)
        finding = {each.partition(" @ ")[0] for each in found(judgement)}
        missing = {each.partition(" @ ")[0] for each in unjudged(judgement)}
        for rule, count in judgement.judged.items():
            outcomes[rule] |= {"find"} if rule in finding else set()
            outcomes[rule] |= {"not evaluated"} if rule in missing else set()
            outcomes[rule] |= {"pass"} if count and rule not in finding | missing else set()
    return outcomes


def test_every_rule_has_been_seen_to_pass_and_to_fail() -> None:
    outcomes = seen()
    lacking = {rule.id: {"pass", "find"} - outcomes[rule.id] for rule in all_rules()}
    assert not {rule: outcome for rule, outcome in lacking.items() if outcome}


def test_an_unknown_rule_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownRule, match="did you mean 'one-efa-per-card'"):
        rule_of("one-efa-per-crad")

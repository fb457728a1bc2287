"""The table of ParallelCluster's validators is whole, and names rules that there are."""

from muster.authority.skipped_validators import SKIPPED
from muster.policies.coverage.parallelcluster_validators import BREAKS, SCHEMA, VALIDATORS, By
from muster.policies.engine.catalogue import all_rules


def test_every_rule_that_is_named_is_there() -> None:
    """And is asked of clusters on ParallelCluster."""
    there = {rule.id for rule in all_rules() if "parallelcluster" in rule.backends}
    named = {rule for answer in VALIDATORS.values() for rule in answer.rules}
    assert named - there == set()


def test_an_answer_says_what_its_kind_needs() -> None:
    """Rules where rules judge, a reason everywhere else: a clause that a sentence can go on with."""
    for name, answer in VALIDATORS.items():
        assert answer.rules if answer.by is By.RULE else answer.why, name
        assert len(set(answer.rules)) == len(answer.rules), name
        if answer.why:
            assert answer.why[-1] not in ".,;:", name
            assert "|" not in answer.why, name


def test_a_row_names_the_rule_that_refuses_a_named_mistake() -> None:
    """Where both refuse one, a row of the validators that do names the rule that does."""
    for name, refusal in BREAKS.items():
        validators = [each for each in refusal.aws if each != SCHEMA]
        if validators and refusal.ours != SCHEMA:
            assert any(refusal.ours in VALIDATORS[each].rules for each in validators), name


def test_what_is_never_asked_is_no_rules() -> None:
    """Of what the package does not ask of our configurations no row claims that rules keep it from failing."""
    asked_of_clusters = SKIPPED.keys() & VALIDATORS.keys()
    assert {name for name in asked_of_clusters if VALIDATORS[name].by in {By.RULE, By.LAW}} == set()

"""What of former facts a preflight keeps."""

import pytest

from muster.account.preflight import TOPICS, preflight, run_topics
from muster.account.topic import Topic
from muster.fleet.facts import Facts
from muster.fleet.facts_merge import NEVER_QUERIED, facts_document
from tests.account.accounts import Account
from tests.account.canned import Canned
from tests.account.needs import needs

FORMER = Facts.model_validate(
    {"clusters": {"ml-platform": {"hyperpodChart": True, "version": "1.30"}}, "quotas": {"L-417A185B": 384}}
)
STACK = "hyperpod-existing-eks"


def test_charts_are_kept_and_what_aws_answers_is_not() -> None:
    """No question of AWS tells which charts are on a cluster; all else is what it says now, or not known."""
    facts, _ = preflight(needs(STACK), Canned(Account.of(STACK).answers()), FORMER)
    known = facts.clusters["ml-platform"]
    assert (known.hyperpod_chart, known.version) == (True, "1.35")
    assert "L-417A185B" not in facts.quotas
    facts, _ = preflight(needs(STACK), Canned({}), FORMER)
    assert facts.clusters["ml-platform"].model_dump(exclude_none=True) == {"hyperpod_chart": True}


OF_THE_FILE = {"contract", "observed", "kept"}
STACKS = ["p5-odcr", "p5-join-existing", STACK, "hyperpod-training-plan", "pcluster-gpu"]


def test_every_section_is_some_topics() -> None:
    """But for what only a person says: what no topic answers for would be kept for good."""
    sections = {each.alias or name for name, each in Facts.model_fields.items()}
    assert frozenset().union(*(each.of for each in TOPICS)) == sections - OF_THE_FILE - NEVER_QUERIED


@pytest.mark.parametrize("topic", TOPICS, ids=lambda each: each.name)
def test_a_topic_answers_for_what_it_says(topic: Topic) -> None:
    """Where all is answered nothing is open; where it asks and gets no answer, all that it speaks of."""
    for stack in STACKS:
        account = Account.of(stack)
        heard = run_topics([topic], account.wanted, Canned(account.answers()))
        assert facts_document(heard.facts).keys() - OF_THE_FILE <= topic.of, stack
        assert (heard.unanswered, heard.open) == ((), frozenset()), stack
        ask = Canned({})
        heard = run_topics([topic], account.wanted, ask)
        assert heard.open == (topic.of if ask.rounds else frozenset()), stack

"""What of former facts a preflight keeps."""

import pytest

from muster.account.preflight import TOPICS, preflight, run_topics
from muster.account.topic import Topic
from muster.fleet.facts import Facts
from muster.fleet.facts_merge import NEVER_QUERIED, facts_document
from tests.account.accounts import IDENTITY, Account
from tests.account.canned import Canned
from tests.account.needs import needs
from tests.account.sound_services import answers
from tests.factories import NOW

FORMER = {
    "clusters": {"ml-platform": {"hyperpodChart": True, "version": "1.30", "eksAddons": {"vpc-cni": "v1.0.0"}}},
    "quotas": {"L-417A185B": 384},
}


def test_charts_are_kept_and_what_aws_answers_is_not() -> None:
    """No question of AWS tells which charts are on a cluster; all else is what it says now, or not known."""
    wanted = needs("hyperpod-existing-eks")
    facts, _ = preflight(
        wanted, Canned({**answers(wanted), "sts.GetCallerIdentity": IDENTITY}), Facts.model_validate(FORMER)
    )
    known = facts.clusters["ml-platform"]
    assert (known.hyperpod_chart, known.version) == (True, "1.35")
    assert known.eks_addons == {"vpc-cni": "v1.23.1-eksbuild.1"}
    assert (facts.quotas, facts.observed) == ({}, NOW)


def test_what_is_not_answered_now_is_not_known_any_more() -> None:
    """The chart alone stays."""
    facts, _ = preflight(needs("hyperpod-existing-eks"), Canned({}), Facts.model_validate(FORMER))
    assert facts.clusters["ml-platform"].model_dump(exclude_none=True) == {"hyperpod_chart": True}


OF_THE_FILE = {"contract", "observed", "kept"}
STACKS = ["p5-odcr", "p5-join-existing", "hyperpod-existing-eks", "hyperpod-training-plan", "pcluster-gpu"]


def test_every_section_is_some_topics() -> None:
    """But for what only a person says: what no topic answers for would be kept for good."""
    sections = {each.alias or name for name, each in Facts.model_fields.items()}
    assert frozenset().union(*(each.of for each in TOPICS)) == sections - OF_THE_FILE - NEVER_QUERIED


@pytest.mark.parametrize("stack", STACKS)
def test_a_topic_answers_for_what_it_says(stack: str) -> None:
    """And where all is answered nothing is open that it says."""
    account = Account.of(stack)
    for topic in TOPICS:
        heard = run_topics([topic], account.wanted, Canned(account.answers()))
        said = {section: known for section, known in facts_document(heard.facts).items() if section not in OF_THE_FILE}
        assert said.keys() <= topic.of, topic.name
        assert heard.unanswered == (), topic.name
        assert heard.open == frozenset(), topic.name


@pytest.mark.parametrize("topic", TOPICS, ids=lambda each: each.name)
def test_what_is_not_answered_is_open(topic: Topic) -> None:
    """All that a topic speaks of, where it asks and gets no answer; nothing where it does not ask."""
    for stack in STACKS:
        ask = Canned({})
        heard = run_topics([topic], Account.of(stack).wanted, ask)
        assert heard.open == (topic.of if ask.rounds else frozenset()), stack

"""What of former facts a preflight keeps."""

from muster.account.preflight import preflight
from muster.fleet.facts import Facts
from tests.account.needs import needs
from tests.account.sound_services import answers
from tests.account.told import Told
from tests.factories import NOW

FORMER = {
    "clusters": {"ml-platform": {"hyperpodChart": True, "version": "1.30", "eksAddons": {"vpc-cni": "v1.0.0"}}},
    "quotas": {"L-417A185B": 384},
}


def test_charts_are_kept_and_what_aws_answers_is_not() -> None:
    """No question of AWS tells which charts are on a cluster; all else is what it says now, or not known."""
    wanted = needs("hyperpod-existing-eks")
    facts, _ = preflight(wanted, Told(answers(wanted)), Facts.model_validate(FORMER))
    known = facts.clusters["ml-platform"]
    assert (known.hyperpod_chart, known.version) == (True, "1.35")
    assert known.eks_addons == {"vpc-cni": "v1.23.1-eksbuild.1"}
    assert (facts.quotas, facts.observed) == ({}, NOW)


def test_what_is_not_answered_now_is_not_known_any_more() -> None:
    """The chart alone stays."""
    facts, _ = preflight(needs("hyperpod-existing-eks"), Told({}), Facts.model_validate(FORMER))
    assert facts.clusters["ml-platform"].model_dump(exclude_none=True) == {"hyperpod_chart": True}

"""How old facts are."""

from muster.fleet.resources import Fleet
from tests.policies.account_limits import FRESH, UNTOLD, YESTERDAY, created, said
from tests.policies.case import case


def seen_on(day: str) -> Fleet:
    return created(said(observed=f"{day}T10:00:00Z"))


@case(unjudged=UNTOLD)
def facts_of_a_week_ago() -> Fleet:
    return seen_on("2026-11-14")


@case(f"{FRESH} @ facts.observed", unjudged=UNTOLD)
def facts_of_more_than_a_week_ago() -> Fleet:
    return seen_on("2026-11-13")


def kept(path: str, day: str | None) -> Fleet:
    """Asked yesterday, with something that AWS did not answer then and said on a day before."""
    return created(said(**YESTERDAY, kept={path: day and f"{day}T10:00:00Z"}))


@case(f"{FRESH} @ facts.kept", unjudged=UNTOLD)
def an_answer_of_more_than_a_week_ago_that_was_kept() -> Fleet:
    return kept("/quotas/L-417A185B", "2026-11-13")


@case(unjudged=UNTOLD)
def an_answer_of_a_week_ago_that_was_kept() -> Fleet:
    return kept("/quotas/L-417A185B", "2026-11-14")


@case(unjudged=UNTOLD)
def a_fact_of_a_persons_that_was_kept() -> Fleet:
    return kept("/quotas/L-417A185B", None)


@case(unjudged=UNTOLD)
def an_old_answer_about_what_is_not_named_any_more() -> Fleet:
    return kept("/keyPairs/somebody", "2026-01-01")


@case(unjudged=UNTOLD)
def an_old_answer_that_leads_nowhere() -> Fleet:
    return kept("nowhere", "2026-01-01")


@case(unjudged=UNTOLD)
def facts_of_after_the_day_that_is_judged_by() -> Fleet:
    return seen_on("2026-12-24")

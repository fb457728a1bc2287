"""How old facts are."""

from muster.fleet.resources import Fleet
from tests.policies.account_limits import YESTERDAY, created, said
from tests.policies.case import cases


def seen_on(day: str) -> Fleet:
    return created(said(observed=f"{day}T10:00:00Z"))


cases(
    facts_of_a_week_ago=lambda: seen_on("2026-11-14"),
    facts_of_more_than_a_week_ago=lambda: seen_on("2026-11-13"),
)


def kept(path: str, day: str | None) -> Fleet:
    """Asked yesterday, with something that AWS did not answer then and said on a day before."""
    return created(said(**YESTERDAY, kept={path: day and f"{day}T10:00:00Z"}))


cases(
    an_answer_of_more_than_a_week_ago_that_was_kept=lambda: kept("/quotas/L-417A185B", "2026-11-13"),
    an_answer_of_a_week_ago_that_was_kept=lambda: kept("/quotas/L-417A185B", "2026-11-14"),
    a_fact_of_a_persons_that_was_kept=lambda: kept("/quotas/L-417A185B", None),
    an_old_answer_about_what_is_not_named_any_more=lambda: kept("/keyPairs/somebody", "2026-01-01"),
    an_old_answer_that_leads_nowhere=lambda: kept("nowhere", "2026-01-01"),
    facts_of_after_the_day_that_is_judged_by=lambda: seen_on("2026-12-24"),
)

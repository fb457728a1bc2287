"""For want of which answer a fact is missing."""

import pytest

from muster.fleet.unanswered_queries import UnansweredQuery, explain_missing, placeholders_in

CR, OTHER = "cr-0123456789abcdef0", "cr-0fedcba9876543210"
DENIED = UnansweredQuery(f"reservation {CR} (denied)", f"DescribeCapacityReservations {CR}, us-west-2")
LATE = UnansweredQuery("the offerings of p5 in usw2-az1 (timed out)", "DescribeInstanceTypeOfferings us-west-2")


@pytest.mark.parametrize(
    ("missing", "unanswered", "words"),
    [
        (f"how many instances {CR} holds", (DENIED, LATE), f"AWS did not answer: {DENIED.words}"),
        (f"how many instances {CR}: 4, holds", (DENIED,), f"AWS did not answer: {DENIED.words}"),
        ("which zones of us-west-2 have p5", (DENIED, LATE), f"AWS did not answer: {DENIED.words}, {LATE.words}"),
        ("what usw2-az1 is called", (DENIED, LATE), f"AWS did not answer: {LATE.words}"),
        (
            f"how many instances {OTHER} holds",
            (DENIED, LATE),
            f"AWS's responses do not contain it; AWS did not answer: {DENIED.words}, {LATE.words}",
        ),
        (
            f"how many {OTHER} holds",
            (DENIED, DENIED),
            f"AWS's responses do not contain it; AWS did not answer: {DENIED.words}",
        ),
        (f"how many {CR} holds", (), "no query to AWS returns it; `muster schema facts` prints the format of facts"),
    ],
)
def test_why_a_fact_is_missing(missing: str, unanswered: tuple[UnansweredQuery, ...], words: str) -> None:
    """By the questions about what it names; else by all that were not answered; else nobody asked."""
    assert explain_missing(missing, unanswered) == words


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("p4d1", True), ("a1.x", True), ("p4d", False), ("443", False), ("zone", False), ("zones", False)],
)
def test_a_name_has_four_letters_and_a_digit(name: str, *, is_one: bool) -> None:
    """Shorter ones are numbers and words, which stand in every question."""
    asked = UnansweredQuery("what is asked (denied)", f"of {name}")
    about = "AWS did not answer" if is_one else "AWS's responses do not contain it; AWS did not answer"
    assert explain_missing(f"what {name} is", (asked,)) == f"{about}: what is asked (denied)"


def test_placeholders_are_told_once() -> None:
    """Without what stands around them, in their order; ids are none."""
    said = f"the zones of subnet-fill-me-in-b, subnet-fill-me-in-a and {CR}: subnet-fill-me-in-b."
    assert placeholders_in(said) == ("subnet-fill-me-in-b", "subnet-fill-me-in-a")

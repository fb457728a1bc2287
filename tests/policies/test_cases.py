"""Every case: exactly the findings it names, and exactly what it says could not be judged."""

import pytest

from tests.policies.case import Case, cases, found, judged, unjudged


@pytest.mark.parametrize("one", cases(), ids=lambda one: one.name)
def test_case(one: Case) -> None:
    judgement = judged(one)
    assert found(judgement) == one.finds
    assert unjudged(judgement) == one.unjudged

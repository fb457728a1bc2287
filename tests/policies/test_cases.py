"""Every case: exactly the findings it names, exactly what it says could not be judged, and both word by word."""

import pytest

from tests.policies.case import Case, cases, found, judged, unjudged
from tests.policies.said_in_cases import said, written


@pytest.mark.parametrize("one", cases(), ids=lambda one: one.name)
def test_case(one: Case) -> None:
    judgement = judged(one)
    assert found(judgement) == one.finds
    assert unjudged(judgement) == one.unjudged
    assert said(judgement) == written(one), "run `make goldens`, read the difference, commit it with the reason"

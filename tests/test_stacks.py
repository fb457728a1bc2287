"""Every stack that is committed is clean."""

import pytest

from muster.stack.project import stacks
from tests.stack_files import ROOT, UNSTATED, plan_of


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_a_stack_is_clean_and_wholly_judged(stack: str) -> None:
    """No finding of any level, and nothing that could not be evaluated, for want of a fact."""
    judgement = plan_of(stack).judgement
    assert judgement.findings == ()
    assert {(each.rule, each.resource) for each in judgement.not_evaluated} == UNSTATED.get(stack, frozenset())
    assert judgement.suppressed == ()
    assert plan_of(stack).broken_laws == ()

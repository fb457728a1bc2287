"""A group that holds a reservation and gets another name: with `was` it stays, in AWS and in the engine."""

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.stack_files import filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]


def _renamed(text: str, more: str = "") -> str:
    assert "\n      workers:\n" in text
    return text.replace("\n      workers:\n", f"\n      trainers:\n{more}")


@pytest.mark.parametrize("stack", ["p5-odcr", "p5-capacity-block-self-managed"])
def test_a_group_keeps_its_resources_under_another_name(stack: str, muster: MakeStack) -> None:
    """Only the label of its nodes is another, and what is derived of it."""
    text = filled_in(text_of(stack))
    it = muster(stack, text=text)
    it.up().require()
    it.describe(_renamed(text))
    assert {"create", "delete"} <= set(it.preview().require().changes.values())
    it.describe(_renamed(text, "        was: workers\n"))
    planned = it.preview().require().changes
    assert planned
    assert set(planned.values()) == {"update"}
    it.up().require()
    assert not it.preview().require().changes

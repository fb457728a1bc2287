"""The pack's configuration in the real engine: what is suppressed blocks nobody, what is misspelt stops everything."""

import json
from pathlib import Path

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.pulumi_engine.provider import StandIn
from tests.stack_files import edited, filled_in, text_of

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

STACK, RULE = "p5-odcr", "reservation-covers-nodes"
SUPPRESS = f"""    suppress:
      - rule: {RULE}
        at: groups.workers
        reason: the second instance is added tonight
        until: "2026-12-01"
"""


def two_nodes(more: str = "") -> str:
    """The stack with more nodes than its reservation holds."""
    return edited(filled_in(text_of(STACK)), "nodes: 1\n", "nodes: 2\n").rstrip("\n") + "\n" + more


def test_what_the_description_suppresses_passes_both_gates(muster: MakeStack) -> None:
    """The pack counts it, and says no more of it than the first gate."""
    outcome = muster(STACK, text=two_nodes(SUPPRESS)).preview(packs=["policies"]).require()
    assert [each.level for each in outcome.violations if each.level != "advisory"] == []
    (counted,) = [each for each in outcome.violations if each.policy == "muster"]
    assert counted.message.splitlines()[0] == "1 finding suppressed"
    assert RULE in counted.message


def test_levels_of_the_stack_hold_in_both_gates(muster: MakeStack) -> None:
    """An advisory finding is said by the pack at the resource, with the line of the stack's file."""
    text = two_nodes(f"  muster:policies:\n    {RULE}: advisory\n")
    outcome = muster(STACK, text=text).preview(packs=["policies"]).require()
    (found,) = [each for each in outcome.violations if each.policy == RULE]
    assert found.level == "advisory"
    assert found.urn.endswith("aws:eks/nodeGroup:NodeGroup::workers")
    assert "\n   at groups.workers.capacity.reservation.count, stacks/Pulumi.p5-odcr.yaml:" in found.message


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"efa-used-fuly": "advisory"}, "no rule of that name; did you mean 'efa-used-fully'?"),
        ({"kubernetes-standard-support": {"dayz": 3}}, "unknown key 'dayz'; did you mean 'days'?"),
        ({"kubernetes-standard-support": {"days": "3"}}, "days: Invalid type. Expected: integer, given: string"),
        ({RULE: "remediate"}, "remediate"),
        ({"muster": {"suppress": [{"rule": RULE}]}}, "suppress.0: at is required"),
    ],
)
def test_a_configuration_with_faults_stops_before_anything_is_registered(
    given: dict[str, object], words: str, muster: MakeStack, stand_in: StandIn, tmp_path: Path
) -> None:
    """By the engine, which knows the options' types, or by the pack, which knows the names."""
    file = tmp_path / "policies.json"
    file.write_text(json.dumps(given), encoding="utf-8")
    outcome = muster(STACK).preview("--policy-pack-config", str(file), packs=["policies"])
    assert outcome.code != 0
    assert words in outcome.text
    assert outcome.resources == {}
    assert stand_in.log.names("create") == []


def test_a_configuration_of_the_pack_holds(muster: MakeStack, tmp_path: Path) -> None:
    """Options arrive as the rule reads them: Kubernetes 1.35 leaves standard support 126 days after the tests' day."""
    file = tmp_path / "policies.json"
    file.write_text(json.dumps({"kubernetes-standard-support": {"days": 127}}), encoding="utf-8")
    flags = ("--policy-pack-config", str(file))
    outcome = muster(STACK).preview(*flags, packs=["policies"]).require()
    (told,) = [each.message for each in outcome.violations if each.policy == "kubernetes-standard-support"]
    assert "2027-03-27" in told.splitlines()[0]

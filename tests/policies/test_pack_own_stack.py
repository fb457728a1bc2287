"""The pack on stacks of Muster's own: it uses the suppressions, facts, levels and places of their descriptions."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pulumi.runtime.proto import analyzer_pb2 as pb

from muster.config.document import CLUSTER_KEY, POLICIES_KEY, read
from muster.offline.plan import plan_stack
from muster.policies.engine.configuration import MUSTER
from muster.policies.engine.messages import NOT_EVALUATED
from muster.policies.engine.rule_index import sheet_of
from muster.stack.project import facts_file, stack_file
from muster.stack.stack_file import load
from tests.policies.engine_protocol import diagnostics_of
from tests.stack_files import AS_OF, OF_EACH_KIND, ROOT, edited, filled_in, text_of

STACK = "p5-odcr"
TWO_NODES = ("nodes: 1\n", "nodes: 2\n")
RULE = "reservation-covers-nodes"
"""The reservation holds one instance."""

SUPPRESS = f"""    suppress:
      - rule: {RULE}
        at: groups.workers
        reason: the second instance is added tonight
        until: "2026-12-01"
"""


def know(checkout: Path, stack: str) -> None:
    """Writes the facts of a stack."""
    facts_file(checkout, stack).write_text(filled_in(facts_file(ROOT, stack).read_text(encoding="utf-8")), "utf-8")


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with the stack, which the pack reads."""
    (tmp_path / "stacks" / "facts").mkdir(parents=True)
    know(tmp_path, STACK)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MUSTER_AS_OF", AS_OF)
    return tmp_path


def diagnostics(
    checkout: Path,
    *edits: tuple[str, str],
    name: str = STACK,
    more: str = "",
    policies: Any = None,
    preview: bool = True,
    **said: Any,
) -> tuple[list[pb.AnalyzeDiagnostic], Any]:
    """The diagnostics of the pack for the edited stack, and its plan."""
    text = filled_in(text_of(name))
    for before, after in edits:
        text = edited(text, before, after)
    file = stack_file(checkout, name)
    file.write_text(text.rstrip("\n") + "\n" + more, encoding="utf-8")
    plan = plan_stack(load(name, file, facts_file(checkout, name)), date.fromisoformat(AS_OF), preview=preview)
    written = read(file).data["config"]
    config = {**{key: written[key] for key in ("aws:region", CLUSTER_KEY)}, **said.pop("stack", {})}
    if policies is not None:
        config[POLICIES_KEY] = policies
    return diagnostics_of(plan.registrations, stack=name, stack_config=config, **said), plan


def of_rules(found: list[pb.AnalyzeDiagnostic]) -> list[pb.AnalyzeDiagnostic]:
    return [each for each in found if each.policyName not in (NOT_EVALUATED, MUSTER)]


def assert_alike(found: list[pb.AnalyzeDiagnostic], plan: Any, checkout: Path) -> None:
    """The pack and the plan have the same findings, and the same rules are not evaluated, with paths in the
    checkout."""
    said = {(each.policyName, *each.message.splitlines()[:2]) for each in of_rules(found)}
    assert said == {(each.rule, each.got, f"fix: {each.remedy}") for each in plan.judgement.findings}
    wanting = {each.message for each in found if each.policyName == NOT_EVALUATED}
    missing = {f"{each.rule} could not be judged: {each.missing}" for each in plan.judgement.not_evaluated}
    assert wanting == {each.replace(f"{checkout}/", "") for each in missing}


@pytest.mark.parametrize("preview", [True, False])
def test_the_pack_says_what_the_plan_says(checkout: Path, preview: bool) -> None:
    """The finding also has the URN of the resource."""
    found, plan = diagnostics(checkout, TWO_NODES, preview=preview)
    assert_alike(found, plan, checkout)
    (one,) = [each for each in found if each.policyName == RULE]
    assert one.enforcementLevel == pb.MANDATORY
    assert one.urn.endswith("aws:eks/nodeGroup:NodeGroup::workers")
    assert "\n   at groups.workers.capacity.reservation.count, stacks/Pulumi.p5-odcr.yaml:" in one.message


def test_what_the_description_suppresses_blocks_nobody_in_the_engine(checkout: Path) -> None:
    """A mandatory finding that the stack file suppresses is counted, with its reason and its end."""
    found, _ = diagnostics(checkout, TWO_NODES, more=SUPPRESS)
    assert not [each for each in found if each.enforcementLevel == pb.MANDATORY]
    (counted,) = [each for each in found if each.policyName == MUSTER]
    assert counted.enforcementLevel == pb.ADVISORY
    assert f"{RULE} at groups.workers.capacity.reservation.count until 2026-12-01: " in counted.message


@pytest.mark.parametrize(("name", "saved"), [*((name, True) for name in OF_EACH_KIND), (STACK, False)])
def test_what_is_known_to_the_plan_is_known_to_the_pack(checkout: Path, name: str, *, saved: bool) -> None:
    """All ids are known here, with facts beside the stack and without. A component that had the ARN of its cluster hid
    the cluster once, because the engine does not tell components from resources."""
    facts = facts_file(checkout, name)
    know(checkout, name) if saved else facts.unlink(missing_ok=True)
    found, plan = diagnostics(checkout, name=name, preview=False)
    assert_alike(found, plan, checkout)


def test_levels_of_the_stack_stand_over_those_of_the_pack(checkout: Path) -> None:
    """The file of the pack is for many stacks, that of the stack for this one."""
    pack = {"all": "mandatory", RULE: "disabled"}
    found, _ = diagnostics(checkout, TWO_NODES, config=pack)
    assert RULE not in {each.policyName for each in found}
    found, _ = diagnostics(checkout, TWO_NODES, config=pack, policies={RULE: "advisory"})
    (own,) = [each for each in found if each.policyName == RULE]
    sheet = sheet_of(RULE)
    assert own.enforcementLevel == pb.ADVISORY
    assert (own.description, own.severity) == (
        sheet.why,
        pb.PolicySeverity.Value(f"POLICY_SEVERITY_{sheet.severity.name}"),
    )
    assert sheet.source[0] in own.message


@pytest.mark.parametrize(
    ("stack", "policies", "words"),
    [
        ({CLUSTER_KEY: {"backend": "eks"}}, None, "'groups' is missing"),
        ({}, {"no-such-rule": "advisory"}, "no rule of that name"),
    ],
)
def test_a_description_of_no_use_is_said_to_be(
    checkout: Path, stack: dict[str, Any], policies: Any, words: str
) -> None:
    """The pack judges the resources as those of another program, with findings at URNs."""
    found, _ = diagnostics(checkout, TWO_NODES, stack=stack, policies=policies)
    (why,) = [each for each in found if each.policyName == MUSTER]
    assert why.enforcementLevel == pb.ADVISORY
    assert words in why.message
    assert "as another team's program" in why.message
    assert "\n   at " not in "".join(each.message for each in of_rules(found))

"""The pack, spoken to as the engine speaks."""

import subprocess
import sys

import pytest
from google.protobuf.struct_pb2 import Struct
from pulumi.runtime.proto import analyzer_pb2 as pb

from muster.offline import run_program
from muster.wire import to_wire
from policies import analyzer
from policies.analyzer import NOT_EVALUATED, PACK, Analyzer
from policies.catalogue import rules
from tests.stack_files import ROOT


def failing() -> None:
    import pulumi_aws as aws

    group = aws.ec2.SecurityGroup("nodes")
    aws.ec2.LaunchTemplate(
        "gpu",
        instance_type="p5.48xlarge",
        network_interfaces=[
            {"network_card_index": 0, "device_index": 0, "interface_type": "efa-only", "security_groups": [group.id]}
        ],
    )


def struct(values: dict) -> Struct:
    made = Struct()
    made.update(to_wire(values))
    return made


def diagnostics(levels: dict[str, int] | None = None, *, preview: bool = True):
    """What the pack says of the failing program, spoken to in the engine's order."""
    pack = Analyzer()
    config = {name: pb.PolicyConfig(enforcementLevel=level) for name, level in (levels or {}).items()}
    pack.Configure(pb.ConfigureAnalyzerRequest(policyConfig=config), None)
    listed = []
    for each in run_program(failing, preview=preview):
        pack.Analyze(
            pb.AnalyzeRequest(type=each.type, urn=each.urn, name=each.name, properties=struct(each.inputs)), None
        )
        urns = {key: pb.AnalyzerPropertyDependencies(urns=below) for key, below in each.property_dependencies.items()}
        listed.append(
            pb.AnalyzerResource(
                type=each.type,
                urn=each.urn,
                name=each.name,
                parent=each.parent,
                properties=struct({**each.outputs, "id": each.id}),
                propertyDependencies=urns,
            )
        )
    return pack.AnalyzeStack(pb.AnalyzeStackRequest(resources=listed), None).diagnostics


RULE = "primary-interface-not-efa-only"


@pytest.mark.parametrize("preview", [True, False])
def test_a_finding_has_its_rules_name_level_and_urn(preview: bool) -> None:
    (found,) = [each for each in diagnostics(preview=preview) if each.policyName == RULE]
    assert found.policyPackName == PACK
    assert found.enforcementLevel == pb.MANDATORY
    assert found.urn.endswith("aws:ec2/launchTemplate:LaunchTemplate::gpu")
    assert "\n-> " in found.message, "the engine prints nothing but the message"


def test_configured_levels_are_honoured() -> None:
    """The engine leaves `disabled` to the pack."""
    assert RULE not in {each.policyName for each in diagnostics({RULE: pb.DISABLED})}
    (found,) = [each for each in diagnostics({RULE: pb.ADVISORY}) if each.policyName == RULE]
    assert found.enforcementLevel == pb.ADVISORY


def test_a_crashing_rule_stops_under_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    def crash(thing, fleet):
        raise ValueError("oops")

    bad = [replace(each, predicate=crash) if each.id == RULE else each for each in rules()]
    monkeypatch.setattr(analyzer, "rules", lambda: tuple(bad))
    found = [each for each in diagnostics() if each.policyName == RULE]
    assert [each.enforcementLevel for each in found] == [pb.MANDATORY]
    assert "bug of the pack" in found[0].message


def test_an_unreadable_stack_stops_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_arguments, **_settings):
        raise KeyError("file")

    monkeypatch.setattr(analyzer, "fleet_of", crash)
    (found,) = diagnostics()
    assert (found.policyName, found.enforcementLevel) == (NOT_EVALUATED, pb.MANDATORY)
    assert "KeyError" in found.message


def test_every_rule_has_its_sheet_in_the_pack() -> None:
    sheets = {each.name: each for each in Analyzer().GetAnalyzerInfo(None, None).policies}
    assert set(sheets) == {each.id for each in rules()}
    for each in rules():
        assert sheets[each.id].remediation_steps == each.remedy
        assert sheets[each.id].description == each.why


def test_the_pack_starts_and_prints_its_port_first() -> None:
    """The engine reads a number and a line end; anything before it is "failed to start"."""
    process = subprocess.Popen(
        [sys.executable, "-u", str(ROOT / "policies")], cwd=ROOT / "policies", stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert 0 < int(process.stdout.readline()) < 65536
    finally:
        process.kill()
        process.communicate()

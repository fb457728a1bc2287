"""The pack, spoken to as the engine speaks."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pulumi
import pytest
from jsonschema import Draft7Validator
from pulumi.runtime.proto import analyzer_pb2 as pb

from muster import __version__
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import CLUSTER
from muster.offline.recording import record
from muster.policies import analyzer
from muster.policies.analyzer import PACK, Analyzer
from muster.policies.engine import configuration
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.configuration import MUSTER
from muster.policies.engine.messages import NOT_EVALUATED
from muster.policies.engine.options import documented, options_of
from muster.policies.views import unread_lines
from tests.policies.engine_protocol import Refused, diagnostics_of
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


def diagnostics(config: Mapping[str, Any] | None = None, *, preview: bool = True) -> list[pb.AnalyzeDiagnostic]:
    """What the pack says of the failing program, spoken to in the engine's order."""
    return diagnostics_of(record(failing, preview=preview).registrations, config=config)


RULE = "primary-interface-carries-ip"


@pytest.mark.parametrize("preview", [True, False])
def test_a_finding_has_its_rules_name_level_and_urn(preview: bool) -> None:
    (found,) = [each for each in diagnostics(preview=preview) if each.policyName == RULE]
    assert found.policyPackName == PACK
    assert found.enforcementLevel == pb.MANDATORY
    assert found.urn.endswith("aws:ec2/launchTemplate:LaunchTemplate::gpu")
    assert "\nfix: " in found.message, "the engine prints nothing but the message"


@pytest.mark.parametrize("preview", [True, False])
@pytest.mark.parametrize("type_", ["acme:net:Group", "aws:ec2/securityGroup:SecurityGroup"])
def test_a_component_takes_no_groups_place(type_: str, preview: bool) -> None:
    """Whatever it registers as its id, its ARN or its rules."""
    import pulumi_aws as aws

    itself = {"protocol": "-1", "fromPort": 0, "toPort": 0, "self": True}

    class Network(pulumi.ComponentResource):
        def __init__(self) -> None:
            super().__init__(type_, "network", {"ingress": [itself], "egress": [itself]})
            group = aws.ec2.SecurityGroup("nodes", opts=pulumi.ResourceOptions(parent=self))
            card = {"network_card_index": 0, "interface_type": "efa", "security_groups": [group.id]}
            aws.ec2.LaunchTemplate("gpu", instance_type="p5.48xlarge", network_interfaces=[card])
            self.register_outputs({"id": group.id, "arn": group.arn, "name": group.id})

    found = diagnostics_of(record(Network, preview=preview).registrations)
    at = {each.urn.rpartition("::")[2] for each in found if each.policyName == "efa-security-groups-allow-themselves"}
    assert at == {"nodes"}


def test_what_no_rule_reads_is_told_as_check_tells_it() -> None:
    """By its type, once: the engine would take silence about it for a pass. What rules read is not among it."""
    made = [
        Registration(f"urn:pulumi:dev::theirs::{type_}::{name}", type_, name, {})
        for type_, name in (("aws:ec2/instance:Instance", "a"), ("aws:ec2/instance:Instance", "b"), (CLUSTER, "ml"))
    ]
    (missing,) = unread_lines(made)
    words = f"{missing.rule} could not be judged: {missing.resource}: {missing.missing}"
    assert (missing.rule, missing.resource) == ("not-modelled", "aws:ec2/instance:Instance")
    assert [(each.urn, each.enforcementLevel) for each in diagnostics_of(made) if each.message == words] == [
        ("", pb.ADVISORY)
    ]


def test_configured_levels_are_honoured() -> None:
    """The engine leaves `disabled` to the pack."""
    assert RULE not in {each.policyName for each in diagnostics({RULE: "disabled"})}
    (found,) = [each for each in diagnostics({"all": "disabled", RULE: "advisory"}) if each.policyName == RULE]
    assert found.enforcementLevel == pb.ADVISORY


def test_a_crashing_rule_stops_under_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its level; every other rule is judged, as if it were not there."""

    def crash(*_: object) -> Any:
        raise ValueError("oops")

    before = {each.policyName for each in diagnostics()}
    monkeypatch.setattr(sys.modules[__name__], RULE.replace("-", "_"), crash, raising=False)
    bad = tuple(replace(each, module=__name__) if each.id == RULE else each for each in all_rules())
    monkeypatch.setattr(configuration, "all_rules", lambda: bad)
    found = diagnostics({RULE: "advisory"})
    assert {each.policyName for each in found} == before
    (own,) = [each for each in found if each.policyName == RULE]
    assert own.enforcementLevel == pb.MANDATORY
    assert own.message.startswith(f"rule {RULE} crashed on ")
    assert own.message.endswith("ValueError: oops. This is a bug of the pack.")


@pytest.mark.parametrize(
    ("config", "where"),
    [
        ({"primary-interface-carries-pi": "advisory"}, "primary-interface-carries-pi"),
        ({RULE: {"dayz": 3.0}}, f"{RULE}.dayz"),
        ({RULE: "remediate"}, f"{RULE}.enforcementLevel"),
        ({"all": {"days": 3.0}}, "all.days"),
        ({"muster": {"facts": "facts.json"}}, "muster.facts"),
        (
            {"muster": {"suppress": [{"rule": "x", "at": "y", "reason": "because of it", "until": "2027-01-01"}]}},
            "muster.suppress[0].rule",
        ),
    ],
)
def test_what_the_engine_lets_through_the_pack_refuses(config: Mapping[str, Any], where: str) -> None:
    """Before anything is registered: a level that is nobody's would otherwise change nothing, in silence."""
    with pytest.raises(Refused, match=re.escape(f"  {where}: ")):
        diagnostics(config)


AT = "aws:ec2/launchTemplate:LaunchTemplate::gpu"


@pytest.mark.parametrize("at", [AT, f"urn:pulumi:dev::muster::{AT}", "urn:pulumi:dev::muster"])
def test_a_suppression_of_the_configuration_names_a_resource(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its URN, by type and name, or all that is below a part of the URN; counted, with its reason and end."""
    monkeypatch.setenv("MUSTER_AS_OF", "2026-11-21")
    given = {"rule": RULE, "at": at, "reason": "a test of EC2 itself", "until": "2026-12-01"}
    found = diagnostics({"muster": {"suppress": [given]}})
    assert RULE not in {each.policyName for each in found}
    (counted,) = [each for each in found if each.policyName == MUSTER]
    assert counted.message.startswith(
        f"1 finding suppressed\n{RULE} at urn:pulumi:dev::muster::{AT} until 2026-12-01: "
    )


@pytest.mark.parametrize(
    ("change", "levels"),
    [
        ({"until": "2026-11-20"}, [pb.MANDATORY]),
        ({"until": "2027-11-23"}, [pb.MANDATORY]),
        ({"at": "aws:ec2/launchTemplate:LaunchTemplate::cpu"}, [pb.ADVISORY]),
        ({"at": "urn:pulumi:other::muster"}, []),
        ({"at": "groups.workers"}, []),
    ],
)
def test_a_suppression_that_no_longer_holds_is_found(
    change: dict[str, str], levels: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is over, or further off than a year, covers nothing; of one for another stack nothing is said here."""
    monkeypatch.setenv("MUSTER_AS_OF", "2026-11-21")
    given = {"rule": RULE, "at": AT, "reason": "a test of EC2 itself", "until": "2026-12-01", **change}
    found = diagnostics({"muster": {"suppress": [given]}})
    assert RULE in {each.policyName for each in found}
    assert [each.enforcementLevel for each in found if each.policyName == "suppression"] == levels


def test_an_unreadable_stack_stops_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that raises on the whole stack: nothing was judged, so nothing has passed."""

    def crash(*_arguments: object, **_settings: object) -> Any:
        raise KeyError("file")

    monkeypatch.setattr(analyzer, "fleet_of", crash)
    (found,) = diagnostics()
    assert (found.policyName, found.enforcementLevel) == (NOT_EVALUATED, pb.MANDATORY)
    assert "KeyError" in found.message


def test_every_rule_has_its_sheet_in_the_pack() -> None:
    """All that the engine has a place for, as the rule says it, and nothing beside but what the rules are told."""
    muster, *sheets = Analyzer().GetAnalyzerInfo(None, None).policies
    assert muster.name == MUSTER
    assert sorted(muster.configSchema.properties) == ["facts", "region", "suppress"]
    assert [each.name for each in sheets] == [each.id for each in all_rules()]
    for rule, sheet in zip(all_rules(), sheets, strict=True):
        assert sheet.displayName == sheet.message == rule.title
        assert sheet.description == rule.why
        assert sheet.remediation_steps == rule.remedy
        assert sheet.url == (rule.source[0])
        assert list(sheet.tags) == [rule.topic, *rule.backends, *rule.facts]
        assert pb.EnforcementLevel.Name(sheet.enforcementLevel) == rule.level.upper()
        assert pb.PolicySeverity.Name(sheet.severity) == f"POLICY_SEVERITY_{rule.severity.upper()}"
        assert sheet.policy_type == pb.POLICY_TYPE_STACK
        framework = sheet.framework
        assert (framework.name, framework.version, framework.reference) == ("muster", __version__, rule.source[0])
        assert list(sheet.configSchema.required) == []
        assert sorted(sheet.configSchema.properties) == sorted(documented(rule.options))


def test_every_option_reaches_the_engine_with_its_default_and_no_reference() -> None:
    """The engine fills in defaults, follows no reference, and knows Draft 7 at most."""
    for each in all_rules():
        schema = options_of(each.options)
        defaults = {name: given["default"] for name, given in schema.items()}
        assert each.options.model_validate(defaults) == each.options.of(each.settings)
        assert "$ref" not in json.dumps(schema)
        Draft7Validator.check_schema({"type": "object", "properties": schema})
        assert all(given["description"].endswith(".") for given in schema.values())


def test_the_pack_starts_and_prints_its_port_first() -> None:
    """The engine reads a number and a line end; anything before it is "failed to start"."""
    process = subprocess.Popen(
        [sys.executable, "-u", str(ROOT / "policies")],
        cwd=ROOT / "policies",
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert 0 < int(process.stdout.readline()) < 65536
    finally:
        process.kill()
        process.communicate()

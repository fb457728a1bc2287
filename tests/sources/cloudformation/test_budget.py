"""The budget of a template's functions, and the number of its resources."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.cloudformation.template import Template
from muster.cloudformation.values import Budget, TooMany
from muster.finding import Level
from muster.fleet.registration import Registration
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.recognition import open_file, recognize
from muster.sources.source import CannotBeRead, Source

GROUP = "AWS::EC2::SecurityGroup"


def _nested(levels: int, make: Any) -> Any:
    value: Any = "a" * 100
    for _ in range(levels):
        value = make(value)
    return value


@pytest.mark.parametrize(
    "make",
    [
        lambda value: {"Fn::Base64": value},
        lambda value: {"Fn::Join": ["", [value, value]]},
        lambda value: {"Fn::Sub": ["${A}${A}", {"A": value}]},
        lambda value: {"Fn::Equals": [value, value]},
        lambda value: [value, value],
    ],
    ids=["Base64", "Join", "Sub", "Equals", "list"],
)
def test_what_doubles_is_refused_early(make: Any) -> None:
    budget = Budget()
    with pytest.raises(TooMany):
        Template("a", {}, {}, {}, budget=budget).worked_out(_nested(60, make))


def test_an_attribute_is_evaluated_once(tmp_path: Path) -> None:
    """A chain in which each resource uses the next one twice."""
    chain = {
        f"R{number}": {
            "Type": GROUP,
            "Properties": {"GroupDescription": {"Fn::If": ["No", *[{"Fn::GetAtt": [f"R{number + 1}", "Ab"]}] * 2]}}
            | {"Ab": {"Fn::Select": [0, [{"Fn::GetAtt": [f"R{number + 1}", "Ab"]}] * 2]}},
        }
        for number in range(24)
    }
    chain["R24"] = {"Type": GROUP, "Properties": {"GroupDescription": "x", "Ab": "x"}}
    assert _read(tmp_path, {"Conditions": {"No": {"Fn::Equals": ["a", "b"]}}, "Resources": chain}).registrations


def test_in_a_program_a_template_over_the_budget_is_a_finding() -> None:
    """A second template that spends it does not close the eyes of the gate for the first one."""
    broken = {"Type": "Custom::PclusterCluster", "Properties": {"ClusterConfiguration": "no mapping"}}
    large = {
        "Type": "Custom::PclusterCluster",
        "Properties": {"ClusterConfiguration": {"Image": _nested(60, lambda value: {"Fn::Base64": value})}},
    }
    assert _unreadable(broken=broken) == {"broken"}
    assert _unreadable(broken=broken, large=large) == {"broken", "large"}
    assert _unreadable(bad=large, broken=broken) == {"bad", "broken"}, "the large one is read first"


def _unreadable(**clusters: Any) -> set[str]:
    """The stacks of a program with a mandatory finding that their template cannot be read."""
    type_ = "aws:cloudformation/stack:Stack"
    stacks = [
        Registration(f"urn:pulumi:a::a::{type_}::{name}", type_, name, {"templateBody": {"Resources": {"A": each}}})
        for name, each in clusters.items()
    ]
    found = judge(fleet_of(stacks, region="us-west-2", as_of=date(2026, 9, 1))).findings
    listed = [each for each in found if each.rule == "parallelcluster-template-readable"]
    assert all(each.level is Level.MANDATORY for each in listed)
    return {each.where.rpartition("::")[2] for each in listed}


@pytest.mark.parametrize(("count", "is_read"), [(500, True), (501, False)])
def test_resources_within_the_quota(count: int, is_read: bool, tmp_path: Path) -> None:
    document = {"Resources": {f"A{number}": {"Type": "AWS::SNS::Topic"} for number in range(count)}}
    if is_read:
        _read(tmp_path, document)
    else:
        with pytest.raises(CannotBeRead):
            _read(tmp_path, document)


def _read(folder: Path, document: dict[str, Any]) -> Source:
    file = folder / "a.json"
    file.write_text(json.dumps({"AWSTemplateFormatVersion": "2010-09-09", **document}), encoding="utf-8")
    opened = open_file(file)
    return recognize(opened).read(opened)

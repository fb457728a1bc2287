"""Templates that nobody meant to write end in time: within a budget, refused with words, or read in part."""

import json
import time
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
from muster.sources.cloudformation.reader import read
from muster.sources.source import CannotBeRead, Source
from tests.sources.judged import a_file

SECONDS = 30.0
"""Of processor time: far more than any of these takes, so that only a loop without an end fails."""


def taken(document: dict[str, Any], path: str | Path = "a.json") -> Source:
    """A template that is read, and judged, in time."""
    begin = time.process_time()
    source = read(a_file(json.dumps(document), path))
    fleet = fleet_of(source.registrations)
    assert fleet.unreadable == {}
    assert all(source.place(each) for each in judge(fleet).findings)
    assert time.process_time() - begin < SECONDS
    return source


def nested(levels: int, make: Any) -> Any:
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
    with pytest.raises(TooMany):
        Template("a", {}, {}, {}, budget=Budget()).worked_out(nested(60, make))


def a_vpc(cidr: Any, **more: Any) -> dict[str, Any]:
    return {"Resources": {"Network": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": cidr}}}, **more}


def chained(count: int) -> dict[str, Any]:
    """Resources each of which uses an attribute of the next one twice."""
    chain: dict[str, Any] = {f"R{count}": {"Type": "AWS::EC2::SecurityGroup", "Properties": {"Ab": "x"}}}
    for number in range(count):
        twice = [{"Fn::GetAtt": [f"R{number + 1}", "Ab"]}] * 2
        properties = {"GroupDescription": {"Fn::If": ["No", *twice]}, "Ab": {"Fn::Select": [0, twice]}}
        chain[f"R{number}"] = {"Type": "AWS::EC2::SecurityGroup", "Properties": properties}
    return {"Conditions": {"No": {"Fn::Equals": ["a", "b"]}}, "Resources": chain}


HOSTILE = {
    "a condition that needs itself": a_vpc(
        {"Fn::If": ["A", "a", "b"]},
        Conditions={"A": {"Fn::Not": [{"Condition": "B"}]}, "B": {"Fn::Not": [{"Condition": "A"}]}},
    ),
    "a long chain of conditions": a_vpc(
        {"Fn::If": ["C999", "a", "b"]},
        Conditions={
            "C0": {"Fn::Equals": ["a", "a"]},
            **{f"C{n}": {"Fn::And": [{"Condition": f"C{n - 1}"}] * 2} for n in range(1, 1000)},
        },
    ),
    "an attribute that needs itself": a_vpc({"Fn::GetAtt": ["Network", "CidrBlock"]}),
    "an attribute that is used twice by each": chained(24),
    "a parameter in many places": a_vpc(
        [{"Key": "k", "Value": {"Ref": "Names"}}] * 5000,
        Parameters={"Names": {"Type": "CommaDelimitedList", "Default": ",".join(["n"] * 5000)}},
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_it_ends(name: str) -> None:
    try:
        taken(HOSTILE[name])
    except CannotBeRead as fault:
        assert str(fault).strip()


def a_stack(file: str, value: Any) -> dict[str, Any]:
    return {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": file, "Parameters": {"In": value}}}


def test_nested_stacks_that_contain_each_other(tmp_path: Path) -> None:
    for own, other in (("a", "b"), ("b", "a")):
        stacks = {f"N{index}": a_stack(f"./{other}.json", {"Fn::GetAtt": ["N", "Outputs.A"]}) for index in range(8)}
        (tmp_path / f"{own}.json").write_text(json.dumps({"Resources": stacks}), encoding="utf-8")
    source = taken({"Resources": stacks}, tmp_path / "a.json")
    assert any("at most" in each.missing for each in source.gaps)


def test_stacks_that_need_each_other(tmp_path: Path) -> None:
    """Each nested stack has a parameter with an output of the next one."""
    child = {
        **a_vpc({"Ref": "In"}),
        "Parameters": {"In": {"Type": "String"}},
        "Outputs": {"Out": {"Value": {"Ref": "In"}}},
    }
    (tmp_path / "child.json").write_text(json.dumps(child), encoding="utf-8")
    after = [{"Fn::GetAtt": [f"S{(index + 1) % 40}", "Outputs.Out"]} for index in range(40)]
    stacks = {f"S{index}": a_stack("child.json", each) for index, each in enumerate(after)}
    taken({"Resources": stacks}, tmp_path / "a.json")


@pytest.mark.parametrize(
    "resource", ["AWS::EC2::VPC", {"Properties": {}}, {"Type": "AWS::EC2::VPC", "Properties": "a"}]
)
def test_a_resource_of_a_wrong_form_is_named(resource: Any) -> None:
    assert "Vpc" in {each.where for each in taken({"Resources": {"Vpc": resource}}).gaps}


def test_resources_within_the_quota() -> None:
    """CloudFormation takes 500 in a template."""
    listed = {f"A{number}": {"Type": "AWS::SNS::Topic"} for number in range(501)}
    with pytest.raises(CannotBeRead):
        taken({"Resources": listed})
    del listed["A0"]
    taken({"Resources": listed})


def test_in_a_program_a_template_over_the_budget_is_a_finding() -> None:
    """A second template that spends it does not close the eyes of the gate for the first one."""
    broken = {"ClusterConfiguration": "no mapping"}
    large = {"ClusterConfiguration": {"Image": nested(60, lambda value: {"Fn::Base64": value})}}
    assert unreadable(broken=broken) == {"broken"}
    assert unreadable(broken=broken, large=large) == {"broken", "large"}
    assert unreadable(bad=large, broken=broken) == {"bad", "broken"}, "the large one is read first"


def unreadable(**clusters: Any) -> set[str]:
    """The stacks of a program with a mandatory finding that their template cannot be read."""
    type_ = "aws:cloudformation/stack:Stack"
    bodies = {
        name: {"templateBody": {"Resources": {"A": {"Type": "Custom::PclusterCluster", "Properties": each}}}}
        for name, each in clusters.items()
    }
    stacks = [Registration(f"urn:pulumi:a::a::{type_}::{name}", type_, name, body) for name, body in bodies.items()]
    found = judge(fleet_of(stacks, region="us-west-2", as_of=date(2026, 9, 1))).findings
    listed = [each for each in found if each.rule == "parallelcluster-template-readable"]
    assert all(each.level is Level.MANDATORY for each in listed)
    return {each.where.rpartition("::")[2] for each in listed}

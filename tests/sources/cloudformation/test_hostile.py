"""Templates that nobody meant to write: the reader refuses them with a place, or reads what is left."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from muster import json_text, yaml_text
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from muster.sources.cloudformation.reader import read
from muster.sources.source import CannotBeRead, InputFile, InvalidFile

SECONDS = 30.0
"""Of processor time: far more than any of these takes, so that only a loop without an end fails."""


def hold(file: InputFile) -> None:
    """The reader ends in time, with resources that every view can read, or with words."""
    begin = time.process_time()
    try:
        source = read(file)
    except CannotBeRead as fault:
        assert str(fault).strip()
        return
    fleet = fleet_of(source.registrations)
    assert fleet.unreadable == {}
    for finding in judge(fleet).findings:
        assert source.place(finding)
        assert finding.got.strip()
    assert all(each.where.strip() and each.missing.strip() for each in source.gaps)
    assert time.process_time() - begin < SECONDS


def _resource(properties: Any, **more: Any) -> dict[str, Any]:
    return {"Resources": {"Network": {"Type": "AWS::EC2::VPC", "Properties": properties}}, **more}


HOSTILE = {
    "a condition that needs itself": _resource(
        {"CidrBlock": {"Fn::If": ["A", "a", "b"]}},
        Conditions={"A": {"Fn::Not": [{"Condition": "B"}]}, "B": {"Fn::Not": [{"Condition": "A"}]}},
    ),
    "a long chain of conditions": _resource(
        {"CidrBlock": {"Fn::If": ["C999", "a", "b"]}},
        Conditions={
            "C0": {"Fn::Equals": ["a", "a"]},
            **{f"C{n}": {"Fn::And": [{"Condition": f"C{n - 1}"}] * 2} for n in range(1, 1000)},
        },
    ),
    "an attribute that needs itself": _resource({"CidrBlock": {"Fn::GetAtt": ["Network", "CidrBlock"]}}),
    "a parameter in many places": _resource(
        {"Tags": [{"Key": "k", "Value": {"Ref": "Names"}}] * 5000},
        Parameters={"Names": {"Type": "CommaDelimitedList", "Default": ",".join(["n"] * 5000)}},
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name: str) -> None:
    text = json.dumps(HOSTILE[name])
    hold(InputFile(Path("hostile.json"), text, (json_text.load(text),), is_json=True))


def test_nested_stacks_that_contain_each_other(tmp_path: Path) -> None:
    for own, other in (("a", "b"), ("b", "a")):
        stacks = {
            f"Nested{index}": {
                "Type": "AWS::CloudFormation::Stack",
                "Properties": {
                    "TemplateURL": f"./{other}.json",
                    "Parameters": {"In": {"Fn::GetAtt": ["N", "Outputs.A"]}},
                },
            }
            for index in range(8)
        }
        (tmp_path / f"{own}.json").write_text(json.dumps({"Resources": stacks}), encoding="utf-8")
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    source = read(InputFile(tmp_path / "a.json", text, (json.loads(text),), is_json=True))
    assert any("at most" in each.missing for each in source.gaps)


def test_stacks_that_need_each_other(tmp_path: Path) -> None:
    """Each nested stack has a parameter with an output of the next one."""
    child = {
        "Parameters": {"In": {"Type": "String"}},
        "Resources": {"Network": {"Type": "AWS::EC2::VPC", "Properties": {"CidrBlock": {"Ref": "In"}}}},
        "Outputs": {"Out": {"Value": {"Ref": "In"}}},
    }
    (tmp_path / "child.json").write_text(json.dumps(child), encoding="utf-8")
    stacks = {
        f"S{index}": {
            "Type": "AWS::CloudFormation::Stack",
            "Properties": {
                "TemplateURL": "child.json",
                "Parameters": {"In": {"Fn::GetAtt": [f"S{(index + 1) % 40}", "Outputs.Out"]}},
            },
        }
        for index in range(40)
    }
    text = json.dumps({"Resources": stacks})
    hold(InputFile(tmp_path / "a.json", text, (json.loads(text),), is_json=True))


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ("AWSTemplateFormatVersion: 2010-09-09\nDescription: empty\n", 1),
        ("AWSTemplateFormatVersion: 2010-09-09\nResources: []\n", 2),
    ],
)
def test_a_wrong_form_has_a_place(document: str, line: int) -> None:
    file = InputFile(Path("t.yaml"), document, tuple(yaml_text.load_all(document, template=True)), is_json=False)
    with pytest.raises(InvalidFile) as raised:
        read(file)
    assert raised.value.position.line == line
    assert raised.value.remedy


@pytest.mark.parametrize(
    "resource", ["AWS::EC2::VPC", {"Properties": {}}, {"Type": "AWS::EC2::VPC", "Properties": "a"}]
)
def test_a_resource_of_a_wrong_form_is_named(resource: Any) -> None:
    document = {"Resources": {"Vpc": resource}}
    file = InputFile(Path("t.json"), json.dumps(document), (document,), is_json=True)
    assert "Vpc" in {each.where for each in read(file).gaps}

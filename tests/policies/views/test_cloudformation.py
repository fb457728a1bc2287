"""Templates as CloudFormation reads them: both languages, the short forms, its functions, and what stays open."""

from typing import Any

import pytest

from muster.cloudformation.template import NoTemplate, Template, read
from muster.cloudformation.values import Inside
from muster.unknown import UNKNOWN

BODY = """
AWSTemplateFormatVersion: 2010-09-09
Parameters:
  Subnet: {Type: String}
  Subnets: {Type: "List<AWS::EC2::Subnet::Id>"}
  Names: {Type: CommaDelimitedList, Default: "a, b"}
  Size: {Type: Number, Default: 4}
  Ami: {Type: "AWS::SSM::Parameter::Value<String>", Default: /aws/ami}
  Unset: {Type: String}
Mappings:
  Sizes:
    us-west-2: {small: 2, big: 8}
Conditions:
  Big: !Equals [!Ref Size, "4"]
  Small: !Not [!Condition Big]
  Both: !And [!Condition Big, !Condition Small]
  Either: !Or [!Condition Big, !Condition Small]
  Open: !Equals [!Ref Subnet, subnet-1]
  BigAndOpen: !And [!Condition Big, !Condition Open]
  SmallAndOpen: !And [!Condition Small, !Condition Open]
  Elsewhere: !Equals [!ImportValue flag, "yes"]
Resources:
  Key: {Type: "AWS::KMS::Key"}
Values: VALUE
"""
GIVEN = {"Subnet": UNKNOWN, "Subnets": "subnet-1, subnet-2"}
PSEUDO = {"AWS::Region": "us-west-2", "AWS::StackName": "theirs"}


def worked_out(value: str, given: Any = None) -> Any:
    """A value written in the short forms, in a stack called ``pcluster``."""
    document = read(BODY.replace("VALUE", value))
    template = Template("pcluster", document, GIVEN if given is None else given, PSEUDO)
    return template.worked_out(document["Values"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("!Ref Subnet", UNKNOWN),
        ("{Ref: Subnet}", UNKNOWN),
        ("!Ref Subnets", ["subnet-1", "subnet-2"]),
        ("!Ref Names", ["a", "b"]),
        ("!Ref Size", 4),
        ("!Ref AWS::Region", "us-west-2"),
        ("!Ref AWS::AccountId", Inside("pcluster.AWS::AccountId")),
        ("!Ref Key", Inside("pcluster.Key")),
        ("!Ref Ami", Inside("pcluster.Ami")),
        ("!Ref Unset", Inside("pcluster.Ref")),
        ("!GetAtt Key.Arn", Inside("pcluster.Key.Arn")),
        ("!GetAtt [Net, Outputs.Subnet]", Inside("pcluster.Net.Outputs.Subnet")),
        ('{"Fn::GetAtt": [Key, Arn]}', Inside("pcluster.Key.Arn")),
        ("!ImportValue net", Inside("pcluster.ImportValue.net")),
        ("!Sub text", "text"),
        ("!Sub '${AWS::Region}-${Size}-${!Size}'", "us-west-2-4-${Size}"),
        ("!Sub 'x-${Subnet}'", UNKNOWN),
        ("!Sub 'x-${Subnet}-${Key.Arn}'", Inside("pcluster.Key.Arn")),
        ("!Sub ['${own}-${Size}', {own: !Ref AWS::StackName}]", "theirs-4"),
        ("!Sub [1, 2, 3]", Inside("pcluster.Sub")),
        ("!Join ['-', [a, !Ref Size, true]]", "a-4-true"),
        ("!Join [',', !Ref Subnets]", "subnet-1,subnet-2"),
        ("!Join [',', [!Ref Subnet]]", UNKNOWN),
        ("!Join [',', !Ref Subnet]", UNKNOWN),
        ("!Join x", Inside("pcluster.Join")),
        ("!Split [',', 'a,b']", ["a", "b"]),
        ("!Split [',', !Ref Subnet]", UNKNOWN),
        ("!Select [1, !Ref Subnets]", "subnet-2"),
        ("!Select ['0', [!Ref Subnet, x]]", UNKNOWN),
        ("!Select [0, !GetAtt Net.Subnets]", Inside("pcluster.Net.Subnets[0]")),
        ("!Select [9, [a]]", Inside("pcluster.Select")),
        ("!FindInMap [Sizes, !Ref AWS::Region, big]", 8),
        ("!FindInMap [Sizes, us-east-1, big]", Inside("pcluster.FindInMap")),
        ("!FindInMap [Sizes, !Ref Subnet, big]", UNKNOWN),
        ("!If [Big, 1, 2]", 1),
        ("!If [Small, 1, 2]", 2),
        ("!If [Both, 1, 2]", 2),
        ("!If [Either, 1, 2]", 1),
        ("!If [Open, 1, 2]", UNKNOWN),
        ("!If [BigAndOpen, 1, 2]", UNKNOWN),
        ("!If [SmallAndOpen, 1, 2]", 2),
        ("!If [Elsewhere, 1, 2]", Inside("pcluster.ImportValue.flag")),
        ("!If [None, 1, 2]", Inside("pcluster.If")),
        ("{a: !Ref AWS::NoValue, b: !If [Small, 1, !Ref AWS::NoValue]}", {}),
        ("[1, !Ref AWS::NoValue]", [1]),
        ("!Ref AWS::NoValue", None),
        ("{Ref: Subnet, b: 1}", {"Ref": "Subnet", "b": 1}),
        ("{a: [{b: !Ref Size}]}", {"a": [{"b": 4}]}),
    ],
)
def test_a_value(value: str, expected: Any) -> None:
    """Worked out as far as the program tells; what is left says whether the program or CloudFormation will know it."""
    assert worked_out(value) == expected


def test_no_parameter_known() -> None:
    """All of them come with creation."""
    assert worked_out("!Ref Subnets", UNKNOWN) is UNKNOWN


def test_json() -> None:
    """A template in JSON, indented with tabs, and one that is no text at all."""
    assert read('{\n\t"Resources": {"A": {"Ref": "b"}}\n}') == {"Resources": {"A": {"Ref": "b"}}}
    assert read({"Resources": {}}) == {"Resources": {}}


@pytest.mark.parametrize("body", ["{", "a: [", "- a", "text", "", "{}x", "? [a]\n: b"])
def test_what_is_no_template(body: str) -> None:
    """CloudFormation would refuse it."""
    with pytest.raises(NoTemplate):
        read(body)

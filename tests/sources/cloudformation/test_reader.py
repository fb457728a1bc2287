"""What the reader makes of a template: values of functions, conditions, nested stacks, and what it leaves out."""

import json
from pathlib import Path
from typing import Any

import pytest

from muster.sources.cloudformation.reader import read
from muster.sources.source import Source
from muster.unknown import UNKNOWN
from tests.sources.judged import a_file, said


def of_text(text: str, path: str | Path = "t.yaml") -> Source:
    """A template in YAML, read."""
    return read(a_file(text, path))


def inputs(source: Source, name: str) -> dict[str, Any]:
    """The inputs of a resource."""
    return next(dict(each.inputs) for each in source.registrations if each.name == name)


VPC = "Resources: {Vpc: {Type: 'AWS::EC2::VPC', Properties: {CidrBlock: VALUE}}}\n"


@pytest.mark.parametrize(
    ("value", "more", "expected"),
    [
        ("!Ref Cidr", "Parameters: {Cidr: {Type: String}}", UNKNOWN),
        ("!Ref Cidr", "Parameters: {Cidr: {Type: String, Default: 10.0.0.0/16}}", "10.0.0.0/16"),
        ("!Ref Cidr", "Parameters: {Cidr: {Type: String, Default: <your-cidr>}}", UNKNOWN),
        ("!Ref Cidr", "Parameters: {Cidr: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /cidr}}", UNKNOWN),
        ("'{{resolve:ssm:/cidr}}'", "", UNKNOWN),
        ("null", "", UNKNOWN),
        ("!Sub '10.${Second}.0.0/16'", "Parameters: {Second: {Type: Number, Default: 7}}", "10.7.0.0/16"),
        ("!FindInMap [Nets, own, cidr]", "Mappings: {Nets: {own: {cidr: 10.1.0.0/16}}}", "10.1.0.0/16"),
        ("!FindInMap [Nets, other, cidr]", "Mappings: {Nets: {own: {cidr: 10.1.0.0/16}}}", UNKNOWN),
        (
            "!FindInMap [Nets, other, cidr, {DefaultValue: 10.2.0.0/16}]",
            "Mappings: {Nets: {own: {cidr: a}}}",
            "10.2.0.0/16",
        ),
        ("!If [Own, 10.1.0.0/16, 10.2.0.0/16]", "Conditions: {Own: !Equals [a, a]}", "10.1.0.0/16"),
        ("!If [Own, 10.1.0.0/16, 10.2.0.0/16]", "Conditions: {Own: !Equals [!Ref 'AWS::Region', a]}", UNKNOWN),
        ("!Select [1, !Cidr [10.0.0.0/16, 2, 12]]", "", "10.0.16.0/20"),
        ("!Select [0, !Split ['|', '10.0.0.0/16|x']]", "", "10.0.0.0/16"),
        ("!Transform {Name: Macro, Parameters: {}}", "", UNKNOWN),
        ("!ImportValue cidr", "", UNKNOWN),
    ],
)
def test_values(value: str, more: str, expected: Any) -> None:
    assert inputs(of_text(f"{VPC.replace('VALUE', value)}{more}\n"), "Vpc")["cidrBlock"] == expected


@pytest.mark.parametrize(("condition", "created"), [("a", True), ("b", False), ("!ImportValue a", True)])
def test_conditions(condition: str, created: bool) -> None:
    text = (
        f"Conditions: {{On: !Equals [a, {condition}]}}\nResources: {{Vpc: {{Type: 'AWS::EC2::VPC', Condition: On}}}}\n"
    )
    source = of_text(text)
    assert bool(source.registrations) == created
    assert any("condition" in each for each in source.notes) == (condition == "!ImportValue a")


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("Resources: {Jobs: {Type: 'AWS::Batch::JobQueue'}}", "AWS::Batch::JobQueue"),
        (
            "Resources: {Disk: {Type: 'AWS::FSx::FileSystem', Properties: {FileSystemType: ONTAP}}}",
            "AWS::FSx::FileSystem",
        ),
        ("Transform: [Boto3]\nResources: {Vpc: {Type: 'AWS::EC2::VPC'}}", "Transform Boto3"),
        ("Resources: {A: {Fn::Transform: {Name: 'AWS::Include'}}, Vpc: {Type: 'AWS::EC2::VPC'}}", "A"),
        (
            "Resources: {A: {Type: 'AWS::EC2::VPC', Properties: {A: a, Fn::Transform: {Name: x}}}}",
            "A",
        ),
        (
            "Resources: {Net: {Type: 'AWS::CloudFormation::Stack', Properties: {TemplateURL: 'https://x/y.yaml'}}}",
            "Net",
        ),
        ("Resources: {'Fn::ForEach::Nets': [Name, !ImportValue a, {}]}", "Fn::ForEach::Nets"),
    ],
)
def test_gaps(text: str, where: str) -> None:
    assert where in {each.where for each in of_text(text).gaps}


@pytest.mark.parametrize("listed", [False, True])
def test_nested_stacks(tmp_path: Path, listed: bool) -> None:
    """Parameters go into a nested stack, outputs come out. CDK names the file in metadata or in a list of assets."""
    child = {
        "Parameters": {"Net": {"Type": "String"}, "Zone": {"Type": "String"}},
        "Resources": {
            "Subnet": {
                "Type": "AWS::EC2::Subnet",
                "Properties": {"VpcId": {"Ref": "Net"}, "AvailabilityZone": {"Ref": "Zone"}},
            }
        },
        "Outputs": {"Subnet": {"Value": {"Ref": "Subnet"}}},
    }
    (tmp_path / "asset.nested.template.json").write_text(json.dumps(child), encoding="utf-8")
    text = """
Resources:
  Vpc: {Type: "AWS::EC2::VPC"}
  Network:
    Type: AWS::CloudFormation::Stack
    Metadata: {"aws:asset:path": asset.nested.template.json}
    Properties:
      TemplateURL: !Sub https://s3.${AWS::Region}.amazonaws.com/assets/0123.json
      Parameters: {Net: !Ref Vpc, Zone: us-west-2a}
  Workers:
    Type: AWS::EKS::Nodegroup
    Properties: {Subnets: [!GetAtt Network.Outputs.Subnet]}
"""
    if listed:
        text = text.replace("aws:asset:path", "aws:asset:none")
        assets = {"files": {"0123": {"source": {"path": "asset.nested.template.json"}}}}
        (tmp_path / "Main.assets.json").write_text(json.dumps(assets), encoding="utf-8")
    source = of_text(text, tmp_path / "Main.template.yaml")
    subnet = inputs(source, "Network.Subnet")
    assert (subnet["vpcId"], subnet["availabilityZone"]) == ("Vpc", "us-west-2a")
    assert inputs(source, "Workers")["subnetIds"] == ["Network.Subnet"]
    assert any("asset.nested.template.json" in each for each in source.notes)
    assert source.nested == (tmp_path / "asset.nested.template.json",)


NESTED = """
Resources:
  Network:
    Type: AWS::CloudFormation::Stack
    Metadata: {"aws:asset:path": "@ASSET"}
    Properties: {TemplateURL: "@URL"}
"""


@pytest.mark.parametrize(
    ("url", "asset", "is_read"),
    [
        ("../app/below/net.json", "", True),
        ("../net.json", "", False),
        ("https://x.example.com/net.json", "../net.json", False),
        ("OUTER/net.json", "", False),
        ("link.json", "", False),
        ("../assembly/net.json", "", False),
    ],
)
def test_nested_templates_are_in_the_folder_of_the_file(tmp_path: Path, url: str, asset: str, is_read: bool) -> None:
    """A template from elsewhere names no other file of the machine."""
    child = json.dumps({"Resources": {"Vpc": {"Type": "AWS::EC2::VPC"}}})
    for folder in ("app/below", "assembly"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("app/below/net.json", "net.json", "assembly/net.json"):
        (tmp_path / file).write_text(child, encoding="utf-8")
    (tmp_path / "app/link.json").symlink_to(tmp_path / "net.json")
    (tmp_path / "cdk.out").write_text("{}", encoding="utf-8")
    text = NESTED.replace("@URL", url.replace("OUTER", str(tmp_path))).replace("@ASSET", asset)
    source = of_text(text, tmp_path / "app" / "main.yaml")
    assert bool(source.nested) == is_read
    missing = [each.missing for each in source.gaps if each.where == "Network"]
    assert ["is not in the folder of this file" in each for each in missing] == ([] if is_read else [True])


def test_a_stage_of_cdk_nests_files_of_its_assembly(tmp_path: Path) -> None:
    stage = tmp_path / "cdk.out" / "assembly-Prod"
    stage.mkdir(parents=True)
    for each in (stage, stage.parent):
        (each / "cdk.out").write_text("{}", encoding="utf-8")
    child = json.dumps({"Resources": {"Vpc": {"Type": "AWS::EC2::VPC"}}})
    for folder in (tmp_path, stage.parent):
        (folder / "net.json").write_text(child, encoding="utf-8")
    for asset, files in (("../net.json", 1), ("../../net.json", 0)):
        source = of_text(NESTED.replace("@ASSET", asset), stage / "Main.template.yaml")
        assert len(source.nested) == files


def test_arns_that_a_template_writes_itself() -> None:
    """AWS's templates for HyperPod name their EKS cluster, roles and buckets by what their names will be."""
    text = """
Parameters: {Prefix: {Type: String, Default: train}}
Resources:
  Eks: {Type: "AWS::EKS::Cluster", Properties: {Name: !Sub "${Prefix}-eks"}}
  Role:
    Type: AWS::IAM::Role
    Properties: {RoleName: !Sub "${Prefix}-${AWS::Region}", AssumeRolePolicyDocument: {Statement: []}}
  Scripts: {Type: "AWS::S3::Bucket", Properties: {BucketName: !Sub "${Prefix}-${AWS::AccountId}"}}
  Cluster:
    Type: AWS::SageMaker::Cluster
    Properties:
      Orchestrator:
        Eks: {ClusterArn: !Sub "arn:aws:eks:${AWS::Region}:${AWS::AccountId}:cluster/${Prefix}-eks"}
      InstanceGroups:
        - ExecutionRole: !Sub "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/${Prefix}-${AWS::Region}"
          LifeCycleConfig: {SourceS3Uri: !Sub "s3://${Prefix}-${AWS::AccountId}/scripts"}
          InstanceGroupName: !Sub "${Prefix}-${AWS::Region}"
"""
    source = of_text(text)
    cluster = inputs(source, "Cluster")
    (group,) = cluster["instanceGroups"]
    assert cluster["orchestrator"]["eks"]["clusterArn"] == "Eks.Arn"
    assert group["executionRole"] == "Role.Arn"
    assert group["lifeCycleConfig"]["sourceS3Uri"] == "s3://Scripts/scripts"
    assert group["instanceGroupName"] is UNKNOWN
    assert inputs(source, "Scripts")["bucket"] is UNKNOWN


HYPERPOD = """
Resources:
  Eks: {Type: "AWS::EKS::Cluster", Properties: {Version: "1.35"}}
  CHART
  Cluster:
    Type: AWS::SageMaker::Cluster
    DependsOn: Chart
    Properties: {Orchestrator: {Eks: {ClusterArn: !GetAtt Eks.Arn}}}
"""


@pytest.mark.parametrize(
    ("chart", "expected"),
    [
        ("Chart: {Type: 'AWS::Logs::LogGroup'}", True),
        # A custom resource may install it.
        ("Chart: {Type: 'Custom::Helm', Properties: {ServiceToken: token}}", False),
    ],
)
def test_charts_of_custom_resources(chart: str, expected: bool) -> None:
    rules = {rule for rule, _ in said(a_file(HYPERPOD.replace("CHART", chart)))}
    assert ("hyperpod-chart-before-cluster" in rules) == expected

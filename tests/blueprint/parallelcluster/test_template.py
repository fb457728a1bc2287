"""The CloudFormation template: a constant of the description that AWS's own linter takes."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from cfnlint.api import lint
from cfnlint.config import ManualArgs
from hypothesis import given, settings

from muster.blueprint.derive.cluster import derive
from muster.blueprint.parallelcluster.configuration import configuration
from muster.blueprint.parallelcluster.template import (
    CLUSTER,
    POLICY,
    PROVIDER,
    Template,
    provider_rights,
    template,
)
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.validation import validate
from muster.fleet.resources import Ref
from muster.stack.project import open_stack, stacks
from tests.factories.parallelcluster import a_slurm_blueprint
from tests.infra.parallelcluster.described import IN_GROUP, OUTSIDE, WITH_KEY
from tests.stack_files import ROOT
from tests.strategies import Described
from tests.strategies.parallelcluster import legal_slurm

OURS = [each for each in stacks(ROOT) if each.startswith("pcluster-")]
slowly = settings(max_examples=15)


def linted(body: str, region: str) -> list[str]:
    """What cfn-lint says of a template."""
    found = lint(body, config=ManualArgs(regions=[region]))
    return [f"{each.rule.id}: {each.message}" for each in found]


def resources(written: Template) -> dict[str, Any]:
    """The template's resources."""
    made: dict[str, Any] = json.loads(written.body)["Resources"]
    return made


@pytest.mark.parametrize("stack", OURS)
def test_the_linter_takes_our_stacks(stack: str) -> None:
    """No error, and no warning."""
    blueprint = open_stack(ROOT, stack).derive()
    assert linted(template(blueprint).body, blueprint.region) == []


def test_the_linter_takes_what_few_ask_for() -> None:
    """Our function and its role, and the right to look at a secret."""
    secret = "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-AbCdEf"
    accounting = {"server": "db.example.com", "user": "slurm", "password-secret": secret}
    blueprint = a_slurm_blueprint({"on-failure": "keep", "accounting": accounting, **WITH_KEY})
    assert linted(template(blueprint).body, blueprint.region) == []


@settings(max_examples=5)
@given(legal_slurm())
def test_the_linter_takes_whatever_is_legal(described: Described) -> None:
    """Whatever is legal here."""
    blueprint = described.blueprint()
    assert linted(template(blueprint).body, blueprint.region) == []


@slowly
@given(legal_slurm())
def test_every_parameter_is_used_and_every_reference_has_one(described: Described) -> None:
    """The configuration in it is ParallelCluster's own, ids replaced."""
    blueprint = described.blueprint()
    written = template(blueprint)
    document = json.loads(written.body)
    assert set(refs(document["Resources"])) - {POLICY} == set(document["Parameters"]) == set(written.parameters)
    assert all(re.fullmatch("[A-Za-z0-9]{1,255}", name) for name in written.parameters)
    assert len(set(written.parameters.values())) == len(written.parameters) <= 200
    names = {reference: {"Ref": name} for name, reference in written.parameters.items()}
    asked = resources(written)[CLUSTER]["Properties"]["ClusterConfiguration"]
    assert asked == json.loads(json.dumps(configuration(blueprint, names.__getitem__)))
    assert set(document["Outputs"]) == set(written.outputs)


def refs(value: Any) -> Iterator[str]:
    """The names of every `Ref` below a value."""
    if isinstance(value, dict):
        if set(value) == {"Ref"}:
            yield value["Ref"]
        for inner in value.values():
            yield from refs(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from refs(inner)


OTHER_IDS: Mapping[str, str] = {
    "subnet-0aaaaaaaaaaaaaaaa": "subnet-0ddddddddddddddd1",
    "subnet-0cccccccccccccccc": "subnet-0ddddddddddddddd2",
    "cr-0123456789abcdef0": "cr-0ddddddddddddddd3",
    "fs-0123456789abcdef0": "fs-0ddddddddddddddd4",
    "sg-0123456789abcdef0": "sg-0ddddddddddddddd5",
    "theirs": "another-pair",
    "ami-0123456789abcdef0": "ami-0ddddddddddddddd6",
}


def test_the_template_is_the_same_whatever_ids_there_are() -> None:
    """Parameters are named by what an id is for, never by the id."""
    edits = {
        "image": "ami-0123456789abcdef0",
        "head.login": {"key-pair": "theirs"},
        "head.ssh-from": "203.0.113.0/24",
        "head.subnets": "public",
        "network.existing.public": {"us-west-2a": OUTSIDE},
        "head.security-groups": ["sg-0123456789abcdef0"],
        IN_GROUP: {
            "reservation": {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 4, "provided-by": "aws"}
        },
        "storage": {"fsx": {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "abcdefgh"}}},
    }
    one = a_slurm_blueprint(edits)
    text = json.dumps(one.described.model_dump(mode="json", exclude_none=True, by_alias=True))
    for before, after in OTHER_IDS.items():
        assert before in text, before
        text = text.replace(f'"{before}"', f'"{after}"')
    described, faults = validate(SlurmCluster, _without_defaults(json.loads(text), edits))
    assert described is not None, faults
    other = derive(described, "tested", "us-west-2")
    first, second = template(one), template(other)
    assert first.body == second.body
    assert list(first.parameters) == list(second.parameters)
    assert set(second.parameters.values()) - {Ref("aws:ec2/securityGroup:SecurityGroup", "nodes")} == set(
        OTHER_IDS.values()
    )


def _without_defaults(document: dict[str, Any], edits: Mapping[str, Any]) -> dict[str, Any]:
    """What was said of the description alone: some defaults are not written as they are read."""
    said = {"backend", "version", "network", "queues", *(path.partition(".")[0] for path in edits)}
    kept = {key: value for key, value in document.items() if key in said}
    head = {path.partition(".")[2] for path in edits if path.startswith("head.")}
    kept["head"] = {key: value for key, value in document["head"].items() if key in head}
    for queue in kept["queues"].values():
        for unsaid in [key for key in queue if key != "groups"]:
            del queue[unsaid]
    return kept


def test_the_providers_log_group_is_the_name_in_its_arn() -> None:
    """CloudWatch's own form of the ARN, with a colon and a star at its end."""
    ((_, value),) = [
        each
        for each in json.loads(template(a_slurm_blueprint()).body)["Outputs"].items()
        if "Fn::Select" in each[1]["Value"]
    ]
    index, split = value["Value"]["Fn::Select"]
    separator, arn = split["Fn::Split"]
    assert arn == {"Fn::GetAtt": [PROVIDER, "Outputs.LogGroupArn"]}
    said = "arn:aws:logs:us-west-2:111122223333:log-group:/aws/lambda/pcluster-cfn-ab12:*"
    assert said.split(separator)[index] == "/aws/lambda/pcluster-cfn-ab12"


def test_the_linter_would_find_a_fault(tmp_path: Path) -> None:
    """It is asked about what is there: a reference to nothing is found."""
    broken = template(a_slurm_blueprint()).body.replace('{"Ref":"SecurityGroupNodes"}', '{"Ref":"Nobody"}')
    (tmp_path / "template.json").write_text(broken)
    assert any("Nobody" in each for each in linted(broken, "us-west-2"))


AWS_LETS_ATTACH = (
    "AWSBatchFullAccess",
    "AmazonS3ReadOnlyAccess",
    "AmazonSSMManagedInstanceCore",
    "CloudWatchAgentServerPolicy",
    "EC2InstanceProfileForImageBuilder",
)


@pytest.mark.parametrize("name", AWS_LETS_ATTACH)
def test_what_aws_lets_the_provider_attach_needs_no_right(name: str) -> None:
    """aws-parallelcluster, `parallelcluster-policies.yaml`; any other policy needs one, and that one alone."""
    listed = f"arn:aws:iam::aws:policy/{name}"
    said: dict[str, Any] = {"HeadNode": {}, "Scheduling": {"SlurmQueues": []}}
    said["HeadNode"] = {"Iam": {"AdditionalIamPolicies": [{"Policy": listed}]}}
    (detaches,) = provider_rights(said)[POLICY]["Properties"]["PolicyDocument"]["Statement"]
    assert "iam:AttachRolePolicy" not in detaches["Action"]
    said["HeadNode"]["Iam"]["AdditionalIamPolicies"].append({"Policy": f"{listed}s"})
    (_, statement) = provider_rights(said)[POLICY]["Properties"]["PolicyDocument"]["Statement"]
    assert statement["Condition"] == {"ArnEquals": {"iam:PolicyARN": [f"{listed}s"]}}

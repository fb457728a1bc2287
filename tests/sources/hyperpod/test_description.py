"""The descriptions of requests and of the HyperPod CLI's configurations: they are valid, and make the same cluster."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from muster.blueprint.hyperpod.create_cluster import definition_with_placeholders
from muster.blueprint.kubernetes import Blueprint
from muster.config.identifiers import PLACEHOLDER
from muster.config.project import stack_file
from muster.config.stack_file import StackFile, load
from muster.sources.source import ImportedDescription, InputFile, InvalidFile
from muster.versions import HYPERPOD_KUBERNETES
from tests.sources.hyperpod.files import (
    REQUEST,
    ROLE,
    SECURITY_GROUP,
    SUBNET,
    WORKERS,
    a_configuration,
    a_request,
    of_workers,
)
from tests.sources.parallelcluster.files import the_format
from tests.sources.parallelcluster.test_description import contains, opened
from tests.stack_files import ON_KUBERNETES, ROOT, text_of

SHIPPED = sorted(each for each in ON_KUBERNETES if "backend: hyperpod" in text_of(each))


def described(file: InputFile) -> ImportedDescription:
    return the_format("hyperpod").describe(file)


def requested(stack: StackFile) -> Any:
    """The request of a stack's cluster, in which all values that are not known are one."""
    blueprint = stack.derive()
    assert isinstance(blueprint, Blueprint)
    return without_ids(definition_with_placeholders(blueprint)[0])


def without_ids(value: Any) -> Any:
    """The tag Name has the name of the EKS cluster, which is not known either."""
    if isinstance(value, dict):
        return {key: "ID" if value.get("Key") == "Name" else without_ids(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_ids(each) for each in value]
    text = str(value)
    return "ID" if re.search(r"\$\{\w+\}", text) or PLACEHOLDER in text else value


@pytest.mark.parametrize("stack", SHIPPED)
def test_the_request_of_a_stack_becomes_a_stack_with_the_same_request(stack: str) -> None:
    before = load(stack, stack_file(ROOT, stack), Path("facts.yaml"))
    blueprint = before.derive()
    assert isinstance(blueprint, Blueprint)
    request = definition_with_placeholders(blueprint)[0]
    text = json.dumps(request, indent=2)
    description = described(InputFile(Path("c.json"), text, (json.loads(text),), is_json=True))
    assert requested(opened(description, stack)) == requested(before)
    assert {each.path.partition("[")[0].rpartition(".")[2] for each in description.left_out} <= {
        "SecurityGroupIds",
        "InstanceGroups",
        "Tags",
    }


def test_a_request_becomes_the_same_cluster() -> None:
    description = described(a_request())
    assert description.region == "us-west-2"
    assert description.cluster["groups"] == {
        "workers": {
            "for": "training",
            "instance": "p5.48xlarge",
            "nodes": 4,
            "security-groups": [SECURITY_GROUP],
            "hyperpod": {
                "threads-per-core": 1,
                "deep-health-checks": ["instance-stress", "instance-connectivity"],
                "lifecycle": {"own": {"at": "s3://sagemaker-ml/scripts", "on-create": "on_create.sh"}},
            },
        }
    }
    assert description.cluster["hyperpod"] == {
        "name": "ml-cluster",
        "node-recovery": "automatic",
        "execution-role": ROLE,
    }
    made = requested(opened(description))
    assert contains(made["InstanceGroups"], [WORKERS])
    assert contains(made, {key: REQUEST[key] for key in ("ClusterName", "NodeRecovery")})


def test_values_that_a_request_does_not_have_have_placeholders() -> None:
    description = described(a_request())
    assert description.cluster["kubernetes"] == HYPERPOD_KUBERNETES[1]
    assert description.cluster["control-plane"]["existing"]["name"] == "ml"
    assert description.cluster["network"]["existing"]["private"] == {"us-west-2a": SUBNET}
    assert set(description.placeholders) == {
        "kubernetes",
        "control-plane.existing.security-group",
        "control-plane.existing.authentication",
        "network.existing.vpc",
        "network.existing.private.us-west-2a",
    }


@pytest.mark.parametrize(
    ("file", "left"),
    [
        (a_request(RestrictedInstanceGroups=[{"InstanceGroupName": "r"}]), {"RestrictedInstanceGroups"}),
        (a_request(Orchestrator=None), {"Orchestrator"}),
        (a_request(ClusterRole="arn:aws:iam::210987654321:role/autoscaler"), {"ClusterRole"}),
        (of_workers(SlurmConfig={"NodeType": "Compute"}), {"InstanceGroups[0].SlurmConfig"}),
        (of_workers(InstanceGroupName="Worker_Group"), {"InstanceGroups[0].InstanceGroupName"}),
        (
            of_workers(InstanceStorageConfigs=[{"FsxLustreConfig": {"DnsName": "a", "MountName": "b"}}]),
            {"InstanceGroups[0].InstanceStorageConfigs"},
        ),
    ],
)
def test_what_a_description_does_not_have_is_left_out_with_the_reason(file: InputFile, left: set[str]) -> None:
    description = described(file)
    opened(description)
    assert {each.path for each in description.left_out} == left
    assert all(each.why for each in description.left_out)


@pytest.mark.parametrize(
    "keys",
    [
        {"MinInstanceCount": 2},
        {"InstanceStorageConfigs": [{"EbsVolumeConfig": {"VolumeSizeInGB": 100}}]},
        {
            "KubernetesConfig": {
                "Labels": {"team": "ml"},
                "Taints": [{"Key": "gpu", "Effect": "NoSchedule", "Value": "true"}],
            }
        },
        {"AutoPatchConfig": {"PatchingStrategy": "WhenAllIdle"}},
        {
            "ScheduledUpdateConfig": {
                "ScheduleExpression": "cron(0 3 ? * SUN *)",
                "DeploymentConfig": {
                    "RollingUpdatePolicy": {"MaximumBatchSize": {"Type": "CAPACITY_PERCENTAGE", "Value": 20}},
                    "WaitIntervalInSeconds": 60,
                },
            }
        },
        {"TrainingPlanArn": "arn:aws:sagemaker:us-west-2:210987654321:training-plan/plan"},
        {"CapacityRequirements": {"Spot": {}}},
        {"ImageReleaseVersion": "1.2.3"},
        {"NetworkInterface": {"InterfaceType": "efa-only"}},
        {"LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-ml", "OnInitComplete": "after.sh"}},
        {"OverrideVpcConfig": {"SecurityGroupIds": [SECURITY_GROUP], "Subnets": ["subnet-0fedcba9876543210"]}},
    ],
)
def test_every_setting_of_a_group_is_in_the_request_of_its_description(keys: dict[str, Any]) -> None:
    description = described(of_workers(**keys))
    made = requested(opened(description))["InstanceGroups"][0]
    groups = made.get("OverrideVpcConfig", {}).get("SecurityGroupIds", [])
    assert SECURITY_GROUP in groups
    wanted = dict(keys)
    if network := wanted.pop("OverrideVpcConfig", None):
        assert made["OverrideVpcConfig"]["Subnets"] == network["Subnets"]
    assert contains(made, wanted)
    assert description.left_out == ()


def test_scripts_of_muster_stay_muster_s() -> None:
    """As `muster config` prints them: in a bucket that is not known, in a folder with the group's name."""
    scripts = {"SourceS3Uri": "s3://${BUCKET_NAME}/workers", "OnCreate": "on_create.sh"}
    ours = described(of_workers(LifeCycleConfig=scripts)).cluster
    theirs = described(of_workers(LifeCycleConfig={**scripts, "SourceS3Uri": "s3://${BUCKET_NAME}"})).cluster
    assert ours["groups"]["workers"]["hyperpod"]["lifecycle"] == "default"
    assert theirs["groups"]["workers"]["hyperpod"]["lifecycle"] == {
        "own": {"at": f"s3://{PLACEHOLDER}", "on-create": "on_create.sh"}
    }


def test_the_cli_s_configuration_becomes_a_cluster_with_its_own_control_plane() -> None:
    description = described(a_configuration())
    opened(description)
    made = description.cluster
    assert (made["kubernetes"], made["control-plane"]) == ("1.34", "create")
    assert made["groups"]["workers"]["nodes"] == 2
    assert made["storage"] == {"fsx": {"lustre": {"size": "1200GiB", "throughput": 250, "compression": "none"}}}
    assert {each.path for each in description.left_out} == {
        "helm_operators",
        "instance_group_settings[0].TargetAvailabilityZoneId",
    }


def test_the_cli_s_existing_network_and_cluster_stay() -> None:
    keys = """create_vpc_stack: false
create_eks_cluster_stack: false
create_security_group_stack: false
private_subnet_ids: [$FIRST, $SECOND, $FIRST]
security_group_ids: [sg-1, sg-0123456789abcdef0]
"""
    description = described(a_configuration(("hyperpod_cluster_name", f"{keys}hyperpod_cluster_name")))
    opened(description)
    assert list(description.cluster["network"]["existing"]["private"]) == ["us-west-2a", "us-west-2b"]
    assert description.cluster["groups"]["workers"]["security-groups"] == [SECURITY_GROUP]
    assert {"control-plane.existing.name", "network.existing.private.us-west-2b"} <= {*description.placeholders}
    assert {"private_subnet_ids[2]", "security_group_ids[0]"} <= {each.path for each in description.left_out}


@pytest.mark.parametrize(
    ("file", "path", "placeholder"),
    [
        (
            of_workers(LifeCycleConfig={"SourceS3Uri": "s3://b/c", "OnCreate": "a.sh"}),
            "InstanceGroups[0].LifeCycleConfig.SourceS3Uri",
            "groups.workers.hyperpod.lifecycle.own.at",
        ),
        (
            of_workers(TrainingPlanArn="plan"),
            "InstanceGroups[0].TrainingPlanArn",
            "groups.workers.capacity.training-plan.arn",
        ),
        (a_request(VpcConfig={"Subnets": ["subnet-1"]}), "VpcConfig.Subnets[0]", "network.existing.private.us-west-2a"),
        (a_request(ClusterName="ml_cluster"), "ClusterName", None),
        (a_configuration(("ml-cluster", "ml_cluster")), "hyperpod_cluster_name", None),
    ],
)
def test_a_value_that_muster_refuses_is_left_out_with_the_reason(
    file: InputFile, path: str, placeholder: str | None
) -> None:
    description = described(file)
    opened(description)
    assert [" is not " in each.why for each in description.left_out if each.path == path] == [True]
    assert placeholder is None or placeholder in description.placeholders


@pytest.mark.parametrize(
    ("line", "version", "why"),
    [
        ("", None, set()),
        ("kubernetes_version: $VERSION\n", None, set()),
        ("kubernetes_version: 1.34\n", "1.34", set()),
        ('kubernetes_version: "1.29"\n', None, {"HyperPod does not support Kubernetes 1.29"}),
        ("kubernetes_version: 1.30\n", None, {"YAML reads 1.30 without quotes as 1.3; write the version in quotes"}),
    ],
)
def test_only_a_given_version_is_left_out(line: str, version: str | None, why: set[str]) -> None:
    description = described(a_configuration(('kubernetes_version: "1.34"\n', line)))
    assert description.cluster["kubernetes"] == (version or HYPERPOD_KUBERNETES[1])
    assert ("kubernetes" in description.placeholders) == (version is None)
    assert {each.why for each in description.left_out if each.path == "kubernetes_version"} == why


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (of_workers(InstanceType="${TYPE}"), "InstanceGroups[0]: its instance type is not known"),
        (a_request(InstanceGroups=[]), "no instance group can be described"),
    ],
)
def test_a_cluster_that_cannot_be_described_is_an_error(file: InputFile, words: str) -> None:
    with pytest.raises(InvalidFile, match=re.escape(words)):
        described(file)

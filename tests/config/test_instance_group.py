"""What an instance group's own form refuses, and what SageMaker is told of one."""

from typing import Any

import pytest

from muster.blueprint.hyperpod.create_cluster import definition_with_placeholders
from muster.blueprint.hyperpod.lifecycle_bundle import settings
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.instance_group import Patching
from muster.config.validation import validate
from muster.size import Size
from tests.factories import A
from tests.factories.hyperpod import a_hyperpod_blueprint, a_hyperpod_document


@pytest.mark.parametrize("kind", ["efa", "efa-only"])
def test_a_kind_of_interface_without_efa(kind: str) -> None:
    """There is nothing of the sort on a type without EFA."""
    document = a_hyperpod_document(
        {"groups.system.instance": "m5.2xlarge", "groups.system.hyperpod": {"interface": kind}}
    )
    _, faults = validate(HyperPodCluster, document)
    assert [(each.where, each.got, each.remedy) for _, each in faults] == [
        ("groups.system", "m5.2xlarge has no EFA", "remove hyperpod.interface")
    ]


def test_times_of_patching_are_the_apis() -> None:
    """`AutoPatchConfig.PatchingStrategy` takes two words."""
    assert {each.value: each.aws for each in Patching} == {"when-idle": "WhenIdle", "when-all-idle": "WhenAllIdle"}


@pytest.mark.parametrize(("volume", "line"), [(True, "DATA_VOLUME=/opt/sagemaker\n"), (False, "DATA_VOLUME=''\n")])
def test_what_the_scripts_are_told_of_their_group(line: str, *, volume: bool) -> None:
    """In words of the shell; without a secondary volume there is nothing to wait for."""
    said = settings("work ers", Size.parse("10256MiB"), data_volume=volume)
    assert said == (
        "# Written by Muster for the scripts in this folder: the settings of groups.work ers.\n"
        f"INSTANCE_GROUP='work ers'\nHUGE_PAGES=5128\n{line}"
    )


W = "groups.workers"
KEY = "arn:aws:kms:us-west-2:210987654321:key/0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"
PLAN = "arn:aws:sagemaker:us-west-2:210987654321:training-plan/ours"


def request_of(edits: dict[str, Any]) -> dict[str, Any]:
    """What SageMaker is asked for of the workers."""
    request, _ = definition_with_placeholders(a_hyperpod_blueprint(edits))
    (workers,) = (each for each in request["InstanceGroups"] if each["InstanceGroupName"] == "workers")
    assert isinstance(workers, dict)
    return workers


def test_sagemaker_is_told_all_that_is_said_of_a_group() -> None:
    """Every key of it in the API's words, and nothing else."""
    said = {
        "threads-per-core": 2,
        "deep-health-checks": ["instance-stress", "instance-connectivity"],
        "volume": {"size": "600GiB", "key": KEY},
        "root-volume-key": KEY,
        "lifecycle": {"own": {"at": "s3://sagemaker-ours/workers", "on-create": "start.sh"}},
        "image": {"id": "ami-0123456789abcdef0"},
        "updates": {"schedule": "cron(0 3 ? * SUN *)", "at-once": {"percent": 10}, "wait-seconds": 300},
        "interface": "efa",
    }
    edits = {
        f"{W}.hyperpod": said,
        f"{W}.labels": {"team": "ml"},
        f"{W}.taints": {"ours": "NoSchedule"},
        f"{W}.security-groups": ["sg-0123456789abcdef0"],
        f"{W}.capacity": {"training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 4}},
    }
    assert request_of(edits) == {
        "InstanceGroupName": "workers",
        "InstanceType": "ml.p5.48xlarge",
        "InstanceCount": 4,
        "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-ours/workers", "OnCreate": "start.sh"},
        "ExecutionRole": "${EXECUTION_ROLE}",
        "ThreadsPerCore": 2,
        "InstanceStorageConfigs": [
            {"EbsVolumeConfig": {"VolumeKmsKeyId": KEY, "RootVolume": True}},
            {"EbsVolumeConfig": {"VolumeSizeInGB": 600, "VolumeKmsKeyId": KEY}},
        ],
        "OnStartDeepHealthChecks": ["InstanceStress", "InstanceConnectivity"],
        "TrainingPlanArn": PLAN,
        "OverrideVpcConfig": {
            "SecurityGroupIds": ["${EKS_SECURITY_GROUP}", "${SECURITY_GROUP_EFA}", "sg-0123456789abcdef0"],
            "Subnets": [A],
        },
        "ImageId": "ami-0123456789abcdef0",
        "NetworkInterface": {"InterfaceType": "efa"},
        "KubernetesConfig": {
            "Labels": {"muster/group": "workers", "muster/purpose": "training", "team": "ml"},
            "Taints": [{"Key": "ours", "Value": "true", "Effect": "NoSchedule"}],
        },
        "ScheduledUpdateConfig": {
            "ScheduleExpression": "cron(0 3 ? * SUN *)",
            "DeploymentConfig": {
                "RollingUpdatePolicy": {"MaximumBatchSize": {"Type": "CAPACITY_PERCENTAGE", "Value": 10}},
                "WaitIntervalInSeconds": 300,
            },
        },
    }


WEEKLY = "cron(0 3 ? * SUN *)"
TWO = {"RollingUpdatePolicy": {"MaximumBatchSize": {"Type": "INSTANCE_COUNT", "Value": 2}}}


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ({f"{W}.hyperpod.image": {"release": "1.2.3"}}, {"ImageReleaseVersion": "1.2.3"}),
        ({f"{W}.hyperpod.updates": {"patching": "when-idle"}}, {"AutoPatchConfig": {"PatchingStrategy": "WhenIdle"}}),
        (
            {f"{W}.hyperpod.updates": {"schedule": WEEKLY, "at-once": {"count": 2}}},
            {"ScheduledUpdateConfig": {"ScheduleExpression": WEEKLY, "DeploymentConfig": TWO}},
        ),
        ({f"{W}.hyperpod.updates": {"schedule": WEEKLY}}, {"ScheduledUpdateConfig": {"ScheduleExpression": WEEKLY}}),
        ({f"{W}.capacity": "spot"}, {"CapacityRequirements": {"Spot": {}}}),
        (
            {f"{W}.hyperpod.lifecycle": {"own": {"at": "s3://sagemaker-ours/w", "on-init-complete": "then.sh"}}},
            {"LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-ours/w", "OnInitComplete": "then.sh"}},
        ),
    ],
)
def test_what_is_said_otherwise_is_told_otherwise(edits: dict[str, Any], told: dict[str, Any]) -> None:
    """Beside what SageMaker is told without it, and in place of nothing else."""
    assert request_of(edits) == {**request_of({}), **told}

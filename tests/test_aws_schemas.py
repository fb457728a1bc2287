"""What judges by AWS's own words finds what is wrong, and nothing in what is right."""

import copy
from typing import Any

import pytest

from tests.aws_schemas import api_faults, cloudformation_faults, create_only, linted, properties

BLOG: dict[str, Any] = {
    "ClusterName": "ml-cluster",
    "Orchestrator": {"Eks": {"ClusterArn": "arn:aws:eks:us-west-2:111122223333:cluster/ml"}},
    "InstanceGroups": [
        {
            "InstanceGroupName": "worker-group-1",
            "InstanceType": "ml.p5.48xlarge",
            "InstanceCount": 4,
            "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-ml", "OnCreate": "on_create.sh"},
            "ExecutionRole": "arn:aws:iam::111122223333:role/execution",
            "ThreadsPerCore": 1,
            "OnStartDeepHealthChecks": ["InstanceStress", "InstanceConnectivity"],
        }
    ],
    "VpcConfig": {"SecurityGroupIds": ["sg-0123456789abcdef0"], "Subnets": ["subnet-0123456789abcdef0"]},
    "NodeRecovery": "Automatic",
}
"""The configuration of AWS's article on HyperPod with EKS, its variables filled in."""


def blog(*path: Any, value: Any) -> dict[str, Any]:
    """The article's cluster with another value in one place; None takes it out."""
    changed = copy.deepcopy(BLOG)
    at: Any = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    if value is None:
        del at[path[-1]]
    return changed


GROUP = ("InstanceGroups", 0)

RIGHT = {
    "what AWS itself shows": BLOG,
    "tags of any letters": blog("Tags", value=[{"Key": "équipe de recherche_1", "Value": "yes"}]),
    "a taint without a value": blog(
        *GROUP, "KubernetesConfig", value={"Taints": [{"Key": "nvidia.com/gpu", "Effect": "NoSchedule"}]}
    ),
    "a volume": blog(*GROUP, "InstanceStorageConfigs", value=[{"EbsVolumeConfig": {"VolumeSizeInGB": 500}}]),
    "a schedule": blog(*GROUP, "ScheduledUpdateConfig", value={"ScheduleExpression": "cron(0 3 ? * SUN *)"}),
}

WRONG = {
    "a number that is too large": (blog(*GROUP, "ThreadsPerCore", value=3), True, True),
    "a number that is too small": (blog(*GROUP, "InstanceCount", value=-1), True, True),
    "text for a number": (blog(*GROUP, "InstanceCount", value="4"), True, True),
    "a type of EC2's": (blog(*GROUP, "InstanceType", value="p5.48xlarge"), True, False),
    "a word that is not listed": (blog(*GROUP, "OnStartDeepHealthChecks", value=["Everything"]), True, True),
    "an empty list": (blog(*GROUP, "OnStartDeepHealthChecks", value=[]), True, True),
    "an unknown key": (blog(*GROUP, "Purpose", value="training"), True, True),
    "no role": (blog(*GROUP, "ExecutionRole", value=None), True, True),
    "a name that is right in part": (blog("ClusterName", value="ml-cluster!"), True, True),
    "a name that is too long": (blog("ClusterName", value="m" * 64), True, True),
    "six of at most five": (blog("VpcConfig", "SecurityGroupIds", value=["sg-1"] * 6), True, True),
    "two volumes in one": (
        blog(
            *GROUP,
            "InstanceStorageConfigs",
            value=[{"EbsVolumeConfig": {}, "FsxOpenZfsConfig": {"DnsName": "fs-01234567.fsx.aws"}}],
        ),
        True,
        True,
    ),
    "two orchestrators": (blog("Orchestrator", "Slurm", value={}), False, True),
}
"""Cluster -> whether the API's model finds what is wrong, and whether CloudFormation's schema does."""


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right(name: str) -> None:
    """Nothing is found in what AWS takes."""
    assert api_faults(RIGHT[name]) == []
    assert cloudformation_faults(RIGHT[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(name: str) -> None:
    """Each authority finds what its own words exclude, and one at least finds each."""
    wrong, by_api, by_cloudformation = WRONG[name]
    assert (bool(api_faults(wrong)), bool(cloudformation_faults(wrong))) == (by_api, by_cloudformation)


def test_cfn_lint_finds_more() -> None:
    """It takes the article's cluster in the article's Region, and knows types and ids besides."""
    assert linted(BLOG, "us-east-2") == []
    (fault,) = linted(blog("VpcConfig", "Subnets", value=["subnet-of-ours"]), "us-east-2")
    assert fault.startswith("E1154 Resources/HyperPod/Properties/VpcConfig/Subnets/0: ")


def test_what_never_changes() -> None:
    """Name, network and orchestrator: changing one makes another cluster."""
    assert create_only() == {"ClusterName", "VpcConfig", "Orchestrator/Eks"}


def test_names_of_the_program() -> None:
    """The native provider's names are the schema's, a user's own keys stay, and a name of nobody's is an error."""
    inputs = {
        "clusterName": "ml",
        "instanceGroups": [
            {
                "lifeCycleConfig": {"sourceS3Uri": "s3://sagemaker-ml"},
                "instanceStorageConfigs": [{"ebsVolumeConfig": {"volumeSizeInGb": 500}}],
                "kubernetesConfig": {"labels": {"instanceType": "mine"}},
            }
        ],
        "vpcConfig": {"securityGroupIds": ["sg-1"], "subnets": ["subnet-1"]},
    }
    assert properties(inputs) == {
        "ClusterName": "ml",
        "InstanceGroups": [
            {
                "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-ml"},
                "InstanceStorageConfigs": [{"EbsVolumeConfig": {"VolumeSizeInGB": 500}}],
                "KubernetesConfig": {"Labels": {"instanceType": "mine"}},
            }
        ],
        "VpcConfig": {"SecurityGroupIds": ["sg-1"], "Subnets": ["subnet-1"]},
    }
    with pytest.raises(KeyError, match="purpose"):
        properties({"purpose": "training"})

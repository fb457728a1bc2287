"""What judges by AWS's own words finds what is wrong, and nothing in what is right."""

import copy
from collections.abc import Callable
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


def blog(change: Callable[[dict[str, Any], dict[str, Any]], object]) -> dict[str, Any]:
    """The article's cluster with one change; of the cluster, or of its group."""
    changed = copy.deepcopy(BLOG)
    change(changed, changed["InstanceGroups"][0])
    return changed


def tagged(key: str) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    """With a tag."""
    return lambda cluster, group: cluster.update(Tags=[{"Key": key, "Value": "yes"}])


def volume(**said: Any) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    """With a volume."""
    return lambda cluster, group: group.update(InstanceStorageConfigs=[{"EbsVolumeConfig": said}])


def test_the_articles_cluster_is_right() -> None:
    """Both authorities take what AWS itself shows."""
    assert api_faults(BLOG) == []
    assert cloudformation_faults(BLOG) == []


def group_of(**said: Any) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    """With something said of the group."""
    return lambda cluster, group: group.update(said)


RIGHT = {
    "tags of any letters": tagged("équipe de recherche_1"),
    "labels, and taints without a value": group_of(
        KubernetesConfig={
            "Labels": {"example.com/Team": "research"},
            "Taints": [{"Key": "nvidia.com/gpu", "Effect": "NoSchedule"}],
        }
    ),
    "a volume": volume(VolumeSizeInGB=500),
    "a schedule": group_of(ScheduledUpdateConfig={"ScheduleExpression": "cron(0 3 ? * SUN *)"}),
    "a release": group_of(ImageReleaseVersion="1.3.0"),
}

WRONG = {
    "a number that is too large": (group_of(ThreadsPerCore=3), True, True),
    "a number that is too small": (group_of(InstanceCount=-1), True, True),
    "too many nodes": (group_of(InstanceCount=6759), True, True),
    "a type of EC2's": (group_of(InstanceType="p5.48xlarge"), True, False),
    "a type that HyperPod has not": (group_of(InstanceType="ml.p3dn.24xlarge"), True, False),
    "a check that there is not": (group_of(OnStartDeepHealthChecks=["Everything"]), True, True),
    "an empty list": (group_of(OnStartDeepHealthChecks=[]), True, True),
    "an unknown word": (group_of(Purpose="training"), True, True),
    "no role": (lambda cluster, group: group.pop("ExecutionRole"), True, True),
    "a role that is no ARN": (group_of(ExecutionRole="execution-of-hyperpod"), True, True),
    "text for a number": (group_of(InstanceCount="4"), True, True),
    "a name with an underscore": (lambda cluster, group: cluster.update(ClusterName="ml_cluster"), True, True),
    "a name that is too long": (lambda cluster, group: cluster.update(ClusterName="m" * 64), True, True),
    "a name that is right in part": (lambda cluster, group: cluster.update(ClusterName="ml-cluster!"), True, True),
    "a tag with another sign": (tagged("why?"), True, True),
    "a tag with a tab": (tagged("a\tb"), True, True),
    "a volume of nothing": (volume(VolumeSizeInGB=0), True, True),
    "a volume beyond the most": (volume(VolumeSizeInGB=16385), True, True),
    "two volumes in one": (
        group_of(
            InstanceStorageConfigs=[{"EbsVolumeConfig": {}, "FsxOpenZfsConfig": {"DnsName": "fs-01234567.fsx.aws"}}]
        ),
        True,
        True,
    ),
    "no subnets": (lambda cluster, group: cluster["VpcConfig"].update(Subnets=[]), True, True),
    "six security groups": (
        lambda cluster, group: cluster["VpcConfig"].update(SecurityGroupIds=["sg-1"] * 6),
        True,
        True,
    ),
    "an empty value of a taint": (
        group_of(KubernetesConfig={"Taints": [{"Key": "gpu", "Value": "", "Effect": "NoSchedule"}]}),
        True,
        True,
    ),
    "a label's key with a space": (group_of(KubernetesConfig={"Labels": {"a b": "c"}}), True, False),
    "an effect that there is not": (
        group_of(KubernetesConfig={"Taints": [{"Key": "gpu", "Effect": "Never"}]}),
        True,
        True,
    ),
    "a schedule in words": (group_of(ScheduledUpdateConfig={"ScheduleExpression": "every Sunday"}), False, True),
    "what only AWS knows": (group_of(CurrentCount=4), True, True),
    "an ARN of another service": (
        lambda cluster, group: cluster["Orchestrator"]["Eks"].update(ClusterArn="arn:aws:ecs:us-west-2:1:cluster/ml"),
        True,
        False,
    ),
    "two orchestrators": (lambda cluster, group: cluster["Orchestrator"].update(Slurm={}), False, True),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right(name: str) -> None:
    """Nothing is found in what AWS takes."""
    assert api_faults(blog(RIGHT[name])) == []
    assert cloudformation_faults(blog(RIGHT[name])) == []


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(name: str) -> None:
    """Each authority finds what its own words exclude, and one at least finds each."""
    change, by_api, by_cloudformation = WRONG[name]
    wrong = blog(change)
    assert (bool(api_faults(wrong)), bool(cloudformation_faults(wrong))) == (by_api, by_cloudformation)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            group_of(ThreadsPerCore=3),
            "E3034 Resources/HyperPod/Properties/InstanceGroups/0/ThreadsPerCore: 3 is greater",
        ),
        (
            group_of(InstanceType="ml.p3dn.24xlarge"),
            "E3644 Resources/HyperPod/Properties/InstanceGroups/0/InstanceType: 'ml.p3dn.24xlarge' is not one of",
        ),
        (
            lambda cluster, group: cluster["VpcConfig"].update(Subnets=["subnet-of-ours"]),
            "E1154 Resources/HyperPod/Properties/VpcConfig/Subnets/0: 'subnet-of-ours' is not",
        ),
    ],
)
def test_cfn_lint_finds_more(change: Callable[[dict[str, Any], dict[str, Any]], object], found: str) -> None:
    """cfn-lint takes the article's cluster in the article's Region, and knows types and ids besides."""
    assert linted(BLOG, "us-east-2") == []
    (fault,) = linted(blog(change), "us-east-2")
    assert fault.startswith(found)


def test_words_say_where() -> None:
    """A fault names its place."""
    assert api_faults(blog(group_of(InstanceCount=7000))) == [
        ".InstanceGroups[0].InstanceCount: 7000 is above the most, 6758"
    ]
    assert cloudformation_faults(blog(group_of(InstanceCount=7000))) == [
        "$.InstanceGroups[0].InstanceCount: 7000 is greater than the maximum of 6758"
    ]


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

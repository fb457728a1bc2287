"""The roles of a HyperPod cluster: who assumes them, and that each may do what it needs and no more."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from muster.infra.hyperpod.roles import Ground, of_autoscaler, of_instances
from tests.factories import A
from tests.infra.hyperpod.described import ATTACHMENT, BUCKET, OTHER_ZONE, ROLE, ROLE_POLICY, THEIRS, VPC, registered
from tests.infra.registered import Registered

INSTANCES, AUTOSCALER = "hyperpod-instances", "hyperpod-autoscaler"
ACCOUNT = "arn:aws:ec2:us-west-2:000000000000:"
ANY_ACCOUNT = "arn:aws:ec2:us-west-2:*:"
KEY = "arn:aws:kms:us-west-2:111122223333:key/01234567-89ab-cdef-0123-456789abcdef"
SCALED = {"hyperpod": {"provisioning": "continuous", "autoscaling": "karpenter"}}
KEYED = {"hyperpod": {"provisioning": "continuous"}, "groups.workers.hyperpod.volume": {"key": KEY}}

Statement = dict[str, Any]


def statements(program: Registered, name: str) -> dict[str, Statement]:
    """Of a role's own policy, by their ids."""
    listed = json.loads(program.one(ROLE_POLICY, name).inputs["policy"])["Statement"]
    assert all(each["Effect"] == "Allow" for each in listed)
    return {each["Sid"]: each for each in listed}


def trusts(program: Registered, name: str) -> list[Mapping[str, str]]:
    """Whom a role's trust policy names."""
    told = json.loads(program.one(ROLE, name).inputs["assumeRolePolicy"])["Statement"]
    return [each["Principal"] for each in told]


def test_the_instances_role() -> None:
    """SageMaker assumes it; AWS's own policy for instances is on it, and one of ours; no node of EKS has it."""
    program = registered()
    role = program.one(ROLE, INSTANCES)
    assert trusts(program, INSTANCES) == [{"Service": "sagemaker.amazonaws.com"}]
    every = [each.inputs for each in program.named(ATTACHMENT).values()]
    attached = [each["policyArn"] for each in every if each["role"] == role.outputs["name"]]
    assert attached == ["arn:aws:iam::aws:policy/AmazonSageMakerClusterInstanceRolePolicy"]
    assert program.one(ROLE_POLICY, INSTANCES).inputs["role"] == role.outputs["name"]


def test_interfaces_only_where_the_cluster_is() -> None:
    """In its VPC, its subnets and its groups, a group's own among them: not wherever the account has any.

    Network and subnets may be another account's, which shares them: then their ARNs are that account's.
    """
    program = registered({"groups.workers.security-groups": [THEIRS]})
    plane = program.one("aws:eks/cluster:Cluster", "cluster-eksCluster").outputs["vpcConfig"]["clusterSecurityGroupId"]
    efa = program.one("aws:ec2/securityGroup:SecurityGroup", "efa").id
    told = statements(program, INSTANCES)
    assert told["CreateInterfaces"]["Action"] == ["ec2:CreateNetworkInterface"]
    assert set(told["CreateInterfaces"]["Resource"]) == {
        f"{ACCOUNT}network-interface/*",
        *(f"{ANY_ACCOUNT}subnet/{each}" for each in (A, OTHER_ZONE)),
        *(f"{ACCOUNT}security-group/{each}" for each in (plane, efa, THEIRS)),
    }
    assert told["Interfaces"]["Resource"] == told["CreateInterfaces"]["Resource"]
    of_interfaces = [each for each in told.values() if f"{ACCOUNT}network-interface/*" in each["Resource"]]
    limited = {action for each in of_interfaces if "Condition" in each for action in each["Action"]}
    assert {"ec2:DeleteNetworkInterface", "ec2:DetachNetworkInterface"} <= limited
    assert told["Interfaces"]["Condition"] == {"ArnLike": {"ec2:Vpc": f"{ANY_ACCOUNT}vpc/{VPC}"}}
    free = {action for each in of_interfaces if "Condition" not in each for action in each["Action"]}
    assert free == {"ec2:CreateNetworkInterface", "ec2:CreateTags"}
    assert told["DetachInterfaces"]["Resource"] == [f"{ANY_ACCOUNT}instance/*"]
    assert told["TagInterfaces"]["Resource"] == [f"{ACCOUNT}network-interface/*"]


def test_what_is_granted_on_everything_only_looks_or_pulls() -> None:
    """`*` is for what EC2 and ECR take no resource for."""
    wide = {
        action
        for each in statements(registered(), INSTANCES).values()
        if each["Resource"] == ["*"]
        for action in each["Action"]
    }
    words = {action.partition(":")[2] for action in wide}
    assert words
    assert not {word for word in words if not word.startswith(("Describe", "Get", "Batch"))}


def test_pods_have_roles_of_this_cluster_only() -> None:
    """Pod Identity's agent asks with the node's role."""
    program = registered()
    arn = program.one("aws:eks/cluster:Cluster", "cluster-eksCluster").outputs["arn"]
    told = statements(program, INSTANCES)["PodIdentity"]
    assert (told["Action"], told["Resource"]) == (["eks-auth:AssumeRoleForPodIdentity"], [arn])


def test_scripts_are_read_and_never_written() -> None:
    """Of the bucket that Muster makes, and of those that the description names; of none where there are none."""
    theirs = {"own": {"at": "s3://sagemaker-theirs/lcs", "on-create": "set-up.sh"}}
    program = registered({"groups.workers.hyperpod": {"lifecycle": theirs}})
    ours = program.one(BUCKET, "lifecycle").outputs["bucket"]
    told = statements(program, INSTANCES)["LifecycleScripts"]
    assert told["Action"] == ["s3:GetObject", "s3:ListBucket"]
    assert set(told["Resource"]) == {
        f"arn:aws:s3:::{each}{end}" for each in (ours, "sagemaker-theirs") for end in ("", "/*")
    }
    assert "LifecycleScripts" not in statements(registered({"hyperpod.lifecycle": "none"}), INSTANCES)


def test_volumes_keys() -> None:
    """Those that the description names, for SageMaker and for grants to AWS; without one nothing of KMS."""
    told = statements(registered(KEYED), INSTANCES)
    grants, seen = told["GrantVolumeKeys"], told["SeeVolumeKeys"]
    assert grants["Resource"] == seen["Resource"] == [KEY]
    assert (grants["Action"], seen["Action"]) == (["kms:CreateGrant"], ["kms:DescribeKey"])
    via = {"kms:ViaService": "sagemaker.us-west-2.amazonaws.com"}
    assert grants["Condition"] == {"StringEquals": via, "Bool": {"kms:GrantIsForAWSResource": "true"}}
    # A request that only looks carries nothing of a grant: asked for it, it would be refused.
    assert seen["Condition"] == {"StringEquals": via}
    assert not [each for each in statements(registered(), INSTANCES).values() if "kms" in str(each["Action"])]


def test_the_autoscalers_role() -> None:
    """HyperPod assumes it, to add nodes of the account's clusters and take them back; keys only where there are any."""
    program = registered(SCALED)
    assert trusts(program, AUTOSCALER) == [{"Service": "hyperpod.sagemaker.amazonaws.com"}]
    told = statements(program, AUTOSCALER)
    assert set(told) == {"Nodes"}
    assert told["Nodes"]["Action"] == ["sagemaker:BatchAddClusterNodes", "sagemaker:BatchDeleteClusterNodes"]
    assert told["Nodes"]["Resource"] == ["arn:aws:sagemaker:us-west-2:000000000000:cluster/*"]
    keyed = statements(registered({**SCALED, "groups.workers.hyperpod.volume": {"key": KEY}}), AUTOSCALER)
    assert keyed["GrantVolumeKeys"]["Resource"] == [KEY]
    assert "Decrypt" in keyed["GrantVolumeKeys"]["Condition"]["ForAllValues:StringEquals"]["kms:GrantOperations"]


def test_in_china_everything_is_called_otherwise() -> None:
    """Partition and domain are the Region's."""
    ground = Ground("arn:aws-cn:eks:cn-north-1:111122223333:cluster/c", VPC, (A,), (THEIRS,), ("sagemaker-x",), (KEY,))
    text = of_instances(ground) + of_autoscaler(ground)
    assert "arn:aws:" not in text.replace(KEY, "")
    assert "sagemaker.cn-north-1.amazonaws.com.cn" in text


@cache
def known_actions() -> frozenset[str]:
    """Every action that AWS has, in small letters (cfn-lint carries them)."""
    text = files("cfnlint.data.AdditionalSpecs").joinpath("Policies.json").read_text(encoding="utf-8")
    return frozenset(f"{service}:{action}" for service, said in json.loads(text).items() for action in said["Actions"])


@pytest.mark.parametrize("write", [of_instances, of_autoscaler])
def test_every_action_is_one_of_awss(write: Any) -> None:
    """A misspelt one grants nothing, and nobody hears of it."""
    ground = Ground("arn:aws:eks:us-west-2:111122223333:cluster/c", VPC, (A,), (THEIRS,), ("sagemaker-x",), (KEY,))
    granted = {action for each in json.loads(write(ground))["Statement"] for action in each["Action"]}
    assert granted
    assert {action.lower() for action in granted} <= known_actions()


def test_a_policy_fits_the_role() -> None:
    """IAM takes 10,240 characters of a role's own policies, blanks aside: sixteen subnets and five groups fit."""
    ground = Ground(
        "arn:aws-us-gov:eks:us-gov-west-1:111122223333:cluster/a-cluster",
        VPC,
        tuple(f"subnet-{number:017x}" for number in range(16)),
        tuple(f"sg-{number:017x}" for number in range(20)),
        tuple(f"sagemaker-{number:053d}" for number in range(4)),
        tuple(f"{KEY[:-2]}{number:02d}" for number in range(8)),
    )
    assert len("".join(of_instances(ground).split())) < 10240

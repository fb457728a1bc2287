"""The roles of a HyperPod cluster: who assumes them, and that each may do what it needs and no more."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import pytest

from muster.infra.hyperpod.roles import Ground, of_autoscaler, of_instances
from tests.factories import A
from tests.infra.hyperpod.described import ROLE_POLICY, THEIRS, VPC, registered
from tests.infra.registered import Registered

INSTANCES = "hyperpod-instances"
ACCOUNT = "arn:aws:ec2:us-west-2:000000000000:"
KEY = "arn:aws:kms:us-west-2:111122223333:key/01234567-89ab-cdef-0123-456789abcdef"
KEYED = {"hyperpod": {"provisioning": "continuous"}, "groups.workers.hyperpod.volume": {"key": KEY}}

Statement = dict[str, Any]


def statements(program: Registered, name: str) -> dict[str, Statement]:
    """Of a role's own policy, by their ids."""
    listed = json.loads(program.one(ROLE_POLICY, name).inputs["policy"])["Statement"]
    assert all(each["Effect"] == "Allow" for each in listed)
    return {each["Sid"]: each for each in listed}


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

"""What roles may do and who may assume them: of every plan of the stacks, and of what no stack has."""

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from muster.blueprint.iam import SERVICES
from muster.blueprint.karpenter import controller_policy
from muster.blueprint.parallelcluster.template import ROLE, creation_only
from muster.config.description.iam import Iam
from muster.infra.hyperpod.mlflow import PODS_LOG, REGISTERS_MODELS
from muster.infra.hyperpod.roles import Ground, of_autoscaler, of_instances
from tests.factories import SG, A, a_blueprint
from tests.stack_files import ROOT

GOLDENS = sorted((ROOT / "tests" / "golden").glob("*.plan.json"))
SOURCES = {"aws:SourceAccount", "aws:SourceArn"}
MOST = 10_240
"""Characters of all of a role's own policies, blanks aside (IAM quotas)."""

ARN = "arn:aws:eks:us-west-2:111122223333:cluster/c"
KEY = "arn:aws:kms:us-west-2:111122223333:key/01234567-89ab-cdef-0123-456789abcdef"
GROUND = Ground(ARN, "vpc-1", (A,), (SG,), ("sagemaker-x",), (KEY,))
IMAGE = {
    "groups.workers.provisioned-by": "karpenter",
    "addons.karpenter": {},
    "groups.workers.image": {"custom": {"ssm": "/teams/ml/image"}},
    "name": "x" * 40,
}

Statement = dict[str, Any]


def _said(golden: Path, key: str, type_: str = "") -> Iterator[list[Statement]]:
    """The statements of the policies of a golden plan."""
    for each in json.loads(golden.read_text(encoding="utf-8"))["resources"]:
        if key in each["inputs"] and type_ in each["type"]:
            yield json.loads(each["inputs"][key])["Statement"]


@cache
def known_actions() -> frozenset[str]:
    """Every action that AWS has, in small letters (cfn-lint carries them)."""
    text = files("cfnlint.data.AdditionalSpecs").joinpath("Policies.json").read_text(encoding="utf-8")
    return frozenset(f"{service}:{action}" for service, said in json.loads(text).items() for action in said["Actions"])


def karpenters() -> str:
    return controller_policy(a_blueprint(IMAGE), "210987654321", ["arn:aws:iam::1:role/a"], "arn:aws:sqs:us-west-2:1:q")


def _listed(said: Any) -> list[str]:
    return [said] if isinstance(said, str) else said


def policies() -> list[list[Statement]]:
    """Every policy of a role's own, in the stacks' plans and besides."""
    more = (of_instances(GROUND), of_autoscaler(GROUND), karpenters())
    every = [each for golden in GOLDENS for each in _said(golden, "policy", ":RolePolicy")]
    return [*every, *(json.loads(text)["Statement"] for text in more)]


def test_every_action_is_one_of_awss() -> None:
    """A misspelt one grants nothing, and nobody hears of it."""
    granted = {action for each in policies() for statement in each for action in _listed(statement["Action"])}
    wanted = {*granted, *PODS_LOG, *REGISTERS_MODELS}
    exact = {each for each in wanted if each.lower() not in known_actions()}
    assert {each for each in exact if not any(fnmatchcase(one, each.lower()) for one in known_actions())} == set()


ON_EVERYTHING = {"RegisterComputeNodeGroupInstance"}
"""Actions that do something, and that their guides grant on `*`: AWS PCS user guide, "IAM instance profiles"."""


def test_what_is_granted_on_everything_only_looks_or_pulls() -> None:
    """`*` is for what services take no resource for."""
    wide = {
        action
        for each in policies()
        for statement in each
        if "*" in _listed(statement["Resource"])
        for action in _listed(statement["Action"])
    }
    words = {action.partition(":")[2] for action in wide}
    assert words
    assert {word for word in words if not word.startswith(("Describe", "Get", "List", "Batch"))} == ON_EVERYTHING


def test_policies_fit_their_roles() -> None:
    """With sixteen subnets, five groups, and a long name."""
    ground = Ground(
        "arn:aws-us-gov:eks:us-gov-west-1:111122223333:cluster/a-cluster",
        "vpc-0123456789abcdef0",
        tuple(f"subnet-{number:017x}" for number in range(16)),
        tuple(f"sg-{number:017x}" for number in range(20)),
        tuple(f"sagemaker-{number:053d}" for number in range(4)),
        tuple(f"{KEY[:-2]}{number:02d}" for number in range(8)),
    )
    assert (
        max(len("".join(each.split())) for each in (of_instances(ground), of_autoscaler(ground), karpenters())) < MOST
    )


def test_karpenter_passes_only_the_roles_of_its_nodes() -> None:
    """And reads only the parameter of an image that somebody named."""
    by_action = {action: each for each in json.loads(karpenters())["Statement"] for action in each["Action"]}
    assert by_action["iam:PassRole"]["Resource"] == ["arn:aws:iam::1:role/a"]
    own = "arn:aws:ssm:us-west-2:210987654321:parameter/teams/ml/image"
    assert by_action["ssm:GetParameter"]["Resource"][1:] == [own]


def test_in_china_everything_is_called_otherwise() -> None:
    """Partition and domain are the Region's."""
    ground = Ground("arn:aws-cn:eks:cn-north-1:111122223333:cluster/c", "vpc-1", (A,), (SG,), ("sagemaker-x",), (KEY,))
    text = of_instances(ground) + of_autoscaler(ground)
    assert "arn:aws:" not in text.replace(KEY, "")
    assert "sagemaker.cn-north-1.amazonaws.com.cn" in text


def test_what_pods_may_not_do_in_mlflow() -> None:
    """Whatever takes something away, and the server's pages; all else of MLflow they may."""
    every = {each for each in known_actions() if each.startswith("sagemaker-mlflow:")}
    allowed = {each for each in every if any(fnmatchcase(each, action.lower()) for action in PODS_LOG)}
    words = {each.partition(":")[2] for each in every - allowed}
    assert {word for word in words if not word.startswith("delete")} == {
        "accessui",
        "renameregisteredmodel",
        "restoreexperiment",
        "restorerun",
        "transitionmodelversionstage",
    }
    assert {word for word in words if word.startswith("delete")}, "what is deleted is not theirs to delete"


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda each: each.name)
def test_every_trust_policy_has_the_conditions_that_its_service_sends(golden: Path) -> None:
    """All of them, and no other: a role with a key that the service does not send cannot be assumed."""
    for statement in (each for listed in _said(golden, "assumeRolePolicy") for each in listed):
        keys = {key for conditions in statement.get("Condition", {}).values() for key in conditions}
        if "Federated" in statement["Principal"]:
            assert {key.rpartition(":")[2] for key in keys} == {"aud", "sub"}, statement
            continue
        assert keys & SOURCES == set(SERVICES[statement["Principal"]["Service"]]), statement


def test_the_role_in_the_template_of_parallelcluster_follows_the_table() -> None:
    (statement,) = creation_only("arn", Iam.model_construct())[ROLE]["Properties"]["AssumeRolePolicyDocument"][
        "Statement"
    ]
    assert SERVICES[statement["Principal"]["Service"]] == ()
    assert "Condition" not in statement


def test_the_page_on_security_has_the_source_of_every_service() -> None:
    page = (ROOT / "docs" / "explanation" / "security.md").read_text(encoding="utf-8")
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    for name in SERVICES:
        assert "](https://" in rows[name], name

"""Whether who asks may do what the deployment takes."""

from typing import Any

import botocore.session
import pytest

from muster.account.topics import permissions
from muster.account.topics.permissions import PERMISSIONS, deployment_actions
from muster.stack.project import stacks
from tests.account.canned import ABSENT, run_topic
from tests.account.needs import needs
from tests.account.sound_quotas import ACCOUNT, ARN, ROLE, allowed, simulated
from tests.stack_files import ROOT

STACK = "p5-odcr"


def told(arn: str = ARN, simulate: Any = allowed, role: Any = None) -> tuple[dict[str, Any], list[Any]]:
    """What is learned, and the parameters of the simulations."""
    answers = {
        "sts.GetCallerIdentity": {"Account": ACCOUNT, "Arn": arn},
        "iam.GetRole": role or {"Role": {"Arn": ROLE}},
        "iam.SimulatePrincipalPolicy": simulate,
    }
    learned, canned = run_topic(PERMISSIONS, needs(STACK), answers)
    asked = [each.parameters for each in canned.queries if each.operation == "SimulatePrincipalPolicy"]
    return dict(learned.facts.permissions), asked


def actions(stack: str) -> set[str]:
    return {action for action, _ in deployment_actions(needs(stack).blueprint)}


def test_everything_that_the_deployment_takes_is_asked() -> None:
    """Each action once, on what it will be on, of the role that was assumed."""
    learned, simulations = told()
    assert learned == dict.fromkeys(actions(STACK), True)
    assert {each["PolicySourceArn"] for each in simulations} == {ROLE}
    asked = {action: each["ResourceArns"] for each in simulations for action in each["ActionNames"]}
    assert asked["iam:PassRole"] == [f"arn:aws:iam::{ACCOUNT}:role/p5-odcr-nodes"]
    assert asked["eks:CreateNodegroup"] == [f"arn:aws:eks:us-west-2:{ACCOUNT}:cluster/p5-odcr"]
    assert asked["ec2:RunInstances"] == ["*"]
    region = {"ContextKeyName": "aws:RequestedRegion", "ContextKeyValues": ["us-west-2"], "ContextKeyType": "string"}
    assert all(each["ContextEntries"] == [region] for each in simulations)


def test_a_user_is_simulated_as_such() -> None:
    """Its own ARN, and no role is looked up."""
    arn = f"arn:aws:iam::{ACCOUNT}:user/teams/someone"
    _, simulations = told(arn, role=ABSENT)
    assert {each["PolicySourceArn"] for each in simulations} == {arn}


@pytest.mark.parametrize(
    ("who", "role"),
    [("iam::{}:root", None), ("sts::{}:federated-user/someone", None), ("sts::{}:assumed-role/ml/me", ABSENT)],
)
def test_of_who_cannot_be_simulated_nothing_is_known(who: str, role: Any) -> None:
    """A role's path is not in its session's ARN: by a wrong one IAM would say that there is no such role."""
    assert told(f"arn:aws:{who.format(ACCOUNT)}", role=role) == ({}, [])


@pytest.mark.parametrize(
    ("said", "allowed"),
    [
        ({"EvalDecision": "implicitDeny"}, False),
        ({"EvalDecision": "explicitDeny"}, False),
        ({"EvalDecision": "explicitDeny", "MissingContextValues": ["aws:PrincipalTag/team"]}, False),
        ({"EvalDecision": "implicitDeny", "MissingContextValues": ["iam:PassedToService"]}, None),
    ],
    ids=["nothing-allows", "something-forbids", "forbids-whatever-is-missing", "a-condition-decides"],
)
def test_what_is_denied(said: Any, allowed: bool | None) -> None:
    """What hangs on a condition that the simulation knows nothing of is not known, neither fine nor denied."""
    learned, _ = told(simulate=lambda asked: simulated(asked, ("iam:PassRole",), **said))
    assert learned.get("iam:PassRole") is allowed
    assert learned["ec2:RunInstances"] is True


@pytest.mark.parametrize(("denied", "allowed"), [("a", False), ("b", False), ("", True)])
def test_an_action_is_allowed_if_it_is_on_all_its_resources(
    monkeypatch: pytest.MonkeyPatch, denied: str, allowed: bool
) -> None:
    monkeypatch.setattr(permissions, "deployment_actions", lambda _: {("iam:PassRole", "a"), ("iam:PassRole", "b")})
    learned, simulations = told(
        simulate=lambda asked: simulated(asked, asked["ActionNames"] if denied in asked["ResourceArns"] else ())
    )
    assert [each["ResourceArns"] for each in simulations] == [["a"], ["b"]]
    assert learned == {"iam:PassRole": allowed}


OF_ALL = {"eks:CreateCluster", "iam:CreateRole", "iam:PassRole", "iam:AttachRolePolicy"}


def test_actions_follow_from_what_is_registered() -> None:
    """What a network of one's own takes, a group of one's own, storage, HyperPod, ParallelCluster."""
    of = {stack: actions(stack) for stack in stacks(ROOT)}
    assert of["p5-efa"] > OF_ALL | {"ec2:CreateVpc", "ec2:AllocateAddress", "eks:CreateNodegroup", "ec2:RunInstances"}
    assert "ec2:CreateVpc" not in of["p5-odcr"]
    assert "eks:CreateCluster" not in of["p5-join-existing"]
    assert of["p5-capacity-block-self-managed"] > {"autoscaling:CreateAutoScalingGroup", "iam:CreateInstanceProfile"}
    assert of["hyperpod-p5"] > OF_ALL | {"sagemaker:CreateCluster", "s3:CreateBucket", "fsx:CreateFileSystem"}
    assert of["hyperpod-p5"].isdisjoint({"eks:CreateNodegroup", "ec2:RunInstances"})
    assert of["hyperpod-p5"] > {"cloudformation:CreateResource", "eks:CreateAccessEntry"}
    assert of["pcluster-gpu"] > {"cloudformation:CreateStack", "iam:CreateRole", "ec2:CreateSecurityGroup"}
    assert of["pcluster-gpu"].isdisjoint({"ec2:RunInstances", "ec2:CreateLaunchTemplate"})  # the provider's own rights
    assert not any(each.startswith("eks:") for stack in of if stack.startswith("pcluster") for each in of[stack])
    rights_alone = {"cloudformation:CreateResource", "iam:PassRole", "s3:PutBucketPublicAccessBlock"}
    models = botocore.session.get_session()
    for action in set().union(*of.values()) - rights_alone:
        service, _, name = action.partition(":")
        assert name in models.get_service_model(service).operation_names, action

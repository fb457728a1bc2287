"""Whether who asks may do what the deployment takes."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.preflight import PreflightResult
from muster.account.query import Query
from muster.account.topics import permissions
from muster.account.topics.permissions import PERMISSIONS, deployment_actions
from muster.fleet.facts import Facts
from muster.stack.project import stacks
from tests.account.canned import ABSENT, run_topic
from tests.account.needs import needs
from tests.account.sound_quotas import ACCOUNT, ARN, ROLE, allowed, simulated
from tests.stack_files import ROOT

STACK = "p5-odcr"


def told(
    arn: str, simulate: Any = allowed, role: Any = None, stack: str = STACK
) -> tuple[PreflightResult, list[Query]]:
    """What is learned, and all that was asked."""
    answers = {
        "sts.GetCallerIdentity": {"Account": ACCOUNT, "Arn": arn},
        "iam.GetRole": role if role is not None else {"Role": {"Arn": ROLE}},
        "iam.SimulatePrincipalPolicy": simulate,
    }
    learned, canned = run_topic(PERMISSIONS, needs(STACK), answers)
    return learned, canned.queries


def actions(stack: str) -> set[str]:
    return {action for action, _ in deployment_actions(needs(stack).blueprint)}


def test_everything_that_the_deployment_takes_is_asked() -> None:
    """Each action once, on what it will be on, of the role that was assumed."""
    learned, questions = told(ARN)
    assert learned.facts.permissions == dict.fromkeys(actions(STACK), True)
    simulated_ = [each.parameters for each in questions if each.operation == "SimulatePrincipalPolicy"]
    assert {each["PolicySourceArn"] for each in simulated_} == {ROLE}
    asked = {action: each["ResourceArns"] for each in simulated_ for action in each["ActionNames"]}
    assert asked["iam:PassRole"] == [f"arn:aws:iam::{ACCOUNT}:role/p5-odcr-nodes"]
    assert asked["eks:CreateNodegroup"] == [f"arn:aws:eks:us-west-2:{ACCOUNT}:cluster/p5-odcr"]
    assert asked["ec2:RunInstances"] == ["*"]
    region = {"ContextKeyName": "aws:RequestedRegion", "ContextKeyValues": ["us-west-2"], "ContextKeyType": "string"}
    assert all(each["ContextEntries"] == [region] for each in simulated_)


def test_a_user_is_simulated_as_such() -> None:
    """Its own ARN, and no role is looked up."""
    arn = f"arn:aws:iam::{ACCOUNT}:user/teams/someone"
    _, questions = told(arn)
    assert "GetRole" not in {each.operation for each in questions}
    assert questions[1].parameters["PolicySourceArn"] == arn


@pytest.mark.parametrize("who", ["iam::{}:root", "sts::{}:federated-user/someone"])
def test_of_who_cannot_be_simulated_nothing_is_known(who: str) -> None:
    learned, questions = told(f"arn:aws:{who.format(ACCOUNT)}")
    assert learned.facts.permissions == {}
    assert len(questions) == 1


def test_a_role_that_is_not_told_is_not_simulated() -> None:
    """Its path is not in the session's ARN: by a wrong one IAM would say that there is no such role."""
    learned, questions = told(ARN, role=ABSENT)
    assert learned.facts == Facts()
    assert [each.operation for each in questions] == ["GetCallerIdentity", "GetRole"]


def denying(decision: str, *denied: str, **more: Any):
    """A simulation that denies some actions in one way."""

    def simulate(asked: Mapping[str, Any]) -> dict[str, Any]:
        said = simulated(asked, denied, **more)
        for each in said["EvaluationResults"]:
            if each["EvalActionName"] in denied:
                each["EvalDecision"] = decision
        return said

    return simulate


@pytest.mark.parametrize(
    ("simulate", "allowed"),
    [
        (denying("implicitDeny", "iam:PassRole"), False),
        (denying("explicitDeny", "iam:PassRole"), False),
        (denying("explicitDeny", "iam:PassRole", MissingContextValues=["aws:PrincipalTag/team"]), False),
        (denying("implicitDeny", "iam:PassRole", MissingContextValues=["iam:PassedToService"]), None),
    ],
    ids=["nothing-allows", "something-forbids", "forbids-whatever-is-missing", "a-condition-decides"],
)
def test_what_is_denied(simulate: Any, allowed: bool | None) -> None:
    """What hangs on a condition that the simulation knows nothing of is not known, neither fine nor denied."""
    learned, _ = told(ARN, simulate)
    assert learned.facts.permissions.get("iam:PassRole") is allowed
    assert learned.facts.permissions["ec2:RunInstances"] is True


@pytest.mark.parametrize(("denied", "allowed"), [("a", False), ("b", False), ("", True)])
def test_an_action_is_allowed_if_it_is_on_all_its_resources(
    monkeypatch: pytest.MonkeyPatch, denied: str, allowed: bool
) -> None:
    monkeypatch.setattr(permissions, "deployment_actions", lambda _: {("iam:PassRole", "a"), ("iam:PassRole", "b")})
    learned, questions = told(
        ARN, lambda asked: simulated(asked, asked["ActionNames"] if denied in asked["ResourceArns"] else ())
    )
    assert [each.parameters["ResourceArns"] for each in questions[2:]] == [["a"], ["b"]]
    assert learned.facts.permissions == {"iam:PassRole": allowed}


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


def test_actions_are_actions_of_apis() -> None:
    """botocore's models know each by its name, but those that are rights alone."""
    import botocore.session

    session = botocore.session.get_session()
    rights_alone = {"cloudformation:CreateResource", "iam:PassRole", "s3:PutBucketPublicAccessBlock"}
    for action in {each for stack in stacks(ROOT) for each in actions(stack)} - rights_alone:
        service, _, name = action.partition(":")
        assert name in session.get_service_model(service).operation_names, action

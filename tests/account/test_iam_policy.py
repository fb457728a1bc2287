"""`--print-iam-policy`: exactly what asking takes, on what."""

import json
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

import pytest
import yaml

from muster.account.iam_policy import RightsScope, rights_of_queries
from muster.account.preflight import TOPICS, run_topics
from muster.account.query import Query
from muster.account.topic import Topic
from muster.config.document import CLUSTER_KEY
from muster.config.project import stacks
from tests.account.accounts import Account, write
from tests.account.aws import Answers, Refused
from tests.account.canned import Canned, run_topic
from tests.account.filled import filled
from tests.account.needs import needs
from tests.account.sound_quotas import quota
from tests.corpus import edited
from tests.stack_files import ROOT

REGION = "us-west-2"
POOL = {"ResourceArn": f"arn:aws:ec2:{REGION}:111122223333:capacity-reservation/cr-0123456789abcdef0"}
INVITATION = f"arn:aws:ram:{REGION}:444455556666:resource-share-invitation/6b1c"


def renamed(asked: Mapping[str, Any]) -> Any:
    """A quota by another name than that of its code."""
    said = quota(asked)
    return {"Quota": {**said["Quota"], "QuotaName": "another"}} if isinstance(said, dict) else said


CONTRARY: Mapping[str, Answers] = {
    "ec2.DescribeCapacityReservations": Refused("InvalidCapacityReservationId.NotFound"),
    "ec2.DescribeNatGateways": {"NatGateways": [{"SubnetId": "subnet-0123456789abcdef0", "State": "available"}]},
    "ec2.DescribeSecurityGroups": {"SecurityGroups": [{"GroupId": "sg-0123456789abcdef0"}]},
    "ec2.DescribeVpcEndpoints": {
        "VpcEndpoints": [
            {
                "VpcEndpointType": "Interface",
                "PrivateDnsEnabled": True,
                "Groups": [{"GroupId": "sg-0123456789abcdef0"}],
            }
        ]
    },
    "ram.GetResourceShareInvitations": {
        "resourceShareInvitations": [{"resourceShareInvitationArn": INVITATION, "status": "PENDING"}]
    },
    "ram.ListPendingInvitationResources": {"resources": []},
    "resource-groups.ListGroupResources": {"Resources": [{"Identifier": POOL}]},
    "service-quotas.GetServiceQuota": Refused("NoSuchResourceException"),
    "service-quotas.GetAWSDefaultServiceQuota": renamed,
    "service-quotas.ListServiceQuotas": {"Quotas": []},
    "service-quotas.ListAWSDefaultServiceQuotas": {"Quotas": []},
    "sagemaker.ListClusters": {"ClusterSummaries": [{"ClusterName": "another"}]},
}
"""What leads to every further question: nothing is as one thought."""


Change = Mapping[str, Any]

OWN_SCRIPTS: Change = {"hyperpod.lifecycle": {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "start.sh"}}}
"""No reference stack has a bucket for them: they are Muster's there."""

ON_GROUP: Change = {
    "reservation-group": {
        "arn": f"arn:aws:resource-groups:{REGION}:210987654321:group/p5",
        "zone": f"{REGION}a",
        "count": 1,
        "provided-by": "aws",
    }
}

NO_CHANGE: Change = {}


def asked_by(stack: str, change: Change = NO_CHANGE) -> list[Query]:
    """All that is asked of a sound account, and of a contrary one."""
    wanted = needs(stack, change)
    sound = Account.of(stack, change).answers()
    found: list[Query] = []
    for answers in (sound, {**sound, **CONTRARY}):
        told = Canned(dict(answers))
        run_topics(TOPICS, wanted, told)
        found += told.queries
    return found


def by_action(policy: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Action -> the things it is allowed on."""
    found: dict[str, frozenset[str]] = {}
    for each in policy["Statement"]:
        assert each["Effect"] == "Allow"
        on = each["Resource"]
        for action in each["Action"]:
            assert action not in found
            found[action] = frozenset([on] if isinstance(on, str) else on)
    return found


WITH_MORE = [
    ("hyperpod-training-plan", OWN_SCRIPTS),
    ("pcluster-p4de-postinstall", {"s3": {"s3://ml-data/imagenet": "read"}}),
    ("p5-odcr", {"storage.scratch": {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "a1b2cdef"}}}),
    ("p5-odcr", {"groups.workers.security-groups": ["sg-00000000000000001"]}),
    ("pcluster-p4de-custom-ami", {"head.login.key-pair": "ml-admins"}),
    ("p5-efa", {"groups.workers.capacity": ON_GROUP, "groups.workers.zone": "us-west-2a"}),
]
"""What no reference stack names."""


@cache
def actions_by_topic() -> Mapping[str, frozenset[str]]:
    """Topic -> the IAM actions of its queries, over all stacks, in sound accounts and contrary ones."""
    found: dict[str, frozenset[str]] = {each.name: frozenset() for each in TOPICS}
    for stack, change in [*((each, NO_CHANGE) for each in stacks(ROOT)), *WITH_MORE]:
        account = Account.of(stack, change)
        for answers in (account.answers(), {**account.answers(), **CONTRARY}):
            for topic in TOPICS:
                _, canned = run_topic(topic, account.wanted, answers)
                found[topic.name] |= rights_of_queries(canned.queries, RightsScope(account.wanted.region)).keys()
    return found


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_the_rights_of_a_topic_are_what_its_queries_take(topic: Topic) -> None:
    """No right too many, and none too few."""
    assert topic.rights.keys() == actions_by_topic()[topic.name]


@pytest.mark.parametrize(
    ("stack", "change"),
    [
        *(pytest.param(each, NO_CHANGE, id=each) for each in stacks(ROOT)),
        pytest.param("hyperpod-training-plan", OWN_SCRIPTS, id="scripts of its own"),
    ],
)
def test_a_policy_is_what_its_stack_asks(stack, change, muster) -> None:
    """No action more than some account leads to, and none less; each on no more than is known of its name, and on all
    that is asked about."""
    document = yaml.safe_load(filled(stack))
    document["config"][CLUSTER_KEY] = edited(document["config"][CLUSTER_KEY], change)
    (muster.folder / "stacks" / f"Pulumi.{stack}.yaml").write_text(json.dumps(document))
    printed = by_action(muster("preflight", stack, "--print-iam-policy").json)
    heard = rights_of_queries(asked_by(stack, change), RightsScope(needs(stack, change).region))
    # The one thing that filling in leaves blank here.
    blank = {"s3:GetBucketLocation"} if "s3://fill-me-in" in filled(stack) else set()
    assert printed.keys() == heard.keys() | blank
    for action, on in heard.items():
        for each in on:
            assert any(fnmatchcase(each, one) for one in printed[action]), (action, each)


def test_what_is_known_is_named(muster) -> None:
    """A cluster's add-ons, public parameters; what AWS names itself is any."""
    write(muster.folder, "p5-join-existing")
    allowed = by_action(muster("preflight", "p5-join-existing", "--print-iam-policy").json)
    named = {action: sorted(on) for action, on in allowed.items() if on != {"*"}}
    (vpc,) = named.pop("ec2:DescribeVpcAttribute")
    assert vpc.startswith(f"arn:aws:ec2:{REGION}:*:vpc/vpc-0")
    (image,) = named.pop("ssm:GetParameter")
    assert image.startswith(f"arn:aws:ssm:{REGION}::parameter/aws/service/eks/optimized-ami/1.35/")
    assert named == {
        "eks:DescribeAddon": [f"arn:aws:eks:{REGION}:*:addon/ml-platform/*/*"],
        "eks:DescribeCluster": [f"arn:aws:eks:{REGION}:*:cluster/ml-platform"],
        "eks:ListAddons": [f"arn:aws:eks:{REGION}:*:cluster/ml-platform"],
        "iam:GetRole": ["arn:aws:iam::*:role/*"],
        "iam:SimulatePrincipalPolicy": ["arn:aws:iam::*:role/*", "arn:aws:iam::*:user/*"],
        "ram:ListPendingInvitationResources": [f"arn:aws:ram:{REGION}:*:resource-share-invitation/*"],
    }


def test_what_is_still_to_be_filled_in_is_any_of_its_kind(muster) -> None:
    """Else the policy would not do once it is: that is said. What needs no name is allowed all the same."""
    ran = muster("preflight", "p5-odcr", "--print-iam-policy")
    allowed = by_action(json.loads(ran.out))
    assert ran.err == "placeholders to replace: vpc-fill-me-in; until then, the policy has * for them\n"
    assert allowed["ec2:DescribeVpcAttribute"] == {f"arn:aws:ec2:{REGION}:*:vpc/*"}
    assert {"ec2:DescribeSubnets", "ec2:DescribeCapacityReservations"} <= allowed.keys()
    write(muster.folder, "p5-odcr")
    filled = muster("preflight", "p5-odcr", "--print-iam-policy")
    assert filled.err == ""
    assert by_action(json.loads(filled.out)).keys() == allowed.keys()


def questions(*each: tuple[str, Mapping[str, Any]]) -> Iterable[Query]:
    """Some, by their names and parameters."""
    for name, parameters in each:
        service, _, operation = name.partition(".")
        yield Query(service, operation, "it", parameters)


@pytest.mark.parametrize(
    ("name", "parameters", "where", "rights"),
    [
        ("s3.ListObjectsV2", {"Bucket": "b"}, RightsScope("cn-north-1"), {"s3:ListBucket": {"arn:aws-cn:s3:::b"}}),
        (
            "ssm.GetParameter",
            {"Name": "/teams/ml/image:3"},
            RightsScope(REGION, "222233334444"),
            {"ssm:GetParameter": {f"arn:aws:ssm:{REGION}:222233334444:parameter/teams/ml/image"}},
        ),
        (
            "ssm.GetParameter",
            {"Name": "/aws/service/x"},
            RightsScope(REGION, "222233334444"),
            {"ssm:GetParameter": {f"arn:aws:ssm:{REGION}::parameter/aws/service/x"}},
        ),
        (
            "eks.DescribeCluster",
            {"name": "c"},
            RightsScope("us-gov-west-1", "222233334444"),
            {"eks:DescribeCluster": {"arn:aws-us-gov:eks:us-gov-west-1:222233334444:cluster/c"}},
        ),
        (
            "resource-groups.ListGroupResources",
            {"Group": "arn:aws:resource-groups:us-west-2:222233334444:group/p5"},
            RightsScope(REGION),
            {
                "resource-groups:ListGroupResources": {"arn:aws:resource-groups:us-west-2:222233334444:group/p5"},
                "cloudformation:DescribeStacks": {"*"},
                "cloudformation:ListStackResources": {"*"},
                "tag:GetResources": {"*"},
            },
        ),
        ("service-quotas.GetServiceQuota", {}, RightsScope(REGION), {"servicequotas:GetServiceQuota": {"*"}}),
        ("sts.GetCallerIdentity", {}, RightsScope(REGION), {}),
    ],
)
def test_what_a_question_takes(name, parameters, where, rights) -> None:
    """The action as IAM has it, on the thing as its service names it."""
    assert rights_of_queries(questions((name, parameters)), where) == rights

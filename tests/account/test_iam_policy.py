"""The IAM policy that preflights need."""

import re

from muster.account.preflight import ACTIONS, TOPICS, run_topics
from muster.stack.project import stacks
from tests.account.accounts import Account
from tests.account.aws import Refused
from tests.account.canned import Canned
from tests.account.test_over_http import STACKS
from tests.stack_files import ROOT

PREFIXES = {"service-quotas": "servicequotas"}
NAMES = {"s3:ListObjectsV2": "s3:ListBucket"}
FREE = {"sts:GetCallerIdentity"}
BESIDE = {"cloudformation:DescribeStacks", "cloudformation:ListStackResources", "tag:GetResources"}
"""What the members of a resource group take beside their own action."""

NONE_OF_ITS_OWN = {
    "ec2.DescribeCapacityReservations": {"CapacityReservations": []},
    "ram.GetResourceShareInvitations": {
        "resourceShareInvitations": [{"resourceShareInvitationArn": "arn:x", "status": "PENDING"}]
    },
    "ram.ListPendingInvitationResources": {"resources": []},
    "service-quotas.GetServiceQuota": Refused("NoSuchResourceException"),
}
"""Answers that lead to further queries."""


def test_the_policy_is_what_queries_take(muster) -> None:
    """Over all stacks, in sound accounts and in others: no action too many, and none too few. All of them read."""
    asked = set()
    for stack, change in [*((each, {}) for each in stacks(ROOT)), *STACKS.values()]:
        account = Account.of(stack, change)
        for answers in (account.answers(), {**account.answers(), **NONE_OF_ITS_OWN}):
            canned = Canned(answers)
            run_topics(TOPICS, account.wanted, canned)
            asked |= {f"{PREFIXES.get(each.service, each.service)}:{each.operation}" for each in canned.queries}
    assert all(re.match(r"[a-z0-9-]+:(Describe|Get|List|Simulate)", each) for each in asked)
    assert {NAMES.get(each, each) for each in asked} - FREE | BESIDE == {*ACTIONS}
    (statement,) = muster("preflight", "p5-odcr", "--print-iam-policy").json["Statement"]
    assert statement == {"Effect": "Allow", "Action": sorted(ACTIONS), "Resource": "*"}

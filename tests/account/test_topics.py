"""All topics together. Over HTTP, for stacks that name more than the reference stacks do, AWS's models take the
answers, and the facts are exactly those of a golden file; the queries are what the IAM policy allows; former facts are
kept where no query tells."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from muster.account.preflight import ACTIONS, TOPICS, preflight, run_topics
from muster.account.query_runner import QueryRunner, Session
from muster.account.topic import Topic
from muster.account.topics.eks import CLUSTERS
from muster.account.topics.images import IMAGES
from muster.account.topics.storage import BUCKETS, FILE_SYSTEMS
from muster.fleet.facts import Facts
from muster.fleet.facts_merge import facts_document
from muster.stack.project import stacks
from tests.account.accounts import Account
from tests.account.aws import Answers, Aws, Refused, playing
from tests.account.canned import Canned
from tests.account.needs import needs
from tests.account.sound_quotas import ACCOUNT, ROLE
from tests.stack_files import ROOT

GROUP = "arn:aws:resource-groups:us-west-2:210987654321:group/p5"
ON_GROUP = {"reservation-group": {"arn": GROUP, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}}
OWN = {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "on_create.sh"}}
LUSTRE = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "a1b2cdef"}}
DATA = {"lustre": {"size": "1200GiB", "throughput": 250, "data": {"/datasets": {"s3": "s3://ml-datasets"}}}}
OVER_NFS = {
    "c": {"existing-efs": {"id": "fs-0123456789abcdef1"}},
    "d": {"existing-openzfs": {"id": "fs-0123456789abcdef2"}},
}
ROLES = {
    "iam.permissions-boundary": f"arn:aws:iam::{ACCOUNT}:policy/boundary",
    "iam.roles.head": ROLE,
    "iam.roles.nodes": f"arn:aws:iam::{ACCOUNT}:instance-profile/nodes",
}
STACKS = {
    "security groups": ("p5-odcr", {"groups.workers.security-groups": ["sg-00000000000000001"]}),
    "a resource group": ("p5-odcr", {"groups.workers.capacity": ON_GROUP}),
    "a key pair": ("pcluster-p4de-custom-ami", {"head.login.key-pair": "ml-admins"}),
    "roles": ("pcluster-gpu", ROLES),
    "scripts and storage": (
        "hyperpod-existing-eks",
        {"hyperpod.lifecycle": OWN, "storage": {"a": LUSTRE, "b": DATA, **OVER_NFS}},
    ),
}


GOLDEN = Path(__file__).with_name("facts.json")
"""Name of a stack -> all facts of its account."""


@pytest.mark.parametrize("name", STACKS)
def test_all_facts_of_an_account(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Account.of(*STACKS[name])
    answers = account.answers()
    with playing(Aws(answers)) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        over_http = run_topics(TOPICS, account.wanted, QueryRunner(Session(account.wanted.region)))
    assert over_http.unanswered == ()
    assert facts_document(over_http.facts) == json.loads(GOLDEN.read_text())[name]


CODES = {
    "eks.DescribeCluster": "ResourceNotFoundException",
    "eks.ListAddons": "ResourceNotFoundException",
    "ssm.GetParameter": "ParameterNotFound",
    "efs.DescribeFileSystems": "FileSystemNotFound",
    "fsx.DescribeFileSystems": "FileSystemNotFound",
    "s3.ListObjectsV2": "NoSuchBucket",
    "s3.GetBucketLocation": "NoSuchBucket",
}


def test_what_does_not_exist_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the error codes of each service, as botocore reads them."""
    wanted = needs(*STACKS["scripts and storage"])
    none: dict[str, Answers] = {operation: Refused(code, "there is none") for operation, code in CODES.items()}
    with playing(Aws({**none, "sts.GetCallerIdentity": {"Account": "111122223333"}})) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        hyperpod = run_topics([CLUSTERS, FILE_SYSTEMS, BUCKETS], wanted, QueryRunner(Session("us-west-2")))
        eks = run_topics([IMAGES], needs("p5-join-existing"), QueryRunner(Session("us-west-2")))
    assert (hyperpod.unanswered, eks.unanswered) == ((), ())
    facts: dict[str, Any] = hyperpod.facts.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    assert facts == {
        "clusters": {"ml-platform": {"exists": False}},
        "fileSystems": {f"fs-0123456789abcdef{number}": {"exists": False} for number in range(3)},
        "buckets": {"ml-datasets": {"exists": False}, "sagemaker-ml-scripts": {"exists": False}},
    }
    assert set(eks.facts.image_parameters.values()) == {None}


PREFIXES = {"efs": "elasticfilesystem", "service-quotas": "servicequotas"}
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


FORMER = Facts.model_validate(
    {"clusters": {"ml-platform": {"hyperpodChart": True, "version": "1.30"}}, "quotas": {"L-417A185B": 384}}
)
EXISTING = "hyperpod-existing-eks"


def test_charts_are_kept_and_what_aws_answers_is_not() -> None:
    """No question of AWS tells which charts are on a cluster; all else is what it says now, or not known."""
    facts, _ = preflight(needs(EXISTING), Canned(Account.of(EXISTING).answers()), FORMER)
    known = facts.clusters["ml-platform"]
    assert (known.hyperpod_chart, known.version) == (True, "1.35")
    assert "L-417A185B" not in facts.quotas
    facts, _ = preflight(needs(EXISTING), Canned({}), FORMER)
    assert facts.clusters["ml-platform"].model_dump(exclude_none=True) == {"hyperpod_chart": True}


OF_THE_FILE = {"contract", "observed", "kept"}
KINDS = ["p5-odcr", "p5-join-existing", EXISTING, "hyperpod-training-plan", "pcluster-gpu"]


def test_every_section_is_some_topics() -> None:
    """Except outputs, which only a person writes: a fact that no topic answers for would be kept for good."""
    sections = {each.alias or name for name, each in Facts.model_fields.items()}
    assert frozenset().union(*(each.of for each in TOPICS)) == sections - OF_THE_FILE - {"outputs"}


@pytest.mark.parametrize("topic", TOPICS, ids=lambda each: each.name)
def test_a_topic_answers_for_what_it_says(topic: Topic) -> None:
    """Where all is answered nothing is open; where it asks and gets no answer, all that it speaks of."""
    for stack in KINDS:
        account = Account.of(stack)
        heard = run_topics([topic], account.wanted, Canned(account.answers()))
        assert facts_document(heard.facts).keys() - OF_THE_FILE <= topic.of, stack
        assert (heard.unanswered, heard.open) == ((), frozenset()), stack
        ask = Canned({})
        heard = run_topics([topic], account.wanted, ask)
        assert heard.open == (topic.of if ask.rounds else frozenset()), stack

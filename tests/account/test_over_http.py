"""Every topic over HTTP, for stacks that name more than the reference stacks do: AWS's models take the answers, and the
facts are exactly those of a golden file."""

import json
from pathlib import Path
from typing import Any

import pytest

from muster.account.preflight import TOPICS, run_topics
from muster.account.query_runner import QueryRunner, Session
from muster.account.topics.eks import CLUSTERS
from muster.account.topics.images import IMAGES
from muster.account.topics.storage import BUCKETS, FILE_SYSTEMS
from muster.fleet.facts_merge import facts_document
from tests.account.accounts import Account
from tests.account.aws import Answers, Aws, Refused, playing
from tests.account.needs import needs

GROUP = "arn:aws:resource-groups:us-west-2:210987654321:group/p5"
ON_GROUP = {"reservation-group": {"arn": GROUP, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}}
OWN = {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "on_create.sh"}}
LUSTRE = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "a1b2cdef"}}
DATA = {"lustre": {"size": "1200GiB", "throughput": 250, "data": {"/datasets": {"s3": "s3://ml-datasets"}}}}
STACKS = {
    "security groups": ("p5-odcr", {"groups.workers.security-groups": ["sg-00000000000000001"]}),
    "a resource group": ("p5-odcr", {"groups.workers.capacity": ON_GROUP}),
    "a key pair": ("pcluster-p4de-custom-ami", {"head.login.key-pair": "ml-admins"}),
    "scripts and storage": ("hyperpod-existing-eks", {"hyperpod.lifecycle": OWN, "storage": {"a": LUSTRE, "b": DATA}}),
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
        "fileSystems": {"fs-0123456789abcdef0": {"exists": False}},
        "buckets": {"ml-datasets": {"exists": False}, "sagemaker-ml-scripts": {"exists": False}},
    }
    assert set(eks.facts.image_parameters.values()) == {None}

"""The topics about services over HTTP: what they ask is what AWS's models know, and what their rights say."""

from typing import Any

import pytest

from muster.account.preflight import run_topics
from muster.account.query_runner import QueryRunner
from muster.account.session import Session
from muster.account.topic import Topic
from muster.account.topics.buckets import BUCKETS
from muster.account.topics.eks import CLUSTERS, VERSIONS
from muster.account.topics.file_systems import FILE_SYSTEMS
from muster.account.topics.hyperpod import HYPERPOD_CLUSTERS
from muster.account.topics.images import IMAGES
from tests.account.aws import Answers, Aws, Refused, playing
from tests.account.needs import needs
from tests.account.sound_services import answers, around_file_systems, cluster_arn
from tests.account.told import heard

OWN = {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "on_create.sh"}}
LUSTRE = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "a1b2cdef"}}
DATA = {"lustre": {"size": "1200GiB", "throughput": 250, "data": {"/datasets": {"s3": "s3://ml-datasets"}}}}
EVERYTHING = {"hyperpod.lifecycle": OWN, "storage": {"scratch": LUSTRE, "data": DATA}}
"""Of what these topics ask about, in one stack."""
HYPERPOD = needs("hyperpod-existing-eks", EVERYTHING)
EKS = needs("p5-join-existing")
ON_IT = {
    "sagemaker.ListClusters": {"ClusterSummaries": [{"ClusterName": "ours"}]},
    "sagemaker.DescribeCluster": {
        "ClusterName": "ours",
        "Orchestrator": {"Eks": {"ClusterArn": cluster_arn(HYPERPOD)}},
    },
}
SOUND: dict[str, Answers] = {**answers(HYPERPOD), **around_file_systems(HYPERPOD), **ON_IT}
EACH = [
    *((topic, HYPERPOD) for topic in (VERSIONS, CLUSTERS, HYPERPOD_CLUSTERS, FILE_SYSTEMS, BUCKETS)),
    (IMAGES, EKS),
]
NAMED = pytest.mark.parametrize(("topic", "wanted"), EACH, ids=[topic.name for topic, _ in EACH])


@NAMED
def test_what_http_brings_is_what_was_said(monkeypatch, topic, wanted) -> None:
    """Each protocol carries it, and AWS could say it: the facts are those of the same answers without HTTP."""
    said = {**answers(wanted), **(SOUND if wanted is HYPERPOD else {})}
    aws = Aws(dict(said))
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        over_http = run_topics([topic], wanted, QueryRunner(Session(wanted.region)))
    without, told = heard(topic, wanted, said)
    assert over_http.unanswered == ()
    assert over_http.facts == without.facts
    assert over_http.facts.model_dump(exclude_defaults=True)
    assert [each.words for each in over_http.said] == [each.words for each in without.said]
    assert sorted(f"{each.service}.{each.operation}" for each in aws.asked) == sorted(set_of(told.asked))


def set_of(questions) -> list[str]:
    """Each question once, as an asker puts it."""
    return [f"{service}.{operation}" for service, operation, _, _ in {each.key for each in questions}]


IAM = {
    "s3:ListObjectsV2": "s3:ListBucket",
    "s3:GetPublicAccessBlock": "s3:GetBucketPublicAccessBlock",
    "s3control:GetPublicAccessBlock": "s3:GetAccountPublicAccessBlock",
}
"""Operations whose right has another name (Service Authorization Reference, Actions for Amazon S3)."""


@NAMED
def test_rights_are_what_its_questions_take(topic: Topic, wanted) -> None:
    """No more, and no less."""
    said = {**answers(wanted), **(SOUND if wanted is HYPERPOD else {})}
    open_: dict[str, Answers] = {"s3.GetPublicAccessBlock": {}}  # then the account is asked, too
    _, told = heard(topic, wanted, {**said, **open_})
    # Who asks everybody may ask.
    asked = {f"{each.service}:{each.operation}" for each in told.asked} - {"sts:GetCallerIdentity"}
    assert topic.rights.keys() == {IAM.get(each, each) for each in asked}


@NAMED
def test_an_identity_without_rights_knows_nothing(monkeypatch, topic, wanted) -> None:
    """Every question is told as not answered, and no fact comes of it."""
    with playing(Aws()) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        told = run_topics([topic], wanted, QueryRunner(Session(wanted.region)))
    assert told.facts.model_dump(exclude_defaults=True) == {}
    assert told.said == ()
    assert told.unanswered
    assert {each.unanswered.reason.value for each in told.unanswered if each.unanswered} == {"denied"}


CODES = {
    "eks.DescribeCluster": "ResourceNotFoundException",
    "eks.ListAddons": "ResourceNotFoundException",
    "ssm.GetParameter": "ParameterNotFound",
    "fsx.DescribeFileSystems": "FileSystemNotFound",
    "s3.ListObjectsV2": "NoSuchBucket",
    "s3.GetPublicAccessBlock": "NoSuchBucket",
    "s3.GetBucketVersioning": "NoSuchBucket",
    "s3.GetBucketLocation": "NoSuchBucket",
}


def test_what_does_not_exist_is_an_answer(monkeypatch) -> None:
    """By the codes with which each service says so, as botocore reads them."""
    none: dict[str, Answers] = {operation: Refused(code, "there is none") for operation, code in CODES.items()}
    there: dict[str, Answers] = {
        "sagemaker.ListClusters": {"ClusterSummaries": []},
        "sts.GetCallerIdentity": {"Account": "111122223333"},
    }
    with playing(Aws({**none, **there})) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        hyperpod = run_topics([CLUSTERS, FILE_SYSTEMS, BUCKETS], HYPERPOD, QueryRunner(Session("us-west-2")))
        eks = run_topics([IMAGES], EKS, QueryRunner(Session("us-west-2")))
    assert (hyperpod.unanswered, eks.unanswered) == ((), ())
    facts: dict[str, Any] = hyperpod.facts.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    assert facts == {
        "clusters": {"ml-platform": {"exists": False}},
        "fileSystems": {"fs-0123456789abcdef0": {"exists": False}},
        "buckets": {"ml-datasets": {"exists": False}, "sagemaker-ml-scripts": {"exists": False}},
    }
    assert set(eks.facts.image_parameters.values()) == {None}

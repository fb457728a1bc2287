"""Quotas: what is asked, in which rounds, and what the answers come to."""

from typing import Any

import pytest

from muster.account.capacity_queries import LISTING_GROUPS
from muster.account.preflight import run_topics
from muster.account.query import Query
from muster.account.query_runner import QueryRunner
from muster.account.session import Session
from muster.account.topics.capacity import TRAINING_PLANS
from muster.account.topics.hyperpod import HYPERPOD_QUOTAS
from muster.account.topics.permissions import PERMISSIONS
from muster.account.topics.quotas import RESOURCE_QUOTAS, VCPU_QUOTAS
from muster.config.project import stacks
from muster.hardware.hyperpod_quotas import CODES, IN_ONE_CLUSTER
from tests.account.aws import Aws, playing
from tests.account.heard import ABSENT, heard
from tests.account.moto_server import serving
from tests.account.needs import needs
from tests.account.quota_answers import NONE_HELD, STANDARD, A, P, gateways, named, on_a_group, says, with_reservation
from tests.account.sound_quotas import answers, quota
from tests.stack_files import ROOT

OURS = (TRAINING_PLANS, VCPU_QUOTAS, RESOURCE_QUOTAS, HYPERPOD_QUOTAS, PERMISSIONS)
STACKS = tuple(stacks(ROOT))
IAM_NAMES = {"service-quotas": "servicequotas"}
"""botocore's name of a service -> IAM's, where the two differ."""


@pytest.mark.parametrize(
    "stack", ["g4dn", "hyperpod-p5", "hyperpod-training-plan", "hyperpod-trn1", "p5-odcr", "pcluster-gpu"]
)
def test_a_sound_account_answers_all_over_http(monkeypatch, stack: str) -> None:
    """Every answer is one that AWS's models know, every question is answered, and rights are exactly what was asked."""
    aws = Aws(answers(stack) | NONE_HELD)
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        ask = QueryRunner(Session("us-west-2"))
        told = run_topics(OURS, needs(stack), ask)
    assert [each.question.about for each in told.unanswered] == []
    allowed = {right for topic in OURS for right in topic.rights} | {"sts:GetCallerIdentity"}
    asked = {f"{IAM_NAMES.get(each.service, each.service)}:{each.operation}" for each in aws.asked}
    assert asked <= allowed


def test_every_right_is_asked_for_by_some_question(monkeypatch) -> None:
    """A right that no question takes is one too many."""
    asked: set[str] = set()

    def noted(question: Query) -> Any:
        asked.add(f"{IAM_NAMES.get(question.service, question.service)}:{question.operation}")
        if question.operation == "GetServiceQuota":
            return (
                ABSENT
                if question.parameters["QuotaCode"] in {P, CODES[IN_ONE_CLUSTER]}
                else quota({**question.parameters, "QuotaCode": STANDARD})
            )
        leading = {
            "service-quotas.ListServiceQuotas": {"Quotas": []},
            "service-quotas.ListAWSDefaultServiceQuotas": {"Quotas": []},
            "ec2.DescribeNatGateways": gateways({"SubnetId": A}),
            "sagemaker.ListClusters": {"ClusterSummaries": [{"ClusterName": "another"}]},
        }
        return leading.get(named(question), {})

    for stack in STACKS:
        for topic in (TRAINING_PLANS, RESOURCE_QUOTAS, HYPERPOD_QUOTAS):
            heard(topic, needs(stack), noted)
        heard(PERMISSIONS, needs(stack), says(stack))
    for each in (with_reservation(), on_a_group()):
        heard(VCPU_QUOTAS, each, lambda question: noted(question) or says("p5-efa")(question))
    asked |= {"iam:GetRole", "iam:SimulatePrincipalPolicy"}  # `says` notes nothing
    beside = LISTING_GROUPS.keys() - {"resource-groups:ListGroupResources"}  # what that one takes, too
    assert asked - {"sts:GetCallerIdentity"} == {right for topic in OURS for right in topic.rights} - beside


def test_calls_are_bounded() -> None:
    """Whatever a stack is: at most five rounds, and three dozen questions of these topics."""
    for stack in STACKS:
        for topic in OURS:
            _, rounds = heard(topic, needs(stack), says(stack))
            assert len(rounds) <= 5
            assert sum(map(len, rounds)) <= 14, (stack, topic.name)


def test_moto_takes_the_parameters(monkeypatch) -> None:
    """What moto knows: VPC's quotas, addresses, VPCs, gateways, clusters, file systems, instances, metrics."""
    with serving() as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        ask = QueryRunner(Session("us-west-2"))
        told = run_topics((VCPU_QUOTAS, RESOURCE_QUOTAS), needs("p5-efa"), ask)
        stored = run_topics((RESOURCE_QUOTAS,), needs("pcluster-gpu"), ask)
    assert told.facts.quotas == {"L-F678F1CE": 5, "L-A4707A72": 5, "L-FE5A380F": 5}
    assert told.facts.quotas_used == {"L-F678F1CE": 1, "L-A4707A72": 0, "L-FE5A380F": 0}
    # Moto has not the one, and fails at the other where there is no such cluster.
    assert {each.question.operation for each in told.unanswered} <= {"GetAWSDefaultServiceQuota", "ListNodegroups"}
    assert {each.question.operation for each in stored.unanswered} <= {"GetAWSDefaultServiceQuota"}

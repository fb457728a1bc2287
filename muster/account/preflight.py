"""Runs all topics for one stack, in rounds, because answers lead to further queries, and joins the facts; and the IAM
policy that the queries of any stack need."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from muster.account.caller_identity import IDENTITY
from muster.account.query import Answer, Inquiry, Query, QueryKey, RunQueries, Unanswered, UnansweredReason, complete
from muster.account.topic import PreflightRequest, Topic
from muster.account.topics.capacity import OFFERINGS, RESERVATIONS, TRAINING_PLANS
from muster.account.topics.eks import CLUSTERS, VERSIONS
from muster.account.topics.hyperpod import HYPERPOD_CLUSTERS, HYPERPOD_QUOTAS
from muster.account.topics.images import CUSTOM_IMAGES, IMAGES
from muster.account.topics.network import NETWORK, SECURITY_GROUPS
from muster.account.topics.permissions import PERMISSIONS
from muster.account.topics.quotas import RESOURCE_QUOTAS, VCPU_QUOTAS
from muster.account.topics.roles import ROLES
from muster.account.topics.storage import BUCKETS, FILE_SYSTEMS
from muster.fleet.facts import ClusterFacts, Facts

TOPICS: tuple[Topic, ...] = (
    IDENTITY,
    RESERVATIONS,
    TRAINING_PLANS,
    OFFERINGS,
    VCPU_QUOTAS,
    RESOURCE_QUOTAS,
    HYPERPOD_QUOTAS,
    NETWORK,
    SECURITY_GROUPS,
    VERSIONS,
    CLUSTERS,
    HYPERPOD_CLUSTERS,
    IMAGES,
    CUSTOM_IMAGES,
    FILE_SYSTEMS,
    BUCKETS,
    ROLES,
    PERMISSIONS,
)
"""In the order of the reference."""


@dataclass(frozen=True, slots=True)
class PreflightResult:
    """The result of all topics."""

    facts: Facts
    unanswered: tuple[Answer, ...]
    """The unanswered queries, each with its reason. The facts contain nothing about them."""
    open: frozenset[str] = frozenset()
    """The sections of facts about which a query has no answer."""


def run_topics(topics: Iterable[Topic], wanted: PreflightRequest, ask: RunQueries) -> PreflightResult:
    """Runs the queries of all topics, round by round, each round in parallel."""
    asking = tuple(topics)
    inquiries = [topic.inquire(wanted) for topic in asking]
    open_: set[str] = set()
    learned: dict[int, Facts] = {}
    unanswered: dict[QueryKey, Answer] = {}
    waiting = {number: _sent(inquiry, None) for number, inquiry in enumerate(inquiries)}
    while waiting:
        queries = [question for turn in waiting.values() for question in _questions(turn)]
        answers = dict(zip((each.key for each in queries), ask(queries), strict=True)) if queries else {}
        going: dict[int, Turn] = {}
        for number, turn in waiting.items():
            if isinstance(turn, Facts):
                learned[number] = turn
                continue
            own = [complete(each, answers[each.key]) for each in turn]
            try:
                going[number] = _sent(inquiries[number], own)
            except ValueError as fault:  # pydantic's among them
                going[number] = Facts()
                own = [_senseless(each, fault) for each in own]
            silent = {each.question.key: each for each in own if not each.answered}
            open_ |= asking[number].of if silent else frozenset()
            unanswered |= silent
        waiting = going
    every = merge_facts(learned[number] for number in sorted(learned))
    return PreflightResult(every, tuple(unanswered.values()), frozenset(open_))


def _senseless(answer: Answer, fault: ValueError) -> Answer:
    """An answer that matches botocore's model, but not the facts' schema: it counts as unreadable."""
    if not answer.answered:
        return answer
    first = fault.errors()[0]["msg"] if isinstance(fault, ValidationError) else str(fault)
    words = " ".join(f"the answer does not match the schema of facts: {first}".split())
    return replace(answer, result=None, absent=False, unanswered=Unanswered(UnansweredReason.UNREADABLE, words))


Turn = Sequence[Query] | Facts


def _sent(inquiry: Inquiry[Facts], answers: Sequence[Answer] | None) -> Turn:
    """The next queries of an inquiry, or its result. Without answers, it begins."""
    try:
        return next(inquiry) if answers is None else inquiry.send(answers)
    except StopIteration as end:
        facts: Facts = end.value
        return facts


def _questions(turn: Turn) -> Sequence[Query]:
    return () if isinstance(turn, Facts) else turn


def merge_facts(parts: Iterable[Facts]) -> Facts:
    """Several facts as one: maps are joined by key, and each part adds its values of a resource."""
    joined: dict[str, object] = {}
    for part in parts:
        _join(joined, part.model_dump(mode="json", by_alias=True, exclude_defaults=True))
    return Facts.model_validate(joined)


def _join(into: dict[str, object], more: dict[str, object]) -> None:
    for key, value in more.items():
        known = into.get(key)
        if isinstance(known, dict) and isinstance(value, dict):
            _join(known, value)
        else:
            into[key] = value


def preflight(wanted: PreflightRequest, ask: RunQueries, known: Facts | None) -> tuple[Facts, PreflightResult]:
    """Queries everything that a stack refers to or needs.

    Args:
        wanted: the stack.
        ask: runs the queries.
        known: the previous facts. Only those that no query answers are kept: the outputs of another stack, and the
            installed charts.

    Returns:
        The new facts, and the result of all topics.

    Raises:
        NoAccount: AWS does not accept the credentials.
    """
    result = run_topics(TOPICS, wanted, ask)
    return merge_facts((_kept(known or Facts()), result.facts, Facts(observed=wanted.observed))), result


def _kept(known: Facts) -> Facts:
    charts = {
        name: ClusterFacts(hyperpodChart=each.hyperpod_chart)
        for name, each in known.clusters.items()
        if each.hyperpod_chart is not None
    }
    return Facts(outputs=known.outputs, clusters=charts)


ACTIONS = (
    "cloudformation:DescribeStacks",
    "cloudformation:ListStackResources",
    "cloudwatch:GetMetricData",
    "ec2:DescribeAddresses",
    "ec2:DescribeAvailabilityZones",
    "ec2:DescribeCapacityReservations",
    "ec2:DescribeImages",
    "ec2:DescribeInstanceTypeOfferings",
    "ec2:DescribeInstances",
    "ec2:DescribeInternetGateways",
    "ec2:DescribeKeyPairs",
    "ec2:DescribeNatGateways",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeRouteTables",
    "ec2:DescribeSecurityGroupRules",
    "ec2:DescribeSecurityGroups",
    "ec2:DescribeSubnets",
    "ec2:DescribeVpcAttribute",
    "ec2:DescribeVpcEndpoints",
    "ec2:DescribeVpcs",
    "eks:DescribeAddon",
    "eks:DescribeCluster",
    "eks:DescribeClusterVersions",
    "eks:ListAddons",
    "eks:ListClusters",
    "eks:ListNodegroups",
    "elasticfilesystem:DescribeFileSystems",
    "elasticfilesystem:DescribeMountTargets",
    "fsx:DescribeFileSystems",
    "iam:GetInstanceProfile",
    "iam:GetPolicy",
    "iam:GetRole",
    "iam:SimulatePrincipalPolicy",
    "ram:GetResourceShareInvitations",
    "ram:ListPendingInvitationResources",
    "resource-groups:GetGroupConfiguration",
    "resource-groups:ListGroupResources",
    "s3:GetBucketLocation",
    "s3:ListBucket",
    "sagemaker:DescribeCluster",
    "sagemaker:DescribeTrainingPlan",
    "sagemaker:ListClusters",
    "servicequotas:GetAWSDefaultServiceQuota",
    "servicequotas:GetServiceQuota",
    "servicequotas:ListAWSDefaultServiceQuotas",
    "servicequotas:ListServiceQuotas",
    "ssm:GetParameter",
    "tag:GetResources",
)
"""All of them only read. A test compares them with the queries. Source: the Service Authorization Reference, "Actions,
resources, and condition keys", of each service; for the members of resource groups also the Resource Groups API,
ListGroupResources, "Minimum permissions"."""


def iam_policy() -> dict[str, Any]:
    """The policy document."""
    return {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": list(ACTIONS), "Resource": "*"}]}

"""The IAM permissions that queries need: actions and resources. Pure.

The resource is `*` if IAM has no resource type for the action, or if its name is known only from an answer.
Source: the Service Authorization Reference, "Actions, resources, and condition keys", of each service, column
"Resource types".
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muster.account import capacity_queries
from muster.account.query import Query
from muster.account.topic import PreflightRequest, Topic
from muster.hardware.zones import partition_of

ANY = "*"

_PREFIXES = {"service-quotas": "servicequotas"}
"""botocore's name of a service -> IAM's name, if they differ."""

_CALLED = {"s3.ListObjectsV2": "s3:ListBucket"}
"""Operation -> its action, if that has another name."""

_FREE = frozenset({"sts.GetCallerIdentity"})
"""Operations that need no IAM permission."""

_ALSO_NEEDED = {"resource-groups.ListGroupResources": capacity_queries.LISTING_GROUPS_ALSO_NEEDS}
"""Additional actions that an operation needs."""

_EKS, _SAGEMAKER = ("arn:{partition}:" + service + ":{region}:{account}:" for service in ("eks", "sagemaker"))
_BUCKET = ("arn:{partition}:s3:::{Bucket}",)

_ON: Mapping[str, tuple[str, ...]] = {
    "ec2.DescribeVpcAttribute": ("arn:{partition}:ec2:{region}:{account}:vpc/{VpcId}",),
    "eks.DescribeAddon": (_EKS + "addon/{clusterName}/{addonName}/*",),
    "eks.DescribeCluster": (_EKS + "cluster/{name}",),
    "eks.ListAddons": (_EKS + "cluster/{clusterName}",),
    "eks.ListNodegroups": (_EKS + "cluster/{clusterName}",),
    "iam.GetRole": ("arn:{partition}:iam::{account}:role/*",),  # any role that calls
    "iam.SimulatePrincipalPolicy": (
        *("arn:{partition}:iam::{account}:role/*", "arn:{partition}:iam::{account}:user/*"),
    ),
    "ram.ListPendingInvitationResources": ("arn:{partition}:ram:{region}:*:resource-share-invitation/*",),
    "resource-groups.GetGroupConfiguration": ("{Group}",),
    "resource-groups.ListGroupResources": ("{Group}",),
    **dict.fromkeys(("s3.GetBucketLocation", "s3.ListObjectsV2"), _BUCKET),
    "sagemaker.DescribeCluster": (_SAGEMAKER + "cluster/*",),  # an id that AWS gives, not the name
    "sagemaker.DescribeTrainingPlan": ("{TrainingPlanName}",),  # the parameter is its ARN
    "ssm.GetParameter": ("arn:{partition}:ssm:{region}:{owner}:parameter/{path}",),
}
"""Operation -> its resources, with the query's parameters; any resource for other operations."""


@dataclass(frozen=True, slots=True)
class RightsScope:
    """The Region and the account of the resources."""

    region: str
    account: str = ANY

    @classmethod
    def of(cls, wanted: PreflightRequest) -> "RightsScope":
        """The stack's Region, and its allowed account, if there is only one."""
        return cls(wanted.region, wanted.allowed_accounts[0] if len(wanted.allowed_accounts) == 1 else ANY)


Rights = Mapping[str, frozenset[str]]
"""Action -> its resources."""


def rights_of_topics(topics: Iterable[Topic], wanted: PreflightRequest) -> Rights:
    """The permissions for the queries about a stack: the first queries, and those that may follow from answers."""
    return rights_of_queries(
        (each for topic in topics for each in _possible_queries(topic, wanted)), RightsScope.of(wanted)
    )


def _possible_queries(topic: Topic, wanted: PreflightRequest) -> list[Query]:
    """The queries of the first round, and those that may follow from their answers, each with the parameters of the
    query before it."""
    found = [*next(topic.inquire(wanted), ())]
    for each in found:  # grows
        for service, _, operation in (name.partition(".") for name in topic.leads.get(_name(each), ())):
            further = Query(service, operation, each.about, each.parameters)
            if further.key not in {one.key for one in found}:
                found.append(further)
    return found


def rights_for_any_stack(topics: Iterable[Topic]) -> Rights:
    """The permissions of topics for any stack."""
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for topic in topics:
        for action, on in topic.rights.items():
            found[action] |= {on}
    return found


def rights_of_queries(questions: Iterable[Query], where: RightsScope) -> Rights:
    """The permissions that queries need."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for each in questions:
        name = _name(each)
        if name not in _FREE:
            prefix = _PREFIXES.get(each.service, each.service)
            found[_CALLED.get(name, f"{prefix}:{each.operation}")] |= {*_resources(each, where)}
        for action in _ALSO_NEEDED.get(name, ()):
            found[action].add(ANY)
    return {action: frozenset({ANY} if ANY in on else on) for action, on in found.items()}


def document(*every: Rights) -> dict[str, Any]:
    """An IAM policy document: one statement for each set of resources, in a stable order."""
    together: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for rights_ in every:
        for action, on in rights_.items():
            together[action] |= on
    by_things: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for action, on in together.items():
        by_things[(ANY,) if ANY in on else tuple(sorted(on))].append(action)
    return {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Action": sorted(actions), "Resource": things[0] if len(things) == 1 else list(things)}
            for things, actions in sorted(by_things.items())
        ],
    }


def _name(question: Query) -> str:
    return f"{question.service}.{question.operation}"


def _resources(question: Query, where: RightsScope) -> Sequence[str]:
    known = {key: value for key, value in question.parameters.items() if isinstance(value, str)}
    # Parameters with images belong to AWS, and to no account.
    path = str(known.get("Name", ANY)).partition(":")[0].removeprefix("/")
    known |= {"partition": partition_of(where.region), "region": where.region, "account": where.account}
    known |= {"path": path, "owner": "" if path.startswith("aws/") else where.account}
    return [form.format_map(_Any(known)) for form in _ON.get(_name(question), (ANY,))]


class _Any(dict[str, str]):
    """Values, with a wildcard for unknown ones."""

    def __missing__(self, key: str) -> str:
        return ANY

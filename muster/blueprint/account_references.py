"""Ids, ARNs and names in a description: what each refers to in the account, and which are still placeholders."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.addon_sheets import SHEETS
from muster.config.description.base import EKS, HYPERPOD
from muster.config.description.group import Group
from muster.config.description.iam import VPC_CNI
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.description.root import Description
from muster.config.placeholders import is_placeholder, placeholder_reason
from muster.finding import Finding, KeyPath, Level, dotted_path
from muster.fleet.resource_references import ResourceKind, ResourceReference, RoleUse
from muster.plain_data import texts_in

PLACEHOLDER_RULE = "placeholder"
"""The rule id of these findings."""


def placeholder_findings(described: Description) -> list[Finding]:
    """A finding for every value that is a placeholder, or that was copied from documentation."""
    return [
        Finding(
            path,
            PLACEHOLDER_RULE,
            Level.MANDATORY,
            f"'{value}' is a placeholder ({placeholder_reason(value)})",
            f"set {path} to a value of your account",
            path.partition(".")[0],
        )
        for path, value in placeholder_values(described)
    ]


def placeholder_values(described: Description) -> list[tuple[str, str]]:
    """The dotted paths of placeholders, each with its placeholder."""
    values = described.model_dump(mode="json", exclude_defaults=True, exclude={"suppress"})
    return [
        (dotted_path(path), value)
        for path, value in texts_in(values)
        if is_placeholder(value) and not _is_chart_value(path)
    ]


def _is_chart_value(path: KeyPath) -> bool:
    """Whether a path is in the values of a chart. These are the user's own and have no schema; an add-on's other keys
    have one."""
    block, *below = path
    named = below[:1] in (["charts"], ["eks-addons"])
    return block == "addons" and below[1 + named : 2 + named] == ["values"]


_OWN_WORDS = frozenset({"access", "addons", "labels", "tags"})
"""Blocks of free text: ids in them refer to nothing that Muster uses. Principals of `access` may be of any account (EKS
user guide, "creating-access-entries")."""

_BY_FORM = (
    (ResourceKind.VPC, re.compile(r"(vpc-.+)")),
    (ResourceKind.SUBNET, re.compile(r"(subnet-.+)")),
    (ResourceKind.SECURITY_GROUP, re.compile(r"(sg-.+)")),
    (ResourceKind.RESERVATION, re.compile(r"(?:arn:[^/]+:capacity-reservation/)?(cr-.+)")),
    (ResourceKind.RESERVATION_GROUP, re.compile(r"(arn:aws[a-z-]*:resource-groups:.+)")),
    (ResourceKind.TRAINING_PLAN, re.compile(r"(arn:aws[a-z-]*:sagemaker:[^/]+:training-plan/.+)")),
    (ResourceKind.IMAGE, re.compile(r"(ami-.+)")),
    (ResourceKind.FILE_SYSTEM, re.compile(r"(fs-[^.]+)")),
    (ResourceKind.BUCKET, re.compile(r"s3://([^/]+)(?:/.*)?")),
    (ResourceKind.ROLE, re.compile(r"(arn:aws[a-z-]*:iam::\d+:role/.+)")),
    (ResourceKind.INSTANCE_PROFILE, re.compile(r"(arn:aws[a-z-]*:iam::\d+:instance-profile/.+)")),
    (ResourceKind.POLICY, re.compile(r"(arn:aws[a-z-]*:iam::\d+:policy/.+)")),
)
"""Kinds with a recognizable id format; the group of the expression is the id."""

_BY_PLACE = {
    ("key-pair",): ResourceKind.KEY_PAIR,
    ("control-plane", "existing", "name"): ResourceKind.CLUSTER,
}
"""The end of a path -> the kind of its value, for names without a recognizable format."""


def find_references(described: Description) -> tuple[ResourceReference, ...]:
    """The resources that a description refers to, each once, in the order of the description."""
    values = described.model_dump(mode="json", exclude_defaults=True, exclude={"suppress"})
    found: dict[tuple[ResourceKind, str], ResourceReference] = {}
    for path, value in (*texts_in(values), *_keys(values)):
        for each in _at(path, value):
            first = found.setdefault((each.kind, each.id), each)
            if each.kind in (ResourceKind.ROLE, ResourceKind.INSTANCE_PROFILE):
                uses = dict.fromkeys((*first.uses, *_uses_of_role(path, described)))
                found[each.kind, each.id] = first._replace(uses=tuple(uses))
    return tuple(found.values())


def _keys(values: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """References that are keys: the places in S3 that Slurm's nodes may use."""
    return ((("s3",), key) for key in values.get("s3", {}))


def _at(path: KeyPath, value: str) -> Iterator[ResourceReference]:
    if path[0] != "iam" and _OWN_WORDS.intersection(map(str, path)):
        return
    by_place = next((kind for end, kind in _BY_PLACE.items() if path[-len(end) :] == end), None)
    if by_place is not None:
        yield ResourceReference(by_place, value, dotted_path(path))
        return
    for kind, form in _BY_FORM:
        if match := form.fullmatch(value):
            is_block = kind is ResourceKind.RESERVATION and "capacity-block" in path
            yield ResourceReference(ResourceKind.CAPACITY_BLOCK if is_block else kind, match[1], dotted_path(path))
            return


_DESCRIBES_VPC = ("ec2:DescribeDhcpOptions", "ec2:DescribeNetworkInterfaces", "ec2:DescribeVpcs")
_PULLS = "ecr:GetAuthorizationToken"
_CONTROL_PLANE = RoleUse(
    "eks.amazonaws.com",
    (
        "ec2:DescribeAvailabilityZones",
        *_DESCRIBES_VPC,
        "ec2:DescribeInstances",
        "ec2:DescribeInstanceTopology",
    ),
)
"""EKS user guide, "cluster-iam-role", of the minimal policy what applies to every resource."""
_NODES = RoleUse("ec2.amazonaws.com", ("ec2:DescribeInstances", _PULLS))
"""EKS user guide, "create-node-role": the kubelet describes resources of EC2, and pulls images of add-ons."""
_AUTO_MODE_NODES = RoleUse("ec2.amazonaws.com", (_PULLS,))
"""EKS user guide, "auto-create-node-role"."""
_VPC_CNI = ("ec2:DescribeInstances", "ec2:DescribeInstanceTypes", "ec2:DescribeNetworkInterfaces", "ec2:DescribeTags")
"""AmazonEKS_CNI_Policy."""
_INSTANCES = (*_DESCRIBES_VPC, "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets")
"""SageMaker guide, "sagemaker-hyperpod-prerequisites-iam": of a cluster in your VPC."""
_BY_PODS = "pods.eks.amazonaws.com"


def _uses_of_role(path: KeyPath, described: Description) -> Iterator[RoleUse]:
    """What the existing role at a path is used for; nothing if that is not known."""
    groups: Mapping[str, Group] = {} if isinstance(described, AddonsOf) else described.groups
    backend = None if isinstance(described, AddonsOf) else described.backend
    match path:
        case "iam", "roles", "control-plane":
            yield _CONTROL_PLANE
        case "iam", "roles", "nodes" if backend == EKS:
            of_all = [each for each in groups.values() if not each.role]
            yield from dict.fromkeys(_AUTO_MODE_NODES if each.by_auto_mode else _NODES for each in of_all)
        case "groups", name, "role":
            yield _AUTO_MODE_NODES if groups[str(name)].by_auto_mode else _NODES
        case "iam", "roles", ("nodes" | "head" | "login"):
            yield RoleUse("ec2.amazonaws.com")
        case "iam", "roles", ("provider" | "lambda-functions"):
            yield RoleUse("lambda.amazonaws.com")
        case "iam", "roles", "addons", name if str(name) not in _BY_OIDC:
            yield RoleUse(_BY_PODS, _VPC_CNI if name == VPC_CNI else ())
        case "hyperpod", "execution-role":
            on_eks = (_PULLS,) if backend == HYPERPOD else ()
            yield RoleUse("sagemaker.amazonaws.com", (*_INSTANCES, *on_eks))
        case "hyperpod", "cluster-role":
            yield RoleUse("hyperpod.sagemaker.amazonaws.com")


_BY_OIDC = frozenset(
    name
    for name, sheet in SHEETS.items()
    if name == "s3-csi-driver" or any(each.get("by-oidc") for each in sheet.get("permissions", ()))
)
"""Add-ons some of whose roles trust the OIDC provider of the cluster."""

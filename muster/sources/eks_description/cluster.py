"""The whole description: the control plane, its network, groups and add-ons."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from muster.addons.addon import Chart
from muster.addons.addon import EksAddon as EksSource
from muster.addons.catalogue import CATALOGUE
from muster.config.description.kubernetes_cluster import Logs
from muster.fleet.registration import Registration
from muster.fleet.resources import Addon, ControlPlane, NodeGroup
from muster.hardware.default_types import EKS_SYSTEM_NODES
from muster.policies.views.fleet import fleet_of
from muster.sources.eks_description.groups import GroupDescriber
from muster.sources.eks_description.inputs import own_tags
from muster.sources.eks_description.network import DescribedNetwork
from muster.sources.eks_description.parts import Described, Hints, NoGroupLeft, Parts, distinct_names, placeholder_id
from muster.sources.eks_description.rest import is_of_control_plane, leave_out_the_rest
from muster.sources.eks_description.storage import describe_storage
from muster.sources.source import CannotBeRead
from muster.unknown import UNKNOWN
from muster.versions import EKS_ADDONS, EKS_CALENDAR

_ASSOCIATION = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
_EKS_ADDON = "aws:eks/addon:Addon"
_REPOSITORY = "aws:ecr/repository:Repository"
_EVERY_LOG = ("api", "audit", "authenticator", "controllerManager", "scheduler")
_POLICIES = {
    "AmazonEKSClusterAdminPolicy": "cluster-admin",
    "AmazonEKSAdminPolicy": "admin",
    "AmazonEKSEditPolicy": "edit",
    "AmazonEKSViewPolicy": "view",
}
_ANY = "0.0.0.0/0"
_DEFAULT_RETENTION = Logs().retention_days
_ORDER = (
    *("backend", "name", "kubernetes", "control-plane", "access", "api", "logs", "secrets-key", "network"),
    *("groups", "storage", "registry", "addons", "tags"),
)


def describe_cluster(
    registrations: Iterable[Registration], *, region: str, hints: Hints | None = None, as_of: date = date.min
) -> Described:
    """The description that creates the same EKS cluster. A value that the schema refuses may be in it:
    `muster.sources.valid_description` leaves it out.

    Args:
        registrations: the resources of the file.
        region: its Region; a placeholder if the file has none.
        hints: what only the format knows.
        as_of: the date for the versions of Kubernetes.

    Raises:
        CannotBeRead: there is no EKS cluster and no node group.
    """
    listed = tuple(registrations)
    fleet = fleet_of(listed, region=region, as_of=as_of)
    parts = Parts(fleet, {each.urn: each for each in listed}, hints or Hints(), region)
    planes = sorted(fleet.of(ControlPlane), key=lambda each: str(each.ref))
    groups = _node_groups(parts)
    if not planes and not groups:
        raise CannotBeRead("the file has no EKS cluster and no node groups, which a description needs")
    for each in planes[1:]:
        parts.leave_out(each.place.resource, "", "a description has one cluster")
    network = DescribedNetwork(parts, planes[:1])
    found: dict[str, Any] = {"backend": "eks", **_control_plane(parts, planes[0] if planes else None)}
    names = distinct_names([each.ref for each in groups], 24, "group")
    described = {
        name: GroupDescriber(parts, network, each, name).describe() for name, each in zip(names, groups, strict=True)
    }
    found["groups"] = {name: each for name, each in described.items() if each is not None}
    if groups and not found["groups"]:
        of_groups = {each.place.resource for each in groups}
        raise NoGroupLeft(next(each for each in parts.left_out if each.urn in of_groups and not each.property))
    if not groups:
        system = {"for": "system", "instance": EKS_SYSTEM_NODES, "nodes": 1}
        found["groups"] = {"system": parts.placeholder("groups.system", system)}
    found["network"] = network.describe()
    if storage := describe_storage(parts, network):
        found["storage"] = storage
    if any(each.type == _REPOSITORY for each in listed):
        found["registry"] = {}
    if addons := _addons(parts):
        found["addons"] = addons
    tags = own_tags(parts.inputs(planes[0].place.resource).get("tags")) if planes else {}
    if tags:
        found["tags"] = tags
    if not parts.hints.lists_keys:
        leave_out_the_rest(parts, tags, secrets_key="secrets-key" in found)
    ordered = {key: found[key] for key in _ORDER if key in found}
    return Described(ordered, tuple(sorted(set(parts.left_out))), tuple(sorted(set(parts.placeholders))))


def _node_groups(parts: Parts) -> list[NodeGroup]:
    """The node groups that a description of the file has: not those whose nodes Karpenter creates."""
    found = []
    for each in sorted(parts.fleet.of(NodeGroup), key=lambda each: each.place.resource):
        if each.pool is None:
            found.append(each)
        else:
            why = "its nodes depend on the pods that wait; write a group with provisioned-by: karpenter or auto-mode"
            parts.leave_out(each.place.resource, "", why)
    return found


def _control_plane(parts: Parts, plane: ControlPlane | None) -> dict[str, Any]:
    if plane is None:
        existing = {
            "name": parts.placeholder("control-plane.existing.name", "fill-me-in"),
            "security-group": parts.placeholder("control-plane.existing.security-group", placeholder_id("sg")),
            "authentication": parts.placeholder("control-plane.existing.authentication", "api-and-config-map"),
        }
        return {"kubernetes": _version(parts, UNKNOWN), "control-plane": {"existing": existing}}
    found: dict[str, Any] = {"kubernetes": _version(parts, plane.kubernetes), "control-plane": "create"}
    if isinstance(plane.name, str) and re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9-]*", plane.name):
        found["name"] = plane.name
    if access := _access(parts):
        found["access"] = access
    found["api"] = _api(parts, plane)
    if plane.logs is not UNKNOWN and set(plane.logs) != set(_EVERY_LOG):
        found["logs"] = {"types": [each for each in _EVERY_LOG if each in plane.logs]}
    if (days := _retention(parts)) is not None:
        found["logs"] = {**found.get("logs", {}), "retention-days": days}
    if key := _secrets_key(parts.inputs(plane.place.resource)):
        found["secrets-key"] = key
    return found


def _version(parts: Parts, given: Any) -> str:
    if isinstance(given, str) and re.fullmatch(r"1\.\d{2}(\.\d+)?", given):
        return ".".join(given.split(".")[:2])
    newest = next(each for each in sorted(EKS_CALENDAR, reverse=True) if each in EKS_ADDONS)
    return str(parts.placeholder("kubernetes", newest))


def _api(parts: Parts, plane: ControlPlane) -> Any:
    if plane.endpoint_public is False:
        return "private"
    if plane.endpoint_public is UNKNOWN or plane.public_networks is UNKNOWN:
        return {"public": parts.placeholder("api.public", ["203.0.113.0/24"])}
    networks = [each for each in plane.public_networks if ":" not in each]
    for each in set(plane.public_networks) - set(networks):
        parts.leave_out(plane.place.resource, "vpcConfig.publicAccessCidrs", f"{each}: networks are IPv4")
    return {"public": networks or [_ANY]}


def _retention(parts: Parts) -> int | None:
    """The days for which the log group of the control plane keeps logs; None for Muster's default."""
    for each in parts.registered.values():
        days = each.inputs.get("retentionInDays")
        if each.type.endswith(":LogGroup") and is_of_control_plane(each) and isinstance(days, int):
            return days if days != _DEFAULT_RETENTION else None
    return None


_KMS_KEY = re.compile(r"arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key/[0-9a-f-]{36}")
_PRINCIPAL = re.compile(r"arn:aws[a-z-]*:iam::\d{12}:(role|user)/.+")


def _secrets_key(inputs: Mapping[str, Any]) -> str | None:
    """The key of the account that encrypts secrets, if the file names an existing one."""
    given = inputs.get("encryptionConfig")
    entry = given[0] if isinstance(given, list) and given else given
    provider = entry.get("provider") if isinstance(entry, Mapping) else None
    key = provider.get("keyArn") if isinstance(provider, Mapping) else None
    return key if isinstance(key, str) and _KMS_KEY.fullmatch(key) and ":000000000000:" not in key else None


def _access(parts: Parts) -> list[dict[str, Any]]:
    found = []
    for each in parts.registered.values():
        if each.type != _ASSOCIATION:
            continue
        principal, scope = each.inputs.get("principalArn"), each.inputs.get("accessScope")
        policy = _POLICIES.get(str(each.inputs.get("policyArn")).rpartition("/")[2])
        if policy is None or not isinstance(principal, str) or not _PRINCIPAL.fullmatch(principal):
            parts.leave_out(
                each.urn,
                "principalArn",
                "access takes the ARN of an IAM role or user, and one of EKS's policies for access",
            )
            continue
        entry: dict[str, Any] = {"principal": principal, "policy": policy}
        names = scope.get("namespaces") if isinstance(scope, Mapping) else None
        if isinstance(names, list) and names and UNKNOWN not in names:
            entry["namespaces"] = names
        if entry not in found:
            found.append(entry)
    return found


def _addons(parts: Parts) -> dict[str, Any]:
    """The add-ons that Muster's catalog has. The network plugin, the proxy and DNS are always installed."""
    by_eks_name = {each.source.name: name for name, each in CATALOGUE.items() if isinstance(each.source, EksSource)}
    by_chart = {each.source.name: name for name, each in CATALOGUE.items() if isinstance(each.source, Chart)}
    always = set(next(iter(EKS_ADDONS.values())))
    found: dict[str, Any] = {}
    for each in parts.registered.values():
        if each.type != _EKS_ADDON:
            continue
        name = each.inputs.get("addonName")
        if isinstance(name, str) and name in by_eks_name:
            found[by_eks_name[name]] = {}
            if each.inputs.get("configurationValues") not in (None, "", UNKNOWN):
                why = f"add what you need under addons.{by_eks_name[name]}"
                parts.leave_out(each.urn, "configurationValues", f"Muster configures {name} itself: {why}")
        elif isinstance(name, str) and name not in always:
            parts.leave_out(each.urn, "", f"Muster does not install the EKS add-on {name}")
        elif isinstance(name, str) and each.inputs.get("configurationValues") is not None:
            parts.leave_out(each.urn, "configurationValues", f"Muster configures {name} itself")
    for addon in parts.fleet.of(Addon):
        name = str(addon.ref.name)
        known = name if name in CATALOGUE else by_chart.get(str(addon.chart), str(addon.chart))
        if known in CATALOGUE:
            found.setdefault(known, {})
        elif addon.chart is not UNKNOWN:
            parts.leave_out(
                addon.place.resource,
                "",
                f"Muster does not install the chart {addon.chart} itself: add it under charts, with its values",
            )
    return dict(sorted(found.items()))

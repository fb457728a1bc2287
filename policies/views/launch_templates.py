"""`aws.ec2.LaunchTemplate`, network interfaces and their attachments."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from muster.blueprint.user_data import max_pods_in
from muster.fleet.registration import Registration
from muster.fleet.resources import CapacityTarget, LaunchTemplate, NetworkInterface, Place
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
    SUBNET,
)
from muster.policies.views.references import (
    GROUPS,
    References,
    block,
    blocks,
    boolean,
    first_set,
    integer,
    known_items,
)
from muster.unknown import UNKNOWN, UnknownType

_CAPACITY = "capacityReservationSpecification"

_ABOUT_ITSELF = frozenset(
    {"name", "namePrefix", "description", "tags", "tagsAll", "region", "updateDefaultVersion", "defaultVersion"}
)
"""Properties of the template as a resource, not of the instances that it launches."""

_OF_KUBERNETES = ("kubernetes.io/cluster/", "karpenter.k8s.aws/ec2nodeclass")
"""The beginnings of keys of tags that the nodes of a Kubernetes cluster have: of all (the AWS cloud provider of
Kubernetes), and of Karpenter's (Karpenter's documentation, NodeClasses, spec.tags)."""


def launch_template(resource: Registration, references: References) -> LaunchTemplate[UnknownType]:
    """Reads a launch template's inputs."""
    inputs = resource.inputs
    placement = block(inputs, "placement")
    return LaunchTemplate(
        ref=references.ref(resource),
        instance=inputs.get("instanceType"),
        interfaces=_interfaces(resource, references),
        security_groups=references.several(inputs.get("vpcSecurityGroupIds"), resource, "vpcSecurityGroupIds", GROUPS),
        target=_target(resource, references),
        market_type=block(inputs, "instanceMarketOptions").get("marketType"),
        placement_group=references.one(
            first_set(placement, "groupName", "groupId"), resource, "placement", (PLACEMENT_GROUP,)
        ),
        image=inputs.get("imageId"),
        settings=_settings(inputs),
        place=Place(resource.urn),
        http_tokens=block(inputs, "metadataOptions").get("httpTokens"),
        hop_limit=integer(block(inputs, "metadataOptions").get("httpPutResponseHopLimit")),
        user_data=inputs.get("userData"),
        max_pods=_max_pods(inputs.get("userData")),
        key_pair=inputs.get("keyName"),
        joins_kubernetes=_joins_kubernetes(inputs),
        depends_on=references.behind(resource, ("networkInterfaces", "vpcSecurityGroupIds"), GROUPS),
    )


def _target(resource: Registration, references: References) -> CapacityTarget[UnknownType]:
    """The capacity target. An unknown target, whose kind is also unknown, counts as an unknown reservation id."""
    capacity, name = block(resource.inputs, _CAPACITY), _CAPACITY
    preference = capacity.get("capacityReservationPreference")
    if capacity.get("capacityReservationTarget") is UNKNOWN:
        return CapacityTarget(preference, reservation=UNKNOWN)
    target = block(capacity, "capacityReservationTarget")
    return CapacityTarget(
        preference,
        references.one(target.get("capacityReservationId"), resource, name, (CAPACITY_RESERVATION, CAPACITY_BLOCK)),
        references.one(target.get("capacityReservationResourceGroupArn"), resource, name, (RESOURCE_GROUP,)),
    )


def _max_pods(user_data: Any) -> int | None | UnknownType:
    """The kubelet's maximum of pods in user data; unknown for user data that is unknown or cannot be decoded."""
    if user_data is None or user_data is UNKNOWN:
        return user_data
    try:
        return max_pods_in(b64decode(str(user_data), validate=True).decode())
    except ValueError:
        return UNKNOWN


def _interfaces(
    resource: Registration, references: References
) -> tuple[NetworkInterface[UnknownType], ...] | UnknownType:
    listed = blocks(resource.inputs.get("networkInterfaces"))
    if listed is UNKNOWN:
        return UNKNOWN
    return tuple(sorted((_interface(entry, resource, references) for entry in listed), key=by_card_and_device))


def by_card_and_device(nic: NetworkInterface[UnknownType]) -> tuple[bool, int, bool, int]:
    """A sort key: by card and device index; unknown indexes are last."""
    card, device = nic.card, nic.device
    return (card is UNKNOWN, 0 if card is UNKNOWN else card, device is UNKNOWN, 0 if device is UNKNOWN else device)


def _interface(
    entry: Mapping[str, Any], resource: Registration, references: References
) -> NetworkInterface[UnknownType]:
    card, kind = integer(entry.get("networkCardIndex")), entry.get("interfaceType")
    device = integer(entry.get("deviceIndex"))
    groups = entry.get("securityGroups")
    return NetworkInterface(
        card=0 if card is None else card,
        device=0 if device is None else device,
        type="interface" if kind is None else kind,
        security_groups=references.several(groups, resource, "networkInterfaces", GROUPS),
        public_ip=boolean(entry.get("associatePublicIpAddress")),
        subnet=None if entry.get("subnetId") is None else references.of(entry["subnetId"], (SUBNET,)),
        named=references.named(groups, GROUPS),
    )


def _joins_kubernetes(inputs: Mapping[str, Any]) -> bool:
    listed = known_items(blocks(inputs.get("tagSpecifications")))
    tags = (block(each, "tags") for each in listed if each.get("resourceType") == "instance")
    return any(str(key).startswith(_OF_KUBERNETES) for each in tags for key in each)


def _settings(inputs: Mapping[str, Any]) -> frozenset[str]:
    """The names of what the template sets; `__defaults` and similar names are the engine's."""
    given = {name for name, value in inputs.items() if value not in (None, [], {}) and not name.startswith("__")}
    return frozenset(given - _ABOUT_ITSELF)

"""`aws.ec2.LaunchTemplate`, network interfaces and their attachments."""

from base64 import b64decode
from collections.abc import Callable, Mapping

from muster.blueprint.node_settings import NodeSettings, settings_in
from muster.fleet.resources import CapacityTarget, LaunchTemplate, NetworkInterface
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    LAUNCH_TEMPLATE,
    PLACEMENT_GROUP,
    RESOURCE_GROUP,
    SUBNET,
)
from muster.hardware.interfaces import InterfaceType
from muster.policies.views.references import GROUPS
from muster.policies.views.view import Properties, Reader, View, one, several, unknown
from muster.unknown import UNKNOWN, UnknownType, stored

_ABOUT_ITSELF = frozenset(
    {"name", "namePrefix", "description", "tags", "tagsAll", "region", "updateDefaultVersion", "defaultVersion"}
)
"""Properties of the template as a resource, not of the instances that it launches."""

_OF_KUBERNETES = ("kubernetes.io/cluster/", "karpenter.k8s.aws/ec2nodeclass")
"""The beginnings of keys of tags that the nodes of a Kubernetes cluster have: of all (the AWS cloud provider of
Kubernetes), and of Karpenter's (Karpenter's documentation, NodeClasses, spec.tags)."""

_TARGET = "capacityReservationSpecification.capacityReservationTarget"

_target = View(
    CapacityTarget,
    preference="capacityReservationSpecification.capacityReservationPreference",
    reservation=one(f"{_TARGET}.capacityReservationId", CAPACITY_RESERVATION, CAPACITY_BLOCK),
    # The kind of an unknown target is unknown too: it counts as a reservation.
    group=lambda of: (
        None if of.raw(_TARGET) is UNKNOWN else of.one(f"{_TARGET}.capacityReservationResourceGroupArn", RESOURCE_GROUP)
    ),
)


def _at_boot(of: Properties) -> NodeSettings:
    """The settings in user data; unknown for user data that cannot be decoded."""
    try:
        return settings_in(b64decode(str(of.get("userData", "")), validate=True).decode())
    except ValueError:
        unknown()


interface = View(
    NetworkInterface,
    card=lambda of: of.integer("networkCardIndex") or 0,
    device=lambda of: of.integer("deviceIndex") or 0,
    type=lambda of: of.text("interfaceType") or InterfaceType.PLAIN.value,
    security_groups=several("securityGroups", *GROUPS),
    public_ip="associatePublicIpAddress",
    subnet=lambda of: None if (id_ := of.get("subnetId")) is None else of.references.of(id_, (SUBNET,)),
    named=lambda of: of.references.named(of.raw("securityGroups"), GROUPS),
    listed=lambda of: len(given) if isinstance(given := of.raw("securityGroups"), list) else 0,
)


def by_card_and_device(nic: NetworkInterface[UnknownType]) -> tuple[bool, int, bool, int]:
    """A sort key: by card and device index; unknown indexes are last."""
    card, device = stored(nic, "card", None), stored(nic, "device", None)
    return (card is None, card or 0, device is None, device or 0)


def _joins_kubernetes(of: Properties) -> bool:
    given = (each for each in of.known_blocks("tagSpecifications") if each.raw("resourceType") == "instance")
    tags = (each.raw("tags") for each in given)
    return any(str(key).startswith(_OF_KUBERNETES) for each in tags if isinstance(each, Mapping) for key in each)


def _settings(of: Properties) -> frozenset[str]:
    """The names of what the template sets; `__defaults` and similar names are the engine's."""
    given = {name for name, value in of.values.items() if value not in (None, [], {}) and not name.startswith("__")}
    return frozenset(given - _ABOUT_ITSELF)


def devices(path: str) -> Callable[[Properties], tuple[str, ...]]:
    """The device names of the volumes in a list, sorted."""
    return lambda of: tuple(sorted(each.needed("deviceName") for each in of.blocks(path)))


launch_template = View(
    LaunchTemplate,
    instance="instanceType",
    interfaces=lambda of: tuple(sorted(map(interface, of.blocks("networkInterfaces")), key=by_card_and_device)),
    security_groups=several("vpcSecurityGroupIds", *GROUPS),
    target=_target,
    market_type="instanceMarketOptions.marketType",
    placement_group=one("placement.groupName|placement.groupId", PLACEMENT_GROUP),
    image="imageId",
    settings=_settings,
    http_tokens="metadataOptions.httpTokens",
    hop_limit="metadataOptions.httpPutResponseHopLimit",
    user_data="userData",
    max_pods=lambda of: _at_boot(of).max_pods,
    proxied=lambda of: _at_boot(of).proxied,
    key_pair="keyName",
    devices=devices("blockDeviceMappings"),
    joins_kubernetes=_joins_kubernetes,
    depends_on=lambda of: of.behind(("networkInterfaces", "vpcSecurityGroupIds"), *GROUPS),
)

VIEWS: Mapping[str, Reader] = {LAUNCH_TEMPLATE: launch_template}

"""Things with defaults, so that a test shows only what matters.

`a_fleet()` is a small legal cluster: a control plane in two zones, one group of p5.48xlarge in one of them with AWS's
interface layout. What a test passes replaces what goes by the same name, or comes beside it.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.blueprint.derive.cluster import derive
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.config.description.capacity import Capacity, Reservation
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    CapacityTarget,
    ControlPlane,
    EksAddon,
    Fleet,
    LaunchTemplate,
    NetworkInterface,
    NodeGroup,
    Place,
    Ref,
    Reference,
    SecurityGroup,
    Subnet,
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from muster.hardware.allocatable import max_pods
from muster.hardware.ami import ami_type
from muster.hardware.catalogue import hardware, instance_types
from muster.hardware.interfaces import InterfaceType, Layout, slots
from muster.policies.engine.described_fleet import described_fleet

AS_OF = date(2026, 11, 21)
NOW = datetime(2026, 11, 21, 10, 2, tzinfo=UTC)
"""A moment of that day."""
REGION = "us-west-2"
CR = "cr-0123456789abcdef0"
SG = "sg-0123456789abcdef0"
A, B = "subnet-0aaaaaaaaaaaaaaaa", "subnet-0bbbbbbbbbbbbbbbb"
"""A subnet in us-west-2a and one in us-west-2b."""


class _Sentinel(Enum):
    """What stands for no value; its name is the same in every process, as tests' names are made of it."""

    DROP = "leave it out"


DROP = _Sentinel.DROP
"""As an edit's value: takes the key out."""


def an_interface(
    card: Any = 0, device: Any = 0, type: Any = "interface", groups: Any = None, **more: Any
) -> NetworkInterface:
    """One interface; plain and efa ones carry the cluster's group and the EFA group, efa-only ones the latter."""
    default = (EFA_GROUP_REF,) if type == InterfaceType.EFA_ONLY else (CLUSTER_REF, EFA_GROUP_REF)
    return NetworkInterface(card, device, type, default if groups is None else groups, **more)


def interfaces(instance: str = "p5.48xlarge", layout: Layout = Layout.AWS, **more: Any) -> tuple[NetworkInterface, ...]:
    """The interfaces that Muster itself would lay out."""
    return tuple(
        an_interface(slot.card, slot.device, slot.type.value, **more) for slot in slots(hardware(instance), layout)
    )


def a_template(name: str = "workers", instance: Any = "p5.48xlarge", **more: Any) -> LaunchTemplate:
    """A launch template. Interfaces are AWS's layout where the type is catalogued, else there are none."""
    if "interfaces" not in more:
        more["interfaces"] = interfaces(instance) if isinstance(instance, str) else ()
    defaults: dict[str, Any] = {
        "security_groups": (),
        "target": CapacityTarget(),
        "market_type": None,
        "placement_group": None,
        "image": None,
        "settings": frozenset({"instanceType", "networkInterfaces"}),
        "place": Place(f"groups.{name}"),
        "max_pods": _pods_of(instance),
        "http_tokens": "required",
        "hop_limit": 1,
    }
    return LaunchTemplate(Ref(types.LAUNCH_TEMPLATE, name), instance, **{**defaults, **more})


FITTING = "the image that fits"
"""As a group's amiType: what `a_fleet` puts EKS's image for the hardware in place of, or the template's own."""


def _pods_of(instance: Any) -> int | None:
    """What user data tells the kubelet: the pods that have an address in AWS's layout."""
    if instance not in instance_types() or hardware(instance).max_pods is None:
        return None
    return max_pods(hardware(instance), slots(hardware(instance), Layout.AWS))


def a_group(name: str = "workers", **more: Any) -> NodeGroup:
    """A managed node group of one node, with the template of its name, in us-west-2a; `a_fleet` adds a fitting image.

    `reservation` says what its description says of it.
    """
    if "reservation" in more:
        said = more.pop("reservation")
        more["capacity"] = Capacity.model_validate({"reservation": said}) if said else None
    defaults: dict[str, Any] = {
        "template": Ref(types.LAUNCH_TEMPLATE, name),
        "instance_types": (),
        "subnets": (A,),
        "ami_type": FITTING if more.get("managed", True) else None,
        "capacity_type": "ON_DEMAND",
        "nodes_min": 1,
        "nodes_start": 1,
        "nodes_max": 1,
        "disk_size": None,
        "release_version": None,
        "version": None,
        "labels": frozenset(),
        "taints": frozenset(),
        "place": Place(f"groups.{name}"),
    }
    return NodeGroup(Ref(types.NODE_GROUP, name), **{**defaults, **more})


def a_reservation(**more: Any) -> Reservation:
    """A reservation of one instance in us-west-2a, provided by AWS, as the description says it."""
    said = {"id": CR, "zone": "us-west-2a", "count": 1, "provided-by": "aws", **more}
    return Reservation.model_validate(said)


def on(reservation: Any = CR, **more: Any) -> dict[str, Any]:
    """A template's settings for a targeted reservation."""
    return {"target": CapacityTarget(reservation=reservation, **more)}


def a_security_group(name: str = "efa", *, ingress: Any = True, egress: Any = True, **more: Any) -> SecurityGroup:
    """A security group of the program; `efa` is the one that the interfaces carry."""
    ref = Ref(types.SECURITY_GROUP, name)
    itself = {all_traffic(way, ref) for way, opens in ((INGRESS, ingress), (EGRESS, egress)) if opens}
    allows = frozenset(itself | more.pop("allows", frozenset()))
    return SecurityGroup(ref, Place(f"security-groups.{name}"), allows=allows, **more)


LUSTRE_GROUP_REF = Ref(types.SECURITY_GROUP, "fsx")


def a_control_plane(kubernetes: Any = "1.35", subnets: Any = (A, B), **more: Any) -> ControlPlane:
    """The EKS cluster."""
    hardened = {"public_networks": ("203.0.113.0/24",)}
    return ControlPlane(CLUSTER_REF, kubernetes, subnets, **{"place": Place(""), **hardened, **more})


def an_eks_addon(name: Any = "vpc-cni", version: Any = "v1.23.1-eksbuild.1", **more: Any) -> EksAddon:
    """An EKS add-on."""
    return EksAddon(Ref(types.ADDON, "vpc-cni"), name, version, Place("kubernetes"), **more)


ZONE_IDS = {"us-west-2a": "usw2-az1", "us-west-2b": "usw2-az2", "us-west-2c": "usw2-az3"}


def a_subnet(id: str = A, zone: str | None = "us-west-2a", **more: Any) -> Subnet:
    """A private subnet, of which AWS says what the description says."""
    defaults = {
        "declared_at": f"network.existing.private.{zone}",
        "declared_zone": zone,
        "observed_zone": zone,
        "map_public_ip": False,
        "free_addresses": 4000,
        "zone_id": ZONE_IDS.get(zone or ""),
    }
    return Subnet(id, **{**defaults, **more})


SUBNETS = (a_subnet(), a_subnet(B, "us-west-2b"))


def _with_image(thing: Any, by_ref: Mapping[Reference, Any]) -> Any:
    """A group with an image that fits; the template of a self-managed one with an image at all."""
    if isinstance(thing, LaunchTemplate) and thing.image is None:
        own = any(
            isinstance(each, NodeGroup) and each.template == thing.ref and not each.managed for each in by_ref.values()
        )
        return replace(thing, image="ami-0123456789abcdef0") if own else thing
    if not isinstance(thing, NodeGroup) or thing.ami_type != FITTING:
        return thing
    template = by_ref.get(thing.template) if isinstance(thing.template, Ref) else None
    if template and template.image is not None:
        return replace(thing, ami_type=None)
    instance = template.instance if template else None
    machine = hardware(instance if instance in instance_types() else "p5.48xlarge")
    return replace(thing, ami_type=ami_type(machine))


def a_fleet(*things: Any, without: Iterable[type] = (), subnets: Iterable[Subnet] = SUBNETS, **more: Any) -> Fleet:
    """A fleet of the default things, replaced and extended by what is passed, without the types named."""
    default = (a_control_plane(), a_security_group(), an_eks_addon(), a_template(), a_group())
    by_ref: dict[Reference, Any] = {each.ref: each for each in default if type(each) not in set(without)}
    by_ref |= {each.ref: each for each in things}
    settings: dict[str, Any] = {"region": REGION, "as_of": AS_OF, **more}
    return Fleet(
        tuple(_with_image(each, by_ref) for each in by_ref.values()),
        {each.id: each for each in (*SUBNETS, *subnets)},
        **settings,
    )


def with_changed(fleet: Fleet, ref: Reference | str, **changes: Any) -> Fleet:
    """The fleet with other values in the things of a reference, or of a name."""
    changed = (replace(each, **changes) if ref in (each.ref, each.ref.name) else each for each in fleet.objects)
    return replace(fleet, objects=tuple(changed))


def facts(**said: Any) -> Facts:
    """Facts of the account: ``facts(reservations={CR: {"instanceType": "p5.48xlarge"}})``, keys as in the file."""
    made, faults = validate(Facts, {key.replace("_g", "G"): value for key, value in said.items()})
    assert made is not None, faults
    return made


def reservation_facts(**more: Any) -> Facts:
    """Everything AWS says of the default reservation, fitting the default group, and a quota for ten of them."""
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default"}
    known = {"instanceType": "p5.48xlarge", "zone": "us-west-2a", "totalInstances": 1, **usable, **more}
    reservations = {CR: {key: value for key, value in known.items() if value is not DROP}}
    return facts(reservations=reservations, quotas={"L-417A185B": 1920})


# Descriptions, in the form of the stack file.

DOCUMENT: Mapping[str, Any] = {
    "backend": "eks",
    "kubernetes": "1.35",
    "control-plane": "create",
    "api": "private",
    "network": {
        "existing": {
            "vpc": "vpc-0123456789abcdef0",
            "private": {"us-west-2a": A, "us-west-2b": B},
            "public": {"us-west-2a": "subnet-0cccccccccccccccc", "us-west-2b": "subnet-0dddddddddddddddd"},
        }
    },
    "groups": {
        "system": {"for": "system", "instance": "c5.2xlarge", "nodes": 1},
        "workers": {
            "for": "training",
            "instance": "p5.48xlarge",
            "nodes": 1,
            "zone": "us-west-2a",
            "capacity": {"reservation": {"id": CR, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}},
        },
    },
    "addons": {"nvidia-device-plugin": {}, "efa-device-plugin": {}},
}


def edited(document: Mapping[str, Any], edits: Mapping[str, Any]) -> dict[str, Any]:
    """A copy with values set at dotted paths (`DROP` takes the key out). Zones have no dots, so paths are plain."""
    copy = deepcopy(dict(document))
    for path, value in edits.items():
        *steps, last = path.split(".")
        block = copy
        for step in steps:
            block = block.setdefault(step, {})
        if value is DROP:
            block.pop(last, None)
        else:
            block[last] = deepcopy(value)
    return copy


def a_document(edits: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The default description's document, edited."""
    return edited(DOCUMENT, edits or {})


def a_description(edits: Mapping[str, Any] | None = None) -> EksCluster:
    """The default description, edited, as a typed object."""
    made, faults = validate(EksCluster, a_document(edits))
    assert made is not None, faults
    return made


def a_blueprint(edits: Mapping[str, Any] | None = None, stack: str = "tested") -> Blueprint:
    """What the default description comes to: one c5.2xlarge for the system, one p5.48xlarge for training."""
    return derive(a_description(edits), stack, REGION)


FREE = facts(subnets={id_: {"freeAddresses": 4000} for id_ in (A, B)})
"""Facts of the default description's private subnets: there is room in them."""


def described(
    edits: Mapping[str, Any] | None = None,
    *,
    region: str = REGION,
    facts: Facts | None = FREE,
    as_of: date = AS_OF,
) -> Fleet:
    """The fleet that a description comes to."""
    return described_fleet(derive(a_description(edits), "test", region, facts), as_of)


def elsewhere(thing: Any, name: str) -> Any:
    """The thing as a foreign program's: its place is a URN."""
    urn = f"urn:pulumi:dev::theirs::{thing.ref.type}::{name}"
    return replace(thing, place=Place(urn))

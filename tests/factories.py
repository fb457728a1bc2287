"""Things with defaults, so that a test shows only what matters.

`a_fleet()` is a small legal cluster: a control plane in two zones, one group of p5.48xlarge in one of them with AWS's
interface layout. What a test passes replaces what goes by the same name, or comes beside it.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import date
from typing import Any

from muster.fleet.derive import CLUSTER_REF, EFA_GROUP_REF, derive
from muster.fleet.description import EksCluster
from muster.fleet.description.capacity import Capacity, Reservation
from muster.fleet.facts import Facts
from muster.fleet.hardware import hardware
from muster.fleet.interfaces import InterfaceType, Layout, slots
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
from muster.fleet.resources import place as types
from muster.fleet.shape import shape

AS_OF = date(2026, 11, 21)
REGION = "us-west-2"
CR = "cr-0123456789abcdef0"
SG = "sg-0123456789abcdef0"
A, B = "subnet-0aaaaaaaaaaaaaaaa", "subnet-0bbbbbbbbbbbbbbbb"
"""A subnet in us-west-2a and one in us-west-2b."""

DROP = object()
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
    }
    return LaunchTemplate(Ref(types.LAUNCH_TEMPLATE, name), instance, **{**defaults, **more})


def a_group(name: str = "workers", **more: Any) -> NodeGroup:
    """A managed node group of one node, with the template of its name, in us-west-2a.

    `reservation` says what its description says of it.
    """
    if "reservation" in more:
        said = more.pop("reservation")
        more["capacity"] = Capacity.model_validate({"reservation": said}) if said else None
    defaults: dict[str, Any] = {
        "template": Ref(types.LAUNCH_TEMPLATE, name),
        "instance_types": (),
        "subnets": (A,),
        "ami_type": None,
        "capacity_type": "ON_DEMAND",
        "nodes_min": 1,
        "nodes_start": 1,
        "nodes_max": 1,
        "disk_size": None,
        "remote_access": False,
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
    return SecurityGroup(ref, ingress, egress, Place(f"security-groups.{name}"), **more)


def a_control_plane(kubernetes: Any = "1.35", subnets: Any = (A, B), **more: Any) -> ControlPlane:
    """The EKS cluster."""
    return ControlPlane(CLUSTER_REF, kubernetes, subnets, **{"place": Place(""), **more})


def an_eks_addon(name: Any = "vpc-cni", version: Any = "v1.23.1-eksbuild.1") -> EksAddon:
    """An EKS add-on."""
    return EksAddon(Ref(types.ADDON, "vpc-cni"), name, version, Place("kubernetes"))


def a_subnet(id: str = A, zone: str | None = "us-west-2a", **more: Any) -> Subnet:
    """A private subnet, of which AWS says what the description says."""
    defaults = {
        "declared_at": f"network.existing.private.{zone}",
        "declared_zone": zone,
        "observed_zone": zone,
        "map_public_ip": False,
    }
    return Subnet(id, **{**defaults, **more})


SUBNETS = (a_subnet(), a_subnet(B, "us-west-2b"))


def a_fleet(*things: Any, without: Iterable[type] = (), subnets: Iterable[Subnet] = SUBNETS, **more: Any) -> Fleet:
    """A fleet of the default things, replaced and extended by what is passed, without the types named."""
    default = (a_control_plane(), a_security_group(), an_eks_addon(), a_template(), a_group())
    by_ref: dict[Reference, Any] = {each.ref: each for each in default if type(each) not in set(without)}
    by_ref |= {each.ref: each for each in things}
    settings: dict[str, Any] = {"region": REGION, "as_of": AS_OF, **more}
    return Fleet(tuple(by_ref.values()), {each.id: each for each in (*SUBNETS, *subnets)}, **settings)


def facts(**said: Any) -> Facts:
    """Facts of the account: ``facts(reservations={CR: {"instanceType": "p5.48xlarge"}})``, keys as in the file."""
    made, faults = shape(Facts, {key.replace("_g", "G"): value for key, value in said.items()})
    assert made is not None, faults
    return made


def reservation_facts(**more: Any) -> Facts:
    """Everything AWS says of the default reservation, fitting the default group."""
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default"}
    known = {"instanceType": "p5.48xlarge", "zone": "us-west-2a", "totalInstances": 1, **usable, **more}
    return facts(reservations={CR: {key: value for key, value in known.items() if value is not DROP}})


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
        "system": {"for": "system", "instance": "c5.2xlarge", "nodes": {"min": 1, "start": 1, "max": 3}},
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
    made, faults = shape(EksCluster, a_document(edits))
    assert made is not None, faults
    return made


def described(
    edits: Mapping[str, Any] | None = None,
    *,
    region: str = REGION,
    facts: Facts | None = None,
    as_of: date = AS_OF,
) -> Fleet:
    """The fleet that a description comes to."""
    return derive(a_description(edits), "test", region, facts).fleet(as_of)


def elsewhere(thing: Any, name: str) -> Any:
    """The thing as a foreign program's: its place is a URN."""
    urn = f"urn:pulumi:dev::theirs::{thing.ref.type}::{name}"
    return replace(thing, place=Place(urn))

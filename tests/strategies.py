"""Random clusters. `legal()` builds only legal descriptions; `broken(breakage)` breaks a legal one in one named way.

A `Breakage` says what it must yield: the one rule, at the one place. Shape breakages yield exactly one shape fault.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum, StrEnum
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from addons.catalogue import CATALOGUE
from muster.fleet.ami import ami_type, newest_parameter, plugin_in_image
from muster.fleet.derive.network import SPANNED_ZONES
from muster.fleet.description.group_core import Purpose
from muster.fleet.description.image import Family
from muster.fleet.facts import Facts
from muster.fleet.hardware import Accelerator, Hardware, hardware, instance_types
from muster.fleet.interfaces import Layout, slots
from muster.fleet.node import EFA_RESOURCE, Node
from muster.fleet.quantity import Size
from muster.fleet.quotas import VCPUS, vcpu_quota
from muster.fleet.resources.capacity import GENERIC, POOL
from muster.fleet.shape import shape
from muster.fleet.subnet_plan import cut, usable
from muster.fleet.zones import CONTROL_PLANE_REFUSED, REGIONS_WITH_REFUSED_ZONES
from muster.versions import ADDONS, EKS_ADDONS, EKS_CALENDAR
from tests import launched, stored
from tests.addons.sites import REQUIRED
from tests.factories import AS_OF, DROP, edited

REGIONS = {"us-west-2": "usw2", "us-east-1": "use1", "ca-central-1": "cac1", "eu-north-1": "eun1"}
"""Region -> how its zone ids begin."""

ACCOUNT = "210987654321"
"""Not one that documentation uses: those are placeholders."""

WORKERS = "workers"
"""The group that breakages break; the others only stand beside it."""

USABLE = tuple(name for name in instance_types() if hardware(name).max_pods is not None)
"""The types a group can be of: of the others no source says how many pods they hold."""

WITH_EFA = tuple(name for name in USABLE if hardware(name).max_efa)
SEVERAL_EFA = tuple(name for name in USABLE if hardware(name).max_efa > 1)
PLAIN = tuple(name for name in USABLE if hardware(name).accelerator is Accelerator.NONE)
WITH_QUOTA = tuple(name for name in USABLE if name.startswith(("p", "g", "trn")))
"""The types that count against a quota whose code is known."""

IN_BLOCKS = tuple(name for name in USABLE if hardware(name).capacity_block == "true")
"""The types that Capacity Blocks are sold of."""


class Kind(StrEnum):
    """A kind of capacity, by its key."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"
    RESERVATION = "reservation"
    RESERVATION_GROUP = "reservation-group"
    CAPACITY_BLOCK = "capacity-block"


NOT_HELD = (Kind.ON_DEMAND, Kind.SPOT)
"""The kinds that are in no zone of their own."""

UNDATED = tuple(kind for kind in Kind if kind is not Kind.CAPACITY_BLOCK)
"""The kinds that are legal on any day."""


def machines(names: tuple[str, ...] = USABLE) -> st.SearchStrategy[Hardware]:
    """A type a group can be of."""
    return st.sampled_from(names).map(hardware)


def made_up(prefix: str, number: int) -> str:
    """An AWS id, the same for the same number: which digits an id has decides nothing."""
    return f"{prefix}-{number:017x}"


def kind_of(group: Mapping[str, Any]) -> Kind:
    """The kind of a group's capacity."""
    said = group.get("capacity", Kind.ON_DEMAND)
    return Kind(said if isinstance(said, str) else next(iter(said)))


def held_by(group: Mapping[str, Any]) -> dict[str, Any] | None:
    """What holds a group's instances, in a zone of its own; None where nothing does."""
    kind = kind_of(group)
    return None if kind in NOT_HELD else group["capacity"][kind]


@dataclass(frozen=True)
class Described:
    """A description with what stands around it."""

    document: dict[str, Any]
    region: str
    facts: dict[str, Any] = field(default_factory=dict)
    as_of: date = AS_OF

    @property
    def known(self) -> Facts | None:
        """The facts, None where there are none."""
        if not self.facts:
            return None
        made, faults = shape(Facts, self.facts)
        assert made is not None, faults
        return made

    def edit(self, edits: Mapping[str, Any]) -> "Described":
        """With values of the document set at dotted paths."""
        return replace(self, document=edited(self.document, edits))

    def learn(self, kind: str, id: str, **said: Any) -> "Described":
        """With facts about one thing, beside or instead of what was said of it."""
        copy = deepcopy(self.facts)
        about = copy.setdefault(kind, {}).setdefault(id, {})
        about.update(said)
        return replace(self, facts=copy)

    @property
    def workers(self) -> dict[str, Any]:
        """The group that breakages break."""
        return self.document["groups"][WORKERS]

    @property
    def network_at(self) -> str:
        """Where the network is described: ``network.existing`` or ``network.create``."""
        (kind,) = self.document["network"]
        return f"network.{kind}"

    @property
    def network(self) -> dict[str, Any]:
        """The network, whichever kind it is of."""
        (block,) = self.document["network"].values()
        return block

    @property
    def zones(self) -> list[str]:
        """The zones with a private subnet."""
        return sorted(self.network.get("zones") or self.network["private"])

    @property
    def reservation(self) -> dict[str, Any]:
        """The workers' reservation."""
        return self.workers["capacity"]["reservation"]

    @property
    def workers_zone(self) -> str:
        """The zone of the workers, who have one."""
        held = held_by(self.workers)
        return str(self.workers.get("zone") or (held and held["zone"]))


@dataclass(frozen=True)
class Wanted:
    """What a breakage needs to find in the legal description that it breaks. None leaves it to chance."""

    zones: int | None = None
    regions: tuple[str, ...] = tuple(REGIONS)
    network: str | None = None
    """``existing`` or ``create``."""
    joins: bool | None = None
    """Whether the control plane is one that exists."""
    instances: tuple[str, ...] = USABLE
    layouts: tuple[str | None, ...] = (None, "aws", "classic", "plain")
    purposes: tuple[str, ...] = tuple(Purpose)
    tiers: tuple[str, ...] = ("private", "public")
    kinds: tuple[Kind, ...] = tuple(Kind)
    """Of the workers' capacity."""
    others: tuple[Kind, ...] = tuple(Kind)
    """Of the other groups' capacity."""
    managed: bool | None = None
    """True: every group is managed. False: the workers are not."""
    images: tuple[str, ...] = ("al2023", "bottlerocket", "custom")
    begun: bool | None = None
    """Whether a Capacity Block has begun."""
    provided_by: str | None = None
    states_zone: bool | None = None
    shared: bool | None = None
    """Whether another group is on the workers' reservation."""
    facts: bool | None = None
    public: bool | None = None
    """Whether every zone has a public subnet (or none has)."""
    groups: int = 2
    """The most groups beside `system` and the workers."""

    def of_others(self) -> "Wanted":
        """What the groups beside the workers must be like."""
        return Wanted(kinds=self.others, managed=self.managed or None)


@dataclass(frozen=True)
class _Around:
    """What groups are drawn into."""

    region: str
    zones: list[str]
    public: bool
    created: bool
    """Whether Muster makes the network: its subnets are then no larger than their part of a VPC."""
    only_managed: bool
    """Whether the cluster takes no nodes but EKS's own (it has no access entries)."""

    @property
    def most_nodes(self) -> int:
        """Of one group: five of them fit into one zone's subnet, updates included."""
        return 3 if self.created else 16


@st.composite
def legal(draw: st.DrawFn, wanted: Wanted = Wanted()) -> Described:
    """A legal description: no rule finds anything mandatory."""
    region = draw(st.sampled_from(wanted.regions))
    joins = wanted.joins if wanted.joins is not None else wanted.network != "create" and draw(st.booleans())
    kind = wanted.network or (
        "existing" if joins or wanted.public is False else draw(st.sampled_from(("existing", "create")))
    )
    created = kind == "create"
    count = wanted.zones or draw(st.integers(2, 7 if created else 4))
    zones = [f"{region}{letter}" for letter in "abcdefg"[:count]]
    public = created or (wanted.public if wanted.public is not None else draw(st.booleans()))
    modes = ["api", "api-and-config-map", *(["config-map"] if wanted.managed is not False else [])]
    mode = draw(st.sampled_from(modes)) if joins else "api"
    around = _Around(region, zones, public, created, only_managed=mode == "config-map")
    groups = {"system": _system(draw, wanted, around), WORKERS: _group(draw, wanted, around, 0)}
    if wanted.shared or (wanted.shared is None and draw(st.booleans())):
        groups |= _sharing(groups[WORKERS])
    for index in range(draw(st.integers(0, wanted.groups))):
        groups[f"group-{index}"] = _group(draw, wanted.of_others(), around, index + 1)
    document: dict[str, Any] = {
        "backend": "eks",
        "kubernetes": (kubernetes := draw(st.sampled_from(_standing()))),
        **(_joined(draw, mode) if joins else _made(draw)),
        "network": {kind: _network(draw, around, groups)},
        "groups": groups,
        "addons": _addons(draw, groups, kubernetes),
    }
    if mode != "config-map" and draw(st.booleans()):
        document["access"] = [
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/ml-admins", "policy": "cluster-admin"},
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/ml", "policy": "edit", "namespaces": ["training"]},
        ]
    if draw(st.booleans()):
        document["registry"] = draw(st.sampled_from([{}, {"repository": "ml/training", "on-destroy": "delete"}]))
    if draw(st.booleans()):
        document["tags"] = {"cost-center": "research"}
    document |= _storage(draw, document, zones)
    facts = wanted.facts if wanted.facts is not None else draw(st.booleans())
    return Described(document, region, _facts(document, around) if facts else {})


def _storage(draw: st.DrawFn, document: Mapping[str, Any], zones: list[str]) -> dict[str, Any]:
    """File systems, where somebody trains."""
    vpc = document["network"].get("existing", {}).get("vpc")
    made = stored.storages(draw, _training_zones(document, zones), vpc)
    return {"storage": made} if made or draw(st.booleans()) else {}


def _training_zones(document: Mapping[str, Any], zones: Iterable[str]) -> set[str]:
    """The zones that a file system may be in: those of the groups that train, all where nobody does."""
    training = [group for group in document["groups"].values() if group["for"] == Purpose.TRAINING]
    every = list(zones)
    named = [group.get("zone") or (held_by(group) or {}).get("zone") for group in training]
    spanned = every[:SPANNED_ZONES] if None in named else []
    return {*spanned, *(zone for zone in named if zone)} if named else set(every)


def _standing() -> list[str]:
    """Versions in standard support for which Muster pins add-ons."""
    return [name for name in EKS_ADDONS if EKS_CALENDAR[name].standard_ends >= AS_OF]


def _made(draw: st.DrawFn) -> dict[str, Any]:
    """A control plane that Muster makes."""
    made = {
        "control-plane": draw(st.sampled_from(["create", {"create": {}}])),
        "api": draw(st.sampled_from(["private", {"public": ["198.51.100.0/24", "8.8.8.0/24"]}])),
    }
    if draw(st.booleans()):
        made["name"] = draw(st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True))
    if draw(st.booleans()):
        key = "0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"
        made["secrets-key"] = f"arn:aws:kms:us-west-2:{ACCOUNT}:key/{key}"
    return made


def _joined(draw: st.DrawFn, mode: str) -> dict[str, Any]:
    """A control plane that exists."""
    name = draw(st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True))
    security_group = made_up("sg", 1000)
    return {"control-plane": {"existing": {"name": name, "security-group": security_group, "authentication": mode}}}


def _network(draw: st.DrawFn, around: _Around, groups: Mapping[str, Any]) -> dict[str, Any]:
    """A network with room for the groups."""
    zones = around.zones
    if around.created:
        fitting = [each for each in range(16, 23) if _fits(each, groups)]
        base = draw(st.sampled_from(["10.0.0.0", "10.42.0.0", "192.168.0.0", "100.64.0.0"]))
        network: dict[str, Any] = {
            "zones": zones,
            "cidr": f"{base}/{draw(st.sampled_from(fitting))}",
            "nat": draw(st.sampled_from(["one", "per-zone"])),
            "registry-endpoints": draw(st.booleans()),
        }
    else:
        ids = [made_up("subnet", number) for number in range(2 * len(zones))]
        network = {
            "vpc": made_up("vpc", 0),
            "private": dict(zip(zones, ids, strict=False)),
            "public": dict(zip(zones, ids[len(zones) :], strict=False)) if around.public else {},
        }
    if around.region in REGIONS_WITH_REFUSED_ZONES or draw(st.booleans()):
        ids = draw(st.permutations(_zone_ids(around.region)))
        network["zone-ids"] = dict(zip(zones, ids, strict=False))
    return network


def _zone_ids(region: str) -> list[str]:
    """Zone ids of a Region, but for those where EKS takes no control plane."""
    every = (f"{REGIONS[region]}-az{number}" for number in range(1, 9))
    return [each for each in every if each not in CONTROL_PLANE_REFUSED]


BESIDE_NODES = 60
"""Addresses of a subnet that are not the nodes': control plane, endpoints, NAT, file systems."""

PUBLIC_SHARE = 180
"""Addresses that one group may want of a public subnet that Muster makes, five groups of the largest one."""


def _fits(prefix: int, groups: Mapping[str, Any]) -> bool:
    """Whether all groups, each at its largest, fit into one zone of a VPC of that size."""
    plan = cut(f"10.0.0.0/{prefix}", ("us-west-2a",))["us-west-2a"]
    rooms = {"private": usable(plan.private), "public": usable(plan.public)}
    for group in groups.values():
        rooms[group.get("subnets", "private")] -= addresses_of(group)
    return min(rooms.values()) >= BESIDE_NODES


def addresses_of(group: Mapping[str, Any]) -> int:
    """The most addresses that a group may ever take, the nodes of an update included."""
    machine = hardware(group["instance"])
    node = Node.of(machine, slots(machine, layout_of(group)), Size(0))
    return node.addresses.most * (most_of(group) + MOST_AT_ONCE)


MOST_AT_ONCE = 2


def _system(draw: st.DrawFn, wanted: Wanted, around: _Around) -> dict[str, Any]:
    """A group for ordinary pods: every cluster needs one, with a node from the start."""
    nodes = _nodes(draw, around)
    if isinstance(nodes, dict):
        nodes = {**nodes, "start": max(1, nodes["start"]), "max": max(1, nodes["max"])}
    group = {
        "for": "system",
        "instance": draw(st.sampled_from(("c5.2xlarge", "m5.2xlarge", "m5.8xlarge"))),
        "nodes": nodes,
    }
    _boots(draw, wanted.of_others(), around, group)
    return group | ({"zone": draw(st.sampled_from(around.zones))} if draw(st.booleans()) else {})


def _nodes(draw: st.DrawFn, around: _Around) -> Any:
    """A number, or three in order and who moves between them."""
    numbers = sorted(draw(st.lists(st.integers(0, around.most_nodes), min_size=3, max_size=3)))
    least, start, most = numbers[0], numbers[1], max(numbers[2], 1)
    if draw(st.booleans()):
        return most
    moved = {"scaled-by": draw(st.sampled_from(["you", "autoscaler"]))} if least != most else {}
    return {"min": least, "start": start, "max": most, **moved}


def most_of(group: Mapping[str, Any]) -> int:
    """The most nodes of a group."""
    nodes = group["nodes"]
    return int(nodes["max"] if isinstance(nodes, dict) else nodes)


def layout_of(group: Mapping[str, Any]) -> Layout:
    """The layout of a group's interfaces."""
    return Layout(group.get("interfaces", "aws" if group["for"] == Purpose.TRAINING else "plain"))


def efa_of(group: Mapping[str, Any]) -> int:
    """How many EFA interfaces a group's nodes have."""
    return sum(slot.is_efa for slot in slots(hardware(group["instance"]), layout_of(group)))


def family_of(group: Mapping[str, Any]) -> Family:
    """The operating system of a group's image."""
    said = group.get("image", "al2023")
    (kind,) = [said] if isinstance(said, str) else said
    return Family(said["custom"].get("family", "al2023") if kind == "custom" else kind)


def _group(draw: st.DrawFn, wanted: Wanted, around: _Around, number: int) -> dict[str, Any]:
    kind = draw(st.sampled_from(wanted.kinds))
    types = tuple(each for each in wanted.instances if kind is not Kind.CAPACITY_BLOCK or each in IN_BLOCKS)
    group: dict[str, Any] = {
        "for": str(draw(st.sampled_from(wanted.purposes))),
        "instance": draw(st.sampled_from(types)),
        "nodes": _nodes(draw, around),
    }
    layout = draw(st.sampled_from(wanted.layouts))
    if layout:
        group["interfaces"] = layout
    efa = efa_of(group)
    zone = draw(st.sampled_from(around.zones))
    states = wanted.states_zone if wanted.states_zone is not None else draw(st.booleans())
    group |= _capacity(draw, wanted, kind, group, _Held(around.region, zone, number))
    if states or (efa and kind in NOT_HELD):  # EFA stays in one zone; what is held is in one anyway
        group["zone"] = zone
    tight = around.created and addresses_of(group) > PUBLIC_SHARE
    if not efa and around.public and not tight and draw(st.sampled_from(wanted.tiers)) == "public":
        group["subnets"] = "public"  # the EFA interfaces' template gives no public address
    _boots(draw, wanted, around, group)
    _decorate(draw, group)
    return group


@dataclass(frozen=True)
class _Held:
    """Where capacity is held, and which number goes into its made-up ids."""

    region: str
    zone: str
    number: int


def _capacity(draw: st.DrawFn, wanted: Wanted, kind: Kind, group: Mapping[str, Any], held: _Held) -> dict[str, Any]:
    """The group's `capacity`, or nothing where it says nothing."""
    if kind is Kind.ON_DEMAND:
        return draw(st.sampled_from([{}, {"capacity": "on-demand"}, {"capacity": {"on-demand": {}}}]))
    if kind is Kind.SPOT:
        accepted = {"spot": {"interruptions-accepted": True}}
        said = [accepted] if group["for"] == Purpose.TRAINING else ["spot", {"spot": {}}, accepted]
        return {"capacity": draw(st.sampled_from(said))}
    nodes = most_of(group)
    if kind is Kind.RESERVATION:
        return {"capacity": {kind: {"id": made_up("cr", held.number), **_reserved(draw, wanted, held.zone, nodes)}}}
    if kind is Kind.RESERVATION_GROUP:
        source = draw(st.sampled_from([_existing_group, _new_group]))(held)
        return {"capacity": {kind: {**source, **_reserved(draw, wanted, held.zone, nodes)}}}
    return {"capacity": {kind: _block(draw, wanted, held, nodes)}}


def _reserved(draw: st.DrawFn, wanted: Wanted, zone: str, nodes: int) -> dict[str, Any]:
    by = wanted.provided_by or draw(st.sampled_from(("aws", "you")))
    spare = draw(st.integers(0, 3))
    made = {"zone": zone, "count": nodes + spare, "provided-by": by}
    if by == "you" and draw(st.booleans()):
        made["placement-group"] = draw(st.sampled_from(["pg-made-before", "none"]))
    return made


def _existing_group(held: _Held) -> dict[str, Any]:
    return {"arn": f"arn:aws:resource-groups:{held.region}:{ACCOUNT}:group/reserved-{held.number}"}


def _new_group(held: _Held) -> dict[str, Any]:
    """Of two reservations, the second shared by another account."""
    owners = (ACCOUNT, "998877665544")
    arn = "arn:aws:ec2:{}:{}:capacity-reservation/{}"
    ids = [made_up("cr", 100 * (held.number + 1) + index) for index in range(2)]
    return {"create": [arn.format(held.region, owner, id_) for owner, id_ in zip(owners, ids, strict=True)]}


EXTENDED = 16
"""Days of a Capacity Block that no offering has."""


def bought(number: int) -> dict[str, Any]:
    """An offering that was approved."""
    offering = made_up("cb", number)
    return {"offering": offering, "approved": {"offering": offering, "by": "head.of.research"}}


def _block(draw: st.DrawFn, wanted: Wanted, held: _Held, nodes: int) -> dict[str, Any]:
    """A Capacity Block: one to buy is of 1 to 14 days or whole weeks up to 182, and begins within eight weeks; one that
    exists may have begun, and may have been extended by days."""
    begun = wanted.begun if wanted.begun is not None else draw(st.booleans())
    days = draw(st.sampled_from([1, 2, 14, EXTENDED, 21, 182]))
    ago = draw(st.integers(0, days - 1)) if begun else -draw(st.integers(1, 56))
    starts = AS_OF - timedelta(days=ago)
    source = {"id": made_up("cr", 50 + held.number)}
    if not begun and days != EXTENDED and draw(st.booleans()):
        source = {"buy": bought(held.number)}
    return {
        **source,
        "zone": held.zone,
        "count": nodes + draw(st.integers(0, 3)),
        "starts": starts.isoformat(),
        "ends": (starts + timedelta(days=days)).isoformat(),
        **({"active": True} if begun else draw(st.sampled_from([{}, {"active": False}]))),
    }


def _sharing(workers: dict[str, Any]) -> dict[str, Any]:
    """A second group on the workers' reservation, which is then large enough for both."""
    if kind_of(workers) is not Kind.RESERVATION:
        return {}
    workers["capacity"]["reservation"]["count"] = 2 * most_of(workers)
    return {"sharing": deepcopy(workers)}


def _boots(draw: st.DrawFn, wanted: Wanted, around: _Around, group: dict[str, Any]) -> None:
    """Who runs the nodes, and from which image."""
    managed = wanted.managed if wanted.managed is not None else around.only_managed or draw(st.booleans())
    if not managed:
        group["self-managed"] = True
    elif draw(st.booleans()):
        group["updates"] = draw(st.sampled_from([{"at-once": MOST_AT_ONCE}, {"percent-at-once": 33}]))
    if managed and draw(st.booleans()):
        group["node-repair"] = draw(st.booleans())
    image = draw(st.sampled_from(wanted.images))
    custom: list[dict[str, Any]] = [{"id": made_up("ami", 1)}, {"id": made_up("ami", 2), "family": "bottlerocket"}]
    custom += [] if managed else [{"ssm": "/teams/ml/images/training-2026-11"}]
    ways = {"al2023": [None, "al2023", {"al2023": {}}], "bottlerocket": ["bottlerocket"]}
    said = draw(st.sampled_from(ways.get(image) or [{"custom": each} for each in custom]))
    if said is not None:
        group["image"] = said
    if draw(st.booleans()):  # Bottlerocket has no SSH daemon
        keys = [{"key-pair": "ml-admins"}] if family_of(group) is Family.AL2023 else []
        group["session"] = draw(st.sampled_from(["ssm", *keys]))


def _decorate(draw: st.DrawFn, group: dict[str, Any]) -> None:
    """Settings that no rule minds."""
    if draw(st.booleans()):
        group["security-groups"] = [made_up("sg", number) for number in range(draw(st.integers(1, 2)))]
    if draw(st.booleans()):
        room = hardware(group["instance"]).memory_mib // 2  # the rest is the kubelet's and the pods'
        fitting = [each for each in ("0MiB", "2GiB", "10256MiB", "42240Mi") if Size.parse(each).mib <= room]
        group["huge-pages"] = draw(st.sampled_from(fitting))
    if draw(st.booleans()):
        group["volume"] = draw(st.sampled_from([{}, {"size": "300GiB"}, {"size": "1TiB", "throughput": 500}]))
    if draw(st.booleans()):
        group["labels"] = {"team": "research"}
    if draw(st.booleans()):
        group["taints"] = {"team": draw(st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"]))}
    if draw(st.booleans()):
        able = ["raid0", "none"] if hardware(group["instance"]).nvme_gb else ["none"]
        group["local-storage"] = draw(st.sampled_from(able))


def lacked_by(group: Mapping[str, Any]) -> frozenset[str]:
    """The resources of a group's devices that its nodes offer only with a plugin of ours."""
    resource = hardware(group["instance"]).resource_name
    offers = frozenset({resource} if resource else ()) | frozenset({EFA_RESOURCE} if efa_of(group) else ())
    return offers - plugin_in_image(family_of(group), offers)


_INSTEAD = {"hyperpod-task-governance": "kueue"}
"""Add-on -> another that it brings along itself."""


def _addons(draw: st.DrawFn, groups: Mapping[str, Any], kubernetes: str) -> dict[str, Any]:
    """The plugins of what the groups have, and perhaps some others, with all that those need."""
    lacking = {resource for group in groups.values() for resource in lacked_by(group)}
    needed = [name for name, addon in CATALOGUE.items() if addon.serves in lacking]
    free = [name for name, addon in CATALOGUE.items() if addon.serves is None and _supports(name, kubernetes)]
    others = draw(st.lists(st.sampled_from(free), max_size=3, unique=True))
    beside = [each for name in others for each in CATALOGUE[name].needs if each in CATALOGUE]
    out = {_INSTEAD[name] for name in others if name in _INSTEAD}
    return {name: dict(REQUIRED.get(name, {})) for name in (*needed, *others, *beside) if name not in out}


def _supports(addon: str, kubernetes: str) -> bool:
    first, last = ADDONS[addon].kubernetes
    version = tuple(map(int, kubernetes.split(".")))
    return tuple(map(int, first.split("."))) <= version and (not last or version <= tuple(map(int, last.split("."))))


FREE_ADDRESSES = 60_000
"""Of every subnet that exists: as good as a whole /16."""


def _facts(document: Mapping[str, Any], around: _Around) -> dict[str, Any]:
    """What AWS would say if everything were as described."""
    groups = document["groups"].values()
    (network,) = document["network"].values()
    subnets = {
        subnet: {"zone": zone, "mapPublicIpOnLaunch": tier == "public", "freeAddresses": FREE_ADDRESSES}
        for tier in ("private", "public")
        for zone, subnet in network.get(tier, {}).items()
    }
    plane = document["control-plane"]
    existing = plane.get("existing") if isinstance(plane, dict) else None
    return {
        "reservations": {id_: said for group in groups for id_, said in _reservations(group)},
        "reservationGroups": {
            held["arn"]: {"configurations": [POOL, GENERIC], "reservations": [id_ for id_, _ in _reservations(group)]}
            for group in groups
            if kind_of(group) is Kind.RESERVATION_GROUP and "arn" in (held := group["capacity"][kind_of(group)])
        },
        "subnets": subnets,
        "securityGroups": {
            id_: {"selfIngress": True, "selfEgress": True}
            for group in groups
            for id_ in group.get("security-groups", ())
        },
        "clusters": {existing["name"]: {"eksAddons": EKS_ADDONS[document["kubernetes"]]}} if existing else {},
        "fileSystems": stored.file_system_facts(
            document.get("storage", {}),
            network.get("vpc"),
            _training_zones(document, network.get("zones") or network["private"]),
        ),
        "zones": network.get("zone-ids") or dict(zip(around.zones, _zone_ids(around.region), strict=False)),
        "quotas": dict.fromkeys([each.code for each in VCPUS], 1_000_000),
    }


def _reservations(group: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What AWS says of the reservations that a group is on; of a block that is still to be bought, nothing."""
    kind, held = kind_of(group), held_by(group)
    if held is None or "buy" in held:
        return
    block = kind is Kind.CAPACITY_BLOCK
    usable_now = {
        "instanceType": group["instance"],
        "zone": held["zone"],
        "totalInstances": held["count"],
        "state": "active" if not block or held.get("active") else "scheduled",
        "platform": "Linux/UNIX",
        "tenancy": "default",
        "reservationType": "capacity-block" if block else "default",
    }
    if block:
        usable_now |= {"start": f"{held['starts']}T11:30:00Z", "end": f"{held['ends']}T11:30:00Z"}
    if kind is not Kind.RESERVATION_GROUP:
        yield held["id"], usable_now
        return
    first = held["count"] // 2
    members = [arn.rpartition("/")[2] for arn in held.get("create", ())] or [
        made_up("cr", 1000 + int(held["arn"].rpartition("-")[2]) * 10 + index) for index in range(2)
    ]
    for id_, count in zip(members, (first, held["count"] - first), strict=True):
        yield id_, {**usable_now, "totalInstances": count}


# Breaking one thing.

Places = frozenset[str]
Break = Callable[[st.DrawFn, Described], tuple[Described, Places]]


def _at(*places: str) -> Places:
    return frozenset(places)


@dataclass(frozen=True)
class Breakage:
    """One way to break a description, and the rule that names it."""

    rule: str
    wanted: Wanted
    break_: Break


def _in_another_zone(draw: st.DrawFn, legal: Described) -> str:
    return draw(st.sampled_from([zone for zone in legal.zones if zone != legal.reservation["zone"]]))


RESERVATION = f"groups.{WORKERS}.capacity.reservation"


def _reservation_elsewhere(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    there = _in_another_zone(draw, legal)
    return legal.edit({f"{RESERVATION}.zone": there}), _at(f"{RESERVATION}.zone")


def _reservation_observed_elsewhere(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    there = _in_another_zone(draw, legal)
    broken = legal.learn("reservations", legal.reservation["id"], zone=there)
    return broken, _at(f"{RESERVATION}.zone")


def _reservation_zone_misstated(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    there = _in_another_zone(draw, legal)
    return legal.edit({f"{RESERVATION}.zone": there}), _at(f"{RESERVATION}.zone")


def _more_nodes_than_reserved(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    assume(most_of(legal.workers) > 1)
    few = draw(st.integers(1, most_of(legal.workers) - 1))
    return legal.edit({f"{RESERVATION}.count": few}), _at(f"{RESERVATION}.count")


def _more_nodes_than_observed(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    few = draw(st.integers(0, most_of(legal.workers) - 1))
    broken = legal.learn("reservations", legal.reservation["id"], totalInstances=few)
    return broken, _at(f"{RESERVATION}.count")


def _two_groups_too_many(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    count = draw(st.integers(most_of(legal.workers), 2 * most_of(legal.workers) - 1))
    both = [f"groups.{name}.capacity.reservation.count" for name in (WORKERS, "sharing")]
    return legal.edit(dict.fromkeys(both, count)), _at(*both)


def _reservation_over(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    wrong = draw(
        st.sampled_from(
            [
                {"state": "expired"},
                {"state": "cancelled"},
                {"end": "2020-01-01T00:00:00Z"},
                {"platform": "Windows"},
                {"tenancy": "dedicated"},
                {"reservationType": "capacity-block"},
            ]
        )
    )
    broken = legal.learn("reservations", legal.reservation["id"], **wrong)
    return broken, _at(f"groups.{WORKERS}.capacity.reservation.id")


def _reservation_of_another_type(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    other = draw(st.sampled_from([each for each in instance_types() if each != legal.workers["instance"]]))
    broken = legal.learn("reservations", legal.reservation["id"], instanceType=other)
    return broken, _at(f"groups.{WORKERS}.instance")


def _placement_group_for_aws(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{RESERVATION}.placement-group"
    return legal.edit({at: "pg-of-ours"}), _at(at)


def _made_in_another_placement_group(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    broken = legal.learn("reservations", legal.reservation["id"], placementGroup="pg-another")
    return broken, _at(f"{RESERVATION}.placement-group")


def _efa_everywhere(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.zone"
    # A file system in their zone would then be in nobody's.
    return legal.edit({at: DROP, "storage": DROP}), _at(at)


def _efa_in_public(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.subnets"
    return legal.edit({at: "public"}), _at(at)


def _subnet_gives_public_addresses(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    broken = legal.learn("subnets", legal.network["private"][legal.workers_zone], mapPublicIpOnLaunch=True)
    return broken, _at(f"groups.{WORKERS}.subnets")


def _security_group_without_way_out(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, id_ = f"groups.{WORKERS}.security-groups", made_up("sg", 99)
    lacking = draw(st.sampled_from(("selfIngress", "selfEgress")))
    broken = legal.edit({at: [id_]}).learn(
        "securityGroups", id_, **{"selfIngress": True, "selfEgress": True, lacking: False}
    )
    return broken, _at(at)


def _one_zone(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return legal, _at("network.existing.private")


def _one_zone_left(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    zone = draw(st.sampled_from(legal.zones))
    refused = next(each for each in CONTROL_PLANE_REFUSED if each.startswith(REGIONS[legal.region]))
    return legal.edit({f"network.existing.zone-ids.{zone}": refused}), _at("network.existing.private")


def _subnet_elsewhere(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    tier = draw(st.sampled_from([tier for tier in ("private", "public") if legal.network[tier]]))
    zone, other = draw(st.permutations(sorted(legal.network[tier])))[:2]
    broken = legal.learn("subnets", legal.network[tier][zone], zone=other)
    return broken, _at(f"network.existing.{tier}.{zone}")


def _zone_of_another_region(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "network.existing.public.ap-south-1a"
    return legal.edit({at: made_up("subnet", 99)}), _at(at)


def _zone_to_make_elsewhere(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "network.create.zones"
    zones = legal.document["network"]["create"]["zones"]
    return legal.edit({at: [*zones, "ap-south-1a"]}), _at(at)


def _where_docker_is(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "network.create.cidr"
    return legal.edit({at: "172.17.0.0/16"}), _at(at)


def _settings_of_managed_groups(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, said = f"groups.{WORKERS}", {"updates": {"at-once": 1}, "node-repair": draw(st.booleans())}
    names = draw(st.lists(st.sampled_from(sorted(said)), min_size=1, unique=True))
    return legal.edit({f"{at}.{name}": said[name] for name in names}), _at(*(f"{at}.{name}" for name in names))


def _zone_without_subnet(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, nowhere = f"groups.{WORKERS}.zone", f"{legal.region}k"
    there = {f"groups.{WORKERS}.capacity.{kind_of(legal.workers)}.zone": nowhere} if held_by(legal.workers) else {}
    return legal.edit({at: nowhere, **there}), _at(at)


def _no_public_subnets(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.subnets"
    return legal.edit({at: "public"}), _at(at)


def _nodes_out_of_order(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, most = f"groups.{WORKERS}.nodes", most_of(legal.workers)
    wrong = draw(st.sampled_from([(0, most + 1), (most, most - 1), (most + 1, most), (most + 1, most + 1)]))
    return legal.edit({at: {"min": wrong[0], "start": wrong[1], "max": most, "scaled-by": "you"}}), _at(at)


def _version(name: str) -> Break:
    def break_(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        # What else is wrong with another version, the add-ons that do not name it say: they are left out.
        kept = {each: said for each, said in legal.document["addons"].items() if CATALOGUE[each].serves}
        return legal.edit({"kubernetes": name, "addons": kept}), _at("kubernetes")

    return break_


def _unpinned_version(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    supported = {name for name, support in EKS_CALENDAR.items() if support.extended_ends >= AS_OF}
    name = draw(st.sampled_from(sorted(supported - set(EKS_ADDONS))))
    return _version(name)(draw, legal)


def _later(after: str, until: str) -> Break:
    """Nothing changes but the date."""

    def break_(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        support = EKS_CALENDAR[legal.document["kubernetes"]]
        first = getattr(support, after) + timedelta(days=1)
        last = getattr(support, until) if until else first + timedelta(days=1000)
        return replace(legal, as_of=draw(st.dates(first, last))), _at("kubernetes")

    return break_


def _plugin_missing(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    groups = legal.document["groups"]
    name = draw(st.sampled_from([each for each in legal.document["addons"] if CATALOGUE[each].serves]))
    serves = CATALOGUE[name].serves
    hit = [f"groups.{each}.instance" for each, group in groups.items() if serves in lacked_by(group)]
    return legal.edit({f"addons.{name}": DROP}), _at(*hit)


def _plugin_for_nothing(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "addons.efa-device-plugin"
    return legal.edit({at: {}}), _at(at)


def _everything_tainted(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    effect = draw(st.sampled_from(("NoSchedule", "NoExecute")))
    taints = {f"groups.{name}.taints": {"team": effect} for name in legal.document["groups"]}
    return legal.edit(taints), _at("groups")


BLOCK = f"groups.{WORKERS}.capacity.capacity-block"
RESERVATIONS = f"groups.{WORKERS}.capacity.reservation-group"


def _block_of(legal: Described) -> dict[str, Any]:
    return legal.workers["capacity"]["capacity-block"]


def _block_of_a_type_without(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """Of the same kind of accelerator: the add-ons stay right."""
    at = f"groups.{WORKERS}.instance"
    gpus = hardware(legal.workers["instance"]).accelerator is Accelerator.GPU
    other = "g5.48xlarge" if gpus else "trn1n.32xlarge"
    return legal.edit({at: other, f"{legal.network_at}.zone-ids": DROP}), _at(at)


def _block_too_large(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{BLOCK}.count"
    return legal.edit({at: draw(st.integers(65, 1000))}), _at(at)


def _block_of_odd_length(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, days = f"{BLOCK}.ends", draw(st.sampled_from([-3, 0, 15, 20, 183, 189]))
    ends = date.fromisoformat(_block_of(legal)["starts"]) + timedelta(days=days)
    buys = {f"{BLOCK}.id": DROP, f"{BLOCK}.buy": bought(99)} if 0 < days < 183 else {}
    return legal.edit({at: ends.isoformat(), **buys}), _at(at)


def _block_bought_too_early(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    starts = AS_OF + timedelta(days=draw(st.integers(57, 400)))
    dates = {f"{BLOCK}.starts": starts.isoformat(), f"{BLOCK}.ends": (starts + timedelta(days=7)).isoformat()}
    return legal.edit({f"{BLOCK}.id": DROP, f"{BLOCK}.buy": bought(99), **dates}), _at(f"{BLOCK}.starts")


def _block_active_too_early(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{BLOCK}.active"
    return legal.edit({at: True}), _at(at)


def _ended(draw: st.DrawFn) -> dict[str, Any]:
    ends = AS_OF - timedelta(days=draw(st.integers(0, 400)))
    return {f"{BLOCK}.starts": (ends - timedelta(days=7)).isoformat(), f"{BLOCK}.ends": ends.isoformat()}


def _block_over(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    known = {f"{BLOCK}.buy": DROP, f"{BLOCK}.id": made_up("cr", 99)}
    return legal.edit({**known, **_ended(draw)}), _at(f"{BLOCK}.active")


def _block_bought_again(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{BLOCK}.buy"
    return legal.edit({f"{BLOCK}.id": DROP, at: bought(99), **_ended(draw)}), _at(at)


def _block_still_to_buy(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """Of a length that is sold."""
    at, starts = f"{BLOCK}.buy", date.fromisoformat(_block_of(legal)["starts"])
    ends = {f"{BLOCK}.ends": (starts + timedelta(days=182)).isoformat()}
    return legal.edit({f"{BLOCK}.id": DROP, at: bought(99), **ends}), _at(at)


def _block_not_said_to_run(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{BLOCK}.active"
    return legal.edit({at: draw(st.sampled_from([False, DROP]))}), _at(at)


def _block_that_nobody_approves(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    purchase, other = bought(99), bought(98)
    at = f"{BLOCK}.buy"
    wrong = draw(st.sampled_from([{"offering": purchase["offering"]}, {**purchase, "approved": other["approved"]}]))
    return legal.edit({f"{BLOCK}.id": DROP, at: wrong, **_for_a_week(legal)}), _at(f"{at}.approved")


def _for_a_week(legal: Described) -> dict[str, Any]:
    starts = date.fromisoformat(_block_of(legal)["starts"])
    return {f"{BLOCK}.ends": (starts + timedelta(days=7)).isoformat()}


def _about_its_block(legal: Described, **said: Any) -> Described:
    """With something that AWS says of a block that is not still to be bought."""
    assume("id" in _block_of(legal))
    return legal.learn("reservations", _block_of(legal)["id"], **said)


def _block_ends_before_it_is_drained(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return _about_its_block(legal, end=f"{_block_of(legal)['ends']}T10:59:00Z"), _at(f"{BLOCK}.ends")


def _block_still_waits(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    nodes = legal.workers["nodes"]
    assume(nodes["start"] if isinstance(nodes, dict) else nodes)
    return _about_its_block(legal, state="scheduled"), _at(f"{BLOCK}.active")


def _block_unusable(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    wrong = [{"state": "payment-failed"}, {"state": "expired"}, {"platform": "Windows"}, {"reservationType": "default"}]
    return _about_its_block(legal, **draw(st.sampled_from(wrong))), _at(f"{BLOCK}.id")


def _reservations_of(legal: Described) -> list[str]:
    return [id_ for id_, _ in _reservations(legal.workers)]


def _named(legal: Described) -> str:
    """Where the workers' reservation group is named."""
    said = legal.workers["capacity"]["reservation-group"]
    return f"{RESERVATIONS}.{'arn' if 'arn' in said else 'create'}"


def _about_its_group(legal: Described, **said: Any) -> tuple[Described, Places]:
    at = f"{RESERVATIONS}.arn"
    assume(_named(legal) == at)
    return legal.learn("reservationGroups", legal.workers["capacity"]["reservation-group"]["arn"], **said), _at(at)


def _group_lacks_an_entry(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return _about_its_group(legal, configurations=[draw(st.sampled_from([POOL, GENERIC]))])


def _group_found_empty(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return _about_its_group(legal, reservations=[])


def _group_made_empty(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{RESERVATIONS}.create"
    return legal.edit({f"{RESERVATIONS}.arn": DROP, at: []}), _at(at)


def _group_of_another_region(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, said = _named(legal), legal.workers["capacity"]["reservation-group"]
    there = [arn.replace(legal.region, "ap-south-1") for arn in said.get("create", [said.get("arn", "")])]
    return legal.edit({at: there if "create" in said else there[0]}), _at(at)


def _blocks_in_a_group(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    for id_ in _reservations_of(legal):
        legal = legal.learn("reservations", id_, reservationType="capacity-block")
    return legal, _at(_named(legal))


def _more_nodes_than_the_group_holds(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    for id_ in _reservations_of(legal):
        legal = legal.learn("reservations", id_, totalInstances=0)
    return legal, _at(f"{RESERVATIONS}.count")


def _training_on_spot(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.capacity"
    return legal.edit({at: draw(st.sampled_from(["spot", {"spot": {}}]))}), _at(f"{at}.spot")


def _quota_too_small(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    wanted = most_of(legal.workers) * hardware(legal.workers["instance"]).vcpus
    quota = vcpu_quota(legal.workers["instance"], spot=False)
    assert quota is not None, "WITH_QUOTA"
    quotas = {**legal.facts.get("quotas", {}), quota.code: draw(st.integers(0, wanted - 1))}
    return replace(legal, facts={**legal.facts, "quotas": quotas}), _at(f"groups.{WORKERS}.nodes")


_RESERVED = Wanted(kinds=(Kind.RESERVATION,), zones=3, facts=False)
_OBSERVED = replace(_RESERVED, facts=True, shared=False)
_BLOCK = Wanted(kinds=(Kind.CAPACITY_BLOCK,), facts=False)
_BLOCK_OBSERVED = replace(_BLOCK, begun=True, facts=True)


def _cluster_told(at: str, **said: str) -> Break:
    """AWS says something else of the cluster that exists."""

    def break_(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        existing = legal.document["control-plane"]["existing"]
        return legal.learn("clusters", existing["name"], **said), _at(at)

    return break_


def _version_refused(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return legal.learn("kubernetesVersions", legal.document["kubernetes"], offered=False), _at("kubernetes")


def _image_missing(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """EKS has no image for the workers, nor for the groups that are of the same kind."""

    def path(group: Mapping[str, Any]) -> str | None:
        if "custom" in group.get("image", {}):
            return None
        return newest_parameter(ami_type(hardware(group["instance"]), family_of(group)), legal.document["kubernetes"])

    wanted = path(legal.workers)
    hit = [f"groups.{name}.image" for name, group in legal.document["groups"].items() if path(group) == wanted]
    return replace(legal, facts={**legal.facts, "imageParameters": {wanted: None}}), _at(*hit)


_JOINED = Wanted(network="existing", joins=True)
_GROUP = Wanted(kinds=(Kind.RESERVATION_GROUP,), facts=False)
_GROUP_OBSERVED = replace(_GROUP, facts=True)
_EFA = Wanted(instances=WITH_EFA, layouts=("aws", "classic"), shared=False)
_STOCK = Wanted(managed=True, kinds=UNDATED, others=UNDATED)
"""Groups whose image and capacity are legal with any Kubernetes version, on any day."""

_UNDATED = Wanted(kinds=UNDATED, others=UNDATED)
_ROOM = Wanted(instances=WITH_EFA, layouts=("aws", "classic"), kinds=UNDATED, network="existing", facts=True)
"""Workers in one zone, of whose subnet somebody says the room."""

_IN_A_VPC = Wanted(network="existing", facts=False)
"""Where file systems can be that exist."""


class Broken(Enum):
    """Every way a description can be broken that its form allows and a rule names."""

    RESERVATION_ELSEWHERE = Breakage(
        "reservation-zone-matches-subnet", replace(_RESERVED, states_zone=True), _reservation_elsewhere
    )
    RESERVATION_OBSERVED_ELSEWHERE = Breakage(
        "reservation-zone-matches-subnet", _OBSERVED, _reservation_observed_elsewhere
    )
    RESERVATION_ZONE_MISSTATED = Breakage(
        "reservation-as-declared", replace(_OBSERVED, states_zone=True), _reservation_zone_misstated
    )
    MORE_NODES_THAN_RESERVED = Breakage("reservation-covers-nodes", _RESERVED, _more_nodes_than_reserved)
    MORE_NODES_THAN_OBSERVED = Breakage("reservation-covers-nodes", _OBSERVED, _more_nodes_than_observed)
    TWO_GROUPS_TOO_MANY = Breakage("reservation-covers-nodes", replace(_RESERVED, shared=True), _two_groups_too_many)
    RESERVATION_OVER = Breakage("reservation-usable", replace(_OBSERVED, provided_by="aws"), _reservation_over)
    RESERVATION_OF_ANOTHER_TYPE = Breakage("reservation-instance-type-matches", _OBSERVED, _reservation_of_another_type)
    PLACEMENT_GROUP_FOR_AWS = Breakage(
        "placement-group-by-provenance", replace(_RESERVED, provided_by="aws"), _placement_group_for_aws
    )
    MADE_IN_ANOTHER_PLACEMENT_GROUP = Breakage(
        "placement-group-by-provenance",
        replace(_OBSERVED, provided_by="you", instances=WITH_EFA),
        _made_in_another_placement_group,
    )
    BLOCK_OF_A_TYPE_WITHOUT = Breakage(
        "capacity-block-instance-type",
        replace(_BLOCK, layouts=("plain",), network="existing"),
        _block_of_a_type_without,
    )
    BLOCK_TOO_LARGE = Breakage("capacity-block-size", _BLOCK, _block_too_large)
    BLOCK_OF_ODD_LENGTH = Breakage("capacity-block-length", replace(_BLOCK, begun=False), _block_of_odd_length)
    BLOCK_BOUGHT_TOO_EARLY = Breakage("capacity-block-length", replace(_BLOCK, begun=False), _block_bought_too_early)
    BLOCK_ACTIVE_TOO_EARLY = Breakage("capacity-block-dates", replace(_BLOCK, begun=False), _block_active_too_early)
    BLOCK_ACTIVE_TOO_LONG = Breakage("capacity-block-dates", replace(_BLOCK, begun=True), _block_over)
    BLOCK_NOT_SAID_TO_RUN = Breakage("capacity-block-begun", replace(_BLOCK, begun=True), _block_not_said_to_run)
    BLOCK_OVER = Breakage("capacity-block-begun", replace(_BLOCK, begun=False), _block_over)
    BLOCK_NOBODY_APPROVES = Breakage(
        "capacity-block-purchase-approved", replace(_BLOCK, begun=False), _block_that_nobody_approves
    )
    BLOCK_BOUGHT_AGAIN = Breakage("capacity-block-not-bought-again", _BLOCK, _block_bought_again)
    BLOCK_STILL_TO_BUY = Breakage("capacity-block-kept-by-id", replace(_BLOCK, begun=True), _block_still_to_buy)
    BLOCK_ENDS_BEFORE_IT_IS_DRAINED = Breakage(
        "capacity-block-drained", replace(_BLOCK_OBSERVED, managed=False), _block_ends_before_it_is_drained
    )
    BLOCK_STILL_WAITS = Breakage("capacity-block-waits", _BLOCK_OBSERVED, _block_still_waits)
    BLOCK_UNUSABLE = Breakage("reservation-usable", _BLOCK_OBSERVED, _block_unusable)
    GROUP_LACKS_AN_ENTRY = Breakage("reservation-group-configured", _GROUP_OBSERVED, _group_lacks_an_entry)
    GROUP_FOUND_EMPTY = Breakage("reservation-group-has-members", _GROUP_OBSERVED, _group_found_empty)
    GROUP_MADE_EMPTY = Breakage("reservation-group-has-members", _GROUP, _group_made_empty)
    GROUP_OF_ANOTHER_REGION = Breakage("reservation-group-one-region", _GROUP, _group_of_another_region)
    BLOCKS_IN_A_GROUP = Breakage("capacity-block-by-id", _GROUP_OBSERVED, _blocks_in_a_group)
    MORE_NODES_THAN_THE_GROUP_HOLDS = Breakage(
        "reservation-covers-nodes", _GROUP_OBSERVED, _more_nodes_than_the_group_holds
    )
    TRAINING_ON_SPOT = Breakage(
        "spot-not-for-training", Wanted(kinds=(Kind.SPOT,), purposes=("training",)), _training_on_spot
    )
    QUOTA_TOO_SMALL = Breakage(
        "quota-covers-vcpus",
        Wanted(kinds=(Kind.ON_DEMAND,), instances=WITH_QUOTA, facts=True, groups=0),
        _quota_too_small,
    )
    EFA_IN_SEVERAL_ZONES = Breakage("efa-single-zone", replace(_EFA, kinds=NOT_HELD), _efa_everywhere)
    EFA_IN_PUBLIC_SUBNETS = Breakage(
        "several-interfaces-private-subnets", replace(_EFA, public=True, network="existing"), _efa_in_public
    )
    SUBNET_GIVES_PUBLIC_ADDRESSES = Breakage(
        "several-interfaces-private-subnets",
        replace(_EFA, groups=0, network="existing"),
        _subnet_gives_public_addresses,
    )
    SECURITY_GROUP_WITHOUT_WAY_OUT = Breakage(
        "efa-security-groups-allow-themselves", _EFA, _security_group_without_way_out
    )
    ONE_ZONE = Breakage("control-plane-two-zones", Wanted(zones=1, network="existing", joins=False), _one_zone)
    ONE_ZONE_LEFT = Breakage(
        "control-plane-two-zones",
        Wanted(zones=2, regions=("us-east-1", "ca-central-1"), network="existing", joins=False, facts=False),
        _one_zone_left,
    )
    SUBNET_ELSEWHERE = Breakage("subnet-zone-as-declared", Wanted(network="existing"), _subnet_elsewhere)
    ZONE_TO_MAKE_ELSEWHERE = Breakage("zone-in-region", Wanted(zones=3, network="create"), _zone_to_make_elsewhere)
    WHERE_DOCKER_IS = Breakage("vpc-outside-docker-range", Wanted(network="create"), _where_docker_is)
    SETTINGS_OF_MANAGED_GROUPS = Breakage("managed-settings-only", Wanted(managed=False), _settings_of_managed_groups)
    ZONE_OF_ANOTHER_REGION = Breakage(
        "zone-in-region", Wanted(public=True, network="existing"), _zone_of_another_region
    )
    ZONE_WITHOUT_SUBNET = Breakage("group-has-subnet", Wanted(), _zone_without_subnet)
    NO_PUBLIC_SUBNETS = Breakage(
        "group-has-subnet",
        Wanted(public=False, layouts=("plain",), kinds=NOT_HELD, states_zone=False),
        _no_public_subnets,
    )
    NODES_OUT_OF_ORDER = Breakage("nodes-in-order", Wanted(begun=True), _nodes_out_of_order)
    VERSION_PAST_SUPPORT = Breakage("kubernetes-version-supported", _STOCK, _version("1.29"))
    VERSION_UNHEARD_OF = Breakage("kubernetes-version-supported", _STOCK, _version("1.99"))
    VERSION_UNPINNED = Breakage("eks-addons-pinned", replace(_STOCK, joins=False), _unpinned_version)
    STANDARD_SUPPORT_OVER = Breakage("kubernetes-standard-support", _STOCK, _later("standard_ends", "extended_ends"))
    ALL_SUPPORT_OVER = Breakage("kubernetes-version-supported", _STOCK, _later("extended_ends", ""))
    PLUGIN_MISSING = Breakage("group-has-its-device-plugin", _EFA, _plugin_missing)
    PLUGIN_FOR_NOTHING = Breakage("addon-serves-a-group", Wanted(layouts=("plain",), groups=0), _plugin_for_nothing)
    EVERYTHING_TAINTED = Breakage("untainted-group", Wanted(joins=False), _everything_tainted)
    IMAGE_NOT_PINNED = Breakage(
        "image-release-pinned", replace(_UNDATED, joins=True, managed=False), launched.of_an_unpinned_version
    )
    IMAGE_THAT_MOVES = Breakage(
        "image-parameter-fixed",
        Wanted(managed=False, images=("al2023",), shared=False),
        launched.by_parameter("/teams/ml/images/latest", "/teams/ml/recommended/image_id"),
    )
    IMAGE_THAT_EKS_CANNOT_READ = Breakage(
        "image-parameter-not-managed",
        Wanted(managed=True, images=("al2023",), shared=False),
        launched.by_parameter("/teams/ml/images/training-2026-11", "/teams/ml/images/latest"),
    )
    ENTRIES_OFF = Breakage("access-entries-taken", Wanted(joins=True, managed=False), launched.entries_off)
    SCALED_BY_NOBODY = Breakage(
        "scaling-range-without-autoscaler", Wanted(kinds=UNDATED, shared=False), launched.scaled_by_nobody
    )
    NO_ROOM = Breakage("subnet-holds-nodes", replace(_ROOM, groups=0), launched.without_room)
    NO_ROOM_FOR_ALL = Breakage("subnet-holds-all-nodes", replace(_ROOM, groups=0), launched.without_room_for_all)
    LUSTRE_SIZE = Breakage("lustre-size-valid", Wanted(), stored.made("size", *stored.SIZES))
    LUSTRE_TOO_SMALL_FOR_EFA = Breakage("lustre-size-valid", Wanted(), stored.made("size", {"efa": True}))
    LUSTRE_THROUGHPUT = Breakage(
        "lustre-throughput-fits-type", Wanted(), stored.made("throughput", *stored.THROUGHPUTS)
    )
    LUSTRE_THROUGHPUT_ON_SCRATCH = Breakage(
        "lustre-throughput-fits-type", Wanted(), stored.made("throughput", {"type": "scratch-2"})
    )
    LUSTRE_HARD_DISKS = Breakage("lustre-disk-fits-type", Wanted(), stored.made("disk", {"disk": "hdd"}))
    LUSTRE_CACHE_BEFORE_SSD = Breakage("lustre-disk-fits-type", Wanted(), stored.made("drive-cache", *stored.CACHES))
    LUSTRE_KEY_ON_SCRATCH = Breakage(
        "lustre-key-and-backups-persistent", Wanted(), stored.made("key", {**stored.SCRATCH, "key": stored.KEY})
    )
    LUSTRE_BACKUPS_ON_SCRATCH = Breakage(
        "lustre-key-and-backups-persistent",
        Wanted(),
        stored.made("backup-days", {**stored.SCRATCH, "backup-days": 7}),
    )
    LUSTRE_BACKUPS_BESIDE_S3 = Breakage(
        "lustre-backups-without-s3",
        Wanted(),
        stored.made("backup-days", {**stored.links("/data"), "backup-days": 1}),
    )
    LUSTRE_NINE_LINKS = Breakage(
        "lustre-associations-allowed",
        Wanted(),
        stored.made("data", stored.links(*(f"/{index}" for index in range(9)))),
    )
    LUSTRE_LINK_ON_SCRATCH_1 = Breakage(
        "lustre-associations-allowed",
        Wanted(),
        stored.made("data", {**stored.SCRATCH, "type": "scratch-1", "size": "3600GiB", **stored.links("/")}),
    )
    LUSTRE_LINKS_INSIDE_EACH_OTHER = Breakage(
        "lustre-association-paths-apart",
        Wanted(),
        stored.made("data", stored.links("/", "/data"), stored.links("/a", "/a/b/c"), stored.ONE_PLACE_TWICE),
    )
    LUSTRE_METADATA = Breakage("lustre-metadata-fits-type", Wanted(), stored.made("metadata", *stored.METADATA))
    LUSTRE_EFA = Breakage("lustre-efa-allowed", Wanted(), stored.made("efa", *stored.EFA))
    LUSTRE_ELSEWHERE = Breakage(
        "lustre-in-training-zone",
        Wanted(zones=3, purposes=(Purpose.TRAINING,), states_zone=True, groups=0),
        stored.elsewhere,
    )
    LUSTRE_NOWHERE = Breakage("lustre-single-subnet", Wanted(), stored.nowhere)
    LUSTRE_MOUNT_NAME = Breakage(
        "lustre-mount-name-short", _IN_A_VPC, stored.there("mount-name", {"mount-name": stored.EXISTING_ID}, {})
    )
    LUSTRE_MISSTATED = Breakage(
        "lustre-as-declared", _IN_A_VPC, stored.there("mount-name", {}, {"mountName": "another"})
    )
    LUSTRE_OLD = Breakage("lustre-version-for-clients", _IN_A_VPC, stored.there("id", {}, {"version": "2.10"}))
    LUSTRE_MISCONFIGURED = Breakage("lustre-usable", _IN_A_VPC, stored.there("id", {}, {"state": "MISCONFIGURED"}))
    LUSTRE_OF_ANOTHER_TYPE = Breakage("lustre-usable", _IN_A_VPC, stored.there("id", {}, {"type": "OPENZFS"}))
    LUSTRE_SHUT = Breakage("lustre-ports-open", _IN_A_VPC, stored.there("id", {}, stored.SHUT))
    LUSTRE_IN_ANOTHER_VPC = Breakage("lustre-in-cluster-vpc", _IN_A_VPC, stored.there("id", {}, stored.ANOTHER_VPC))
    LUSTRE_FOR_A_NEW_VPC = Breakage("lustre-in-cluster-vpc", Wanted(network="create"), stored.there("id", {}, {}))
    CLUSTER_OLDER = Breakage("existing-cluster-as-declared", _JOINED, _cluster_told("kubernetes", version="1.30"))
    CLUSTER_ELSEWHERE = Breakage(
        "existing-cluster-as-declared", _JOINED, _cluster_told("network.existing.vpc", vpc="vpc-0fedcba9876543210")
    )
    CLUSTER_UPDATING = Breakage(
        "existing-cluster-active", _JOINED, _cluster_told("control-plane.existing.name", state="UPDATING")
    )
    VERSION_NOT_OFFERED = Breakage("kubernetes-version-offered", Wanted(), _version_refused)
    IMAGE_MISSING = Breakage(
        "image-parameter-exists", replace(_STOCK, images=("al2023", "bottlerocket")), _image_missing
    )


@st.composite
def broken(draw: st.DrawFn, how: Broken) -> tuple[Described, set[tuple[str, str]]]:
    """A legal description broken in one way, and exactly what must be found: (rule, place)."""
    described, places = how.value.break_(draw, draw(legal(how.value.wanted)))
    return described, {(how.value.rule, place) for place in places}


class Misshapen(Enum):
    """Ways to break the form: edits of a legal document, and the one fault they yield: where, and what is said."""

    UNKNOWN_KEY = (
        {f"groups.{WORKERS}.instanse": "p5.48xlarge"},
        f"groups.{WORKERS}.instanse",
        "unknown key 'instanse'; did you mean 'instance'?",
    )
    MISSING_KEY = ({f"groups.{WORKERS}.instance": DROP}, f"groups.{WORKERS}.instance", "'instance' is missing")
    NUMBER_FOR_TEXT = ({"kubernetes": 1.35}, "kubernetes", "1.35 is a number here")
    TEXT_FOR_NUMBER = (
        {f"groups.{WORKERS}.nodes": {"min": "1", "start": 1, "max": 1}},
        f"groups.{WORKERS}.nodes.min",
        "'1' is text here",
    )
    TRUE_FOR_NUMBER = (
        {f"groups.{WORKERS}.nodes": {"min": True, "start": 1, "max": 1}},
        f"groups.{WORKERS}.nodes.min",
        "true stands where a whole number belongs",
    )
    NUMBER_FOR_TRUE = (
        {f"groups.{WORKERS}.node-repair": 1},
        f"groups.{WORKERS}.node-repair",
        "'1' stands where true or false belongs",
    )
    NO_VALUE = ({"addons.mpi-operator": None}, "addons.mpi-operator", "'mpi-operator' has no value")
    ZONE_ID_FOR_NAME = (
        {f"groups.{WORKERS}.zone": "usw2-az1"},
        f"groups.{WORKERS}.zone",
        "'usw2-az1' is a zone id",
    )
    REGION_FOR_ZONE = ({f"groups.{WORKERS}.zone": "us-west-2"}, f"groups.{WORKERS}.zone", "'us-west-2' is a Region")
    UNKNOWN_HARDWARE = (
        {f"groups.{WORKERS}.instance": "p5.84xlarge"},
        f"groups.{WORKERS}.instance",
        "'p5.84xlarge' is not in the hardware catalogue",
    )
    TWO_CAPACITIES = (
        {f"groups.{WORKERS}.capacity": {"on-demand": {}, "reservation": {}}},
        f"groups.{WORKERS}.capacity",
        "both on-demand and reservation are given",
    )
    NO_CAPACITY = (
        {f"groups.{WORKERS}.capacity": {}},
        f"groups.{WORKERS}.capacity",
        "none of on-demand, spot, reservation, reservation-group or capacity-block is given",
    )
    SIZE_WITHOUT_UNIT = (
        {f"groups.{WORKERS}.huge-pages": 5120},
        f"groups.{WORKERS}.huge-pages",
        "5120 has no unit",
    )
    DECIMAL_SIZE = (
        {f"groups.{WORKERS}.volume": {"size": "300GB"}},
        f"groups.{WORKERS}.volume.size",
        "'GB' is not a unit this takes",
    )
    HALF_A_HUGE_PAGE = (
        {f"groups.{WORKERS}.huge-pages": "5MiB"},
        f"groups.{WORKERS}.huge-pages",
        "5MiB is not a multiple of 2MiB",
    )
    OTHER_WORD = (
        {f"groups.{WORKERS}.for": "train"},
        f"groups.{WORKERS}.for",
        "'train'",
    )
    NOT_AN_ID = ({"network.existing.vpc": "my-vpc"}, "network.existing.vpc", "'my-vpc' is not a VPC id")
    NO_GROUPS = ({"groups": {}}, "groups", "nothing is listed here")
    RESERVATION_OF_NOTHING = (
        {
            f"groups.{WORKERS}.capacity": {
                "reservation": {"id": "cr-fill-me-in", "zone": "us-west-2a", "count": 0, "provided-by": "aws"}
            }
        },
        f"groups.{WORKERS}.capacity.reservation.count",
        "0 is out of range",
    )


@st.composite
def misshapen(draw: st.DrawFn, how: Misshapen) -> tuple[dict[str, Any], str, str]:
    """A document with one fault of form: the place, and the beginning of what is said."""
    edits, where, got = how.value
    return edited(draw(legal(Wanted(network="existing"))).document, edits), where, got

"""Random clusters. `legal()` builds only legal descriptions; `broken(breakage)` breaks a legal one in one named way.

A `Breakage` says what it must yield: the one rule, at the one place. Shape breakages yield exactly one shape fault.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from enum import Enum
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from addons.catalogue import CATALOGUE
from muster.fleet.description.group import Purpose
from muster.fleet.facts import Facts
from muster.fleet.hardware import Accelerator, Hardware, hardware, instance_types
from muster.fleet.interfaces import Layout, slots
from muster.fleet.node import EFA_RESOURCE
from muster.fleet.quantity import Size
from muster.fleet.shape import shape
from muster.fleet.zones import CONTROL_PLANE_REFUSED, REGIONS_WITH_REFUSED_ZONES
from muster.versions import EKS_ADDONS, EKS_CALENDAR
from tests.factories import AS_OF, DROP, edited

REGIONS = {"us-west-2": "usw2", "us-east-1": "use1", "ca-central-1": "cac1", "eu-north-1": "eun1"}
"""Region -> how its zone ids begin."""

WORKERS = "workers"
"""The group that breakages break; the others only stand beside it."""

USABLE = tuple(name for name in instance_types() if hardware(name).max_pods is not None)
"""The types a group can be of: of the others no source says how many pods they hold."""

WITH_EFA = tuple(name for name in USABLE if hardware(name).max_efa)
SEVERAL_EFA = tuple(name for name in USABLE if hardware(name).max_efa > 1)
PLAIN = tuple(name for name in USABLE if hardware(name).accelerator is Accelerator.NONE)


def machines(names: tuple[str, ...] = USABLE) -> st.SearchStrategy[Hardware]:
    """A type a group can be of."""
    return st.sampled_from(names).map(hardware)


def made_up(prefix: str, number: int) -> str:
    """An AWS id, the same for the same number: which digits an id has decides nothing."""
    return f"{prefix}-{number:017x}"


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
    def network(self) -> dict[str, Any]:
        """The network."""
        return self.document["network"]["existing"]

    @property
    def reservation(self) -> dict[str, Any]:
        """The workers' reservation."""
        return self.workers["capacity"]["reservation"]


@dataclass(frozen=True)
class Wanted:
    """What a breakage needs to find in the legal description that it breaks. None leaves it to chance."""

    zones: int | None = None
    regions: tuple[str, ...] = tuple(REGIONS)
    instances: tuple[str, ...] = USABLE
    layouts: tuple[str | None, ...] = (None, "aws", "classic", "plain")
    purposes: tuple[str, ...] = tuple(Purpose)
    tiers: tuple[str, ...] = ("private", "public")
    reserved: bool | None = None
    provided_by: str | None = None
    states_zone: bool | None = None
    shared: bool | None = None
    """Whether another group is on the workers' reservation."""
    facts: bool | None = None
    public: bool | None = None
    """Whether every zone has a public subnet (or none has)."""
    groups: int = 2
    """The most groups beside `system` and the workers."""


@st.composite
def legal(draw: st.DrawFn, wanted: Wanted = Wanted()) -> Described:
    """A legal description: no rule finds anything mandatory."""
    region = draw(st.sampled_from(wanted.regions))
    zones = [f"{region}{letter}" for letter in "abcd"[: wanted.zones or draw(st.integers(2, 4))]]
    ids = [made_up("subnet", number) for number in range(8)]
    public = wanted.public if wanted.public is not None else draw(st.booleans())
    network: dict[str, Any] = {
        "vpc": made_up("vpc", 0),
        "private": dict(zip(zones, ids, strict=False)),
        "public": dict(zip(zones, ids[4:], strict=False)) if public else {},
    }
    refused = region in REGIONS_WITH_REFUSED_ZONES
    if refused or draw(st.booleans()):
        free = [f"{REGIONS[region]}-az{number}" for number in range(1, 7)]
        free = [each for each in free if each not in CONTROL_PLANE_REFUSED]
        network["zone-ids"] = dict(zip(zones, draw(st.permutations(free)), strict=False))
    groups = {"system": _system(draw, zones), WORKERS: _group(draw, wanted, zones, network, 0)}
    if wanted.shared or (wanted.shared is None and draw(st.booleans())):
        groups |= _sharing(groups[WORKERS])
    for index in range(draw(st.integers(0, wanted.groups))):
        groups[f"group-{index}"] = _group(draw, Wanted(), zones, network, index + 1)
    document: dict[str, Any] = {
        "backend": "eks",
        "kubernetes": draw(st.sampled_from(_standing())),
        "control-plane": draw(st.sampled_from(["create", {"create": {}}])),
        "api": draw(st.sampled_from(["private", {"public": ["198.51.100.0/24", "8.8.8.0/24"]}])),
        "network": {"existing": network},
        "groups": groups,
        "addons": _addons(draw, groups),
    }
    if draw(st.booleans()):
        document["name"] = draw(st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True))
    facts = wanted.facts if wanted.facts is not None else draw(st.booleans())
    return Described(document, region, _facts(document, network) if facts else {})


def _standing() -> list[str]:
    """Versions in standard support for which Muster pins add-ons."""
    return [name for name in EKS_ADDONS if EKS_CALENDAR[name].standard_ends >= AS_OF]


def _system(draw: st.DrawFn, zones: list[str]) -> dict[str, Any]:
    """A group for ordinary pods: every cluster needs one, with a node from the start."""
    nodes = _nodes(draw)
    if isinstance(nodes, dict):
        nodes = {**nodes, "start": max(1, nodes["start"]), "max": max(1, nodes["max"])}
    group = {
        "for": "system",
        "instance": draw(st.sampled_from(("c5.2xlarge", "m5.2xlarge", "m5.8xlarge"))),
        "nodes": nodes,
    }
    return group | ({"zone": draw(st.sampled_from(zones))} if draw(st.booleans()) else {})


def _nodes(draw: st.DrawFn) -> Any:
    """A number, or three in order."""
    numbers = sorted(draw(st.lists(st.integers(0, 64), min_size=3, max_size=3)))
    least, start, most = numbers
    return draw(st.sampled_from([max(most, 1), {"min": least, "start": start, "max": max(most, 1)}]))


def most_of(group: Mapping[str, Any]) -> int:
    """The most nodes of a group."""
    nodes = group["nodes"]
    return int(nodes["max"] if isinstance(nodes, dict) else nodes)


def efa_of(group: Mapping[str, Any]) -> int:
    """How many EFA interfaces a group's nodes have."""
    default = "aws" if group["for"] == Purpose.TRAINING else "plain"
    laid_out = slots(hardware(group["instance"]), Layout(group.get("interfaces", default)))
    return sum(slot.is_efa for slot in laid_out)


def _group(
    draw: st.DrawFn, wanted: Wanted, zones: list[str], network: Mapping[str, Any], number: int
) -> dict[str, Any]:
    group: dict[str, Any] = {
        "for": str(draw(st.sampled_from(wanted.purposes))),
        "instance": draw(st.sampled_from(wanted.instances)),
        "nodes": _nodes(draw),
    }
    layout = draw(st.sampled_from(wanted.layouts))
    if layout:
        group["interfaces"] = layout
    efa = efa_of(group)
    zone = draw(st.sampled_from(zones))
    reserved = wanted.reserved if wanted.reserved is not None else draw(st.booleans())
    states = wanted.states_zone if wanted.states_zone is not None else draw(st.booleans())
    if reserved:
        group["capacity"] = {"reservation": _reservation(draw, wanted, zone, most_of(group), number)}
    elif draw(st.booleans()):
        group["capacity"] = draw(st.sampled_from(["on-demand", {"on-demand": {}}]))
    if states or (efa and not reserved):  # EFA stays in one zone; a reservation is in one anyway
        group["zone"] = zone
    if not efa and network["public"] and draw(st.sampled_from(wanted.tiers)) == "public":
        group["subnets"] = "public"  # the EFA interfaces' template gives no public address
    _decorate(draw, group, efa)
    return group


def _reservation(draw: st.DrawFn, wanted: Wanted, zone: str, nodes: int, number: int) -> dict[str, Any]:
    by = wanted.provided_by or draw(st.sampled_from(("aws", "you")))
    spare = draw(st.integers(0, 3))
    made = {"id": made_up("cr", number), "zone": zone, "count": nodes + spare, "provided-by": by}
    return made | ({"placement-group": "pg-made-before"} if by == "you" and draw(st.booleans()) else {})


def _sharing(workers: dict[str, Any]) -> dict[str, Any]:
    """A second group on the workers' reservation, which is then large enough for both."""
    capacity = workers.get("capacity")
    if not isinstance(capacity, dict) or "reservation" not in capacity:
        return {}
    capacity["reservation"]["count"] = 2 * most_of(workers)
    return {"sharing": deepcopy(workers)}


def _decorate(draw: st.DrawFn, group: dict[str, Any], efa: int) -> None:
    """Settings that no rule minds."""
    if efa and draw(st.booleans()):
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
    if draw(st.booleans()):
        group["node-repair"] = draw(st.booleans())


def _addons(draw: st.DrawFn, groups: Mapping[str, Any]) -> dict[str, Any]:
    """The plugins of what the groups have, and perhaps an operator."""
    offered = {hardware(group["instance"]).resource_name for group in groups.values()}
    offered |= {EFA_RESOURCE} if any(efa_of(group) for group in groups.values()) else set()
    needed = {name: {} for name, addon in CATALOGUE.items() if addon.serves in offered - {None}}
    free = [name for name, addon in CATALOGUE.items() if addon.serves is None]
    return {**needed, **{name: {} for name in free if draw(st.booleans())}}


def _facts(document: Mapping[str, Any], network: Mapping[str, Any]) -> dict[str, Any]:
    """What AWS would say if everything were as described."""
    groups = document["groups"].values()
    reserved = [each for each in groups if "reservation" in (each.get("capacity") or ())]
    subnets = {
        subnet: {"zone": zone, "mapPublicIpOnLaunch": tier == "public", "freeAddresses": 4000}
        for tier in ("private", "public")
        for zone, subnet in network[tier].items()
    }
    return {
        "reservations": {
            group["capacity"]["reservation"]["id"]: {
                "instanceType": group["instance"],
                "zone": group["capacity"]["reservation"]["zone"],
                "totalInstances": group["capacity"]["reservation"]["count"],
                "state": "active",
                "platform": "Linux/UNIX",
                "tenancy": "default",
                "reservationType": "default",
            }
            for group in reserved
        },
        "subnets": subnets,
        "securityGroups": {
            id_: {"selfIngress": True, "selfEgress": True}
            for group in groups
            for id_ in group.get("security-groups", ())
        },
    }


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
    others = sorted(set(legal.network["private"]) - {legal.reservation["zone"]})
    return draw(st.sampled_from(others))


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
    return legal.edit({at: DROP}), _at(at)


def _efa_in_public(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.subnets"
    return legal.edit({at: "public"}), _at(at)


def _subnet_gives_public_addresses(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    zone = legal.workers.get("zone") or legal.reservation["zone"]
    broken = legal.learn("subnets", legal.network["private"][zone], mapPublicIpOnLaunch=True)
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
    zone = draw(st.sampled_from(sorted(legal.network["private"])))
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


def _zone_without_subnet(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, nowhere = f"groups.{WORKERS}.zone", f"{legal.region}f"
    there = {f"{RESERVATION}.zone": nowhere} if isinstance(legal.workers.get("capacity"), dict) else {}
    there = there if "reservation" in (legal.workers.get("capacity") or ()) else {}
    return legal.edit({at: nowhere, **there}), _at(at)


def _no_public_subnets(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"groups.{WORKERS}.subnets"
    return legal.edit({at: "public"}), _at(at)


def _nodes_out_of_order(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, most = f"groups.{WORKERS}.nodes", most_of(legal.workers)
    wrong = draw(st.sampled_from([(0, most + 1), (most, most - 1), (most + 1, most), (most + 1, most + 1)]))
    return legal.edit({at: {"min": wrong[0], "start": wrong[1], "max": most}}), _at(at)


def _version(name: str) -> Break:
    def break_(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        return legal.edit({"kubernetes": name}), _at("kubernetes")

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
    hit = [
        f"groups.{each}.instance"
        for each, group in groups.items()
        if serves == hardware(group["instance"]).resource_name or (serves == EFA_RESOURCE and efa_of(group))
    ]
    return legal.edit({f"addons.{name}": DROP}), _at(*hit)


def _plugin_for_nothing(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = "addons.efa-device-plugin"
    return legal.edit({at: {}}), _at(at)


def _everything_tainted(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    effect = draw(st.sampled_from(("NoSchedule", "NoExecute")))
    taints = {f"groups.{name}.taints": {"team": effect} for name in legal.document["groups"]}
    return legal.edit(taints), _at("groups")


_RESERVED = Wanted(reserved=True, zones=3, facts=False)
_OBSERVED = replace(_RESERVED, facts=True, shared=False)
_EFA = Wanted(instances=WITH_EFA, layouts=("aws", "classic"), shared=False)


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
    RESERVATION_OVER = Breakage("reservation-usable", _OBSERVED, _reservation_over)
    RESERVATION_OF_ANOTHER_TYPE = Breakage("reservation-instance-type-matches", _OBSERVED, _reservation_of_another_type)
    PLACEMENT_GROUP_FOR_AWS = Breakage(
        "placement-group-by-provenance", replace(_RESERVED, provided_by="aws"), _placement_group_for_aws
    )
    MADE_IN_ANOTHER_PLACEMENT_GROUP = Breakage(
        "placement-group-by-provenance",
        replace(_OBSERVED, provided_by="you", instances=WITH_EFA),
        _made_in_another_placement_group,
    )
    EFA_IN_SEVERAL_ZONES = Breakage("efa-single-zone", replace(_EFA, reserved=False), _efa_everywhere)
    EFA_IN_PUBLIC_SUBNETS = Breakage("several-interfaces-private-subnets", replace(_EFA, public=True), _efa_in_public)
    SUBNET_GIVES_PUBLIC_ADDRESSES = Breakage(
        "several-interfaces-private-subnets", replace(_EFA, groups=0), _subnet_gives_public_addresses
    )
    SECURITY_GROUP_WITHOUT_WAY_OUT = Breakage(
        "efa-security-groups-allow-themselves", _EFA, _security_group_without_way_out
    )
    ONE_ZONE = Breakage("control-plane-two-zones", Wanted(zones=1), _one_zone)
    ONE_ZONE_LEFT = Breakage(
        "control-plane-two-zones", Wanted(zones=2, regions=("us-east-1", "ca-central-1")), _one_zone_left
    )
    SUBNET_ELSEWHERE = Breakage("subnet-zone-as-declared", Wanted(), _subnet_elsewhere)
    ZONE_OF_ANOTHER_REGION = Breakage("zone-in-region", Wanted(public=True), _zone_of_another_region)
    ZONE_WITHOUT_SUBNET = Breakage("group-has-subnet", Wanted(), _zone_without_subnet)
    NO_PUBLIC_SUBNETS = Breakage(
        "group-has-subnet",
        Wanted(public=False, layouts=("plain",), reserved=False, states_zone=False),
        _no_public_subnets,
    )
    NODES_OUT_OF_ORDER = Breakage("nodes-in-order", Wanted(), _nodes_out_of_order)
    VERSION_PAST_SUPPORT = Breakage("kubernetes-version-supported", Wanted(), _version("1.29"))
    VERSION_UNHEARD_OF = Breakage("kubernetes-version-supported", Wanted(), _version("1.99"))
    VERSION_UNPINNED = Breakage("eks-addons-pinned", Wanted(), _unpinned_version)
    STANDARD_SUPPORT_OVER = Breakage("kubernetes-standard-support", Wanted(), _later("standard_ends", "extended_ends"))
    ALL_SUPPORT_OVER = Breakage("kubernetes-version-supported", Wanted(), _later("extended_ends", ""))
    PLUGIN_MISSING = Breakage("group-has-its-device-plugin", _EFA, _plugin_missing)
    PLUGIN_FOR_NOTHING = Breakage("addon-serves-a-group", Wanted(layouts=("plain",), groups=0), _plugin_for_nothing)
    EVERYTHING_TAINTED = Breakage("untainted-group", Wanted(), _everything_tainted)


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
        "'1' stands where a whole number belongs",
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
        "give exactly one of on-demand, spot, reservation, reservation-group or capacity-block",
    )
    NO_CAPACITY = (
        {f"groups.{WORKERS}.capacity": {}},
        f"groups.{WORKERS}.capacity",
        "give exactly one of on-demand, spot, reservation, reservation-group or capacity-block",
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
    return edited(draw(legal()).document, edits), where, got

"""Every EFA type in every layout, on every kind of capacity, managed and not: what comes of it obeys the catalogue.

One cluster for each type, with a group for each combination. `test_law` says that what is registered is what was
derived.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.fleet.resources import CapacityTarget, Fleet, LaunchTemplate, NodeGroup, PlacementGroup, Ref
from muster.fleet.resources import ref as types
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import Layout, slots
from muster.policies.engine.described_fleet import described_fleet
from muster.unknown import UNKNOWN
from tests.factories import AS_OF, B, a_document
from tests.strategies import ACCOUNT, IN_BLOCKS, WITH_EFA, Described, made_up

NODES = 2
HELD = {"zone": "us-west-2b", "count": NODES}
DATES = {"starts": "2026-12-01", "ends": "2026-12-15"}
CR, CB = made_up("cr", 1), made_up("cr", 2)
ARN = f"arn:aws:resource-groups:us-west-2:{ACCOUNT}:group/ours"
MEMBER = f"arn:aws:ec2:us-west-2:{ACCOUNT}:capacity-reservation/{CR}"
OFFERING = "cb-0123456789abcdef0"
ONLY = "capacity-reservations-only"


@dataclass(frozen=True)
class Capacity:
    """A way to say where instances come from, and what a launch template and a managed group then say."""

    said: Any
    type: str = "ON_DEMAND"
    """A managed group's `capacityType`."""
    market: tuple[str | None, str | None] = (None, None)
    """The template's market type: of a managed group, of a self-managed one."""
    id: Any = None
    """The reservation that is targeted."""
    group: Any = None
    """The resource group that is targeted."""
    placed: str = "never"
    """Whether it is in a placement group of its own: ``never``, ``with EFA`` or ``always``."""
    start: int = NODES

    def target(self, name: str) -> CapacityTarget:
        """What the template of a group of that name targets."""
        id_ = Ref(types.CAPACITY_BLOCK, OFFERING) if self.id == OFFERING else self.id
        group = Ref(types.RESOURCE_GROUP, name) if self.group == MEMBER else self.group
        return CapacityTarget(ONLY if group else None, id_, group)


def _block(start: int, id_: str, **more: Any) -> Capacity:
    said = {"capacity-block": {**HELD, **DATES, **more}}
    return Capacity(said, "CAPACITY_BLOCK", ("capacity-block", "capacity-block"), id_, start=start)


def _odcr(kind: str, by: str, **source: Any) -> Any:
    return {kind: {**HELD, **source, "provided-by": by}}


CAPACITIES: Mapping[str, Capacity] = {
    "on-demand": Capacity("on-demand", placed="with EFA"),
    "spot": Capacity({"spot": {"interruptions-accepted": True}}, "SPOT", (None, "spot"), placed="with EFA"),
    "reservation-of-aws": Capacity(_odcr("reservation", "aws", id=CR), id=CR),
    "reservation-of-ours": Capacity(_odcr("reservation", "you", id=CR), id=CR, placed="always"),
    "group-that-exists": Capacity(_odcr("reservation-group", "aws", arn=ARN), group=ARN),
    "group-that-is-made": Capacity(_odcr("reservation-group", "you", create=[MEMBER]), group=MEMBER, placed="always"),
    "block-that-waits": _block(0, CB, id=CB),
    "block-that-began": _block(NODES, CB, id=CB, active=True),
    "block-that-is-bought": _block(
        0, OFFERING, buy={"offering": OFFERING, "approved": {"offering": OFFERING, "by": "head.of.research"}}
    ),
}


@dataclass(frozen=True)
class Case:
    """One group."""

    instance: str
    layout: Layout
    self_managed: bool
    capacity: str

    @property
    def name(self) -> str:
        """The group's."""
        return f"{self.capacity}-{self.layout}-{'own' if self.self_managed else 'eks'}"

    @property
    def efa(self) -> int:
        """EFA interfaces that the catalogue gives it."""
        return 0 if self.layout is Layout.PLAIN else hardware(self.instance).max_efa

    @property
    def wanted(self) -> Capacity:
        """What must come of its capacity."""
        return CAPACITIES[self.capacity]

    @property
    def described(self) -> dict[str, Any]:
        """Its block of the description."""
        return {
            "for": "training",
            "instance": self.instance,
            "nodes": NODES,
            "zone": HELD["zone"],
            "interfaces": self.layout.value,
            "capacity": self.wanted.said,
            "self-managed": self.self_managed,
        }


def every_case(instance: str) -> list[Case]:
    """Every combination for one type; Capacity Blocks only where they are sold."""
    sold = [name for name in CAPACITIES if instance in IN_BLOCKS or not name.startswith("block")]
    return [Case(instance, *each) for each in product(Layout, (False, True), sold)]


def a_cluster(cases: list[Case]) -> Described:
    groups = {f"groups.{case.name}": case.described for case in cases}
    return Described(a_document({"groups": {}, "addons": {}, **groups}), "us-west-2")


def obeys(case: Case, fleet: Fleet) -> None:
    """One group of a fleet, derived or registered."""
    template = fleet.find(LaunchTemplate, Ref(types.LAUNCH_TEMPLATE, case.name))
    kind = types.AUTO_SCALING_GROUP if case.self_managed else types.NODE_GROUP
    group = fleet.find(NodeGroup, Ref(kind, case.name))
    assert template is not None
    assert group is not None
    assert (template.instance, group.template) == (case.instance, template.ref)
    _interfaces(case, template)
    assert template.target == case.wanted.target(case.name)
    assert template.market_type == case.wanted.market[case.self_managed]
    assert group.capacity_type == (None if case.self_managed else case.wanted.type)
    assert group.subnets == (B,)
    assert (group.nodes_min, group.nodes_start, group.nodes_max) == (case.wanted.start, case.wanted.start, NODES)
    placed = case.wanted.placed == "always" or (case.wanted.placed == "with EFA" and case.efa > 0)
    own = Ref(types.PLACEMENT_GROUP, case.name)
    assert template.placement_group == (own if placed else None)
    made = fleet.find(PlacementGroup, own)
    assert (made and (made.name, made.strategy)) == ((f"random-{case.name}", "cluster") if placed else None)


def _interfaces(case: Case, template: LaunchTemplate) -> None:
    machine = hardware(case.instance)
    assert template.interfaces is not UNKNOWN
    if not case.efa:
        assert template.interfaces == (), "EKS and EC2 make the one plain interface"
        # EKS gives its cluster's group to managed nodes, to others nobody does.
        assert template.security_groups == ((CLUSTER_REF,) if case.self_managed else ())
        return
    assert template.security_groups == ()
    laid_out = [(slot.card, slot.device, slot.type.value) for slot in slots(machine, case.layout)]
    assert [(nic.card, nic.device, nic.type) for nic in template.interfaces] == laid_out
    assert template.interfaces[0].public_ip is False
    for nic in template.interfaces:
        ip = {CLUSTER_REF, EFA_GROUP_REF} if nic.type != "efa-only" else {EFA_GROUP_REF}
        assert set(nic.security_groups) == ip


@pytest.mark.parametrize("instance", WITH_EFA)
def test_what_is_derived_obeys_the_catalogue(instance: str) -> None:
    cases = every_case(instance)
    described = a_cluster(cases)
    made, faults = validate(EksCluster, described.document)
    assert made is not None, faults
    fleet = described_fleet(derive(made, "random", described.region), AS_OF)
    for case in cases:
        obeys(case, fleet)

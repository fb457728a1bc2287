"""The text of a new stack's file: a template per backend, and the values that it takes from the hardware tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from functools import cache
from textwrap import wrap
from typing import Any

from jinja2 import Environment

from muster.account import capacity_queries
from muster.account.query import Answer, Query
from muster.account.topics.capacity import plan_facts, reservation_facts
from muster.addon_sheets import ADDONS
from muster.addons.catalogue.nvidia_dra_driver import ONLY_COMPUTE_DOMAINS
from muster.addresses import schema_address
from muster.config.description.capacity import NO_PLACEMENT_GROUP
from muster.config.description.pcs_nodes import ClusterSize
from muster.config.placeholders import DOCUMENTATION_NETWORK, PLACEHOLDER
from muster.edits import flow_text
from muster.finding import WrongInput
from muster.fleet.facts import PLAN_OVER, RESERVATION_OVER
from muster.hardware.catalogue import Accelerator, Hardware, hardware
from muster.hardware.default_types import (
    EKS_SYSTEM_NODES,
    HYPERPOD_CONTROLLER,
    HYPERPOD_SYSTEM_NODES,
    PCS_LOGIN_NODES,
    PCS_LOGIN_NODES_ARM,
)
from muster.hardware.hyperpod_types import ML
from muster.hardware.ultraservers import EKS_DRAINS_MINUTES_BEFORE, ends_minutes_before, has_nvlink, ultraservers_of
from muster.hardware.zones import LOCAL_ZONE, region_of
from muster.text_templates import environment
from muster.versions import EKS_ADDONS, EKS_CALENDAR, HYPERPOD_KUBERNETES, PARALLELCLUSTER, PCS_SLURM
from muster.whole_number import version_numbers, whole_number


class CapacityKind(StrEnum):
    """The kinds of capacity, by their keys in a description."""

    RESERVATION = "reservation"
    CAPACITY_BLOCK = "capacity-block"
    TRAINING_PLAN = "training-plan"
    ON_DEMAND = "on-demand"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """Instances of one type in one zone."""

    kind: CapacityKind
    id: str = ""
    """A reservation's id, a training plan's ARN."""
    instance: str
    """EC2's name of the type, also for training plans."""
    zone: str
    count: int
    free: int | None = None
    """The number of instances that are free now; None if it is unknown."""
    starts: date | None = None
    ends: date | None = None
    active: bool = False
    """For a Capacity Block: whether it has begun."""
    placement_group: str | None = None
    """For a reservation of the account: the name of its placement group, or `none`. None if it is unknown."""
    from_aws: bool = False


_ASSUMED_DAYS = 14

_REQUESTED = "aws:ec2capacityreservation:incrementalRequestedQuantity"
"""The tag with the number of instances of a block, whose count is 0 until it begins (aws-parallelcluster,
`ec2_validators.py`, CapacityReservationSizeValidator)."""


def assumed_capacity(kind: CapacityKind, id_: str, instance: str, zone: str, count: int, today: date) -> Capacity:
    """Capacity from options alone. A Capacity Block is assumed to start tomorrow."""
    block = kind is CapacityKind.CAPACITY_BLOCK
    starts = today + timedelta(days=1)
    ends = starts + timedelta(days=_ASSUMED_DAYS)
    when: dict[str, Any] = {"starts": starts, "ends": ends} if block else {}
    return Capacity(kind=kind, id=id_, instance=instance, zone=zone, count=count, **when)


def capacity_query(kind: CapacityKind, id_: str) -> Query:
    """The query for reserved capacity."""
    if kind is CapacityKind.TRAINING_PLAN:
        return capacity_queries.query_training_plan(id_)
    return capacity_queries.query_reservation(id_, kind.value)


def read_capacity(kind: CapacityKind, id_: str, answer: Answer, today: date) -> Capacity:
    """Reserved capacity from AWS's answer to its query.

    Args:
        kind: the kind that the user expects.
        id_: its id or ARN.
        answer: the answer, which is there or says that AWS has none.
        today: the date that determines whether a block has begun.

    Raises:
        WrongInput: it does not exist, has ended, is of another kind, or the answer lacks a value.
    """
    result = answer.result or {}
    if kind is CapacityKind.TRAINING_PLAN:
        if answer.absent:
            raise WrongInput(f"this account has no training plan {id_}; check the ARN, the account and the Region")
        return _plan_capacity(id_, result)
    entries = result.get("CapacityReservations", ())
    if answer.absent or not entries:
        raise WrongInput(f"this account has no {kind} {id_}; check the id, the account and --region")
    return _reservation_capacity(kind, id_, entries[0], today)


def _reservation_capacity(kind: CapacityKind, id_: str, entry: Mapping[str, Any], today: date) -> Capacity:
    known = reservation_facts(entry, entry.get("AvailableInstanceCount"))
    block = known.reservation_type == "capacity-block"
    actual = CapacityKind.CAPACITY_BLOCK if block else CapacityKind.RESERVATION
    if known.reservation_type is not None and actual is not kind:
        raise WrongInput(f"{id_} is a {actual}; give --{actual} {id_}")
    if known.state in RESERVATION_OVER:
        raise WrongInput(f"{id_} is {known.state}, so it accepts no instances; give one that is active or scheduled")
    starts, ends = (moment and moment.date() for moment in (known.start, known.end))
    count = known.total_instances or _requested(entry)
    if not (known.zone and known.instance_type and count) or (block and not (starts and ends)):
        raise WrongInput(f"AWS does not return the type, zone, number or dates of {id_}; give them, and --offline")
    return Capacity(
        kind=kind,
        id=id_,
        instance=known.instance_type,
        zone=known.zone,
        count=count,
        free=known.available_instances,
        starts=starts if block else None,
        ends=ends if block else None,
        active=block and known.state == "active" and starts is not None and starts <= today,
        placement_group=known.placement_group or NO_PLACEMENT_GROUP,
        from_aws=True,
    )


def _requested(entry: Mapping[str, Any]) -> int:
    tags = {each.get("Key"): str(each.get("Value")) for each in entry.get("Tags", ())}
    return whole_number(tags.get(_REQUESTED), 0) or 0


def _plan_capacity(arn: str, plan: Mapping[str, Any]) -> Capacity:
    known = plan_facts(plan, plan.get("AvailableInstanceCount"))
    if known.state in PLAN_OVER:
        raise WrongInput(f"{arn} is {known.state}, so it holds no instances; give one that is Active or Scheduled")
    if not (known.instance_type and known.zone and known.total_instances):
        raise WrongInput(f"AWS does not return one type, one zone and the number of {arn}; give them, and --offline")
    return Capacity(
        kind=CapacityKind.TRAINING_PLAN,
        id=arn,
        instance=known.instance_type.removeprefix(ML),
        zone=known.zone,
        count=known.total_instances,
        free=known.available_instances,
        from_aws=True,
    )


WIDTH = 120


def comment_lines(text: str) -> list[str]:
    """Text as lines of comment. A line break in it, as a name from a user may have, does not end the comment."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return [f"# {each}" for each in wrap(line, WIDTH - 2, break_long_words=False, break_on_hyphens=False)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStack:
    """A cluster with one group of workers. The templates read its properties."""

    name: str
    backend: str
    capacity: Capacity
    nodes: int
    vpc: str | None = None
    """An existing VPC; None for a new one."""
    api_from: tuple[str, ...] = ()
    """The networks that may reach the Kubernetes API. Default: a placeholder."""
    as_of: date

    @property
    def region(self) -> str:
        """The Region of the capacity."""
        return region_of(self.capacity.zone)

    @property
    def machine(self) -> Hardware:
        """What one worker has.

        Raises:
            UnknownInstance: no table has the type.
        """
        return hardware(self.capacity.instance)

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the network, the workers' first: two for EKS, whose control plane is in no Local Zone."""
        zone, region = self.capacity.zone, self.region
        if self.backend not in {"eks", "hyperpod"}:
            return (zone,)
        if LOCAL_ZONE.fullmatch(zone):
            return f"{region}a", f"{region}b", zone
        return zone, f"{region}{'b' if zone.endswith('a') else 'a'}"

    @property
    def subnets(self) -> dict[str, str]:
        """Zone -> a placeholder for its private subnet."""
        return {
            zone: f"subnet-{PLACEHOLDER}-private-{zone.removeprefix(self.region).lstrip('-')}" for zone in self.zones
        }

    @property
    def system_zone(self) -> str:
        """The zone of the system nodes, if the workers are in a Local Zone; else empty."""
        return self.zones[0] if LOCAL_ZONE.fullmatch(self.capacity.zone) else ""

    @property
    def api_networks(self) -> list[str]:
        """The networks that may reach the Kubernetes API."""
        return list(self.api_from or (DOCUMENTATION_NETWORK,))

    @property
    def trains_together(self) -> bool:
        """Whether several nodes train together, so that they need a file system. No document says that FSx is in Local
        Zones."""
        together = self.nodes > 1 and self.machine.max_efa > 0 and self.machine.accelerator is not None
        return together and not LOCAL_ZONE.fullmatch(self.capacity.zone)

    @property
    def leaves_before_eks(self) -> bool:
        """Whether the instances must end before EKS scales a managed group of a Capacity Block down."""
        minutes = ends_minutes_before(self.capacity.instance) or 0
        block = self.capacity.kind is CapacityKind.CAPACITY_BLOCK
        return block and minutes > EKS_DRAINS_MINUTES_BEFORE

    @property
    def ultraserver(self) -> str:
        """The largest UltraServer type of which a training plan holds whole ones; empty if there is none."""
        if self.capacity.kind is not CapacityKind.TRAINING_PLAN:
            return ""
        whole = [each.name for each in ultraservers_of(self.capacity.instance) if each.whole(self.capacity.count)]
        return whole[-1] if whole else ""

    @property
    def pcs_size(self) -> ClusterSize:
        """The smallest size of a PCS cluster for all nodes; the largest for more, which the description refuses."""
        return next((each for each in ClusterSize if each.nodes > self.nodes), ClusterSize.LARGE)

    @property
    def pcs_login(self) -> str:
        """The type of the login nodes, which use the workers' image."""
        return PCS_LOGIN_NODES_ARM if self.machine.architecture == "arm64" else PCS_LOGIN_NODES

    def text(self) -> str:
        """The text of the file.

        Raises:
            UnknownInstance: no table has the type of the workers.
        """
        machine = self.machine
        return (
            _environment()
            .get_template(f"{self.backend}.yaml.jinja")
            .render(
                new=self,
                capacity=self.capacity,
                machine=machine,
                gpu=machine.accelerator is Accelerator.GPU,
                neuron=machine.accelerator is Accelerator.NEURON,
                nvlink=has_nvlink(machine.instance),
                compute_domains=ONLY_COMPUTE_DOMAINS,
                kubernetes=kubernetes_version(self.as_of),
                schema=schema_address("stack"),
                eks_system=EKS_SYSTEM_NODES,
                hyperpod_system=HYPERPOD_SYSTEM_NODES,
                controller=HYPERPOD_CONTROLLER,
                parallelcluster=PARALLELCLUSTER,
                pcs_slurm=PCS_SLURM[-1],
                placeholder=PLACEHOLDER,
            )
        )


def kubernetes_version(as_of: date) -> str:
    """The newest version that EKS, HyperPod and all of Muster's add-ons support, so that a later add-on needs no other
    version; else the newest with pinned EKS add-ons."""
    ranges = [HYPERPOD_KUBERNETES, *(pin.kubernetes for pin in ADDONS.values())]
    standing = [each for each in EKS_ADDONS if as_of <= EKS_CALENDAR[each].standard_ends]
    fitting = [each for each in standing if all(_within(each, *between) for between in ranges)]
    return max(fitting or standing or EKS_ADDONS, key=version_numbers)


def _within(version: str, first: str, last: str | None) -> bool:
    return version_numbers(first) <= version_numbers(version) and (
        last is None or version_numbers(version) <= version_numbers(last)
    )


@cache
def _environment() -> Environment:
    return environment("muster.cli", flow=flow_text)

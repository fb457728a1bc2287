"""Where nodes come from that take the place of lost ones, and what has to be true for them to come. Pure.

Sources: a group keeps its number of nodes by launching new instances (https://docs.aws.amazon.com/autoscaling/ec2/
userguide/healthcheck.html). Into a reservation EC2 launches as many as its AvailableInstanceCount (EC2 API,
CapacityReservation). In a Capacity Block the place of an ended instance is free again after some minutes (EC2 user
guide, "Launch instances using Capacity Blocks"). No source says when AWS replaces the hardware of a place whose host is
broken: a rehearsal that lets nodes come back to a reservation without a free place assumes that it is replaced.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from muster.fleet.blueprint import Blueprint
from muster.fleet.description.capacity import AnyCapacity, CapacityBlock, TrainingPlan
from muster.words import listed

_EC2 = "(`aws ec2 describe-capacity-reservations`: AvailableInstanceCount)"
_PLAN = "(`aws sagemaker describe-training-plan`: AvailableSpareInstanceCount)"


@dataclass(frozen=True, slots=True)
class Spares:
    """Where new nodes come from."""

    said: str
    """``from its reservation, which holds 4 (1 unused)``."""
    assumes: str
    """What has to be true for them to come, as a clause; empty where the description says that they are there."""


def spares(blueprint: Blueprint, new: Mapping[str, int], nodes: Mapping[str, int], without: str = "") -> Spares:
    """Where the new nodes of these groups come from.

    Args:
        blueprint: the cluster.
        new: group -> how many nodes take the place of lost ones.
        nodes: group -> how many it had before the loss.
        without: a zone that is lost.
    """
    found = [_of_group(blueprint, name, number, nodes, without) for name, number in new.items()]
    return Spares(_joined(each.said for each in found), _joined((each.assumes for each in found), ", and that "))


def assuming(said: str, assumes: str) -> str:
    """What a drill means, with what it assumes."""
    return f"{said}; this assumes that {assumes}" if assumes else said


def _of_group(blueprint: Blueprint, name: str, new: int, nodes: Mapping[str, int], without: str) -> Spares:
    group = blueprint.group(name)
    capacity = group.described.capacity
    held = capacity.held
    if held is None:
        zones = tuple(zone for zone in blueprint.zones(group) if zone != without)
        return _bought(capacity, group.described.instance_type, zones)
    sharing = (each.name for each in blueprint.groups if each.described.capacity.held == held)
    unused = max(0, held.count - sum(nodes.get(each, 0) for each in sharing))
    what = _name(held)
    if unused >= new:
        return Spares(f"from its {what}, which holds {held.count} ({unused} unused)", "")
    said = f"from its {what}, which holds {held.count} ({unused or 'none'} unused)"
    if isinstance(held, TrainingPlan):
        return Spares(said, f"SageMaker has spare instances for the {what} {_PLAN}")
    return Spares(said, f"AWS replaces the hardware behind the {what}, which has no free place for them {_EC2}")


def _bought(capacity: AnyCapacity, instance: str, zones: tuple[str, ...]) -> Spares:
    """Of instances that nothing holds."""
    kind = "Spot" if capacity.spot else "on-demand"
    where = f" in {listed(zones)}" if zones else ""
    return Spares(f"{kind} capacity, which nothing reserves", f"AWS has {kind} capacity for {instance}{where}")


def _name(held: object) -> str:
    if isinstance(held, TrainingPlan):
        return "training plan"
    return "Capacity Block" if isinstance(held, CapacityBlock) else "reservation"


def _joined(words: Iterable[str], between: str = "; ") -> str:
    return between.join(dict.fromkeys(each for each in words if each))

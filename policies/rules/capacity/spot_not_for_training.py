"""How instances are sold: what Spot Instances are not for, and types that are sold in other ways only."""

from collections.abc import Iterator

from muster.config.description.node_group import Purpose
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import AnyGroup, Ec2Group
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_targets import on_block, target_of
from policies.lookups.launch_templates import interfaces_of, template_of
from policies.lookups.machines import machines_of
from policies.lookups.parallelcluster import SPOT


@rule(
    "spot-not-for-training",
    title="Training groups are not on spot, unless interruptions are accepted aloud",
    severity=Severity.MEDIUM,
    judges=NodeGroup | InstanceGroup | ComputeResource,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="EC2 takes spot instances back with two minutes' notice; a job over EFA ends with the first node that goes, "
    "and all of its nodes' work since the last checkpoint is lost.",
    source="EC2 user guide, Spot Instance interruptions; SageMaker API, ClusterCapacityRequirements",
    remedy="Take on-demand or reserved capacity, or accept interruptions.",
    facts=("pains.md#5",),
)
def spot_not_for_training(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.capacity is not None:
        spot = group.capacity.spot
        if spot and not spot.interruptions_accepted and group.purpose is Purpose.TRAINING:
            yield rule.finding(
                group.place,
                at="capacity.spot",
                got="a training group on spot instances",
                remedy="write capacity: {spot: {interruptions-accepted: true}} if its jobs restart by themselves, or "
                "take other capacity",
            )
        return
    if isinstance(group, InstanceGroup):
        yield from _of_hyperpod(group, fleet, rule)
        return
    if isinstance(group, ComputeResource):
        yield from _of_slurm(group, rule)
        return
    template, missing = template_of(group, fleet)
    market = template.market_type if template else None
    is_spot = "SPOT" in (group.capacity_type, str(market).upper())
    # Around a Capacity Block spot is wrong for another reason: capacity-block-managed-group, capacity-block-template.
    if on_block(group, fleet) or not (is_spot or UNKNOWN in (group.capacity_type, market)):
        return
    efa, unread = interfaces_of(template, "type") if template else ((), missing)
    if any(nic.is_efa for nic in efa) and not is_spot:
        yield rule.unjudged(group.place, "whether its instances are spot, not known before creation")
    elif any(nic.is_efa for nic in efa):
        got = "a group with EFA interfaces on spot instances"
        yield rule.finding(group.place, got, "take on-demand or reserved capacity, or give it no EFA interfaces")
    elif unread:
        yield rule.unjudged(group.place, unread)


def _of_hyperpod(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """HyperPod attaches EFA to every type that has it; with several cards of it a type is for training."""
    machines, missing = machines_of(group, fleet)
    if group.spot is False or not (missing or any(machine.max_efa > 1 for machine in machines)):
        return
    if group.spot is UNKNOWN or missing:
        yield rule.unjudged(group.place, missing or "whether its instances are spot, not known before creation")
        return
    got = f"a group of {and_list(machine.instance for machine in machines)} on spot instances"
    yield rule.finding(group.place, got, "take on-demand capacity, or a training plan")


def _of_slurm(group: ComputeResource, rule: Rule) -> Iterator[Verdict]:
    """Of another program: what has EFA is for training."""
    if group.has_efa is False or group.capacity_type not in (SPOT, UNKNOWN):
        return
    if UNKNOWN in (group.has_efa, group.capacity_type):
        yield rule.unjudged(group.place, "whether it has EFA and is on spot instances, not known before creation")
        return
    got = "a compute resource with EFA on spot instances"
    yield rule.finding(group.place, got, "take on-demand or reserved capacity, or give it no EFA")


@rule(
    "spot-type-sold",
    title="EC2 sells the type of a group on spot as Spot Instances",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="HPC types and some newer ones come on demand or in Capacity Blocks only: EC2 refuses each launch, and the "
    "group never gets a node.",
    source="EC2 API, DescribeInstanceTypes (SupportedUsageClasses)",
    remedy="Take on-demand or reserved capacity, or another type.",
    facts=("pains.md#5",),
)
def spot_type_sold(group: NodeGroup | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.capacity_type not in {"SPOT", SPOT} or on_block(group, fleet):
        return
    machines, _ = machines_of(group, fleet)
    # A group of several types gets nodes of the others.
    if machines and not any(each.spot for each in machines):
        names = and_list(sorted({each.instance for each in machines}))
        yield rule.finding(
            group.place,
            at="instance",
            got=f"a group on Spot Instances of {names}: EC2 sells none",
            remedy="take on-demand or reserved capacity, or another type"
            if any(each.on_demand for each in machines)
            else "name the resource group of an UltraServer block, or take another type",
        )


@rule(
    "on-demand-type-sold",
    title="EC2 launches the type of a group on demand",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Types of UltraServers come in Capacity Blocks only: EC2 refuses each launch on demand, and the group never "
    "gets a node.",
    source="EC2 API, DescribeInstanceTypes (SupportedUsageClasses); EC2 user guide, Capacity Blocks",
    remedy="Name the resource group of an UltraServer block, or take another type.",
    facts=("rules.md#23", "hardware.md#R16"),
)
def on_demand_type_sold(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.capacity_type in {"SPOT", SPOT, UNKNOWN} or on_block(group, fleet):
        return
    template, _ = template_of(group, fleet) if isinstance(group, NodeGroup) else (None, "")
    if template is not None and template.market_type is not None:
        return
    target, missing = target_of(group, fleet)
    machines, unheard = machines_of(group, fleet)
    # A group of several types gets nodes of the others.
    if target is not None or missing or unheard or not machines or any(each.on_demand for each in machines):
        return
    names = and_list(sorted({each.instance for each in machines}))
    yield rule.finding(
        group.place,
        at="instance",
        got=f"a group of {names} on demand: EC2 sells them in UltraServer Capacity Blocks only",
        remedy="name the resource group of an UltraServer block (capacity: reservation-group), or take another type",
    )

"""UltraServers: their type, their size, the Kubernetes version, and the end of their Capacity Blocks."""

from collections.abc import Iterator

from muster.config.description.capacity import TrainingPlan
from muster.edits import Edit, remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.catalogue import hardware
from muster.hardware.ultraservers import (
    EKS_DRAINS_MINUTES_BEFORE,
    UltraServer,
    ends_minutes_before,
    ultraservers,
    ultraservers_of,
)
from muster.message_text import count_noun, or_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import block_is_over, block_of, on_block, target_of, types_of
from muster.policies.lookups.hyperpod import training_plan_facts
from muster.policies.lookups.machines import known_machines, machines_of
from muster.unknown import all_of, if_known


def ultraserver_has_type(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plan = group.capacity.training_plan if group.capacity else None
    stated = _stated(plan)
    if stated is None:
        return
    for machine in known_machines(group, fleet):
        if machine.instance == stated.instance:
            continue
        own = [each.name for each in ultraservers_of(machine.instance)]
        got = f"an UltraServer {stated.name} has {stated.instance} instances, but the group has {machine.instance}"
        change: tuple[Edit, ...] = (set_to(*own) if own else remove(),)
        # Another accelerator needs other add-ons, and a plan has one type.
        alike = hardware(stated.instance).accelerator is machine.accelerator
        if alike and not training_plan_facts(group, fleet).instance_type:
            change = (set_to(stated.instance, at="instance"), *change)
        yield rule.finding(group, "capacity.training-plan.ultraserver", got=got, change=change)
    machines_of(group, fleet)


def ultraserver_block_is_whole(
    group: NodeGroup | ComputeResource | InstanceGroup, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(group, InstanceGroup):
        yield from _plan_size(group, rule)
        return
    block = block_of(group)
    if block is None and not all_of(lambda: on_block(group, fleet), lambda: bool(_possible(group, fleet))):
        return
    target = if_known(lambda: target_of(group, fleet)) if block else target_of(group, fleet)
    observed = [each.known.total_instances for each in (target.known if target else ())]
    count = next((each for each in observed if each is not None), block.count if block else None)
    of_type = _possible(group, fleet)
    if count is None or not of_type or any(each.instances == count for each in of_type):
        return
    sizes = or_list(f"{each.instances} ({each.name})" for each in of_type)
    got = f"the Capacity Block has {count_noun(count, 'instance')}, but an UltraServer has {sizes}"
    split = "target the Capacity Block of one UltraServer with each group"
    change = (set_to(*(each.instances for each in of_type)), split) if block and not any(observed) else split
    yield rule.finding(group, "capacity.capacity-block.count" if block else "", got=got, change=change)


def _plan_size(group: InstanceGroup, rule: Rule) -> Iterator[Verdict]:
    """Judges a training plan whose UltraServer type the description sets."""
    plan = group.capacity.training_plan if group.capacity else None
    stated = _stated(plan)
    if plan is None or stated is None or stated.whole(plan.count):
        return
    whole = max(round(plan.count / stated.instances), 1) * stated.instances
    held = count_noun(plan.count, "instance")
    got = f"the training plan has {held}, but an UltraServer {stated.name} has {stated.instances}"
    change = set_to(words=f"all instances of the plan, spare ones included, as in {whole}")
    yield rule.finding(group, "capacity.training-plan.count", got=got, change=change)


def ultraserver_block_left_in_time(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not group.drained_by_its_service or not on_block(group, fleet):
        return
    target = if_known(lambda: target_of(group, fleet))
    minutes = [ends_minutes_before(each) or 0 for each in types_of(group, fleet)]
    if max(minutes, default=0) <= EKS_DRAINS_MINUTES_BEFORE or block_is_over(group, target, fleet.as_of):
        return
    drains = "Karpenter drains its nodes" if group.pool else "EKS scales the managed node group down"
    yield rule.finding(
        group,
        "capacity.capacity-block.ends",
        got=f"{drains} {EKS_DRAINS_MINUTES_BEFORE} minutes before the block ends, but its UltraServer must be empty "
        f"{max(minutes)} minutes before",
        change="use a self-managed group, or scale the group to 0 nodes yourself, 90 minutes before the end",
    )


def ultraserver_spare_instances(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    plan = group.capacity.training_plan if group.capacity else None
    stated = _stated(plan)
    if plan is None or stated is None or not stated.whole(plan.count):
        return
    machines = known_machines(group, fleet)
    if any(each.instance != stated.instance for each in machines):
        return  # ultraserver-has-type reports it
    number = plan.count // stated.instances
    nodes = group.nodes_start
    if nodes > plan.count - number:
        own = f"{count_noun(number, 'UltraServer')} {stated.name}"
        spare = f"{count_noun(number, 'spare')} by default"
        got = f"the group requests {nodes} of the {plan.count} instances in {own}, which have {spare}"
        change = (set_to(plan.count - number), "buy the plan with --spare-instance-count-per-ultra-server 0")
        yield rule.finding(group, "nodes", got=got, change=change)


def _stated(plan: TrainingPlan | None) -> UltraServer | None:
    return ultraservers()[plan.ultraserver] if plan and plan.ultraserver else None


def _possible(group: Ec2Group, fleet: Fleet) -> tuple[UltraServer, ...]:
    """The UltraServer types of the group's instance type; empty if its types are several."""
    types = types_of(group, fleet)
    return ultraservers_of(next(iter(types))) if len(types) == 1 else ()

"""UltraServers: their type, their size, the Kubernetes version, and the end of their Capacity Blocks."""

from collections.abc import Iterator

from muster.config.description.capacity import TrainingPlan
from muster.edits import remove, set_to
from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, InstanceGroup, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.ultraservers import (
    EKS_DRAINS_MINUTES_BEFORE,
    UltraServer,
    ends_minutes_before,
    ultraservers,
    ultraservers_of,
)
from muster.message_text import count_noun, or_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import block_is_over, block_of, on_block, short_name, target_of, types_of
from muster.policies.lookups.machines import known_machines, machines_of
from muster.unknown import all_of, if_known


@rule(
    "ultraserver-has-type",
    title="The UltraServers of a training plan consist of the group's instance type",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="An UltraServer has instances of one type. A group of another type gets no instance from it.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-nvidia-ultraserver.html",
        "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ReservedCapacitySummary.html",
    ),
    remedy="Use the instance type of the UltraServer, or another UltraServer type.",
    facts=("hardware.md#u1", "hardware.md#d4"),
)
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
        change = (set_to(stated.instance, at="instance"), set_to(*own) if own else remove())
        yield rule.finding(group, "capacity.training-plan.ultraserver", got=got, change=change)
    machines_of(group, fleet)


@rule(
    "ultraserver-block-is-whole",
    title="A Capacity Block or a training plan of UltraServers has all instances of each UltraServer",
    # No source states that a block has one reservation; AWS's own number decides .
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource | InstanceGroup,
    backends=("eks", "parallelcluster", "hyperpod"),
    why="AWS sells whole UltraServers: each has its own Capacity Block, and a training plan has one or more. With "
    "another number, Muster plans nodes that do not exist. ParallelCluster refuses a block of another size.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/userguide/ml-eks-nvidia-ultraserver.html",
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CapacityBlock.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/ec2_validators.py#L814",
    ),
    remedy="Set the number of instances of the UltraServer, and use one group for each UltraServer.",
    facts=("hardware.md#u1", "hardware.md#u2", "hardware.md#d5"),
)
def ultraserver_block_is_whole(
    group: NodeGroup | ComputeResource | InstanceGroup, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    if isinstance(group, InstanceGroup):
        yield from _plan_size(group, rule)
        return
    block = block_of(group)
    if block is None:
        yield from _observed_size(group, fleet, rule)
        return
    of_type = _possible(group, fleet)
    if not of_type or any(each.instances == block.count for each in of_type):
        return
    target = if_known(lambda: target_of(group, fleet))
    observed = {each.known.total_instances for each in target.known} - {None} if target else set()
    if observed and observed != {block.count}:
        return  # AWS's own number is another: a block of that many may be whole
    sizes = or_list(f"{each.instances} ({each.name})" for each in of_type)
    whole = [block.count // each.instances for each in of_type if each.whole(block.count)]
    split = f"split the group into {whole[-1]} groups, each on its own block" if whole else ""
    got = f"the Capacity Block has {count_noun(block.count, 'instance')}, but an UltraServer has {sizes}"
    change = split or set_to(*(each.instances for each in of_type))
    yield rule.finding(group, "capacity.capacity-block.count", got=got, change=change)


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


def _observed_size(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the block of another program by the number of instances that AWS reports."""
    if not all_of(lambda: on_block(group, fleet), lambda: bool(_possible(group, fleet))):
        return
    of_type = _possible(group, fleet)
    target = target_of(group, fleet)
    for held in target.holdings if target else ():
        total = held.known.total_instances
        if total is not None and all(each.instances != total for each in of_type):
            sizes = or_list(f"{each.instances} ({each.name})" for each in of_type)
            has = count_noun(total, "instance")
            got = f"Capacity Block {short_name(held.ref)} has {has}, but an UltraServer has {sizes}"
            yield rule.finding(group, "", got=got, change="target the Capacity Block of a whole UltraServer")


@rule(
    "ultraserver-block-left-in-time",
    title="A group leaves the Capacity Block of a P6e-GB200 UltraServer 60 minutes before it ends",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    backends=("eks",),
    why="You must terminate the instances of a P6e-GB200 UltraServer at least 60 minutes before its block ends. EKS "
    "scales a managed node group down only 40 minutes before the end, and Karpenter also drains its nodes only then.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/capacity-blocks-mng.html",
        "https://github.com/aws/karpenter-provider-aws/blob/main/designs/capacity-block-support.md",
    ),
    remedy="Use a self-managed group, or scale the group to 0 nodes yourself, 90 minutes before the end.",
    facts=("rules.md#21", "rules.md#22"),
)
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


@rule(
    "ultraserver-spare-instances",
    title="A group leaves the spare instances of its training plan's UltraServers free",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="A training plan reserves one spare instance of each UltraServer by default, with which HyperPod replaces a "
    "faulty one. If the group uses all instances, none is left as a spare.",
    source=("https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateTrainingPlan.html",),
    remedy="Request one instance less for each UltraServer, or buy the plan without spare instances.",
    facts=("hardware.md#u4",),
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


__all__ = [
    "ultraserver_block_is_whole",
    "ultraserver_block_left_in_time",
    "ultraserver_has_type",
    "ultraserver_spare_instances",
]

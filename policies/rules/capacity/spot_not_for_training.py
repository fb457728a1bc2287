"""How AWS sells instances: what Spot Instances are not for, and types that AWS does not sell as spot or on demand."""

from collections.abc import Iterator

from muster.config.description.node_group import Purpose
from muster.edits import remove, set_to
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, InstanceGroup
from muster.fleet.resources.fleet import AnyGroup, Ec2Group, TemplateGroup
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import Target, on_block, target_of
from muster.policies.lookups.launch_templates import has_efa, template_of
from muster.policies.lookups.machines import known_machines, machines_of
from muster.policies.lookups.parallelcluster import SPOT
from muster.unknown import all_of, any_of, stored


def spot_not_for_training(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.capacity is not None:
        spot = group.capacity.spot
        if spot and not spot.interruptions_accepted and group.purpose is Purpose.TRAINING:
            accepted = set_to(
                True, at="capacity.spot.interruptions-accepted", words="if its jobs restart by themselves"
            )
            got = "the training group uses spot instances"
            yield rule.finding(group, "capacity.spot", got=got, change=(accepted, "use other capacity"))
    # EKS and HyperPod document spot for jobs with checkpoints, and only a description states that it accepts that.
    elif isinstance(group, InstanceGroup):
        yield from _of_hyperpod(group, fleet, rule.advice)
    elif isinstance(group, ComputeResource):
        yield from _of_slurm(group, rule.advice)
    else:
        yield from _of_template(group, fleet, rule.advice)


def _of_template(group: TemplateGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # With a Capacity Block, spot is wrong for another reason: capacity-block-template.
    if all_of(lambda: _is_spot(group, fleet), lambda: not on_block(group, fleet), lambda: _has_efa(group, fleet)):
        got = "the group has EFA interfaces and uses spot instances"
        of_group = set_to("ONDEMAND" if isinstance(group, ComputeNodeGroup) else "ON_DEMAND")
        of_template = remove(at="instanceMarketOptions.marketType")
        change = of_group if stored(group, "capacity_type") == "SPOT" else of_template
        yield rule.finding(group, "capacity.spot", got=got, change=(change, "remove the EFA interfaces"))


def _is_spot(group: TemplateGroup, fleet: Fleet) -> bool:
    template = fleet.template_of(group)
    return any_of(
        lambda: group.capacity_type == "SPOT",
        lambda: template is not None and (template.market_type or "").upper() == "SPOT",
    )


def _has_efa(group: TemplateGroup, fleet: Fleet) -> bool:
    template = template_of(group, fleet)
    return template is not None and has_efa(template)


def _of_hyperpod(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """HyperPod attaches EFA to every type that has it. A type with several EFA interfaces is for training."""
    if all_of(lambda: group.spot, lambda: any(one.max_efa > 1 for one in machines_of(group, fleet))):
        got = f"the group uses spot instances of {and_list(one.instance for one in machines_of(group, fleet))}"
        plan = set_to(words="that of a training plan", at="capacity.training-plan.arn")
        yield rule.finding(group, "capacity.spot", got=got, change=(remove(), plan))


def _of_slurm(group: ComputeResource, rule: Rule) -> Iterator[Verdict]:
    """A compute resource of another program: one with EFA is for training."""
    if all_of(lambda: group.has_efa, lambda: group.capacity_type == SPOT):
        got = "the compute resource has EFA and uses spot instances"
        yield rule.finding(group, "", got=got, change=(set_to("ONDEMAND", at="capacity.spot"), "turn EFA off"))


def instance_type_sold(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _as_spot(group, fleet, rule)
    yield from _on_demand(group, fleet, rule)


def _as_spot(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a spot group."""
    machines = known_machines(group, fleet)  # instance-type-catalogued reports the others
    # A group of several types gets nodes of the others.
    if not machines or any(each.spot for each in machines):
        return
    if group.capacity_type in {"SPOT", SPOT} and not on_block(group, fleet):
        names = and_list(sorted({each.instance for each in machines}))
        on_demand = any(each.on_demand for each in machines)
        instead = "on-demand or reserved capacity" if on_demand else "the Capacity Block of an UltraServer"
        got = f"the group uses Spot Instances of {names}, but EC2 sells none"
        yield rule.finding(group, "instance", got=got, change=f"use {instead}, or another type")


def _on_demand(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges an on-demand group."""
    machines = known_machines(group, fleet)  # instance-type-catalogued reports the others
    # A group of several types gets nodes of the others.
    if not machines or any(each.on_demand for each in machines):
        return
    if group.capacity_type in {"SPOT", SPOT} or on_block(group, fleet):
        return
    template = fleet.template_of(group) if isinstance(group, TemplateGroup) else None
    if template is not None and template.market_type is not None:
        return
    target = target_of(group, fleet)
    names = and_list(sorted({each.instance for each in machines}))
    if target is not None:
        yield from _reserved(group, target, names, rule)
        return
    got = f"the group launches {names} on demand, but EC2 sells them only in UltraServer Capacity Blocks"
    block = set_to(words="the Capacity Block of an UltraServer", at="capacity.capacity-block.id")
    yield rule.finding(group, "instance", got=got, change=(block, "use another type"))


def _reserved(group: Ec2Group, target: Target, names: str, rule: Rule) -> Iterator[Verdict]:
    """The advice about an On-Demand Capacity Reservation of which AWS states nothing: it may be a block, or one that
    AWS agreed with the account."""
    if target.empty or any(each.known.reservation_type for each in target.holdings):
        return
    got = f"the group launches {names} into {target.name}, but EC2 sells them only in UltraServer Capacity Blocks"
    yield rule.advice.finding(group, target.at, got=got, change="if it is such a block, target it as a Capacity Block")

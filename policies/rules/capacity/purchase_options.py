"""How instances are bought: spot, on demand, by Karpenter's NodePools."""

from collections.abc import Iterator

from muster.blueprint.karpenter import AUTO_MODE_EXPIRE_AFTER, NEVER, RESERVED
from muster.config.description.node_group import Purpose
from muster.edits import remove, set_to
from muster.fleet.resources import (
    ComputeNodeGroup,
    ComputeResource,
    Fleet,
    InstanceGroup,
    LaunchTemplate,
    NodeGroup,
    NodePool,
)
from muster.fleet.resources.fleet import AnyGroup, Ec2Group, TemplateGroup
from muster.hardware.catalogue import Hardware
from muster.policies.engine.finding_text import and_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import on_block, target_of
from muster.policies.lookups.launch_templates import has_efa
from muster.policies.lookups.machines import known_machines, machines_of
from muster.policies.lookups.parallelcluster import SPOT
from muster.unknown import all_of, any_of, stored


def spot_not_for_training(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.capacity is not None:
        spot = group.capacity.spot
        if spot and not spot.interruptions_accepted and group.purpose is Purpose.TRAINING:
            at, words = "capacity.spot.interruptions-accepted", "if its jobs restart by themselves"
            got, change = "the training group uses spot instances", set_to(True, at=at, words=words)
            yield rule.finding(group, "capacity.spot", got=got, change=(change, "use other capacity"))
    # EKS and HyperPod document spot for jobs with checkpoints, and only a description states that it accepts that.
    elif all_of(lambda: _is_spot(group, fleet), lambda: _with_efa(group, fleet)):
        change = _ON_DEMAND[type(group)]
        if isinstance(group, TemplateGroup) and stored(group, "capacity_type") != "SPOT":
            change = remove(at="instanceMarketOptions.marketType")
        got = "nodes with EFA for training are spot instances"
        yield rule.advice.finding(group, "capacity.spot", got=got, change=(change, "use no EFA"))


_ON_DEMAND = {
    NodeGroup: set_to("ON_DEMAND"),
    ComputeNodeGroup: set_to("ONDEMAND"),
    ComputeResource: set_to("ONDEMAND"),
    InstanceGroup: remove(),
}
_SPOT = frozenset({"SPOT", SPOT})


def _is_spot(group: AnyGroup, fleet: Fleet) -> bool:
    if isinstance(group, InstanceGroup):
        return group.spot
    if isinstance(group, ComputeResource):
        return group.capacity_type == SPOT
    template = fleet.template_of(group)
    # With a Capacity Block, spot is wrong for another reason: capacity-block-template.
    return all_of(
        lambda: any_of(
            lambda: group.capacity_type == "SPOT",
            lambda: template is not None and (template.market_type or "").upper() == "SPOT",
        ),
        lambda: not on_block(group, fleet),
    )


def _with_efa(group: AnyGroup, fleet: Fleet) -> bool:
    """Whether its nodes have EFA. HyperPod attaches it to every type that has any: with several, it is for training."""
    if isinstance(group, InstanceGroup):
        return any(one.max_efa > 1 for one in machines_of(group, fleet))
    if isinstance(group, ComputeResource):
        return group.has_efa
    return has_efa(group, fleet)


def instance_type_sold(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    machines = known_machines(group, fleet)  # instance-type-catalogued reports the others
    # A group of several types gets nodes of the others.
    as_spot, on_demand = any(each.spot for each in machines), any(each.on_demand for each in machines)
    if not machines or (as_spot and on_demand):
        return
    names, spot = and_list(sorted({each.instance for each in machines})), group.capacity_type in _SPOT
    if spot and not as_spot and not on_block(group, fleet):
        instead = "on-demand or reserved capacity" if on_demand else "the Capacity Block of an UltraServer"
        got = f"the group uses Spot Instances of {names}, but EC2 sells none"
        yield rule.finding(group, "instance", got=got, change=f"use {instead}, or another type")
    elif not spot and not on_demand and not on_block(group, fleet):
        template = fleet.template_of(group) if isinstance(group, TemplateGroup) else None
        if template is None or template.market_type is None:
            yield from _launched(group, names, fleet, rule)


def _launched(group: Ec2Group, names: str, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The finding about nodes that are launched on demand. A reservation of which AWS states nothing may be a block, or
    one that AWS agreed with the account."""
    target = target_of(group, fleet)
    how = f"into {target.name}" if target else "on demand"
    got = f"the group launches {names} {how}, but EC2 sells them only in UltraServer Capacity Blocks"
    if target is None:
        block = set_to(words="the Capacity Block of an UltraServer", at="capacity.capacity-block.id")
        yield rule.finding(group, "instance", got=got, change=(block, "use another type"))
    elif not target.empty and not any(each.known.reservation_type for each in target.holdings):
        change = "if it is such a block, target it as a Capacity Block"
        yield rule.advice.finding(group, target.at, got=got, change=change)


_CAPACITY_KEY, _TERMS = "karpenter.sh/capacity-type", "capacityReservationSelectorTerms"


def node_pool_reserved_capacity(thing: NodeGroup | LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, LaunchTemplate):
        yield from _of_class(thing, fleet, rule)
    elif thing.pool is not None and thing.pool.capacity_types == (RESERVED,) and thing.pool.reservations == ():
        got = f"the NodePool allows only capacity type {RESERVED}, but its EC2NodeClass selects no reservation"
        change = f"add {_TERMS}: [{{id: cr-...}}] to the EC2NodeClass, or allow on-demand"
        yield rule.finding(thing, "", got=got, change=change)


def _of_class(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """An EC2NodeClass with reservations. Another program may have a NodePool that uses them: this is advice."""
    if not template.of_karpenter or not template.target.has_target:
        return
    groups = [each for each in fleet.groups_of(template) if isinstance(each, NodeGroup)]
    allowed = [group.pool.capacity_types for group in groups if group.pool]
    if not allowed or any(types == () or RESERVED in types for types in allowed):
        return
    given = sorted({each for types in allowed for each in types})
    names = and_list(sorted(name_of(group.ref) for group in groups))
    got = f"the EC2NodeClass selects reservations, but {_CAPACITY_KEY} of {names} allows only {and_list(given)}"
    change = f"add {RESERVED} to the values of {_CAPACITY_KEY}, or remove {_TERMS}"
    yield rule.advice.finding(template, "", got=got, change=change)


def node_pool_keeps_training_nodes(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    pool = group.pool
    if pool is None or group.purpose is not None:
        return
    machines = known_machines(group, fleet)
    if not machines or not all(map(_trains, machines)):
        return
    ends = list(_ends(pool, of_auto_mode=group.of_auto_mode))
    if ends:
        got = f"nodes with EFA may end while a job runs: {and_list(each for each, _ in ends)}"
        change = f"set {and_list(change for _, change in ends)} in the NodePool, if jobs run across its nodes"
        yield rule.finding(group, "", got=got, change=change)


def _trains(machine: Hardware) -> bool:
    """Whether jobs across nodes are what the type is for: accelerators and EFA."""
    return machine.accelerators > 0 and machine.max_efa > 0


def _ends(pool: NodePool, *, of_auto_mode: bool) -> Iterator[tuple[str, str]]:
    """Each setting that ends nodes with pods, and the setting that does not. Nodes of EKS Auto Mode live 21 days at
    most, so only the default is too short."""
    if of_auto_mode and pool.expire_after is None:
        yield "expireAfter is 336h (the default)", f"expireAfter: {AUTO_MODE_EXPIRE_AFTER}"
    if pool.expire_after != NEVER and not of_auto_mode:
        yield f"expireAfter is {pool.expire_after or '720h (the default)'}", f"expireAfter: {NEVER}"
    if not pool.static and pool.consolidation != "WhenEmpty" and pool.consolidate_after != NEVER:
        policy = pool.consolidation or "WhenEmptyOrUnderutilized (the default)"
        yield f"consolidationPolicy is {policy}", "consolidationPolicy: WhenEmpty"

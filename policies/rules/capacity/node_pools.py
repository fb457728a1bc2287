"""NodePools of Karpenter: their reservations, and how long training nodes stay."""

from collections.abc import Iterator

from muster.blueprint.karpenter import AUTO_MODE_EXPIRE_AFTER, NEVER, RESERVED
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup, NodePool
from muster.hardware.catalogue import Hardware
from muster.policies.engine.finding_text import and_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.machines import known_machines

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

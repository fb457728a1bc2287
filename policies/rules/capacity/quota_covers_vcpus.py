"""The account's vCPU quotas, compared with the vCPUs that a description may grow to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import Field

from muster.fleet.facts import ReservationState
from muster.fleet.resources import Fleet, HeadNode, LoginPool, Reference
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.quotas import STANDARD, STANDARD_SPOT, P, Quota, vcpu_quota, vcpus_of
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed, unknown_use, used_by_others
from muster.policies.lookups.capacity_targets import BLOCK_TYPE, Holding, short_name, target_of
from muster.policies.lookups.parallelcluster import display_name
from muster.unknown import NotKnown, if_known, stored


@dataclass(frozen=True, slots=True)
class VcpuUse:
    """What counts against one quota."""

    groups: tuple[str, ...]
    """The names of groups, and of the head node."""
    of: tuple[Ec2Group, ...]
    grown: int
    """The vCPUs that the others may grow to."""
    unused: int
    """vCPUs in the account's reservations that the groups target and will not use. They also count."""
    reservations: tuple[str, ...]
    """The ids of those reservations."""

    @property
    def vcpus(self) -> int:
        """All vCPUs that count."""
        return self.grown + self.unused


@cached_by_identity(4)
def vcpu_use(fleet: Fleet) -> Mapping[Quota, VcpuUse]:
    """Quota -> the vCPUs that count against it. The rule needs it once for each group."""
    of: dict[Quota, list[Ec2Group]] = {}
    for each in fleet.ec2_groups:
        if quota := quota_of(each, fleet):
            of.setdefault(quota, []).append(each)
    shares = _shares(fleet)
    return {quota: _together(quota, groups, shares, fleet) for quota, groups in of.items()}


def quota_of(group: Ec2Group, fleet: Fleet) -> Quota | None:
    """The quota that a group counts against. None for a group of a foreign program, whose other use is unknown."""
    if group.capacity is None or group.capacity.capacity_block or vcpus_of(type_of(group, fleet)) is None:
        return None
    return vcpu_quota(type_of(group, fleet), spot=group.capacity.spot is not None)


def type_of(group: Ec2Group, fleet: Fleet) -> str:
    """A group's instance type; empty if it is not known."""
    return if_known(lambda: fleet.instance_of(group)) or ""


@dataclass(frozen=True, slots=True)
class _Share:
    """Reservations, and the groups that launch only into these."""

    groups: list[Ec2Group]
    holdings: dict[Reference, Holding]


def _shares(fleet: Fleet) -> Sequence[_Share]:
    """The shares: every group with a target, and every reservation that counts in full, is in exactly one."""
    shares: list[_Share] = []
    for group in fleet.ec2_groups:
        target = if_known(lambda: target_of(group, fleet))
        own = {each.ref: each for each in target.known if _counts_whole(each, fleet)} if target else {}
        if own:
            touched = [each for each in shares if not each.holdings.keys().isdisjoint(own)]
            for each in touched:
                own |= each.holdings
            shares = [each for each in shares if each not in touched]
            shares.append(_Share([*(one for each in touched for one in each.groups), group], own))
    return shares


def _counts_whole(holding: Holding, fleet: Fleet) -> bool:
    """Whether it is certainly an On-Demand Capacity Reservation of this account that exists, or that the program
    creates."""
    known = holding.known
    if known.state is not ReservationState.ACTIVE or known.reservation_type == BLOCK_TYPE:
        return False
    account = fleet.facts.account_id if fleet.facts else None
    return not holding.observed or (account is not None and known.owner == account)


def _together(quota: Quota, groups: Sequence[Ec2Group], shares: Sequence[_Share], fleet: Fleet) -> VcpuUse:
    heads, pools = _heads(quota, fleet), _login_pools(quota, fleet)
    named: list[str] = []
    unused = 0
    for share in shares:
        whole = {short_name(ref): vcpus for ref, each in share.holdings.items() if (vcpus := _whole(each, quota))}
        more = sum(whole.values()) - _grown([each for each in share.groups if each in groups], fleet)
        unused += max(0, more)
        named += whole if more > 0 else ()
    return VcpuUse(
        (*(each.ref.name for each in groups), *("the head node" for _ in heads), *pools),
        tuple(groups),
        _grown(groups, fleet) + sum(heads) + sum(pools.values()),
        unused,
        tuple(named),
    )


def _grown(groups: Sequence[Ec2Group], fleet: Fleet) -> int:
    known = ((stored(each, "nodes_max", 0), vcpus_of(type_of(each, fleet))) for each in groups)
    return sum(nodes * vcpus for nodes, vcpus in known if vcpus is not None)


def _whole(holding: Holding, quota: Quota) -> int:
    """A reservation's vCPUs of one quota."""
    instance, count = holding.known.instance_type, holding.known.total_instances
    if instance is None or count is None or vcpu_quota(instance, spot=False) is not quota:
        return 0
    each = vcpus_of(instance)
    return 0 if each is None else count * each


def _login_pools(quota: Quota, fleet: Fleet) -> Mapping[str, int]:
    """The vCPUs of each pool of login nodes that counts against a quota."""
    found = {}
    for pool in fleet.of(LoginPool):
        instance = stored(pool, "instance", None)
        each = vcpus_of(instance) if instance else None
        if each is not None and vcpu_quota(instance, spot=False) is quota:
            found[display_name(pool)] = stored(pool, "count", 0) * each
    return {name: vcpus for name, vcpus in found.items() if vcpus}


def _heads(quota: Quota, fleet: Fleet) -> Sequence[int]:
    """The vCPUs of each head node that counts against a quota, except for types whose vCPUs are unknown, as for
    groups."""
    types = (each for head in fleet.of(HeadNode) if (each := stored(head, "instance", None)))
    known = (vcpus_of(each) for each in types if vcpu_quota(each, spot=False) is quota)
    return [each for each in known if each is not None]


class Others(Options):
    """What else runs in the account."""

    vcpus: int = Field(
        default=0,
        ge=0,
        description="vCPUs of each quota that other resources of the account use. Muster uses the larger of this "
        "number and the use that a preflight found. Default: 0.",
    )


def quota_covers_vcpus(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    quota = quota_of(group, fleet)
    if quota is None:
        if group.capacity and group.capacity.spot and vcpu_quota(type_of(group, fleet), spot=False) is P:
            raise NotKnown(f"the spot quota for {type_of(group, fleet)}, which EC2's guide does not state")
        return
    code, own = quota.code, vcpu_use(fleet)[quota]
    allowed = fleet.facts.quotas.get(code) if fleet.facts else None
    reserve = Others.of(rule.settings).vcpus
    seen = used_by_others(fleet.facts.quotas_used if fleet.facts else None, code, fleet)
    others, wanted = max(seen or 0, reserve), own.vcpus
    if allowed is None:
        # The quota of standard instances is seldom too small, so facts written by hand may leave it out.
        if quota not in (STANDARD, STANDARD_SPOT) or facts_observed(fleet):
            what = f"the value of quota {code}, which must be {wanted + others} or more"
            raise NotKnown(fleet.missing(what))
    elif wanted + others > allowed:
        apart = " (not counting this stack's nodes and reservations)" if seen and others == seen else ""
        beside = f", of which others use {others}{apart}" if others else ""
        yield rule.finding(
            group,
            "nodes",
            got=f"{and_list(own.groups)} may grow to {own.grown} vCPUs{_unused(own)}, but quota {code} allows {allowed}"
            f"{beside}",
            change=(
                f"request a higher quota (`{quota.request(wanted + others)}`)",
                f"lower {rule.key(group, 'nodes.max')}",
            ),
        )
    elif seen is None and not reserve:
        raise NotKnown(unknown_use(code, allowed, wanted, fleet))
    else:
        _ = [each.nodes_max for each in own.of]  # those that are not known may be more


def _unused(own: VcpuUse) -> str:
    if not own.unused:
        return ""
    hold = singular_or_plural(own.reservations, "holds", "hold")
    return f", and {and_list(own.reservations)} {hold} {own.unused} unused vCPUs, which also count"

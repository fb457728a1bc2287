"""The account's vCPU quotas, compared with the vCPUs that a description may grow to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pydantic import Field

from muster.fleet.facts import ReservationState
from muster.fleet.resources import Fleet, HeadNode, LoginPool
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.quotas import STANDARD, STANDARD_SPOT, P, Quota, vcpu_quota, vcpus_of
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed, unknown_use, used_by_others
from muster.policies.lookups.capacity_targets import BLOCK_TYPE, short_name, target_of
from muster.policies.lookups.parallelcluster import display_name
from muster.unknown import NotKnown, if_known, needed, stored


class VcpuUse(NamedTuple):
    """What counts against one quota."""

    groups: tuple[str, ...]
    """The names of groups, of the head node and of login nodes."""
    of: tuple[Ec2Group, ...]
    grown: int
    """The vCPUs that these may grow to."""
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
    return {quota: _together(quota, groups, fleet) for quota, groups in of.items()}


def quota_of(group: Ec2Group, fleet: Fleet) -> Quota | None:
    """The quota that a group counts against. None for a group of a foreign program, whose other use is unknown."""
    if group.capacity is None or group.capacity.capacity_block or vcpus_of(type_of(group, fleet)) is None:
        return None
    return vcpu_quota(type_of(group, fleet), spot=group.capacity.spot is not None)


def type_of(group: Ec2Group, fleet: Fleet) -> str:
    """A group's instance type; empty if it is not known."""
    return if_known(lambda: fleet.instance_of(group)) or ""


def _together(quota: Quota, groups: Sequence[Ec2Group], fleet: Fleet) -> VcpuUse:
    grown = {each.ref: (stored(each, "nodes_max", 0) or 0) * (vcpus_of(type_of(each, fleet)) or 0) for each in groups}
    reserved: dict[str, int] = {}
    inside = 0
    for group in groups:
        if own := _reserved(group, quota, fleet):
            reserved |= own
            inside += grown[group.ref]
    unused = max(0, sum(reserved.values()) - inside)
    single = {name: vcpus for name, vcpus in _slurms_own(quota, fleet) if vcpus}
    return VcpuUse(
        (*(each.ref.name for each in groups), *single),
        tuple(groups),
        sum(grown.values()) + sum(single.values()),
        unused,
        tuple(reserved) if unused else (),
    )


def _reserved(group: Ec2Group, quota: Quota, fleet: Fleet) -> dict[str, int]:
    """The vCPUs of each reservation that a group targets and that counts in full: an On-Demand Capacity Reservation of
    this account that exists, or that the program creates."""
    target, account = if_known(lambda: target_of(group, fleet)), fleet.facts.account_id if fleet.facts else None
    whole = {}
    for each in target.known if target else ():
        known = each.known
        ours = not each.observed or (account is not None and known.owner == account)
        on_demand = known.state is ReservationState.ACTIVE and known.reservation_type != BLOCK_TYPE
        if ours and on_demand and known.instance_type and vcpu_quota(known.instance_type, spot=False) is quota:
            whole[short_name(each.ref)] = (known.total_instances or 0) * (vcpus_of(known.instance_type) or 0)
    return whole


def _slurms_own(quota: Quota, fleet: Fleet) -> Iterator[tuple[str, int]]:
    """The vCPUs of head and login nodes, whose number is fixed."""
    heads = [("the head node", each, 1) for each in fleet.of(HeadNode)]
    pools = [(display_name(each), each, stored(each, "count", 0) or 0) for each in fleet.of(LoginPool)]
    for name, each, count in (*heads, *pools):
        instance = stored(each, "instance", None)
        if instance and vcpu_quota(instance, spot=False) is quota:
            yield name, count * (vcpus_of(instance) or 0)


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
        held = and_list(own.reservations)
        unused = f", and {own.unused} unused vCPUs of {held} also count" if own.unused else ""
        yield rule.finding(
            group,
            "nodes",
            got=f"{and_list(own.groups)} may grow to {own.grown} vCPUs{unused}, but quota {code} allows {allowed}"
            f"{beside}",
            change=(
                f"request a higher quota (`{quota.request(wanted + others)}`)",
                f"lower {rule.key(group, 'nodes.max')}",
            ),
        )
    elif seen is None and not reserve:
        raise NotKnown(unknown_use(code, allowed, wanted, fleet))
    else:
        needed(*(each.nodes_max for each in own.of))  # those that are not known may be more

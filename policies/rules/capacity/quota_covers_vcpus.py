"""The account's vCPU quotas against what a description may grow to."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.quotas import STANDARD, STANDARD_SPOT, P, vcpu_quota
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.options import Options
from policies.reading.asked import was_asked
from policies.reading.others import others_use, use_unknown
from policies.reading.vcpus import Taken, quota_of, taken, type_of
from policies.rule import Rule, Verdict, rule
from policies.words import agree, some


class Others(Options):
    """What else runs in the account."""

    vcpus: int = Field(
        default=0,
        ge=0,
        description="vCPUs of each quota that others in the account use, and the groups do not get. Where a preflight "
        "has seen more in use, that counts; where it could not see it, this does.",
    )


@rule(
    "quota-covers-vcpus",
    title="The account's vCPU quotas cover all nodes that the description may grow to",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Instances count against a quota of vCPUs for their family, those on On-Demand Capacity Reservations too, "
    "those of Capacity Blocks not, spot instances against quotas of their own. Beyond it launches fail, and a new "
    "account's quota is 0.",
    source="EC2 API, CreateCapacityReservation; EC2 user guide, On-Demand Instance quotas, Spot Instance quotas; quota "
    "codes as in public repositories",
    remedy="Have the quota raised, or lower the groups' maximum.",
    facts=("rules.md#37",),
    options=Others,
)
def quota_covers_vcpus(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    quota = quota_of(group, fleet)
    if quota is None:
        if group.capacity and group.capacity.spot and vcpu_quota(type_of(group, fleet), spot=False) is P:
            what = f"which spot quota counts {fleet.instance_of(group)}: EC2's guide names none"
            yield rule.unjudged(group.place, what)
        return
    code, own = quota.code, taken(fleet)[quota]
    allowed = fleet.facts.quotas.get(code) if fleet.facts else None
    said = Others.of(rule.settings).vcpus
    seen = others_use(fleet.facts.quotas_used if fleet.facts else None, code, fleet)
    others, wanted = max(seen or 0, said), own.vcpus
    if allowed is None:
        # Of standard instances the quota is seldom what fails: a person who writes facts may leave it out.
        if quota not in (STANDARD, STANDARD_SPOT) or was_asked(fleet):
            yield rule.unjudged(group.place, fleet.missing(f"quota {code}: {wanted + others} vCPUs or more"))
    elif wanted + others > allowed:
        apart = " (without this stack's own nodes and reservations)" if seen and others == seen else ""
        beside = f", and others use {others} of them{apart}" if others else ""
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{some(own.groups)} may grow to {own.grown} vCPUs{_unused(own)}; quota {code} allows {allowed}"
            f"{beside}",
            remedy=f"have it raised: {quota.request(wanted + others)}; or lower max",
        )
    elif seen is None and not said:
        yield rule.unjudged(group.place, use_unknown(code, allowed, wanted, fleet))
    elif own.unknown:
        yield rule.unjudged(group.place, f"the most nodes of {some(own.unknown)}, not known before creation")


def _unused(own: Taken) -> str:
    if not own.unused:
        return ""
    hold = agree(own.reservations, "holds", "hold")
    return f", and {some(own.reservations)} {hold} {own.unused} more, which count in use or not"

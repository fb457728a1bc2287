"""EC2's quotas of vCPUs, and how much of each others use."""

from muster.account import own_capacity, quota_usage, quota_values
from muster.account.ask import Inquiry
from muster.account.quota_values import values
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.blueprint import EksGroup
from muster.fleet.facts import Facts
from muster.fleet.quotas import VCPUS, Quota, vcpu_quota
from muster.fleet.slurm_blueprint import SlurmBlueprint, SlurmGroup


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    asked = _asked(wanted)
    if not asked:
        return Learned()
    known, told = yield from values(asked, own_capacity.questions(wanted))
    measured = quota_usage.measured(known)
    used: dict[Quota, int] = {}
    if measured:
        *members, usage = yield [
            *own_capacity.of_members(wanted, told),
            quota_usage.question(measured, known, wanted.observed),
        ]
        own = own_capacity.own_vcpus(told, members)
        if own is not None:
            # AWS counts use every few minutes: what the stack has just launched may not be in it yet.
            used = {
                quota: max(0, all_ - own.get(quota, 0)) for quota, all_ in quota_usage.used(measured, usage).items()
            }
    allowed = {quota: int(said["Value"]) for quota, said in known.items()}
    facts = Facts(
        quotas={quota.code: value for quota, value in allowed.items()},
        quotasUsed={quota.code: value for quota, value in used.items()},
    )
    said = tuple(Said(f"quota {each.code}", _words(each, allowed[each], used.get(each))) for each in allowed)
    return Learned(facts, said, quota_values.open_of(asked, known, used))


def _asked(wanted: Wanted) -> list[Quota]:
    """Those that count the stack's instances. Instances of Capacity Blocks, and HyperPod's, are counted by none."""
    found = set()
    for group in wanted.blueprint.groups:
        if isinstance(group, EksGroup | SlurmGroup) and group.described.capacity.capacity_block is None:
            spot = group.described.capacity.spot is not None
            found.add(vcpu_quota(group.node.hardware.instance, spot=spot))
    if isinstance(wanted.blueprint, SlurmBlueprint) and isinstance(wanted.blueprint.head.instance, str):
        found.add(vcpu_quota(wanted.blueprint.head.instance, spot=False))
    return [each for each in VCPUS if each in found]


def _words(quota: Quota, allowed: int, used: int | None) -> str:
    beside = f", others use {used}" if used is not None else ", how much others use is not known"
    return f"{quota.words}: {allowed} vCPUs{beside}"


VCPU_QUOTAS = Topic(
    "quotas of vCPUs",
    _inquire,
    frozenset({"quotas", "quotasUsed"}),
    quota_values.RIGHTS | own_capacity.RIGHTS | quota_usage.RIGHTS,
    {
        quota_values.ASKED: (quota_values.OF_DEFAULTS, "cloudwatch.GetMetricData"),
        "resource-groups.ListGroupResources": ("ec2.DescribeCapacityReservations",),
    },
)

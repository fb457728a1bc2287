"""SageMaker's own quotas of instances against the groups."""

from collections.abc import Iterator

from muster.fleet.hardware.hyperpod_types import hyperpod_types
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule
from policies.words import number, some

_CODE = "aws service-quotas request-service-quota-increase --service-code sagemaker"


@rule(
    "hyperpod-quota-covers-nodes",
    title="SageMaker's quota covers all instances of a type",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod counts instances by quotas of its own, one for each type (`ml.p5.48xlarge for cluster usage`), and a "
    "new account's are 0: EC2's do not help. Beyond one the cluster is taken back. What a training plan holds is "
    "counted by quotas of plans, and is not counted here.",
    source="SageMaker guide, sagemaker-hyperpod-prerequisites (quotas); awsome-distributed-ai#198, #204",
    remedy="Have the quota raised before the cluster is made.",
    facts=("rules.md#37", "pains.md#8"),
)
def hyperpod_quota_covers_nodes(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.training_plan is not None:
        return
    if group.instance_types is UNKNOWN or group.spot is UNKNOWN:
        yield rule.unjudged(group.place, f"which quota counts {called(group)}, not known before creation")
        return
    if group.spot:
        what = f"which quota counts the spot instances of {called(group)}: SageMaker's guide names none"
        yield rule.unjudged(group.place, what)
        return
    types = sorted({each for each in group.instance_types if each in hyperpod_types()})
    known = {each: fleet.facts.hyperpod_quotas.get(_quota(each)) if fleet.facts else None for each in types}
    counted = [each for each in fleet.of(InstanceGroup) if each.instance_types == (*types,) and _counts(each)]
    counted = counted if len(types) == 1 else [group]  # of several types nobody knows how many are of which
    wanted = sum(each.nodes_start for each in counted if each.nodes_start is not UNKNOWN)
    unknown = [called(each) for each in counted if each.nodes_start is UNKNOWN]
    if not types:
        return  # hyperpod-instance-type-taken names them
    unasked = [_quota(each) for each, allowed in known.items() if allowed is None]
    allowed = sum(each or 0 for each in known.values())
    if unasked:
        yield rule.unjudged(group.place, fleet.missing(f"quota {some(unasked)}: {wanted} or more"))
    elif wanted > allowed:
        quotas = [f"'{_quota(each)}'" for each in types]
        who, names = some(map(called, counted)), f"quota {quotas[0]} allows"
        if len(quotas) > 1:
            names = f"quotas {some(quotas)} allow together"
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{who} {'asks' if len(counted) == 1 else 'ask'} for {number(wanted, 'instance')}; {names} {allowed}",
            remedy=f"have '{_quota(types[0])}' raised to {wanted} ({_CODE}), or ask for fewer",
        )
    elif unknown:
        yield rule.unjudged(group.place, f"the numbers of instances of {some(unknown)}, not known before creation")


def _quota(instance_type: str) -> str:
    """As Service Quotas calls it."""
    return f"{instance_type} for cluster usage"


def _counts(group: InstanceGroup) -> bool:
    return group.training_plan is None and group.spot is False

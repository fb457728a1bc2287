"""SageMaker's own quotas of instances against the groups."""

from collections.abc import Iterator

from muster.fleet.hardware.hyperpod_types import hyperpod_types
from muster.fleet.hyperpod_quotas import of_type, request
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.reading.others import others_use, use_unknown
from policies.rule import Rule, Verdict, rule
from policies.words import agree, number, some


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
    types = sorted({each for each in group.instance_types if each in hyperpod_types()})
    spot = group.spot
    called_ = {each: _quota(each, fleet, spot=spot) for each in types}
    known = {each: fleet.facts.hyperpod_quotas.get(called_[each]) if fleet.facts else None for each in types}
    alike = [each for each in fleet.of(InstanceGroup) if each.instance_types == (*types,)]
    counted = [each for each in alike if each.training_plan is None and each.spot is spot]
    counted = counted if len(types) == 1 else [group]  # of several types nobody knows how many are of which
    wanted = sum(each.nodes_start for each in counted if each.nodes_start is not UNKNOWN)
    unknown = [called(each) for each in counted if each.nodes_start is UNKNOWN]
    if not types:
        return  # hyperpod-instance-type-taken names them
    unasked = [called_[each] for each, allowed in known.items() if allowed is None]
    allowed = sum(each or 0 for each in known.values())
    in_use = fleet.facts.hyperpod_quotas_used if fleet.facts else None
    used = [others_use(in_use, each, fleet) for each in called_.values()]
    others = sum(each or 0 for each in used)
    quotas = [f"'{each}'" for each in called_.values()]
    if unasked:
        yield rule.unjudged(group.place, fleet.missing(f"quota {some(unasked)}: {wanted} or more"))
    elif wanted + others > allowed:
        who, names = some(map(called, counted)), f"quota {quotas[0]} allows"
        if len(quotas) > 1:
            names = f"quotas {some(quotas)} allow together"
        beside = f", and other clusters have {others} of them" if others else ""
        enough = (known[types[0]] or 0) + wanted + others - allowed
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{who} {agree(counted, 'asks', 'ask')} for {number(wanted, 'instance')}; {names} {allowed}{beside}",
            remedy=f"have it raised: {request(called_[types[0]], enough)}; or ask for fewer",
        )
    elif None in used:
        yield rule.unjudged(group.place, use_unknown(some(quotas), allowed, wanted, fleet))
    elif unknown:
        yield rule.unjudged(group.place, f"the numbers of instances of {some(unknown)}, not known before creation")


def _quota(instance_type: str, fleet: Fleet, *, spot: bool) -> str:
    """As Service Quotas calls it. SageMaker's guide does not say how it calls that of spot instances: it is the one
    among the facts that speaks of spot and of clusters, whatever its words."""
    every = sorted(fleet.facts.hyperpod_quotas) if fleet.facts else []
    ours = [each for each in every if each.startswith(f"{instance_type} ") and "cluster" in each and "spot" in each]
    if spot:
        return ours[0] if ours else of_type(instance_type, spot=True)
    return of_type(instance_type, spot=False)

"""Taints of one's own on nodes that HyperPod tries first."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some

_MILD = "PreferNoSchedule"


@rule(
    "hyperpod-taints-beside-deep-checks",
    title="A HyperPod group with deep health checks keeps no pods off by taints of its own",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Deep health checks run on the node as pods, and AWS nowhere says which taints they tolerate beside HyperPod's "
    "own. Where they do not, the check never ends, and no job ever runs there.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-deep-health-checks; aws/sagemaker-hyperpod-cli, "
    "HyperPodHelmChart",
    remedy="Try one node first, or do without the taint: HyperPod's own keeps jobs off until the checks have passed.",
    facts=("rules.md#59", "hardware.md#f4"),
)
def hyperpod_taints_beside_deep_checks(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.deep_checks is UNKNOWN or not group.deep_checks:
        return  # hyperpod-deep-checks-known says so
    if group.taints is UNKNOWN:
        yield rule.unjudged(group.place, f"the taints of {called(group)}, not known before creation")
        return
    keys = sorted({taint.key for taint in group.taints if taint.effect != _MILD})
    if keys:
        got = f"{called(group)} has deep health checks, whose pods may not tolerate {some(keys)}"
        remedy = f"see with one node that the checks end, or leave {some(keys)} out while they run"
        yield rule.finding(group.place, at="taints", got=got, remedy=remedy)

"""A minimum of instances without continuous provisioning."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, cluster_of
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "hyperpod-minimum-needs-continuous",
    title="A HyperPod group with a minimum is provisioned continuously",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Only continuous provisioning starts with fewer instances than asked for and fetches the others later. Without "
    "it a group comes whole or is rolled back, whatever its minimum says.",
    source="SageMaker API, NodeProvisioningMode and MinInstanceCount; AWS, What's New of 2026-05-27 (MinCount)",
    remedy="Set provisioning to continuous, or leave the minimum out.",
    facts=("rules.md#57", "hardware.md#f5"),
)
def hyperpod_minimum_needs_continuous(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or cluster.provisioning in ("Continuous", UNKNOWN) or group.minimum is None:
        return
    if group.minimum is UNKNOWN or group.nodes_start is UNKNOWN:
        return  # hyperpod-counts-in-order says so
    if group.minimum < group.nodes_start:
        yield rule.finding(
            group.place,
            at="nodes.minimum",
            got=f"{called(group)} would do with {group.minimum} of {group.nodes_start} instances, and comes whole or "
            "not at all",
            remedy="set provisioning: continuous (nodeProvisioningMode), or leave the minimum out",
        )

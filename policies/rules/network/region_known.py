"""The Region that a stack goes to."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from muster.hardware.offerings import regions
from muster.hardware.zones import OTHER_PARTITIONS
from muster.message_text import did_you_mean
from policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "region-known",
    title="The Region is one that AWS has",
    # AWS may have opened it since the table was made, so it is advice.
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="The provider takes any Region of the right form, and its first call finds no such host.",
    source="EC2 API, DescribeInstanceTypeOfferings, as moto 5.2.5 copies it (`muster hardware TYPE --region REGION`)",
    remedy="Write a Region of `aws ec2 describe-regions --all-regions`.",
    facts=("hardware.md#e",),
)
def region_known(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = (*regions(), *OTHER_PARTITIONS)
    if fleet.region is not None and fleet.region not in known:
        got = f"Muster knows no Region {fleet.region}{did_you_mean(fleet.region, known)}"
        yield rule.finding(cluster.place, got, "compare it with `aws ec2 describe-regions --all-regions`")

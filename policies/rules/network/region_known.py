"""The Region of a stack."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, WholeCluster
from muster.hardware.offerings import regions
from muster.hardware.zones import OTHER_PARTITIONS
from muster.message_text import did_you_mean
from muster.policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "region-known",
    title="The Region exists",
    # AWS may have opened it since the table was made, so the rule is advisory.
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=WholeCluster,
    backends=EVERY_BACKEND,
    why="The provider accepts any Region name in the right format, and its first call then does not find the host.",
    source="EC2 API, DescribeInstanceTypeOfferings, as moto 5.2.5 copies it (`muster hardware TYPE --region REGION`)",
    remedy="Use a Region that `aws ec2 describe-regions --all-regions` lists.",
    facts=("hardware.md#e",),
)
def region_known(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known = (*regions(), *OTHER_PARTITIONS)
    if fleet.region is not None and fleet.region not in known:
        got = f"Muster does not know the Region {fleet.region}{did_you_mean(fleet.region, known)}"
        yield rule.finding(cluster.root, got, "check it with `aws ec2 describe-regions --all-regions`")

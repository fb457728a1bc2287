"""DevSettings and their timeouts."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule

_FOR_USERS = frozenset({"Timeouts"})


@rule(
    "parallelcluster-dev-settings-absent",
    title="Of DevSettings a cluster has timeouts alone",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Other cookbooks, templates and instance data replace what the version was tested with; the guide has them for "
    "nobody, and an update may undo them.",
    source="aws-parallelcluster 3.16.1, ClusterDevSettingsSchema; ParallelCluster guide, DevSettings",
    remedy="Leave them out.",
    facts=("hardware.md#R22",),
)
def parallelcluster_dev_settings_absent(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.dev_settings is UNKNOWN:
        yield rule.unjudged(cluster.place, "DevSettings, not known before creation")
    elif others := cluster.dev_settings - _FOR_USERS:
        got = f"DevSettings has {and_list(others)}"
        remedy = f"leave {and_list(others)} out; an image or scripts of your own do as much"
        yield rule.finding(cluster.place, got, remedy, at="version")  # they replace what it was tested with


_MOST = 50
"""Minutes. The rest of the hour is for the resources around the head node."""


@rule(
    "parallelcluster-head-ready-in-time",
    title="A head node that CloudFormation waits for is given 50 minutes at most",
    severity=Severity.MEDIUM,
    judges=HeadNode,
    backends=("parallelcluster",),
    why="CloudFormation waits an hour for a custom resource: for the whole cluster. A head node that may take longer "
    "is still at it when the stack has failed and is taken back.",
    source="CloudFormation guide, AWS::CloudFormation::CustomResource: ServiceTimeout is 3600 seconds at most",
    remedy="Allow less, and put what takes long into an image.",
    facts=("hardware.md#g1",),
)
def parallelcluster_head_ready_in_time(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.seconds is UNKNOWN:
        yield rule.unjudged(head.place, "how long the head node may take, not known before creation")
    elif head.seconds is not None and head.seconds > _MOST * 60:
        yield rule.finding(
            head.timed_at or head.place,
            at="timeout-minutes" if head.timed_at else "post-install.timeout-minutes",
            got=f"the head node may take {head.seconds // 60} minutes, and CloudFormation waits 60 for the whole "
            "cluster",
            remedy=f"allow {_MOST} minutes or less, and put what takes longer into an image of your own",
        )

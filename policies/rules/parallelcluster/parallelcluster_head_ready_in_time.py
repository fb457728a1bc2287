"""How long the head node may take."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HeadNode
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule

_MOST = 50
"""Minutes of the hour: the rest goes with what is made around the head node."""


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

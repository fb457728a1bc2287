"""The time in which the head node must be ready."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, HeadNode
from muster.policies.engine.rule import Rule, Severity, Verdict, rule

_MOST = 50
"""Minutes. The rest of the hour is for the resources around the head node."""


@rule(
    "parallelcluster-head-ready-in-time",
    title="A head node that CloudFormation waits for has a timeout of at most 50 minutes",
    severity=Severity.MEDIUM,
    judges=HeadNode,
    backends=("parallelcluster",),
    why="CloudFormation waits at most an hour for the whole cluster, which is a custom resource. A head node that may "
    "take longer is still starting when CloudFormation fails and rolls the stack back.",
    source=(
        "https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-customresource.html",
    ),
    remedy="Set a shorter timeout, and move what takes long into an image.",
    facts=("hardware.md#g1",),
)
def parallelcluster_head_ready_in_time(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.seconds is not None and head.seconds > _MOST * 60:
        got = f"the head node may take {head.seconds // 60} minutes, but CloudFormation waits 60 for the whole cluster"
        change = set_to(_MOST, in_program=_MOST * 60, words="and move what takes longer into your own image")
        yield rule.finding(head, "post-install.timeout-minutes", got=got, change=change, place=head.timed_at)

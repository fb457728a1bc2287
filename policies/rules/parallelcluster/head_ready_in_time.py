"""The time in which the head node must be ready."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, HeadNode
from muster.policies.engine.rule import Rule, Verdict

_MOST = 50
"""Minutes. The rest of the hour is for the resources around the head node."""


def parallelcluster_head_ready_in_time(head: HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if head.seconds is not None and head.seconds > _MOST * 60:
        got = f"the head node may take {head.seconds // 60} minutes, but CloudFormation waits 60 for the whole cluster"
        change = set_to(_MOST, in_program=_MOST * 60, words="and move what takes longer into your own image")
        yield rule.finding(head, "post-install.timeout-minutes", got=got, change=change, place=head.timed_at)

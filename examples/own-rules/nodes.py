"""Rules of a platform team about groups of nodes."""  # noqa: INP001 - a folder of rules is no package

from collections.abc import Iterator

from pydantic import Field

from muster.rules import Fleet, NodeGroup, Options, Rule, Verdict, add, set_to


class Approved(Options):
    """The options of approved-instance-types."""

    types: tuple[str, ...] = Field(("c5.2xlarge", "p5.48xlarge"), description="Approved instance types.")


def approved_instance_types(group: NodeGroup, _fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges each instance type of a group."""
    approved = Approved.of(rule.settings).types
    for each in group.instance_types:
        if each not in approved:
            yield rule.finding(group, "instance-type", got=f"{each} is not an approved type", change=set_to(*approved))


def nodes_have_a_team(group: NodeGroup, _fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the labels of a group."""
    if "team" not in dict(group.labels):
        yield rule.finding(group, "labels", got="its nodes have no label team", change=add(words="a label team"))

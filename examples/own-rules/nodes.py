"""Rules of a platform team about groups of nodes."""  # noqa: INP001 - a folder of rules is no package

from collections.abc import Iterator

from pydantic import Field

from muster.rules import Fleet, LaunchTemplate, NodeGroup, Options, Rule, Verdict, add, set_to


class Approved(Options):
    """The options of approved-instance-types."""

    types: tuple[str, ...] = Field(("c5.2xlarge", "p5.48xlarge"), description="Approved instance types.")


def approved_instance_types(template: LaunchTemplate, _fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the instance type of a launch template."""
    approved = Approved.of(rule.settings).types
    if template.instance not in approved:
        got = f"{template.instance} is not an approved type"
        yield rule.finding(template, "instance", got=got, change=set_to(*approved))


def nodes_have_a_team(group: NodeGroup, _fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the labels of a group."""
    if "team" not in dict(group.labels):
        yield rule.finding(group, "labels", got="its nodes have no label team", change=add(words="a label team"))

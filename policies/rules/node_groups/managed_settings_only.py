"""Settings that nobody applies to an Auto Scaling group of one's own."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "managed-settings-only",
    title="Only a managed group says updates or node-repair",
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="Both are EKS's work on its own groups. Nobody updates or repairs the nodes of a self-managed one: what stands "
    "there has no effect, and the next reader counts on it.",
    source="EKS API, NodegroupUpdateConfig and NodeRepairConfig; EKS user guide, Self-managed nodes",
    remedy="Remove the setting, or let EKS manage the group.",
    facts=("rules.md#38",),
)
def managed_settings_only(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for setting in group.ignored:
        yield rule.finding(
            group.place,
            at=setting,
            got=f"{setting} said of a self-managed group, where nobody applies it",
            remedy=f"remove {setting}, or self-managed",
        )

"""Settings that move into the launch template as soon as there is one."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from policies.rule import Rule, Verdict, rule


@rule(
    "disk-and-access-in-template",
    title="A group with a launch template has neither diskSize nor remoteAccess",
    judges=NodeGroup,
    why="EKS refuses a group that says them beside a template: they belong into it.",
    source="EKS API, CreateNodegroup",
    remedy="Put the volume into the template's blockDeviceMappings, keys and groups into its own settings.",
    facts=("rules.md#38",),
)
def disk_and_access_in_template(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.template is None:
        return
    moved = {
        "diskSize": (group.disk_size is not None, "blockDeviceMappings"),
        "remoteAccess": (group.remote_access, "keyName and security groups"),
    }
    for name, (given, instead) in moved.items():
        if given:
            got = f"{name} beside a launch template"
            yield rule.finding(group.place, got, f"remove {name} and use the template's {instead}")

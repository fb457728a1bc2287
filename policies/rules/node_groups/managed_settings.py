"""Settings of managed node groups, and of their launch templates."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import on_block, template_on_block
from muster.unknown import UNKNOWN


@rule(
    "disk-and-access-in-template",
    title="A group with a launch template has neither diskSize nor remoteAccess",
    judges=NodeGroup,
    why="EKS rejects a group that sets them and has a launch template: they belong in the template.",
    source=("https://docs.aws.amazon.com/eks/latest/APIReference/API_CreateNodegroup.html",),
    remedy="Set the volume in the template's blockDeviceMappings, and the key and security groups in the template.",
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
            got = f"the group sets {name} and has a launch template"
            yield rule.finding(group.place, got, f"remove {name}, and use the template's {instead}")


@rule(
    "managed-settings-only",
    title="Only a managed group sets updates or node-repair",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="EKS updates and repairs only the nodes of managed groups. On a self-managed group these settings have no "
    "effect, but people rely on them.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupUpdateConfig.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/worker.html",
    ),
    remedy="Remove the setting, or let EKS manage the group.",
    facts=("rules.md#38",),
)
def managed_settings_only(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for setting in group.ignored:
        yield rule.finding(
            group.place,
            at=setting,
            got=f"{setting} is set for a self-managed group, where it has no effect",
            remedy=f"remove {setting}, or remove self-managed",
        )


_FORBIDDEN = {
    "iamInstanceProfile": "set the role as the group's nodeRoleArn",
    "networkInterfaces.subnetId": "set the subnets as the group's subnetIds",
    "hibernationOptions": "EKS nodes do not hibernate",
    "instanceInitiatedShutdownBehavior": "the Auto Scaling group terminates its nodes",
    "instanceMarketOptions.spotOptions": "set the group's capacityType to SPOT",
    "instanceMarketOptions.marketType spot": "set the group's capacityType to SPOT",
}


@rule(
    "managed-template-settings",
    title="A managed group's launch template does not set what EKS sets itself",
    judges=LaunchTemplate,
    why="EKS refuses to create or update a group whose template sets a subnet, an instance profile, hibernation, a "
    "shutdown behavior or spot options.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/APIReference/API_LaunchTemplateSpecification.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/launch-templates.html",
    ),
    remedy="Remove the setting from the template.",
    facts=("rules.md#38", "hardware.md#R4", "pains.md#21"),
)
def managed_template_settings(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not any(group.managed for group in fleet.groups_of(template)):
        return  # a self-managed Auto Scaling group may set all of these
    # With a Capacity Block, spot is wrong for another reason: capacity-block-template.
    for_block = template_on_block(template, fleet) or any(on_block(group, fleet) for group in fleet.groups_of(template))
    spot = {"instanceMarketOptions.marketType spot"} if template.market_type == "spot" and not for_block else set()
    for name in sorted((template.settings | spot) & _FORBIDDEN.keys()):
        got = f"the launch template of a managed group sets {name}"
        yield rule.finding(template.place, got, f"remove {name} from it: {_FORBIDDEN[name]}")
    if template.market_type is UNKNOWN:
        yield rule.unjudged(template.place, "instanceMarketOptions.marketType (known only after `pulumi up`)")

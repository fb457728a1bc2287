"""Settings of managed node groups, and of their launch templates."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_targets import on_block, template_on_block
from muster.unknown import UNKNOWN


@rule(
    "disk-and-access-in-template",
    title="A group with a launch template has neither diskSize nor remoteAccess",
    judges=NodeGroup,
    why="EKS rejects a group that sets them and has a launch template: they belong in the template.",
    source="EKS API, CreateNodegroup",
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
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="EKS updates and repairs only the nodes of managed groups. On a self-managed group these settings have no "
    "effect, but people rely on them.",
    source="EKS API, NodegroupUpdateConfig and NodeRepairConfig; EKS user guide, Self-managed nodes",
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
    source="EKS API, LaunchTemplateSpecification; EKS user guide, Customize managed nodes with launch templates",
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


_MOST_PERCENT = 100
_PAIRS = ("maxParallelNodesRepaired", "maxUnhealthyNodeThreshold")


@rule(
    "node-repair-limits-single",
    title="Each limit of node repair is a number of nodes or a percentage, and at least 1",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS rejects a count together with a percentage for the same limit, a count below 1, and a percentage outside "
    "1 to 100.",
    source="EKS API, NodeRepairConfig",
    remedy="Keep the count or the percentage.",
    facts=("rules.md#41",),
)
def node_repair_limits_single(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    given = dict(group.repair_limits)
    for limit in _PAIRS:
        names = (f"{limit}Count", f"{limit}Percentage")
        both = [name for name in names if given.get(name, UNKNOWN) is not UNKNOWN]
        if len(both) > 1:
            got = f"{both[0]} and {both[1]} are both set"
            remedy = f"remove {both[0]} or {both[1]}"
            yield rule.finding(group.place, at="node-repair", got=got, remedy=remedy)
    for name, value in given.items():
        percent = name.endswith("Percentage")
        if value is UNKNOWN:
            yield rule.unjudged(group.place, f"{name} (known only after `pulumi up`)")
        elif value < 1 or (percent and value > _MOST_PERCENT):
            least = f"set {name} to at least 1" + (f" and at most {_MOST_PERCENT}" if percent else "")
            yield rule.finding(group.place, at="node-repair", got=f"{name} is {value}", remedy=least)


_MOST = 100


@rule(
    "update-limits-single",
    title="The limit of an update is a number of nodes or a percentage, from 1 to 100",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS rejects both together, and numbers outside 1 to 100.",
    source="EKS API, NodegroupUpdateConfig",
    remedy="Keep one of maxUnavailable and maxUnavailablePercentage.",
    facts=("rules.md#41",),
)
def update_limits_single(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    limits = {"maxUnavailable": group.max_unavailable, "maxUnavailablePercentage": group.max_unavailable_percentage}
    given = {name: value for name, value in limits.items() if value is not None}
    if len(given) > 1 and UNKNOWN not in given.values():
        got = "maxUnavailable and maxUnavailablePercentage are both set"
        remedy = "remove maxUnavailable or maxUnavailablePercentage"
        yield rule.finding(group.place, at="updates", got=got, remedy=remedy)
    for name, value in given.items():
        if value is UNKNOWN:
            yield rule.unjudged(group.place, f"{name} (known only after `pulumi up`)")
        elif not 1 <= value <= _MOST:
            remedy = f"set {name} to at least 1 and at most {_MOST}"
            yield rule.finding(group.place, at="updates", got=f"{name} is {value}", remedy=remedy)


_MOST_TAINTS = 50


@rule(
    "managed-taints-at-most-fifty",
    title="A managed group has at most 50 taints",
    judges=NodeGroup,
    why="EKS rejects a group with more. Muster's own taint of a group with accelerators also counts.",
    source="Pulumi Registry, aws.eks.NodeGroup (taints)",
    remedy="Keep at most 50.",
    facts=("rules.md#38",),
)
def managed_taints_at_most_fifty(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not group.managed or group.taints is UNKNOWN or len(group.taints) <= _MOST_TAINTS:
        return
    got = f"the group has {len(group.taints)} taints, but EKS accepts at most {_MOST_TAINTS} for a managed group"
    remedy, in_program = f"keep at most {_MOST_TAINTS} taints", f"keep at most {_MOST_TAINTS} entries in taints"
    yield rule.finding(group.place, got, remedy, at="taints", program_remedy=in_program)

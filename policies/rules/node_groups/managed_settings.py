"""Settings of managed node groups, and of their launch templates."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_targets import on_block, template_on_block


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


_FORBIDDEN = {
    "iamInstanceProfile": "name the role in the group's nodeRoleArn",
    "networkInterfaces.subnetId": "name the subnets in the group's subnetIds",
    "hibernationOptions": "EKS nodes do not hibernate",
    "instanceInitiatedShutdownBehavior": "the Auto Scaling group terminates its nodes",
    "instanceMarketOptions.spotOptions": "say capacityType SPOT in the group",
    "instanceMarketOptions.marketType spot": "say capacityType SPOT in the group",
}


@rule(
    "managed-template-settings",
    title="A managed group's launch template leaves out what EKS sets itself",
    judges=LaunchTemplate,
    why="EKS refuses to create or update a group whose template sets a subnet, an instance profile, hibernation, a "
    "shutdown behaviour or spot options.",
    source="EKS API, LaunchTemplateSpecification; EKS user guide, Customize managed nodes with launch templates",
    remedy="Remove the setting from the template.",
    facts=("rules.md#38", "hardware.md#R4", "pains.md#21"),
)
def managed_template_settings(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not any(group.managed for group in fleet.groups_of(template)):
        return  # an Auto Scaling group of one's own may set all of these
    # Around a Capacity Block spot is wrong for another reason: capacity-block-template.
    for_block = template_on_block(template, fleet) or any(on_block(group, fleet) for group in fleet.groups_of(template))
    spot = {"instanceMarketOptions.marketType spot"} if template.market_type == "spot" and not for_block else set()
    for name in sorted((template.settings | spot) & _FORBIDDEN.keys()):
        yield rule.finding(template.place, f"sets {name}", f"remove {name} from it: {_FORBIDDEN[name]}")
    if template.market_type is UNKNOWN:
        yield rule.unjudged(template.place, "instanceMarketOptions.marketType, not known before creation")


_MOST_PERCENT = 100
_PAIRS = ("maxParallelNodesRepaired", "maxUnhealthyNodeThreshold")


@rule(
    "node-repair-limits-single",
    title="Each limit of node repair is a number of nodes or a percentage, 1 at least",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS refuses a count and a percentage of the same limit together, a count below 1, and a percentage outside of "
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
            got = f"{both[0]} and {both[1]} together"
            yield rule.finding(group.place, at="node-repair", got=got, remedy="remove one of them")
    for name, value in given.items():
        percent = name.endswith("Percentage")
        if value is UNKNOWN:
            yield rule.unjudged(group.place, f"{name}, not known before creation")
        elif value < 1 or (percent and value > _MOST_PERCENT):
            least = f"make {name} 1 at least" + (f" and {_MOST_PERCENT} at most" if percent else "")
            yield rule.finding(group.place, at="node-repair", got=f"{name} {value}", remedy=least)


_MOST = 100


@rule(
    "update-limits-single",
    title="An update's limit is a number of nodes or a percentage, 1 to 100",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS refuses both together, and numbers outside of 1 to 100.",
    source="EKS API, NodegroupUpdateConfig",
    remedy="Keep one of maxUnavailable and maxUnavailablePercentage.",
    facts=("rules.md#41",),
)
def update_limits_single(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    limits = {"maxUnavailable": group.max_unavailable, "maxUnavailablePercentage": group.max_unavailable_percentage}
    given = {name: value for name, value in limits.items() if value is not None}
    if len(given) > 1 and UNKNOWN not in given.values():
        got = "maxUnavailable and maxUnavailablePercentage together"
        yield rule.finding(group.place, at="updates", got=got, remedy="remove one of them")
    for name, value in given.items():
        if value is UNKNOWN:
            yield rule.unjudged(group.place, f"{name}, not known before creation")
        elif not 1 <= value <= _MOST:
            yield rule.finding(
                group.place, at="updates", got=f"{name} {value}", remedy=f"make {name} 1 at least and {_MOST} at most"
            )


_MOST_TAINTS = 50


@rule(
    "managed-taints-at-most-fifty",
    title="A managed group has 50 taints at most",
    judges=NodeGroup,
    why="EKS refuses a group with more. Muster's own taint of a group with accelerators counts.",
    source="Pulumi Registry, aws.eks.NodeGroup (taints)",
    remedy="Keep to 50.",
    facts=("rules.md#38",),
)
def managed_taints_at_most_fifty(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not group.managed or group.taints is UNKNOWN or len(group.taints) <= _MOST_TAINTS:
        return
    got = f"{len(group.taints)} taints, and EKS takes {_MOST_TAINTS} of a managed group"
    yield rule.finding(group.place, got, f"keep {_MOST_TAINTS} at most", at="taints")

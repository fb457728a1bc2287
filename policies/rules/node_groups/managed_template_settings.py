"""Settings that a managed node group's launch template must leave to EKS."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import on_block, template_on_block
from policies.rule import Rule, Verdict, rule

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

"""The two places for security groups."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import names, number


@rule(
    "security-groups-on-interfaces",
    title="A template that lists interfaces has its security groups on them, none at its top",
    judges=LaunchTemplate,
    why="EC2 refuses security groups of the instance beside network interfaces.",
    source="EC2 API, RequestLaunchTemplateData; ParallelCluster queues_stack.py",
    remedy="Move the groups of vpcSecurityGroupIds to the interfaces' securityGroups.",
    facts=("hardware.md#R4",),
)
def security_groups_on_interfaces(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = template.security_groups
    if groups is not UNKNOWN and not groups:
        return
    if template.interfaces is UNKNOWN:
        yield rule.unjudged(template.place, "whether it lists network interfaces")
    elif template.interfaces:
        # Groups that are set but not yet known are set all the same.
        yield rule.finding(
            template.place,
            got=f"security groups at the template's top ({names(groups)}) "
            f"beside {number(len(template.interfaces), 'interface')}",
            remedy="move them to each interface's securityGroups and drop vpcSecurityGroupIds",
        )

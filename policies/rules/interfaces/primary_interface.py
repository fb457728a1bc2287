"""The primary interface, and security groups, of a template that lists interfaces."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.backend_sets import FROM_LAUNCH_TEMPLATES
from muster.fleet.resources import Fleet, LaunchTemplate
from muster.hardware.interfaces import InterfaceType
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import any_of, if_known, stored


@rule(
    "primary-interface-carries-ip",
    title="A template that lists interfaces lists the primary one, card 0 / device 0, and it is not efa-only",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="A node is reached through its primary interface, and an efa-only interface has no IP address: EC2 rejects an "
    "instance without an interface at card 0 / device 0, or with an efa-only one there.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-eni.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html",
        "https://github.com/aws/karpenter-provider-aws/blob/main/pkg/apis/v1/ec2nodeclass.go",
    ),
    remedy="Make card 0 / device 0 an ordinary interface, and put an efa-only one at card 0 / device 1.",
    facts=("rules.md#2", "hardware.md#R2"),
)
def primary_interface_carries_ip(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    primary = [nic for nic in template.interfaces if if_known(lambda: (nic.card, nic.device) == (0, 0))]
    if any_of(*(lambda nic=nic: nic.type == InterfaceType.EFA_ONLY for nic in primary)):
        yield rule.finding(
            template,
            "interfaces",
            got="the interface at card 0 / device 0 is efa-only",
            change=(set_to("efa", at="interfaceType"), "move it to device 1, and put an interface without EFA there"),
        )
    elif template.interfaces and not primary:
        _ = [(nic.card, nic.device) for nic in template.interfaces]
        first = and_list(nic.label for nic in template.interfaces[:3])
        got = f"no interface is at card 0 / device 0 (the first are at {first})"
        yield rule.finding(template, "interfaces", got=got, change="add an interface without EFA there")


@rule(
    "security-groups-on-interfaces",
    title="A template that lists interfaces sets its security groups on them, not at its top level",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="EC2 rejects security groups of the instance together with network interfaces.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_RequestLaunchTemplateData.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/templates/queues_stack.py",
    ),
    remedy="Move the groups of vpcSecurityGroupIds to the interfaces' securityGroups.",
    facts=("hardware.md#R4",),
)
def security_groups_on_interfaces(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = stored(template, "security_groups")
    if groups != () and template.interfaces:
        # Groups that are set count, even if they are unknown.
        yield rule.finding(
            template,
            "vpcSecurityGroupIds",
            got=f"the template sets security groups at its top level ({name_list(groups)}), but lists "
            f"{count_noun(len(template.interfaces), 'interface')}",
            change=f"move them to {rule.key(template, 'securityGroups')} of each interface",
        )

"""EFA interfaces: addresses and attachment."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InterfaceAttachment, LaunchTemplate
from muster.hardware.interfaces import InterfaceType
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.launch_templates import interfaces_of


@rule(
    "efa-only-without-address",
    title="An efa-only interface asks for no IP address or prefix",
    judges=LaunchTemplate,
    why="An efa-only interface carries no IP: EC2 refuses addresses, address counts and prefixes on it.",
    source="EC2 user guide, EFA interfaces for accelerated instance types",
    remedy="Drop the addresses, or make the interface 'efa'.",
    facts=("rules.md#4",),
)
def efa_only_without_address(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    nics, missing = interfaces_of(template, "type")
    if missing:
        yield rule.unjudged(template.place, missing)
    asking = [nic.label for nic in nics if nic.type == InterfaceType.EFA_ONLY and nic.addresses]
    if asking:
        yield rule.finding(
            template.place,
            at="interfaces",
            got=f"the efa-only {singular_or_plural(asking, 'interface', 'interfaces')} at {and_list(asking)} "
            f"{singular_or_plural(asking, 'asks', 'ask')} for IP addresses",
            remedy=f"remove the addresses and prefixes at {and_list(asking)}, or make the type 'efa'",
        )


@rule(
    "efa-not-attached-later",
    title="EFA interfaces come with the instance, they are not attached to one that runs",
    judges=InterfaceAttachment,
    why="EC2 attaches an EFA at launch or to a stopped instance only; nodes of a group are never stopped, so another "
    "number of EFA interfaces means other nodes.",
    source="EC2 user guide, Attach an EFA; EKS user guide, node-efa",
    remedy="Put the interface into the launch template.",
    facts=("rules.md#11",),
)
def efa_not_attached_later(attachment: InterfaceAttachment, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if attachment.is_efa is UNKNOWN:
        yield rule.unjudged(attachment.place, "the type of the network interface it attaches")
    elif attachment.is_efa:
        yield rule.finding(
            attachment.place,
            got=f"an {attachment.type} interface is attached to an instance that runs",
            remedy="remove the attachment and name the interface in the launch template's networkInterfaces",
        )

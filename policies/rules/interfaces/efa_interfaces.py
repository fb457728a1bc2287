"""EFA interfaces: addresses and attachment."""

from collections.abc import Iterator

from muster.fleet.backend_sets import FROM_LAUNCH_TEMPLATES
from muster.fleet.resources import Fleet, InterfaceAttachment, LaunchTemplate
from muster.hardware.interfaces import InterfaceType
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.launch_templates import interfaces_of
from muster.unknown import UNKNOWN


@rule(
    "efa-only-without-address",
    title="An efa-only interface requests no IP address or prefix",
    judges=LaunchTemplate,
    backends=FROM_LAUNCH_TEMPLATES,
    why="An efa-only interface carries no IP traffic: EC2 rejects addresses, address counts and prefixes on it.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-acc-inst-types.html",),
    remedy="Remove the addresses, or change the interface's type to 'efa'.",
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
            f"{singular_or_plural(asking, 'requests', 'request')} IP addresses",
            remedy=f"remove the addresses and prefixes at {and_list(asking)}, or set the type to 'efa'",
            program_remedy=f"remove the addresses and prefixes at {and_list(asking)}, or set interfaceType to efa",
        )


@rule(
    "efa-not-attached-later",
    title="EFA interfaces are created with the instance, not attached to a running one",
    judges=InterfaceAttachment,
    why="EC2 attaches an EFA only at launch or to a stopped instance. Nodes of a group are never stopped, so you need "
    "new nodes for another number of EFA interfaces.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/create-efa.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html",
    ),
    remedy="Define the interface in the launch template.",
    facts=("rules.md#11",),
)
def efa_not_attached_later(attachment: InterfaceAttachment, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if attachment.is_efa is UNKNOWN:
        yield rule.unjudged(attachment.place, "the type of the network interface it attaches")
    elif attachment.is_efa:
        yield rule.finding(
            attachment.place,
            got=f"an {attachment.type} interface is attached to a running instance",
            remedy="remove the attachment, and define the interface in the launch template's networkInterfaces",
        )

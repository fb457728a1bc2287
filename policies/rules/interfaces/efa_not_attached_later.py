"""EFA interfaces and instances that run already."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InterfaceAttachment
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


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

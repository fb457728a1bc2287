"""Network interfaces and their attachments to instances that run, as judged things."""

from collections.abc import Iterable

from muster.fleet.registration import Registration
from muster.fleet.resources import InterfaceAttachment, Place
from muster.fleet.resources.place import NETWORK_INTERFACE
from muster.fleet.unknown import UNKNOWN
from policies.views.references import References


def network_interface(resource: Registration, references: References) -> InterfaceAttachment | None:
    """Reads `aws.ec2.NetworkInterface`; one without `attachments` may be an instance's from its launch on."""
    if not _given(resource.inputs.get("attachments")):
        return None
    return InterfaceAttachment(
        references.ref(resource), resource.inputs.get("interfaceType"), place=Place(resource.urn)
    )


def interface_attachment(
    resource: Registration, references: References, interfaces: Iterable[Registration]
) -> InterfaceAttachment:
    """Reads `aws.ec2.NetworkInterfaceAttachment`. Of an interface from elsewhere the type is not known."""
    name = "networkInterfaceId"
    named = references.one(resource.inputs.get(name), resource, name, (NETWORK_INTERFACE,))
    types = [each.inputs.get("interfaceType") for each in interfaces if references.ref(each) == named]
    return InterfaceAttachment(references.ref(resource), types[0] if types else UNKNOWN, place=Place(resource.urn))


def _given(attachments: object) -> bool:
    return attachments is UNKNOWN or bool(attachments)

"""Clusters that exist, and how they let people and nodes in."""

from typing import Any

from muster.fleet.resources import ControlPlane, Fleet, InterfaceAttachment, Place, Ref
from muster.fleet.resources.ref import INTERFACE_ATTACHMENT
from muster.unknown import UNKNOWN
from tests.factories import CLUSTER_REF, SG, a_fleet, a_group, a_template
from tests.policies.case import cases


def joined(authentication: str, *, managed: bool = True, **plane: Any) -> Fleet:
    """A group that joins a cluster which exists."""
    existing = ControlPlane(
        CLUSTER_REF,
        "1.35",
        (),
        Place(""),
        security_groups=(SG,),
        name="theirs",
        existing=True,
        authentication=authentication,
        **plane,
    )
    plain = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(existing, plain, a_group(managed=managed))


cases(
    people_let_in_where_entries_are_off=lambda: joined(
        "CONFIG_MAP", grants=("arn:aws:iam::000000000000:role/a", "arn:aws:iam::000000000000:role/b")
    ),
)


# efa-not-attached-later

ATTACHMENT = "urn:pulumi:dev::theirs::aws:ec2/networkInterfaceAttachment:NetworkInterfaceAttachment::more"


def attached(type_: Any) -> Fleet:
    return a_fleet(InterfaceAttachment(Ref(INTERFACE_ATTACHMENT, "more"), type_, Place(ATTACHMENT)))


cases(
    efa_attached_to_an_instance_that_runs=lambda: attached("efa"),
    an_interface_of_a_type_not_yet_known_attached=lambda: attached(UNKNOWN),
)

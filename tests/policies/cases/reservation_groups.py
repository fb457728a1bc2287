"""Resource groups of reservations: those that exist, and those that a program makes."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityTarget, Fleet, Place, Ref, ReservationGroup
from muster.fleet.resources.ec2 import GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.ref import RESOURCE_GROUP
from tests.factories import a_fleet, a_group, a_template, facts
from tests.policies.case import cases

WORKERS = "groups.workers"
GROUP = f"{WORKERS}.capacity.reservation-group"
ARN = "arn:aws:resource-groups:us-west-2:000000000000:group/p5"
ONE, TWO = "cr-00000000000000001", "cr-00000000000000002"


def arn(id_: str, region: str = "us-west-2") -> str:
    return f"arn:aws:ec2:{region}:000000000000:capacity-reservation/{id_}"


SOUND = {
    "instanceType": "p5.48xlarge",
    "zone": "us-west-2a",
    "totalInstances": 1,
    "state": "active",
    "platform": "Linux/UNIX",
    "tenancy": "default",
    "reservationType": "default",
}


def known(one: Any = None, two: Any = None, **group: Any) -> Facts:
    """What AWS says of a group of two reservations of one instance each."""
    about = {"configurations": [POOL, GENERIC], "reservations": [ONE, TWO], **group}
    return facts(
        reservations={ONE: {**SOUND, **(one or {})}, TWO: {**SOUND, **(two or {})}},
        reservationGroups={ARN: {key: value for key, value in about.items() if value is not None}},
        quotas={"L-417A185B": 1920},
    )


ONLY = "capacity-reservations-only"


def on_group(*things: Any, group: Any = ARN, preference: Any = ONLY, facts: Facts | None = None, **more: Any) -> Fleet:
    """The default group, of another team, on a reservation group."""
    template = a_template(target=CapacityTarget(preference=preference, group=group), **more.pop("template", {}))
    return a_fleet(template, a_group(**more), *things, facts=facts or known())


def said(**more: Any) -> Capacity:
    """What a description says of it."""
    source = {} if "create" in more else {"arn": ARN}
    default = {**source, "zone": "us-west-2a", "count": 2, "provided-by": "aws"}
    return Capacity.model_validate({"reservation-group": {**default, **more}})


cases(
    # Its zone and size stand in the description.
    a_described_group_nobody_knows=lambda: on_group(nodes_max=2, capacity=said(), facts=facts()),
)


# preference


cases(
    a_group_without_preference=lambda: on_group(preference=None),
)


# its entries, those that exist


cases(
    an_empty_group=lambda: on_group(facts=known(reservations=[])),
    a_group_without_the_pool_entry=lambda: on_group(facts=known(configurations=[GENERIC])),
)


# those that a program makes

OWN = Ref(RESOURCE_GROUP, "p5")


BOTH = (arn(ONE), arn(TWO))


def own(members: Any = BOTH, **more: Any) -> ReservationGroup:
    entries = {"configurations": frozenset({POOL, GENERIC}), "allowed": frozenset({RESERVATION_TYPE})}
    return ReservationGroup(OWN, members=members, place=Place(GROUP), **{**entries, **more})


cases(
    a_group_of_its_own_in_a_region_nobody_names=lambda: a_fleet(
        a_template(target=CapacityTarget(preference=ONLY, group=OWN)), own(), facts=known(), region=None
    ),
)

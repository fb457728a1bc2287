"""Where file systems are, and where nodes train."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, A, B, a_group, a_stored_fleet, a_subnet, a_template, described, facts
from tests.policies.case import case
from tests.policies.storage import AT


@case(f"lustre-single-subnet @ {AT}.zone")
def a_zone_without_a_subnet() -> Fleet:
    return a_stored_fleet(subnets=(), zone="us-west-2d")


@case(f"lustre-single-subnet @ {AT}.zone")
def two_subnets() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee")
    return a_stored_fleet(subnets=(A, other.id), around=[other])


@case(f"lustre-in-training-zone @ {AT}.zone")
def fsx_in_another_zone() -> Fleet:
    return a_stored_fleet(subnets=(B,))


def stored(edits: Any = None, **said: Any) -> Fleet:
    """The default description with a file system: of it nothing is left to be asked but what facts say."""
    lustre = {"size": "4800GiB", "throughput": 250, **said}
    plain = {"groups.workers.instance": "c5.2xlarge", "groups.workers.capacity": DROP, "addons": DROP}
    return described({**plain, "storage": {"scratch": {"lustre": lustre}}, **(edits or {})}, facts=ROOM)


ROOM = facts(
    quotas={"L-1216C47A": 5000},
    subnets={id_: {"freeAddresses": 4000, "mapPublicIpOnLaunch": False} for id_ in (A, B)},
)


@case(f"lustre-in-training-zone @ {AT}.zone")
def fsx_in_another_zone_than_the_group_that_trains() -> Fleet:
    return stored(zone="us-west-2b")


@case()
def fsx_without_a_zone_goes_to_the_group_that_trains() -> Fleet:
    return stored(edits={"groups.workers.zone": "us-west-2b"})


@case()
def fsx_beside_one_of_two_groups_that_train() -> Fleet:
    return a_stored_fleet(a_group("more", subnets=(B,)), a_template("more"), subnets=(B,))


@case()
def fsx_where_nobody_trains() -> Fleet:
    return stored(zone="us-west-2b", edits={"groups.workers.for": "inference"})


@case(unjudged=(f"lustre-in-training-zone @ {AT}",))
def fsx_in_a_subnet_nobody_knows() -> Fleet:
    return a_stored_fleet(subnets=("subnet-0eeeeeeeeeeeeeeee",))


@case(unjudged=(f"lustre-single-subnet @ {AT}", f"lustre-in-training-zone @ {AT}"))
def fsx_in_a_subnet_not_yet_known() -> Fleet:
    return a_stored_fleet(subnets=UNKNOWN)


@case(
    unjudged=(
        f"lustre-in-training-zone @ {AT}",
        "efa-single-zone @ groups.workers",
        "several-interfaces-private-subnets @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def fsx_beside_nodes_nobody_knows() -> Fleet:
    return a_stored_fleet(a_group(subnets=UNKNOWN))

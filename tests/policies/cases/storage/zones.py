"""Where file systems are, and where nodes train."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import DROP, A, B, a_group, a_stored_fleet, a_subnet, a_template, described, facts
from tests.policies.case import case, cases

cases(
    a_zone_without_a_subnet=lambda: a_stored_fleet(subnets=(), zone="us-west-2d"),
)


@case
def two_subnets() -> Fleet:
    other = a_subnet("subnet-0eeeeeeeeeeeeeeee")
    return a_stored_fleet(subnets=(A, other.id), around=[other])


cases(
    fsx_in_another_zone=lambda: a_stored_fleet(subnets=(B,)),
)


def stored(edits: Any = None, **said: Any) -> Fleet:
    """The default description with a file system: of it nothing is left to be asked but what facts say."""
    lustre = {"size": "4800GiB", "throughput": 250, **said}
    plain = {"groups.workers.instance": "c5.2xlarge", "groups.workers.capacity": DROP, "addons": DROP}
    return described({**plain, "storage": {"scratch": {"lustre": lustre}}, **(edits or {})}, facts=ROOM)


ROOM = facts(
    quotas={"L-1216C47A": 5000},
    subnets={id_: {"freeAddresses": 4000, "mapPublicIpOnLaunch": False} for id_ in (A, B)},
)


cases(
    fsx_in_another_zone_than_the_group_that_trains=lambda: stored(zone="us-west-2b"),
    fsx_without_a_zone_goes_to_the_group_that_trains=lambda: stored(edits={"groups.workers.zone": "us-west-2b"}),
    fsx_beside_one_of_two_groups_that_train=lambda: a_stored_fleet(
        a_group("more", subnets=(B,)), a_template("more"), subnets=(B,)
    ),
    fsx_where_nobody_trains=lambda: stored(zone="us-west-2b", edits={"groups.workers.for": "inference"}),
    fsx_in_a_subnet_nobody_knows=lambda: a_stored_fleet(subnets=("subnet-0eeeeeeeeeeeeeeee",)),
    fsx_in_a_subnet_not_yet_known=lambda: a_stored_fleet(subnets=UNKNOWN),
    fsx_beside_nodes_nobody_knows=lambda: a_stored_fleet(a_group(subnets=UNKNOWN)),
)

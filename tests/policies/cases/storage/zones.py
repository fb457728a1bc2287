"""Where file systems are, and where nodes train."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import DROP, A, B, a_stored_fleet, described, facts
from tests.policies.case import cases

cases(
    a_zone_without_a_subnet=lambda: a_stored_fleet(subnets=(), zone="us-west-2d"),
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
    fsx_in_a_subnet_not_yet_known=lambda: a_stored_fleet(subnets=UNKNOWN),
)

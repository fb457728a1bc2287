"""What groups and reservations are of, where somebody else says so."""

import pytest

from muster.fleet.resources import Place, Ref, ReservationGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.reservation_groups import for_reservations
from policies.reading.targets import types_of
from tests.factories import a_fleet
from tests.slurms import a_resource, a_slurm_fleet


def test_types_that_nobody_states_are_not_known() -> None:
    """Neither the group nor a reservation: that is not the same as no type at all."""
    for types in ((), UNKNOWN):
        group = a_resource(instances=types)
        assert types_of(group, a_slurm_fleet(group)) is None


POOL, RESERVATION, HOSTS = (
    "AWS::EC2::CapacityReservationPool",
    "AWS::EC2::CapacityReservation",
    "AWS::EC2::HostManagement",
)


@pytest.mark.parametrize(
    ("configurations", "allowed", "meant"),
    [
        ({POOL}, set(), True),
        ({POOL}, UNKNOWN, True),
        (set(), {RESERVATION}, True),
        (UNKNOWN, {RESERVATION}, True),
        ({HOSTS}, {"AWS::EC2::Host"}, False),
        (UNKNOWN, UNKNOWN, False),
    ],
)
def test_either_entry_says_that_a_group_is_for_reservations(
    configurations: object, allowed: object, meant: bool
) -> None:
    """One of the two is enough: what the other lacks is a finding about it."""
    said = [frozenset(each) if isinstance(each, set) else UNKNOWN for each in (configurations, allowed)]
    group = ReservationGroup(Ref("aws:resourcegroups/group:Group", "held"), said[0], said[1], (), Place(""))
    assert for_reservations(group, a_fleet(group)) is meant

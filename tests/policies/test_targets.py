"""What a group is of, where it is its reservation that says so."""

from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import types_of
from tests.slurms import a_resource, a_slurm_fleet


def test_types_that_nobody_states_are_not_known() -> None:
    """Neither the group nor a reservation: that is not the same as no type at all."""
    for types in ((), UNKNOWN):
        group = a_resource(instances=types)
        assert types_of(group, a_slurm_fleet(group)) is None

"""Ways to break what a group has of reservations, by id or in a resource group."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from muster.fleet.resources.ec2 import GENERIC, POOL
from tests.factories import DROP
from tests.hardware_types import CLUSTER_TYPES
from tests.strategies.breakages.breakage import Places, found_at
from tests.strategies.described import WORKERS, Described
from tests.strategies.facts import reserved_by
from tests.strategies.readings import most_of


def _in_another_zone(draw: st.DrawFn, legal: Described) -> str:
    return draw(st.sampled_from([zone for zone in legal.zones if zone != legal.reservation["zone"]]))


RESERVATION = f"groups.{WORKERS}.capacity.reservation"


def reservation_elsewhere(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    there = _in_another_zone(draw, legal)
    return legal.edit({f"{RESERVATION}.zone": there}), found_at(f"{RESERVATION}.zone")


def reservation_observed_elsewhere(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    there = _in_another_zone(draw, legal)
    broken = legal.learn("reservations", legal.reservation["id"], zone=there)
    return broken, found_at(f"{RESERVATION}.zone")


def more_nodes_than_reserved(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    assume(most_of(legal.workers) > 1)
    few = draw(st.integers(1, most_of(legal.workers) - 1))
    return legal.edit({f"{RESERVATION}.count": few}), found_at(f"{RESERVATION}.count")


def more_nodes_than_observed(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    few = draw(st.integers(0, most_of(legal.workers) - 1))
    broken = legal.learn("reservations", legal.reservation["id"], totalInstances=few)
    return broken, found_at(f"{RESERVATION}.count")


def two_groups_too_many(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    count = draw(st.integers(most_of(legal.workers), 2 * most_of(legal.workers) - 1))
    both = [f"groups.{name}.capacity.reservation.count" for name in (WORKERS, "sharing")]
    return legal.edit(dict.fromkeys(both, count)), found_at(*both)


def reservation_over(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    wrong = draw(
        st.sampled_from(
            [
                {"state": "expired"},
                {"state": "cancelled"},
                {"end": "2020-01-01T00:00:00Z"},
                {"platform": "Windows"},
                {"tenancy": "dedicated"},
                {"reservationType": "capacity-block"},
            ]
        )
    )
    broken = legal.learn("reservations", legal.reservation["id"], **wrong)
    return broken, found_at(f"groups.{WORKERS}.capacity.reservation.id")


def reservation_of_another_type(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    other = draw(st.sampled_from([each for each in CLUSTER_TYPES if each != legal.workers["instance"]]))
    broken = legal.learn("reservations", legal.reservation["id"], instanceType=other)
    return broken, found_at(f"groups.{WORKERS}.instance")


def placement_group_for_aws(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{RESERVATION}.placement-group"
    return legal.edit({at: "pg-of-ours"}), found_at(at)


def made_in_another_placement_group(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    broken = legal.learn("reservations", legal.reservation["id"], placementGroup="pg-another")
    return broken, found_at(f"{RESERVATION}.placement-group")


RESERVATIONS = f"groups.{WORKERS}.capacity.reservation-group"


def _reservations_of(legal: Described) -> list[str]:
    return [id_ for id_, _ in reserved_by(legal.workers)]


def _named(legal: Described) -> str:
    """Where the workers' reservation group is named."""
    said = legal.workers["capacity"]["reservation-group"]
    return f"{RESERVATIONS}.{'arn' if 'arn' in said else 'create'}"


def _about_its_group(legal: Described, **said: Any) -> tuple[Described, Places]:
    at = f"{RESERVATIONS}.arn"
    assume(_named(legal) == at)
    return legal.learn("reservationGroups", legal.workers["capacity"]["reservation-group"]["arn"], **said), found_at(at)


def group_lacks_an_entry(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return _about_its_group(legal, configurations=[draw(st.sampled_from([POOL, GENERIC]))])


def group_found_empty(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    return _about_its_group(legal, reservations=[])


def group_made_empty(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at = f"{RESERVATIONS}.create"
    return legal.edit({f"{RESERVATIONS}.arn": DROP, at: []}), found_at(at)


def group_of_another_region(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    at, said = _named(legal), legal.workers["capacity"]["reservation-group"]
    there = [arn.replace(legal.region, "ap-south-1") for arn in said.get("create", [said.get("arn", "")])]
    return legal.edit({at: there if "create" in said else there[0]}), found_at(at)


def more_nodes_than_the_group_holds(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    for id_ in _reservations_of(legal):
        legal = legal.learn("reservations", id_, totalInstances=0)
    return legal, found_at(f"{RESERVATIONS}.count")

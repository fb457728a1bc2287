"""Where nodes come from that take the place of lost ones, and what that assumes."""

from typing import Any

import pytest

from muster.rehearsal.kubernetes.drills.node_loss import replacement_source, with_assumptions
from tests.factories import DROP, a_blueprint
from tests.hyperpod_factories import a_hyperpod_blueprint

IN_ZONE = {"zone": "us-west-2a", "count": 4}
RESERVED = {"reservation": {"id": "cr-0123456789abcdef0", "provided-by": "aws", **IN_ZONE}}
BLOCK = {
    "capacity-block": {
        "id": "cr-0123456789abcdef0",
        **IN_ZONE,
        "starts": "2026-11-20",
        "ends": "2026-12-01",
        "active": True,
    }
}
PLAN = {"training-plan": {"arn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p", **IN_ZONE}}

PLAIN = {"groups.workers.capacity": "on-demand", "groups.workers.interfaces": "plain"}


def of(capacity: object, lost: int, before: int, **more: Any) -> tuple[str, str]:
    edits = {"groups.workers.capacity": capacity, "groups.workers.nodes": 2, **more}
    found = replacement_source(a_blueprint(edits), {"workers": lost}, {"workers": before, "system": 1})
    return found.text, found.assumes


@pytest.mark.parametrize(("capacity", "name"), [(RESERVED, "reservation"), (BLOCK, "Capacity Block")])
def test_a_free_place_of_what_is_held_is_a_spare(capacity: object, name: str) -> None:
    """Nothing is assumed as long as there is one for each lost node."""
    assert of(capacity, lost=2, before=2) == (f"from its {name}, which holds 4 (2 unused)", "")


@pytest.mark.parametrize("capacity", [RESERVED, BLOCK])
@pytest.mark.parametrize(("lost", "before", "unused"), [(4, 4, "none"), (1, 4, "none"), (2, 3, "1")])
def test_without_one_aws_has_to_replace_the_hardware(capacity: object, lost: int, before: int, unused: str) -> None:
    said, assumes = of(capacity, lost, before)
    assert f"({unused} unused)" in said
    assert "AvailableInstanceCount" in assumes


@pytest.mark.parametrize("capacity", ["on-demand", {"spot": {"interruptions-accepted": True}}])
def test_what_nothing_holds_is_assumed_to_be_there(capacity: object) -> None:
    """Of the type, in the group's zones."""
    _, assumes = of(capacity, lost=1, before=2, **{"groups.workers.zone": "us-west-2a"})
    assert "p5.48xlarge in us-west-2a" in assumes


def test_a_lost_zone_gives_no_nodes() -> None:
    blueprint = a_blueprint(
        {"groups.workers.capacity": "on-demand", "groups.workers.interfaces": "plain", "groups.workers.zone": DROP}
    )
    found = replacement_source(blueprint, {"workers": 1}, {"workers": 1}, without="us-west-2a")
    assert "us-west-2b" in found.assumes
    assert "us-west-2a" not in found.assumes


def test_groups_that_share_a_reservation_share_its_free_places() -> None:
    """What the other group uses is no spare."""
    group = {"for": "training", "instance": "p5.48xlarge", "nodes": 2, "capacity": RESERVED}
    shared = a_blueprint({"groups.workers": group, "groups.others": group})
    assert replacement_source(shared, {"workers": 1}, {"workers": 2, "others": 1}).assumes == ""
    assert replacement_source(shared, {"workers": 1}, {"workers": 2, "others": 2}).assumes


@pytest.mark.parametrize(("before", "assumed"), [(3, False), (4, True)])
def test_a_training_plan_may_have_spares_of_its_own(before: int, assumed: bool) -> None:
    blueprint = a_hyperpod_blueprint({"groups.workers.capacity": PLAN})
    found = replacement_source(blueprint, {"workers": 1}, {"workers": before})
    assert found.text.startswith("from its training plan, which holds 4")
    assert ("AvailableSpareInstanceCount" in found.assumes) is assumed


def test_what_two_groups_assume_is_told_once() -> None:
    blueprint = a_blueprint({"groups.workers.zone": "us-west-2a", "groups.workers.capacity": "on-demand"})
    found = replacement_source(blueprint, {"workers": 1, "system": 1}, {"workers": 1, "system": 1})
    assert found.assumes.count("AWS has on-demand capacity") == 2
    assert found.text == "on-demand capacity, without a reservation"
    assert with_assumptions("it waits", "") == "it waits"
    assert with_assumptions("it waits", "they come") == "it waits; this assumes that they come"

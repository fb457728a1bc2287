"""What a group's launch template says, by what is said of the group."""

from typing import Any

import pytest

from muster.blueprint.kubernetes import EksGroup
from muster.fleet.resources import LaunchTemplate, Ref
from muster.fleet.resources import ref as types
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, a_blueprint

PLAIN = {"groups.workers.instance": "m5.8xlarge", "groups.workers.for": "system", "groups.workers.capacity": DROP}


def template_of(edits: dict[str, Any]) -> LaunchTemplate:
    """The workers'."""
    (group,) = (each for each in a_blueprint(edits).groups if each.name == "workers")
    assert isinstance(group, EksGroup)
    return group.template


@pytest.mark.parametrize(
    ("said", "placed_in"),
    [
        ({"provided-by": "aws"}, None),
        ({"provided-by": "you"}, Ref(types.PLACEMENT_GROUP, "workers")),
        ({"provided-by": "you", "placement-group": "ours"}, "ours"),
        ({"provided-by": "you", "placement-group": "none"}, None),
    ],
)
def test_a_template_names_the_placement_group(said: dict[str, str], placed_in: Any) -> None:
    """The one that is made, or by its name the one that exists; without one it says nothing of placement."""
    template = template_of({f"groups.workers.capacity.reservation.{key}": value for key, value in said.items()})
    assert template.placement_group == placed_in
    assert ("placement" in template.settings) is (placed_in is not None)


OWN_IMAGE = {"groups.workers.image": {"custom": {"id": "ami-0123456789abcdef0"}}}


@pytest.mark.parametrize(
    ("edits", "data"),
    [
        (PLAIN, "none"),
        ({}, "known"),
        ({**PLAIN, "groups.workers.huge-pages": "2GiB"}, "known"),
        ({"groups.workers.self-managed": True}, "unknown"),
        ({**PLAIN, "groups.workers.self-managed": True}, "unknown"),
        (OWN_IMAGE, "unknown"),
        ({**PLAIN, **OWN_IMAGE}, "unknown"),
    ],
)
def test_a_template_has_user_data_where_nodes_are_told_something(edits: dict[str, Any], data: str) -> None:
    """What they set aside is known here; how they join, which EKS tells its own images alone, is not."""
    template = template_of(edits)
    found = "none" if template.user_data is None else "unknown" if template.user_data is UNKNOWN else "known"
    assert found == data
    assert ("userData" in template.settings) is (data != "none")

"""Tags that a stack's resources have."""

from muster.blueprint.logical_names import stack_tags, tags
from tests.factories import a_blueprint


def test_a_resource_has_its_name_and_its_stacks_tags() -> None:
    """The description's own win, whatever they are called."""
    blueprint = a_blueprint({"name": "ml", "tags": {"team": "research"}})
    assert stack_tags(blueprint) == {"muster:stack": "tested", "team": "research"}
    assert tags(blueprint, "vpc") == {"Name": "ml-vpc", "muster:stack": "tested", "team": "research"}
    assert tags(a_blueprint({"tags": {"Name": "ours"}}), "vpc")["Name"] == "ours"

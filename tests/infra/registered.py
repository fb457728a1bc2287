"""What the program registers of an edited description, found by type and name."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.fleet.registration import Registration
from muster.offline.plan import existing_clusters
from muster.offline.recording import Recording, record
from tests.factories import REGION, a_description


class Registered:
    """The registrations of one run."""

    def __init__(self, recording: Recording) -> None:
        self.outputs: Mapping[str, Any] = recording.outputs
        self.all = recording.registrations

    def one(self, type_: str, name: str) -> Registration:
        """The only registration of a type and name."""
        (found,) = [each for each in self.all if (each.type, each.name) == (type_, name)]
        return found

    def named(self, type_: str) -> dict[str, Registration]:
        """All of a type, by name."""
        found = {each.name: each for each in self.all if each.type == type_}
        assert len(found) == sum(each.type == type_ for each in self.all)
        return found

    @property
    def types(self) -> set[str]:
        """The types there are."""
        return {each.type for each in self.all}


def registered(
    edits: Mapping[str, Any] | None = None,
    *,
    preview: bool = False,
    found: Mapping[str, Any] | None = None,
) -> Registered:
    """Runs the program on the default description, edited, as `registered_of` does."""
    return registered_of(derive(a_description(edits), "test", REGION), preview=preview, found=found)


def registered_of(
    blueprint: ClusterBlueprint[Any, Any],
    *,
    preview: bool = False,
    config: Mapping[str, Any] | None = None,
    found: Mapping[str, Any] | None = None,
) -> Registered:
    """Runs the program on a blueprint.

    Args:
        blueprint: what it registers.
        preview: whether ids are unknown.
        config: the stack's configuration beside the description.
        found: properties of the existing cluster in AWS that differ from the description.
    """
    from muster.deploy import deploy

    return Registered(
        record(
            lambda: deploy(blueprint),
            stack=blueprint.stack,
            region=blueprint.region,
            config=config,
            preview=preview,
            existing_clusters={name: {**said, **(found or {})} for name, said in existing_clusters(blueprint).items()},
        )
    )

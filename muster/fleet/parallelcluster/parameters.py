"""The parameters of the template: one for each id, named by what the id is for, never by the id.

So the template is the same text whatever ids there are: another subnet in the same zone, another reservation for the
same group change a parameter's value alone.
"""

import re
from collections.abc import Iterator, Mapping

from muster.fleet.description.group_core import Tier
from muster.fleet.resources import Reference
from muster.fleet.slurm_blueprint import SlurmBlueprint, SlurmGroup


class Parameters:
    """The parameters that a text has asked for so far, in its order."""

    def __init__(self, blueprint: SlurmBlueprint) -> None:
        self._words: dict[Reference, str] = {}
        for reference, word in _words(blueprint):
            self._words.setdefault(reference, word)
        self._given: dict[str, Reference] = {}

    @property
    def given(self) -> Mapping[str, Reference]:
        """Name -> whose id it is."""
        return self._given

    def ref(self, reference: Reference) -> dict[str, str]:
        """``{"Ref": "SubnetPrivateUsWest2a"}``."""
        known = {each: name for name, each in self._given.items()}
        return {"Ref": known.get(reference) or self._new(reference)}

    def _new(self, reference: Reference) -> str:
        word = _camel(self._words[reference])
        name, number = word, 1
        while name in self._given:
            number += 1
            name = f"{word}{number}"
        self._given[name] = reference
        return name


def _words(blueprint: SlurmBlueprint) -> Iterator[tuple[Reference, str]]:
    """Everything that has an id, and what it is for; of what is for several things, the first counts."""
    if blueprint.cluster.image is not None:
        yield blueprint.cluster.image, "image"
    if blueprint.head.key_pair is not None:
        yield blueprint.head.key_pair, "key-pair-head"
    for tier in Tier:
        for zone, subnet in blueprint.network.of(tier).items():
            yield subnet, f"subnet-{tier.value}-{zone}"
    yield from _security_groups(blueprint)
    for group in blueprint.groups:
        yield from _capacity(group)
    for stored in blueprint.storage:
        yield stored.file_system.id or stored.file_system.ref, f"file-system-{stored.name}"


def _security_groups(blueprint: SlurmBlueprint) -> Iterator[tuple[Reference, str]]:
    yield blueprint.nodes_security_group.ref, f"security-group-{blueprint.nodes_security_group.ref.name}"
    theirs = {"head": blueprint.described.head.security_groups}
    theirs |= {f"queue-{name}": queue.security_groups for name, queue in blueprint.described.queues.items()}
    for word, groups in theirs.items():
        for number, group in enumerate(groups, start=1):
            yield group, f"security-group-{word}-{number}"


def _capacity(group: SlurmGroup) -> Iterator[tuple[Reference, str]]:
    target = group.compute_resource.target
    if target.reservation is not None:
        yield target.reservation, f"reservation-{group.name}"
    if target.group is not None:
        yield target.group, f"reservation-group-{group.name}"


def _camel(text: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", text) if word)

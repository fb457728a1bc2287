"""Compares a stack with its files at a git ref: changed fields, changed resources, and their consequences."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.kubernetes import Blueprint
from muster.config import change_costs
from muster.config.change_costs import DescribedChange, cost_of, cost_of_path, cost_rank
from muster.config.description.base import Change, StrictModel
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.config.document import Position
from muster.config.stack_file import StackFile
from muster.extras.against.consequences import BlueprintPair, Consequence, FieldCost, consequences
from muster.extras.against.git_stacks import PastStacks, cluster_written
from muster.extras.against.resource_changes import Operation, ResourceChange, resource_changes
from muster.fleet.registration import Registration
from muster.message_text import did_you_mean

_ALIKE = 0.6
"""The similarity of two files (0 to 1) from which one counts as the other, renamed."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A path whose value changes, its position in today's file, and the cost of the change."""

    where: str
    """``groups.workers.instance``, ``aws:region``; facts begin with ``facts:``."""
    file: Path
    position: Position
    before: Any
    after: Any
    cost: Change


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the comparison: its files, and what today's program registers for them. Empty without files."""

    stack: StackFile | None = None
    blueprint: ClusterBlueprint | None = None
    registrations: tuple[Registration, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """The changes, and their cost."""

    ref: str
    commit: str
    fields: tuple[FieldChange, ...] = ()
    """The highest cost first."""
    registered: tuple[ResourceChange, ...] | None = ()
    """None if today's program cannot read the older files."""
    consequences: tuple[Consequence, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes on parts that cannot be compared, with reasons."""
    gone: bool = False
    """The stack file no longer exists: every resource that it registered counts as deleted."""

    @property
    def highest_cost(self) -> Change:
        """The highest cost of all changes."""
        costs = [*(each.cost for each in self.fields), *(each.cost for each in self.consequences)]
        costs += [self.cost_of(each) for each in self.registered or ()]
        return max(costs, key=cost_rank, default=Change.NOTHING)

    def cost_of(self, change: ResourceChange) -> Change:
        """The cost of the change of one resource. A deleted rule of a security group, or a deleted policy, loses no
        data; if the whole stack is removed, every deletion counts."""
        if change.operation is Operation.REPLACE:
            return Change.REPLACES
        ends = self.gone and change.operation is Operation.DELETE and not change.stays
        return Change.DELETES if ends else Change.NOTHING

    def count(self, operation: Operation) -> int:
        """The number of resources that are created, updated, replaced or deleted."""
        return sum(each.operation is operation for each in self.registered or ())


def compare(then: PastStacks, name: str, now: Side, before: Side) -> Comparison:
    """Compares both sides, each as far as it can be read.

    Args:
        then: the stacks at the ref.
        name: the stack's name at the ref.
        now: today's files and what is registered for them; empty if the stack has been removed.
        before: the same for the files at the ref.
    """
    revision, notes = then.revision, list(_notes(then, name, now, before))
    registered = None
    if (before.stack is None or before.blueprint) and (now.stack is None or now.blueprint):
        registered = resource_changes(before.registrations, now.registrations)
    found = consequences(registered or (), _field_costs(before, now), BlueprintPair(before.blueprint, now.blueprint))
    changes = (_as_registered(each, registered, found) for each in _field_changes(before, now))
    fields = sorted(changes, key=lambda each: (-cost_rank(each.cost), each.where))
    return Comparison(revision.ref, revision.commit, tuple(fields), registered, found, tuple(notes), now.stack is None)


def _as_registered(
    change: FieldChange, registered: tuple[ResourceChange, ...] | None, found: Iterable[Consequence]
) -> FieldChange:
    """The field's change, with its cost lowered to the highest cost of the consequences if no resource is replaced or
    deleted, nor a group inside one. A field's own cost is the highest possible cost of its change. A new public subnet
    without groups, for example, costs nothing."""
    if change.cost is not Change.REPLACES or registered is None or change.where in _ALWAYS:
        return change
    if any(each.operation in (Operation.REPLACE, Operation.DELETE) for each in registered):
        return change
    if any(each.cost is Change.REPLACES for each in found):
        return change
    cheaper = [each.cost for each in found if cost_rank(each.cost) < cost_rank(Change.REPLACES)]
    least = Change.IN_PLACE if registered else Change.NOTHING
    return replace(change, cost=max([least, *cheaper], key=cost_rank))


_ALWAYS = frozenset({"aws:region"})
"""Paths whose cost is never lowered: recordings in another Region have resources with the same names."""


def _both(before: Side, now: Side) -> tuple[StrictModel, StrictModel] | None:
    """Both descriptions, if both can be read."""
    if before.stack is None or now.stack is None:
        return None
    was, is_ = before.stack.described, now.stack.described
    return (was, is_) if was is not None and is_ is not None else None


def _field_costs(before: Side, now: Side) -> Iterator[FieldCost]:
    both = _both(before, now)
    if both is not None and type(both[0]) is type(both[1]):
        for each in change_costs.description_changes(*both):
            yield FieldCost(each.path, cost_of(each, *both), change_costs.remark_on(each, *both))


def _field_changes(before: Side, now: Side) -> Iterator[FieldChange]:
    """Every value that changes. A new or removed stack has only resource changes."""
    was, is_ = before.stack, now.stack
    if was is None or is_ is None:
        return
    both = _both(before, now)
    if both is None:
        yield from _written(was, is_)
    elif type(both[0]) is not type(both[1]):
        one, other = _backend(both[0]), _backend(both[1])
        yield _field_change(is_, DescribedChange((one[0],), one[1], other[1]), Change.REPLACES)
    else:
        for each in change_costs.description_changes(*both):
            yield _field_change(is_, each, Change(cost_of(each, *both)))
    if was.region != is_.region and was.region and is_.region:
        where = is_.document.position(("config", "aws:region")) or Position(1, 1)
        yield FieldChange("aws:region", is_.document.file, where, was.region, is_.region, Change.REPLACES)
    yield from _facts(was, is_)


def _backend(described: StrictModel) -> tuple[str, Any]:
    """The key that distinguishes descriptions of different models, and its value."""
    if isinstance(described, AddonsOf):
        return "addons-of", described.addons_of
    return "backend", getattr(described, "backend", None)


def _written(was: StackFile, is_: StackFile) -> Iterator[FieldChange]:
    """The changes of the plain values, if one side cannot be read as a description, with the costs of today's
    fields."""
    before, after = cluster_written(was.document), cluster_written(is_.document)
    for each in change_costs.raw_changes(before, after):
        cost = cost_of_path(is_.described, each.path) if is_.described is not None else Change.NOTHING
        yield _field_change(is_, each, Change(cost))


def _field_change(is_: StackFile, change: DescribedChange, cost: Change) -> FieldChange:
    located = is_.place(change.path)
    return FieldChange(change.where, located.file, located.position, change.before, change.after, cost)


def _facts(was: StackFile, is_: StackFile) -> Iterator[FieldChange]:
    """Changed facts about the account: resources do not contain them, but values derived from them may change."""
    one = was.facts_document.data if was.facts_document else None
    other = is_.facts_document.data if is_.facts_document else None
    for each in change_costs.raw_changes(one or {}, other or {}):
        position = is_.facts_document.position(each.path) if is_.facts_document else None
        where = f"facts: {each.where}"
        yield FieldChange(where, is_.facts_file, position or Position(1, 1), each.before, each.after, Change.NOTHING)


def _notes(then: PastStacks, name: str, now: Side, before: Side) -> Iterator[str]:
    revision = then.revision
    file = revision.label(f"stacks/Pulumi.{name}.yaml")
    if before.stack is None and now.stack is not None:
        yield f"{file} does not exist: the stack is new, and Pulumi creates all of its resources"
        yield from _renamed(then, now.stack)
    elif now.stack is None:
        yield (
            f"stacks/Pulumi.{name}.yaml has been removed. Removing the file deletes no resources; "
            f"`pulumi destroy --stack {name}` deletes those listed here"
        )
    elif before.stack is not None and before.stack.faults:
        faults = before.stack.faults
        first = then.labelled(f"{faults[0]}: {faults[0].finding.got}")
        yield (
            f"{file} does not match the current schema ({len(faults)} {'error' if len(faults) == 1 else 'errors'}, "
            f"the first: {first}), so only its text is compared, and the resource changes are unknown"
        )
    elif before.stack is not None and before.blueprint is None:
        yield f"the cluster of {file} is unknown, and so are the resource changes"
    both = _both(before, now)
    if both is not None and before.stack and now.stack and before.stack.region != now.stack.region:
        yield f"the Region changes from {before.stack.region} to {now.stack.region}, so all AWS resources are replaced"
    if both is not None and type(both[0]) is not type(both[1]):
        yield "the two descriptions have different backends, so only their resources are compared, not their keys"
    yield from _never_made(then, before, now)
    yield from _others(before, now)


def _never_made(then: PastStacks, before: Side, now: Side) -> Iterator[str]:
    """Notes on groups whose `was` is a group that does not exist at the ref."""
    if not isinstance(before.blueprint, Blueprint) or not isinstance(now.blueprint, Blueprint):
        return
    made = {each.made_as for each in before.blueprint.groups}
    for each in now.blueprint.groups:
        was = getattr(each.described, "was", None)
        if was and was not in made:
            meant = did_you_mean(was, made)
            yield f"{then.revision.ref} has no group '{was}', so group '{each.name}' (was: {was}) is new{meant}"


def _renamed(then: PastStacks, now: StackFile) -> Iterator[str]:
    """A note with the stack's possible former name, if a removed file is similar to it."""
    known = {file.stem.removeprefix("Pulumi.") for file in now.document.file.absolute().parent.glob("Pulumi.*.yaml")}
    text = now.document.text
    gone = [
        (SequenceMatcher(None, text.splitlines(), content.decode(errors="replace").splitlines()).ratio(), name)
        for name, content in then.texts.items()
        if name not in known
    ]
    likeness, name = max(gone, default=(0.0, ""))
    if likeness >= _ALIKE:
        yield (
            f"the removed stack {name} is similar; if you renamed it (`pulumi stack rename`), compare with "
            f"`--was {name}`"
        )


def _others(before: Side, now: Side) -> Iterator[str]:
    """A note for each other stack of the cluster that changes. Its changes are in its own comparison."""
    if before.stack is None or now.stack is None:
        return
    was = {each.stack: each.described for each in _linked(before.stack)}
    for each in _linked(now.stack):
        if each.stack in was and was[each.stack] != each.described:
            yield f"stack {each.stack} of the same cluster also changes: compare it separately"


def _linked(stack: StackFile) -> tuple[StackFile, ...]:
    joined = stack.joined
    return (*((joined.cluster,) if joined.cluster else ()), *joined.beside)

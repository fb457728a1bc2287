"""Where two descriptions differ, and what changing each key costs on a live cluster."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from muster.config.description.base import PARALLELCLUSTER, Change, Choice, StrictModel, change_cost
from muster.config.description.capacity import Capacity, Reservation
from muster.config.description.group import Group
from muster.config.description.hyperpod_settings import Mlflow
from muster.config.description.hyperpod_slurm_nodes import LoginNodes
from muster.config.description.nfs import OpenZfs
from muster.config.description.node_settings import CustomImage, Image
from muster.config.description.of_backend import declaration_of
from muster.config.description.storage import Lustre, Metadata, Registry, Storage
from muster.finding import KeyPath, dotted_path
from muster.plain_data import to_plain


@dataclass(frozen=True, slots=True)
class DescribedChange:
    """One path whose values differ. A value is None where its description does not set it."""

    path: KeyPath
    before: Any
    after: Any
    """Plain values, as in a stack file."""

    @property
    def where(self) -> str:
        """``groups.workers.instance``."""
        return dotted_path(self.path)


def description_changes(before: StrictModel, after: StrictModel) -> tuple[DescribedChange, ...]:
    """The differences of two descriptions, also of two different models.

    A block that only one of them has is one change, at the block's path.
    """
    return tuple(_changes((), before, after, set_in=(True, True)))


def _changes(path: KeyPath, was: Any, now: Any, *, set_in: tuple[bool, bool]) -> Iterator[DescribedChange]:
    """The differences of two values; `set_in` is whether each description sets its own."""
    if was == now:
        return
    if not path or _has_parts(was, now):
        for step, one, other, each_set_in in _parts(was, now):
            yield from _changes((*path, step), one, other, set_in=each_set_in)
        return
    # Another choice is shown also where it is the default.
    values = zip((was, now), set_in, strict=True)
    before, after = (_plain(value) if is_set or isinstance(value, Choice) else None for value, is_set in values)
    if before != after:
        yield DescribedChange(path, before, after)


def _has_parts(was: Any, now: Any) -> bool:
    """Whether two values are compared part by part: two maps, one block, perhaps on two backends, or two lists with as
    many blocks."""
    if isinstance(was, StrictModel) and isinstance(now, StrictModel):
        same = declaration_of(type(was)) is declaration_of(type(now)) and not (_is_number(was) or _is_number(now))
        return same and (not isinstance(was, Choice) or was.chosen == getattr(now, "chosen", ""))
    if isinstance(was, tuple) and isinstance(now, tuple):
        return len(was) == len(now) and all(isinstance(each, BaseModel) for each in (*was, *now))
    return isinstance(was, Mapping) and isinstance(now, Mapping)


def _parts(was: Any, now: Any) -> Iterator[tuple[str | int, Any, Any, tuple[bool, bool]]]:
    """The key or the index of each part, its two values, and whether each description sets it."""
    if isinstance(was, BaseModel):
        for name, info in {**type(was).model_fields, **type(now).model_fields}.items():
            set_in = name in was.model_fields_set, name in now.model_fields_set
            if any(set_in):  # else neither file sets it; two models may have different defaults
                yield info.alias or name, getattr(was, name, None), getattr(now, name, None), set_in
    elif isinstance(was, Mapping):
        # A group that is renamed has the name that it was created with (`was`).
        before = {getattr(each, "was", None) or key: each for key, each in was.items()}
        after = {getattr(each, "was", None) or key: (key, each) for key, each in now.items()}
        for name in {**before, **after}:
            key, other = after.get(name, (name, None))
            yield key, before.get(name), other, (True, True)
    else:
        for index, (one, other) in enumerate(zip(was, now, strict=True)):
            yield index, one, other, (True, True)


def _is_number(value: Any) -> bool:
    """Whether it is a fixed number of nodes, which a file writes as one number."""
    return bool(getattr(value, "fixed", False)) and value.min == value.max


def _in_a_file(value: Any) -> Any:
    """A value (a number of nodes, a choice, a block) as a file has it, without fields that are not set."""
    if _is_number(value):
        return value.max
    if isinstance(value, Choice):
        return _chosen(value)
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {fields[name].alias or name: getattr(value, name) for name in fields if name in value.model_fields_set}
    return value


def _plain(value: Any) -> Any:
    return to_plain(value, _in_a_file)


def _chosen(value: Choice) -> Any:
    """``{reservation: {...}}``, and ``on-demand`` for a choice without settings."""
    settings = _plain(getattr(value, value.keys()[value.chosen]))
    return value.chosen if value.chosen in value.bare_words and not settings else {value.chosen: settings}


LEGEND: Mapping[str, str] = {
    Change.NOTHING: "`up` changes nothing: no resource has the field",
    Change.IN_PLACE: "the live cluster is updated; nodes that stay do not restart",
    Change.NEXT_LAUNCH: "nodes launched later have the new value; running nodes keep the old one",
    Change.DRAINS: "nodes are drained and replaced, one at a time in each group",
    Change.LOGIN_STOP: "`up` fails while login nodes of the pool run; set nodes of the pool to 0 first",
    Change.FLEET_STOP: "`up` fails while compute nodes run; `pcluster update-compute-fleet` stops them",
    Change.WITH_ANOTHER: "nothing happens until another change updates the cluster",
    Change.REPLACES: "the resource with the field is deleted and created again",
    Change.DELETES: "the resource is deleted and not replaced",
    Change.STAYS: "`up` reports a change but sends no request to AWS: existing resources stay as they are",
    Change.REFUSED: "AWS does not change it in an existing resource",
    Change.BUYS: "the purchase is immediate and cannot be undone",
}
"""In ascending order of cost."""


_ON_PARALLELCLUSTER: Mapping[str, str] = {
    Change.DRAINS: "nodes of its queues are replaced after their jobs end, or at once if slurm.on-update is terminate",
    Change.REFUSED: "`up` fails: ParallelCluster does not change it in an existing cluster; another name creates a new "
    "cluster",
}
"""The costs that mean something else there."""


def legend(described: StrictModel) -> Mapping[str, str]:
    """The meaning of each cost for a description on this backend, in ascending order of cost."""
    own = _ON_PARALLELCLUSTER if described.on == PARALLELCLUSTER else {}
    return {**LEGEND, **own}


def cost_rank(cost: str) -> int:
    """The position of a cost in ascending order."""
    return list(LEGEND).index(Change(cost))


def higher_cost(one: str, other: str) -> str:
    """The higher of two costs."""
    return max(one, other, key=cost_rank)


def cost_of(change: DescribedChange, before: StrictModel, after: StrictModel) -> str:
    """The cost of one change: the higher of the costs that its path has in the two descriptions.

    An added block with a name (a group, a queue) is only created, or bought; the cost of a removed one is `_gone`.
    """
    was, will_be = (_at(part, change.path) for part in (before, after))
    if isinstance(was.value, StrictModel) and will_be.value is None and (was.named or isinstance(was.value, _ALONE)):
        return _gone(was.value, was.cost)
    if isinstance(will_be.value, StrictModel) and was.value is None and will_be.named:
        return Change.BUYS if _buys(will_be.value) else Change.IN_PLACE
    if change.path == _ZONES and _zones_added(was.value, will_be.value):
        return Change.IN_PLACE
    cost = higher_cost(was.cost, will_be.cost)
    part = _at(before, change.path[:-1]).value
    if not _is_lowered(part, change.path[-1], was.value, will_be.value):
        return cost
    # FSx refuses a smaller file system of OpenZFS. The provider replaces one of Lustre.
    lowered = Change.REFUSED if isinstance(part, OpenZfs) else _at(after, (*change.path[:_TO_LUSTRE], "type")).cost
    return higher_cost(cost, lowered)


_TO_LUSTRE = len(("storage", "NAME", "lustre"))


def _is_lowered(part: object, key: str | int, was: Any, will_be: Any) -> bool:
    """Whether a number of a file system that only grows in place is lower. This replaces the file system, as another
    deployment type does."""
    grows = (isinstance(part, Lustre | OpenZfs) and key == "size") or (isinstance(part, Metadata) and key == "iops")
    return grows and was is not None and will_be is not None and bool(will_be < was)


_ZONES = ("network", "create", "zones")
_ZONES_OF_CONTROL_PLANE = 2


def _zones_added(was: object, will_be: object) -> bool:
    """Whether zones come behind those that the control plane has: their subnets are made, and nothing else changes."""
    if not (isinstance(was, tuple) and isinstance(will_be, tuple)):
        return False
    return len(was) >= _ZONES_OF_CONTROL_PLANE and len(will_be) > len(was) and will_be[: len(was)] == was


def _gone(block: StrictModel, stated: str) -> str:
    """The cost of removing a named block. A file system that Muster did not create is not deleted."""
    if isinstance(block, Storage):
        return Change.DELETES if hasattr(block.block, "on_destroy") else Change.IN_PLACE
    if isinstance(block, _ALONE):
        return Change.DELETES
    return Change.DELETES if stated == Change.REPLACES else stated


_ALONE = Registry | Mlflow | LoginNodes
"""Blocks without a name whose resources contain users' data, or are nodes."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The value at a path of a description, and the cost of changing it."""

    value: object
    cost: str
    named: bool
    """Whether the description names it: a group, a file system, a queue."""


def _at(described: StrictModel, path: KeyPath) -> _Place:
    """The place at a path; where the description does not have it, None with the cost of its deepest part that it
    has."""
    groups = [each for each in getattr(described, "groups", {}).values() if isinstance(each, Group)]
    at_launch = bool(groups) and all(each.changes_at_launch for each in groups)
    value: object = described
    cost, named, custom, refused = str(Change.NOTHING), False, False, False
    for step in path:
        if isinstance(value, StrictModel):
            if isinstance(value, Group):
                at_launch, custom = value.changes_at_launch, value.image.custom is not None
            name = value.keys().get(str(step))
            if name is None:
                return _Place(None, cost, named=False)
            refused = refused or value.is_refused_below(name)
            cost = Change.REFUSED if refused else _cost(value, name, at_launch=at_launch, custom=custom)
            value, named = getattr(value, name), False
        elif isinstance(value, Mapping):
            value, named = value.get(step), True
        elif isinstance(value, tuple) and isinstance(step, int):
            value, named = value[step] if step < len(value) else None, False
        else:
            return _Place(None, cost, named=False)
    if isinstance(value, Choice) and not named and not refused:
        cost = _cost(value, value.keys()[value.chosen], at_launch=at_launch, custom=custom)
    return _Place(value, cost, named)


def _cost(part: StrictModel, name: str, *, at_launch: bool, custom: bool) -> str:
    """The cost of a field on its backend, in its group.

    Args:
        part: the block with the field.
        name: the field.
        at_launch: whether nothing updates the nodes of the group: it is self-managed, or of Karpenter, whose NodePool
            lets no node be replaced for a change (`muster/blueprint/karpenter.py`). The launch template has the image,
            the kubelet's labels and taints, and every other setting whose change drains nodes of a managed group. So
            these changes apply to nodes launched later. An Auto Scaling group takes other subnets without being
            replaced. Its nodes are not moved, because its process AZRebalance is suspended (`infra/node_groups.py`).
        custom: whether a managed group has a custom image: EKS adds nothing to its user data, so the launch template
            has the labels and taints, and a new version of it drains the nodes.
    """
    stated, field = stated_cost(type(part), name), (declaration_of(type(part)), name)
    if at_launch:
        later = stated == Change.DRAINS or isinstance(part, Image | CustomImage) or field in _IN_TEMPLATE | _OF_KUBELET
        return Change.NEXT_LAUNCH if later else stated
    return Change.DRAINS if custom and field in _OF_KUBELET else stated


_OF_KUBELET = {(Group, "labels"), (Group, "taints")}
_IN_TEMPLATE = {(Group, "image"), (Capacity, "spot"), (Group, "zone"), (Group, "subnets"), (Reservation, "zone")}
"""What the launch template has, and the fields that determine the group's subnets."""


def _buys(value: object) -> bool:
    """Whether any field that a block sets has the cost `Change.BUYS`."""
    if isinstance(value, StrictModel):
        fields = [name for name in type(value).model_fields if name in value.model_fields_set]
        return any(stated_cost(type(value), name) == Change.BUYS or _buys(getattr(value, name)) for name in fields)
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    return any(map(_buys, parts))


def stated_cost(part: type[StrictModel], name: str) -> str:
    """The cost that a field declares."""
    cost = change_cost(part, name)
    assert cost is not None, "a test checks that every field states its change cost"
    return cost

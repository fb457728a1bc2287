"""What is said otherwise in two descriptions: each place with both values, as both of them have it.

Values are compared as what they mean, not as they are written: `nodes: 1` and `{min: 1, start: 1, max: 1}` are one, and
so are a default and the same value written out.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from muster.fleet.description.part import Choice, Part
from muster.fleet.document import Written
from muster.fleet.dotted import Path_, dotted
from muster.fleet.plain import plain


@dataclass(frozen=True, slots=True)
class DescribedChange:
    """One place that is said otherwise. None where nothing is said."""

    path: Path_
    before: Any
    after: Any
    """Plain values, as a file would have them."""

    @property
    def where(self) -> str:
        """``groups.workers.instance``."""
        return dotted(self.path)


def changes(before: Part, after: Part) -> tuple[DescribedChange, ...]:
    """Where two descriptions of one form differ; of two forms, where what both have differs.

    A block that only one of them has is told as one, by the block's own path.
    """
    return tuple(_parts(before, after, ()))


def written_changes(before: Any, after: Any, path: Path_ = ()) -> Iterator[DescribedChange]:
    """The same of plain values, where one of the files cannot be read as a description: two ways to write one meaning
    then count as two."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from written_changes(before.get(key), after.get(key), (*path, key))
    elif before != after:
        yield DescribedChange(path, _written(before), _written(after))


def _written(value: Any) -> Any:
    """A number as it was written: 1.30 is not 1.3."""
    if isinstance(value, Mapping):
        return {key: _written(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_written(below) for below in value]
    return value.text if isinstance(value, Written) else value


def _parts(before: BaseModel, after: BaseModel, path: Path_) -> Iterator[DescribedChange]:
    if before == after:
        return
    both = isinstance(before, Choice) and isinstance(after, Choice)
    if both and before.chosen != after.chosen:  # type: ignore[attr-defined]
        yield DescribedChange(path, _plain(before), _plain(after))
        return
    fields = {**type(before).model_fields, **type(after).model_fields}
    for name, info in fields.items():
        if name not in before.model_fields_set | after.model_fields_set:
            continue  # of two forms, whose own defaults neither file has
        was, now = getattr(before, name, None), getattr(after, name, None)
        if was != now:
            yield from _values(was, now, (*path, info.alias or name), _said(before, name), _said(after, name))


def _said(part: BaseModel, name: str) -> Any:
    """A field's value as it is told: nothing where it was left out."""
    return _plain(getattr(part, name)) if name in part.model_fields_set else None


def _values(was: Any, now: Any, path: Path_, said: Any, says: Any) -> Iterator[DescribedChange]:
    if isinstance(was, BaseModel) and type(was) is type(now) and not (_is_number(was) or _is_number(now)):
        yield from _parts(was, now, path)
    elif isinstance(was, Mapping) and isinstance(now, Mapping):
        before = {_first_name(key, each): each for key, each in was.items()}
        after = {_first_name(key, each): (key, each) for key, each in now.items()}
        for name in [*before, *(name for name in after if name not in before)]:
            key, other = after.get(name, (name, None))
            one = before.get(name)
            if one != other:
                yield from _values(one, other, (*path, key), _plain(one), _plain(other))
    elif _are_parts(was, now) and len(was) == len(now):
        for index, (one, other) in enumerate(zip(was, now, strict=True)):
            if one != other:
                yield from _values(one, other, (*path, index), _plain(one), _plain(other))
    else:
        yield DescribedChange(path, said, says)


def _first_name(key: Any, value: Any) -> Any:
    """The key of a block; of a group that has got another name, the one that it was made under."""
    return getattr(value, "was", None) or key


def _are_parts(was: Any, now: Any) -> bool:
    """Whether both are lists of blocks, which are compared one by one."""
    return all(isinstance(each, tuple) and each and isinstance(each[0], BaseModel) for each in (was, now))


def _is_number(value: Any) -> bool:
    """Whether it is a number of nodes for good, which a file writes as one."""
    return bool(getattr(value, "fixed", False))


def _in_a_file(value: Any) -> Any:
    """A value as a file would have it, without what it does not say: a number of nodes, a choice, a block."""
    if _is_number(value):
        return value.max
    if isinstance(value, Choice):
        return _chosen(value)
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {fields[name].alias or name: getattr(value, name) for name in fields if name in value.model_fields_set}
    return value


def _plain(value: Any) -> Any:
    return plain(value, _in_a_file)


def _chosen(value: Choice) -> Any:
    """``{reservation: {...}}``, and ``on-demand`` for a choice that says nothing more."""
    settings = _plain(next(getattr(value, name) for name, info in type(value).model_fields.items() if _is(value, name)))
    return value.chosen if value.chosen in value.bare_words and not settings else {value.chosen: settings}


def _is(value: Choice, name: str) -> bool:
    return getattr(value, name) is not None

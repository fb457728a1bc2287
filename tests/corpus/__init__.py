"""Reads `tests/corpus/`: broken and sound clusters as data, and what rules must report of each.

An entry is a stack of `stacks/` with changes, or what that stack's program registers with edits, or resources of
another team's program. `README.md` explains the format.
"""

import json
import tempfile
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import date
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from muster.config.document import CLUSTER_KEY, REGION_KEY, parse
from muster.finding import parse_dotted_path
from muster.policies.engine.rule_index import UnknownRule, sheet_of
from muster.stack.project import facts_file, has_stack, stack_file
from muster.stack.stack_file import StackFile, load
from tests.stack_files import ROOT

FOLDER = Path(__file__).parent
BROKEN, SOUND = "broken", "sound"

Places = tuple[str, ...]


class WrongEntry(ValueError):
    """An invalid entry. The message has the file and the key."""


class _Form(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=lambda name: name.replace("_", "-"), validate_by_alias=True
    )


class Refusal(_Form):
    """A schema error: its place, and its exact text."""

    at: str
    says: str = Field(min_length=1)


class Entry(_Form):
    """One cluster."""

    name: str
    kind: Literal["broken", "sound"]
    says: str = Field(min_length=10, max_length=160)
    facts: tuple[str, ...] = ()
    """The documented facts that it breaks, or that a sound one follows in an unusual way, as in a rule's sheet."""
    stack: str = ""
    """The sound stack it starts from; empty for another team's program."""
    as_of: date = date(2026, 11, 21)
    region: str = ""
    """Another Region than the stack's."""
    beside: dict[str, dict[str, Any]] = {}
    """Another sound stack of the same run -> its changes."""
    change: dict[str, Any] = {}
    """Dotted path in `muster:cluster` -> value; null takes the key out."""
    learn: dict[str, Any] = {}
    """The same in the stack's facts."""
    registered: dict[str, dict[str, Any]] = {}
    """``TYPE::NAME`` -> edits of the inputs that the stack's program registers."""
    resources: dict[str, dict[str, Any]] = {}
    """``TYPE::NAME`` -> the inputs of a resource more, as another team's program registers it."""
    finds: dict[str, Places] = {}
    refused: tuple[Refusal, ...] = ()
    not_evaluated: dict[str, Places] = {}

    @property
    def file(self) -> str:
        """Its file, below the root."""
        return f"tests/corpus/{self.kind}/{self.name}.yaml"

    @property
    def by_description(self) -> bool:
        """Whether it is only a description, so that rules judge it without a program."""
        return not self.registered and not self.resources

    @property
    def found(self) -> frozenset[tuple[str, str]]:
        """The expected findings: rule and place."""
        return frozenset((rule, place) for rule, places in self.finds.items() for place in places)

    @property
    def unjudged(self) -> frozenset[tuple[str, str]]:
        """What rules cannot evaluate: rule and resource."""
        return frozenset((rule, place) for rule, places in self.not_evaluated.items() for place in places)

    def stack_text(self) -> str:
        """The stack file with the changes in it."""
        document = _data(stack_file(ROOT, self.stack))
        config = document["config"]
        config[CLUSTER_KEY] = self._edited(config[CLUSTER_KEY], self.change, "change")
        config[REGION_KEY] = self.region or config[REGION_KEY]
        return json.dumps(document, indent=2)

    def facts_text(self) -> str:
        """The facts of the stack with the entry's changes."""
        saved = facts_file(ROOT, self.stack)
        known = _data(saved) if self.stack and saved.is_file() else {"contract": 1}
        return json.dumps(self._edited(known, self.learn, "learn"), indent=2)

    def opened(self) -> StackFile:
        """The stack, as `muster check` opens it."""
        return self._opened

    def with_text(self, text: str) -> "Entry":
        """The same with another stack file."""
        made = Entry.model_validate(self.model_dump(by_alias=True))
        made._opened = self._open(text)
        return made

    @cached_property
    def _opened(self) -> StackFile:
        return self._open(self.stack_text())

    def _open(self, text: str) -> StackFile:
        with tempfile.TemporaryDirectory() as folder:
            file, facts = stack_file(Path(folder), self.stack), facts_file(Path(folder), self.stack)
            facts.parent.mkdir(parents=True)  # where a project has them: by it rules know what a preflight writes
            file.write_text(text, encoding="utf-8")
            facts.write_text(self.facts_text(), encoding="utf-8")
            opened = load(self.stack, file, facts)
        others = (
            self.model_copy(update={"stack": name, "change": change, "learn": {}, "beside": {}})
            for name, change in self.beside.items()
        )
        return replace(opened, beside=tuple(each._open(each.stack_text()) for each in others))

    def _edited(self, data: Any, edits: Mapping[str, Any], key: str) -> Any:
        try:
            return edited(data, edits)
        except LookupError as fault:
            raise WrongEntry(f"{self.file}: {key}: {fault}") from None


def edited(data: Any, edits: Mapping[str, Any]) -> Any:
    """A copy with values set at dotted paths; null removes a key. Creates missing blocks on a path, but no list items.

    Raises:
        LookupError: a path goes through something that is not a block, or removes something that is not there.
    """
    copy = deepcopy(data)
    for path, value in edits.items():
        *steps, last = parse_dotted_path(path)
        block = copy
        for step in steps:
            if isinstance(step, str) and isinstance(block, dict):
                block = block.setdefault(step, {})
            elif isinstance(step, int) and isinstance(block, list) and step < len(block):
                block = block[step]
            else:
                raise LookupError(f"{path}: nothing at {step}")
        _put(block, last, value, path)
    return copy


def _put(block: Any, last: str | int, value: Any, path: str) -> None:
    here = isinstance(block, dict) if isinstance(last, str) else isinstance(block, list)
    there = here and (last in block if isinstance(last, str) else last < len(block))
    if not here or (value is None and not there):
        raise LookupError(f"{path}: nothing at {last}")
    if value is None:
        del block[last]
    elif isinstance(last, int) and last == len(block):
        block.append(deepcopy(value))
    else:
        block[last] = deepcopy(value)


def _data(file: Path) -> Any:
    return deepcopy(_read(file))


@cache
def _read(file: Path) -> Any:
    document = parse(file.read_text(encoding="utf-8"), file)
    if document.faults:
        raise WrongEntry(f"{file}: " + "; ".join(finding.got for _, _, finding in document.faults))
    return document.data


def entry(text: str, name: str, kind: str) -> Entry:
    """Reads the text of one entry.

    Raises:
        WrongEntry: it is invalid, or names a stack or a rule that does not exist.
    """
    where = f"tests/corpus/{kind}/{name}.yaml"
    document = parse(text, Path(where))
    faults = [finding.got for _, _, finding in document.faults]
    if faults or not isinstance(document.data, dict):
        raise WrongEntry(f"{where}: {'; '.join(faults) or 'holds no keys'}")
    try:
        made = Entry.model_validate({**document.data, "name": name, "kind": kind})
    except ValidationError as wrong:
        words = (f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in wrong.errors(include_url=False))
        raise WrongEntry(f"{where}: {'; '.join(words)}") from None
    if fault := next(chain(_unfit(made), _unknown(made)), ""):
        raise WrongEntry(f"{where}: {fault}")
    return made


def _unfit(made: Entry) -> Any:
    if made.kind == SOUND and (made.finds or made.refused):
        yield "a sound one finds nothing and is not refused"
    if made.kind == BROKEN and bool(made.finds) is bool(made.refused):
        yield "a broken one either finds something or is refused"
    if made.kind == BROKEN and not made.facts:
        yield "facts: say what documents that this is broken"
    if not made.stack and not made.resources:
        yield "stack: say where it starts, or give the resources of a program"
    if not made.stack and (made.change or made.registered):
        yield "change and registered edit a stack"
    if made.refused and not made.by_description:
        yield "only a description is refused for its form"
    if any(not places for places in (*made.finds.values(), *made.not_evaluated.values())):
        yield "a rule is given with its places"
    said = (
        *made.change,
        *made.learn,
        *made.beside,
        *made.registered,
        *made.resources,
        *([made.region] if made.region else ()),
    )
    if not any(said) and made.as_of == Entry.model_fields["as_of"].default:
        yield "nothing is changed"


def _unknown(made: Entry) -> Any:
    if made.stack and not has_stack(ROOT, made.stack):
        yield f"stack: there is no {stack_file(Path(), made.stack)}"
    for rule in (*made.finds, *made.not_evaluated):
        try:
            sheet_of(rule)
        except UnknownRule as fault:
            yield str(fault)


def names(kind: str) -> list[str]:
    """The names of all entries of a kind, without reading them."""
    return sorted(file.stem for file in (FOLDER / kind).glob("*.yaml"))


@cache
def entry_of(kind: str, name: str) -> Entry:
    """The entry of that name.

    Raises:
        WrongEntry: it is invalid.
    """
    return entry((FOLDER / kind / f"{name}.yaml").read_text(encoding="utf-8"), name, kind)


@cache
def entries(kind: str = "") -> tuple[Entry, ...]:
    """Every entry, or those of one kind, by name.

    Raises:
        WrongEntry: one is invalid.
    """
    kinds = [kind] if kind else [BROKEN, SOUND]
    return tuple(entry_of(kind, name) for kind in kinds for name in names(kind))

"""A file of another tool, as text and values; and what a reader makes of it: registered resources, or a description."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from muster import json_text, user_files, yaml_text
from muster.edits import PULUMI, Terms
from muster.finding import Finding, KeyPath, Level
from muster.fleet.registration import Registration
from muster.fleet.resources.ref import Ref
from muster.position import Position
from muster.secret_texts import without_credentials

DEFAULT_REGION = "us-west-2"
"""The Region of a description's placeholders, if the file has none: eksctl's `DefaultRegion`."""


class CannotBeRead(Exception):
    """The input cannot be checked. The message states the place, what was found there, and what to do."""


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """A part of a file that no rule evaluates."""

    where: str
    """The resource's URN, or the path in the file."""
    missing: str
    """What is not evaluated, and why."""


def empty_file_gap(registrations: Iterable[Registration]) -> Iterator[Gap]:
    """A gap for a file without resources, so that it does not pass the check."""
    if not any(each.type != "pulumi:pulumi:Stack" for each in registrations):
        yield Gap("resources", "the program has no resources to check")


def file_noun(file: Path) -> str:
    """The file's name in messages."""
    return "stdin" if str(file) == user_files.STDIN else str(file)


class InvalidFile(CannotBeRead):
    """A file of a known format with an error: where, what was found, and what to do."""

    def __init__(self, file: str, position: Position, got: str, remedy: str, level: Level = Level.MANDATORY) -> None:
        self.position, self.got, self.remedy, self.level = position, got, remedy, level
        super().__init__(f"{file}:{position.line}:{position.column}: {got}; {remedy}")


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file that was parsed, but not yet read as a cluster."""

    path: Path
    """As the user wrote it; ``-`` is stdin."""
    text: str
    documents: tuple[Any, ...]
    """The values of its documents: one for JSON, any number for YAML. Addresses in them have no credentials."""
    is_json: bool

    def __post_init__(self) -> None:
        object.__setattr__(self, "documents", tuple(map(without_credentials, self.documents)))

    @property
    def shown(self) -> str:
        """The file's name in messages."""
        return file_noun(self.path)

    def position(self, path: KeyPath, document: int = 0) -> Position:
        """The position of the value at a path; for an absent one, of the nearest block around it."""
        if self.is_json:
            return json_text.position_of_path(self.text, path)
        return yaml_text.position(self.text, document, path)

    def fault(
        self, path: KeyPath, got: str, remedy: str, document: int = 0, level: Level = Level.MANDATORY
    ) -> InvalidFile:
        """The error of a file, with its place."""
        return InvalidFile(self.shown, self.position(path, document), got, remedy, level)


def kind_and_name(urn: str) -> str:
    """``LaunchTemplate workers``: the default label of a resource."""
    resource = Ref.of_urn(urn)
    return f"{resource.type.rpartition(':')[2]} {resource.name}"


@dataclass(frozen=True, slots=True)
class Source:
    """What a file describes, as the resources that it creates."""

    name: str
    """The name in reports: of the cluster, or of the stack."""
    registrations: tuple[Registration, ...]
    gaps: tuple[Gap, ...] = ()
    """The parts that no rule evaluates, and why."""
    region: str | None = None
    place: Callable[[Finding], Position | None] = field(default=lambda _: None)
    """The place of a finding in the file; None if it has none."""
    label: Callable[[str], str | None] = kind_and_name
    """The resource of a URN, as reports name it; None for Pulumi's type and name."""
    terms: Terms = PULUMI
    """How the file names properties."""
    notes: tuple[str, ...] = ()
    """Messages for stderr: what the reader assumes, such as the default value of a parameter."""
    nested: tuple[Path, ...] = ()
    """The other files that this one includes, and whose resources are in `registrations`: absolute paths."""
    unknown_keys: tuple[InvalidFile, ...] = ()
    """The keys that its format does not have."""


@dataclass(frozen=True, slots=True, order=True)
class LeftOut:
    """A part of a file that its description does not have."""

    path: str
    """The dotted path in the file."""
    position: Position
    why: str


@dataclass(frozen=True, slots=True)
class ImportedDescription:
    """The description that creates the cluster of a file."""

    backend: str
    region: str | None
    cluster: Mapping[str, Any]
    """The value of `muster:cluster`, as plain data in the order of the description's reference."""
    left_out: tuple[LeftOut, ...] = ()
    placeholders: tuple[str, ...] = ()
    """Dotted paths in `cluster` whose value the file does not have. They have a placeholder."""

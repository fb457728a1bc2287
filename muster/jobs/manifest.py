"""Kubernetes manifests of jobs, read with the path of each field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.message_text import closest_match, did_you_mean, truncate

_LONGEST_SHOWN = 60

MAX_PODS = 10_000
"""The maximum number of pods of a job: five times the largest cluster of the rehearsal's measurements."""


class MalformedJob(ValueError):
    """A document that does not match its kind. The message has the path, the value there, and the remedy."""

    def __init__(self, message: str, path: str = "") -> None:
        self.path = path
        """``spec.mpiReplicaSpecs.Worker.replicas``; empty for the document itself."""
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Field:
    """A value of the document, and its path."""

    value: Any
    path: str = ""
    """``spec.mpiReplicaSpecs.Worker.replicas``; empty for the document itself."""

    @property
    def there(self) -> bool:
        """Whether there is a value; `null` counts as none."""
        return self.value is not None

    def at(self, *keys: str) -> "Field":
        """The value below these keys; an empty field if there is none.

        Raises:
            MalformedJob: a value on the path has no keys.
        """
        here = self
        for key in keys:
            step = " ".join(key.split())  # a message is one line, even if a key has several
            path = f"{here.path}.{step}" if here.path else step
            here = Field(here.mapping().get(key) if here.there else None, path)
        return here

    def required(self, *keys: str) -> "Field":
        """The value that must be below these keys.

        Raises:
            MalformedJob: it is missing; the message has the closest key.
        """
        here = self
        for key in keys:
            beside = [each for each in here.mapping() if each != key]
            here = here.at(key)
            if not here.there:
                meant = closest_match(key, beside)
                hint = f"; rename '{meant}' to '{key}'" if meant else "; add it"
                raise MalformedJob(f"{here.path} is missing{hint}", here.path)
        return here

    def mapping(self) -> Mapping[str, Any]:
        """The keys; none if there is no value."""
        if not self.there:
            return {}
        if not isinstance(self.value, Mapping):
            raise self.wrong("make it a mapping with keys and values")
        if not all(isinstance(key, str) for key in self.value):
            raise self.wrong("keys must be text; put them in quotes")
        return self.value

    def texts(self) -> dict[str, str]:
        """Labels and the like."""
        for key, value in self.mapping().items():
            if not isinstance(value, str):
                raise Field(value, f"{self.path}.{key}").wrong("make it text; put it in quotes")
        return dict(self.mapping())

    def entries(self) -> "Iterator[Field]":
        """The entries of a list; none if there is no value."""
        if not self.there:
            return
        if not isinstance(self.value, list | tuple):
            raise self.wrong("make it a list")
        for index, value in enumerate(self.value):
            yield Field(value, f"{self.path}[{index}]")

    def some(self, noun: str) -> "list[Field]":
        """The entries of a list that must not be empty.

        Raises:
            MalformedJob: it has none.
        """
        listed = list(self.entries())
        if not listed:
            raise self.wrong(f"give at least one {noun}")
        return listed

    def text(self, otherwise: str = "") -> str:
        """Text."""
        if not self.there:
            return otherwise
        if not isinstance(self.value, str):
            raise self.wrong("make it text")
        return self.value

    def choice(self, *known: str, otherwise: str) -> str:
        """One of some words."""
        word = self.text(otherwise)
        if word not in known:
            raise self.wrong(f"set one of {', '.join(known)}{did_you_mean(word, known)}")
        return word

    def flag(self) -> bool:
        """True or false; false if there is no value."""
        if self.there and not isinstance(self.value, bool):
            raise self.wrong("set true or false, without quotes")
        return bool(self.value)

    def number(self, otherwise: int, least: int = 0) -> int:
        """A whole number."""
        if not self.there:
            return otherwise
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.wrong("set a whole number, without quotes")
        if self.value < least:
            raise self.wrong(f"set at least {least}")
        return self.value

    def wrong(self, remedy: str) -> MalformedJob:
        """The error of a wrong value."""
        where = self.path or "the document"
        return MalformedJob(f"{where} is {describe_value(self.value)}; {remedy}", self.path)


def path_of(block: Any, document: Field) -> str:
    """The path of a block, found by its identity, in a document; empty if it is not there."""
    listed = [document]
    while listed:
        here = listed.pop()
        if here.value is block:
            return here.path
        if isinstance(here.value, Mapping) and all(isinstance(key, str) for key in here.value):
            listed += [here.at(key) for key in here.value]
        elif isinstance(here.value, list):
            listed += here.entries()
    return ""


def describe_value(value: Any) -> str:
    """The value, as text for a message."""
    match value:
        case None:
            return "empty"
        case bool():
            return str(value).lower()
        case Mapping():
            return f"keys and values ({_short(', '.join(map(_plain, value)))})" if value else "empty ({})"
        case list() | tuple():
            return f"a list of {len(value)}"
        case str():
            return f"the text '{_short(value)}'"
        case _:
            return _short(_plain(value))


def _plain(value: Any) -> str:
    """The value as text. Python refuses to format numbers with thousands of digits."""
    huge = isinstance(value, int) and abs(value) > 10**_LONGEST_SHOWN
    return "a huge number" if huge else str(value)


def _short(text: str) -> str:
    return truncate(" ".join(text.split()), _LONGEST_SHOWN)


def name_of(job: Field) -> str:
    """The job's name. If the API server completes it (`generateName`), zeros replace what it would add.

    Raises:
        MalformedJob: it has none.
    """
    metadata = job.at("metadata")
    if prefix := metadata.at("generateName").text():
        return metadata.at("name").text() or f"{prefix}00000"
    if name := metadata.required("name").text():
        return name
    raise metadata.at("name").wrong("give the job a name")


def namespace_of(job: Field) -> str:
    """Its namespace."""
    return job.at("metadata", "namespace").text("default") or "default"


def template_of(field: Field) -> Mapping[str, Any]:
    """A pod template: with a spec, and containers in it.

    Raises:
        MalformedJob: it is not one.
    """
    spec = field.required("spec")
    containers = spec.required("containers").some("container")
    for each in (*containers, *spec.at("initContainers").entries()):
        if not each.mapping():
            raise each.wrong("add a container with its name and image")
    return field.mapping()

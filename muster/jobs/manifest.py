"""Kubernetes manifests of jobs, read with the path of each field."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from muster.finding import KeyPath, dotted_path
from muster.message_text import closest_match, did_you_mean, show_value

MAX_PODS = 10_000
"""The maximum number of pods of a job: five times the largest cluster of the rehearsal's measurements."""


class MalformedJob(ValueError):
    """A document that does not match its kind. The message has the path, the value there, and the remedy."""

    def __init__(self, message: str, path: KeyPath = ()) -> None:
        self.path = path
        super().__init__(" ".join(message.split()))  # one line, even if a key has several


class Field(NamedTuple):
    """A value of the document, and its path."""

    value: Any
    path: KeyPath = ()

    def __str__(self) -> str:
        """``spec.mpiReplicaSpecs.Worker.replicas``."""
        return dotted_path(self.path) or "the document"

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
            here = Field(here.mapping().get(key), (*here.path, key))
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
                raise MalformedJob(f"{here} is missing{hint}", here.path)
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
                raise Field(value, (*self.path, key)).wrong("make it text; put it in quotes")
        return dict(self.mapping())

    def entries(self) -> "Iterator[Field]":
        """The entries of a list; none if there is no value."""
        if not self.there:
            return
        if not isinstance(self.value, list | tuple):
            raise self.wrong("make it a list")
        for index, value in enumerate(self.value):
            yield Field(value, (*self.path, index))

    def some(self, noun: str) -> "list[Field]":
        """The entries of a list that must not be empty.

        Raises:
            MalformedJob: it has none.
        """
        listed = list(self.entries())
        if not listed:
            raise MalformedJob(f"{self} is empty; give at least one {noun}", self.path)
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
        return MalformedJob(f"{self} is {show_value(self.value)}; {remedy}", self.path)


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


def template_of(field: Field) -> Field:
    """A pod template: with a spec, and containers in it.

    Raises:
        MalformedJob: it is not one.
    """
    spec = field.required("spec")
    containers = spec.required("containers").some("container")
    for each in (*containers, *spec.at("initContainers").entries()):
        if not each.mapping():
            raise each.wrong("add a container with its name and image")
    return field

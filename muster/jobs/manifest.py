"""Kubernetes manifests of jobs, read with the path of each field."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.message_text import closest_match, did_you_mean, truncate

_LONGEST_SHOWN = 60

MAX_PODS = 10_000
"""Of a job: five times the largest cluster that a rehearsal is measured with."""


class MalformedJob(ValueError):
    """A document that is no job as its kind wants it. The message gives the place, the value there, the remedy."""


@dataclass(frozen=True, slots=True)
class Field:
    """A value of the document, and its path."""

    value: Any
    path: str = ""
    """``spec.mpiReplicaSpecs.Worker.replicas``; empty for the document itself."""

    @property
    def there(self) -> bool:
        """Whether there is a value; `null` is none."""
        return self.value is not None

    def at(self, *keys: str) -> "Field":
        """The value below these keys; an empty field where there is none.

        Raises:
            MalformedJob: a value on the way has no keys.
        """
        here = self
        for key in keys:
            step = " ".join(key.split())  # a message is one line, whatever is in a key
            path = f"{here.path}.{step}" if here.path else step
            here = Field(here.mapping().get(key) if here.there else None, path)
        return here

    def required(self, *keys: str) -> "Field":
        """The value that must be below these keys.

        Raises:
            MalformedJob: nothing does; a key that is nearly the one is named.
        """
        here = self
        for key in keys:
            beside = [each for each in here.mapping() if each != key]
            here = here.at(key)
            if not here.there:
                meant = closest_match(key, beside)
                hint = f"; '{meant}' stands there: write '{key}'" if meant else "; give it"
                raise MalformedJob(f"{here.path} is missing{hint}")
        return here

    def mapping(self) -> Mapping[str, Any]:
        """The keys; none where there is no value."""
        if not self.there:
            return {}
        if not isinstance(self.value, Mapping):
            raise self.wrong("keys and values belong here")
        if not all(isinstance(key, str) for key in self.value):
            raise self.wrong("keys are text; put them in quotes")
        return self.value

    def texts(self) -> dict[str, str]:
        """Labels and the like."""
        for key, value in self.mapping().items():
            if not isinstance(value, str):
                raise Field(value, f"{self.path}.{key}").wrong("text belongs here; put it in quotes")
        return dict(self.mapping())

    def entries(self) -> "Iterator[Field]":
        """The entries of a list; none where there is no value."""
        if not self.there:
            return
        if not isinstance(self.value, list | tuple):
            raise self.wrong("a list belongs here")
        for index, value in enumerate(self.value):
            yield Field(value, f"{self.path}[{index}]")

    def some(self, noun: str) -> "list[Field]":
        """The entries of a list that has any.

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
            raise self.wrong("text belongs here")
        return self.value

    def choice(self, *known: str, otherwise: str) -> str:
        """One of some words."""
        word = self.text(otherwise)
        if word not in known:
            raise self.wrong(f"write one of {', '.join(known)}{did_you_mean(word, known)}")
        return word

    def flag(self) -> bool:
        """Yes or no; no where there is no value."""
        if self.there and not isinstance(self.value, bool):
            raise self.wrong("true or false belongs here, without quotes")
        return bool(self.value)

    def number(self, otherwise: int, least: int = 0) -> int:
        """A whole number."""
        if not self.there:
            return otherwise
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.wrong("a whole number belongs here, without quotes")
        if self.value < least:
            raise self.wrong(f"give at least {least}")
        return self.value

    def wrong(self, remedy: str) -> MalformedJob:
        """The fault of a value that is not what it must be."""
        where = self.path or "the document"
        return MalformedJob(f"{where} is {describe_value(self.value)}; {remedy}")


def describe_value(value: Any) -> str:
    """The value, as a message shows it."""
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
    """As text. Python refuses to write numbers of thousands of digits."""
    huge = isinstance(value, int) and abs(value) > 10**_LONGEST_SHOWN
    return "a huge number" if huge else str(value)


def _short(text: str) -> str:
    return truncate(" ".join(text.split()), _LONGEST_SHOWN)


def name_of(job: Field) -> str:
    """The job's name; of one that lets the API server complete it, with zeros in place of what that would add.

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
        MalformedJob: it is none.
    """
    spec = field.required("spec")
    containers = spec.required("containers").some("container")
    for each in (*containers, *spec.at("initContainers").entries()):
        if not each.mapping():
            raise each.wrong("a container with its name and image belongs here")
    return field.mapping()

"""Checks the values of a configuration, and finds the parts that no rule evaluates."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.message_text import show_value
from muster.plain_data import value_at
from muster.sources import forms
from muster.sources.parallelcluster.keys import CONFIGURATION, UNREAD_STORAGE
from muster.sources.source import Gap, InputFile

_TOOL = "ParallelCluster"
_SLURM = "slurm"


def document_of(file: InputFile) -> Mapping[str, Any]:
    """The configuration in a file.

    Raises:
        InvalidFile: the file has several documents, or no mapping.
    """
    if len(file.documents) != 1:
        got = f"has {len(file.documents)} documents, but a ParallelCluster configuration is one document"
        raise file.fault((), got, "put each document in its own file", document=min(1, len(file.documents)))
    document = file.documents[0]
    if not isinstance(document, Mapping):
        raise file.fault((), f"is {show_value(document)}, not a configuration", "write keys and values")
    return document


def check_form(file: InputFile, document: Mapping[str, Any]) -> None:
    """Checks that each known key has a value of its kind. An absent value and an unknown one have every kind.

    Raises:
        InvalidFile: a value has another kind, or a tag of YAML.
    """
    _check_tags(file, document, ())
    forms.check_form(file, document, CONFIGURATION)


def _check_tags(file: InputFile, value: Any, path: KeyPath) -> None:
    """ParallelCluster reads its file with PyYAML's `safe_load`, which knows no tags: neither ``!Ref`` nor
    ``!Include``."""
    if isinstance(value, Mapping):
        name = str(next(iter(value), ""))
        if len(value) == 1 and (name == "Ref" or name.startswith("Fn::")):
            got = f"{dotted_path(path)} has the tag !{name.removeprefix('Fn::')}, which ParallelCluster does not read"
            raise file.fault(path, got, "write the value itself")
        for key, each in value.items():
            _check_tags(file, each, (*path, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            _check_tags(file, each, (*path, index))


def gaps(document: Mapping[str, Any]) -> Iterator[Gap]:
    """The parts that no rule evaluates, and keys that Muster does not know."""
    yield from forms.gaps_of(document, CONFIGURATION, _TOOL)
    scheduler = value_at(document, "Scheduling", "Scheduler")
    if isinstance(scheduler, str) and scheduler not in (_SLURM, "awsbatch", "plugin"):
        yield Gap("Scheduling.Scheduler", f"ParallelCluster has no scheduler '{scheduler}'")
    storage = document.get("SharedStorage")
    for index, each in enumerate(storage if isinstance(storage, list) else ()):
        service = UNREAD_STORAGE.get(str(each.get("StorageType"))) if isinstance(each, Mapping) else None
        if service:
            what = f"no rule evaluates {service}, except for where it is mounted"
            yield Gap(dotted_path(("SharedStorage", index)), what)


def has_other_scheduler(document: Mapping[str, Any]) -> bool:
    """Whether the queues are not Slurm's."""
    scheduling = document.get("Scheduling")
    if not isinstance(scheduling, Mapping):
        return False
    scheduler = scheduling.get("Scheduler")
    return any(scheduling.get(each) is not None for each in ("AwsBatchQueues", "SchedulerQueues")) or (
        isinstance(scheduler, str) and scheduler != _SLURM
    )

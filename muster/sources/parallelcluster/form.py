"""Checks the form of a configuration, and finds the parts that no rule evaluates."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.message_text import did_you_mean, show_value
from muster.offline.gaps import Gap
from muster.plain_data import value_at
from muster.sources.parallelcluster.keys import CONFIGURATION, UNREAD_STORAGE, Form, Key, has_form
from muster.sources.source import InputFile
from muster.unknown import UNKNOWN

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
    """Checks that each known key has a value of its form. An absent value and an unknown one have every form.

    Raises:
        InvalidFile: a value has another form, or is a tag of YAML.
    """
    _check_block(file, document, CONFIGURATION, ())


def _check_block(file: InputFile, values: Mapping[str, Any], keys: Mapping[str, Key], path: KeyPath) -> None:
    for name, value in values.items():
        at = (*path, name)
        _check_tag(file, value, at)
        if name in keys:
            _check(file, value, keys[name], at)


def _check(file: InputFile, value: Any, key: Key, path: KeyPath) -> None:
    if value is None or value is UNKNOWN:
        return
    if not has_form(value, key.form):
        got = f"{dotted_path(path)} is {show_value(value)}, but must be {key.form}"
        raise file.fault(path, got, f"write {key.form}")
    if key.form is Form.BLOCK:
        _check_block(file, value, key.below, path)
    elif key.form is Form.BLOCKS:
        for index, each in enumerate(value):
            at = (*path, index)
            if each is not UNKNOWN and not isinstance(each, Mapping):
                got = f"{dotted_path(at)} is {show_value(each)}, but must be {Form.BLOCK}"
                raise file.fault(at, got, f"write {Form.BLOCK}, or remove the item")
            if each is not UNKNOWN:
                _check_block(file, each, key.below, at)


def _check_tag(file: InputFile, value: Any, path: KeyPath) -> None:
    """ParallelCluster reads its file with PyYAML's `safe_load`, which knows no tags: neither ``!Ref`` nor
    ``!Include``."""
    if isinstance(value, Mapping) and len(value) == 1:
        name = str(next(iter(value)))
        if name == "Ref" or name.startswith("Fn::"):
            tag = name.removeprefix("Fn::")
            got = f"{dotted_path(path)} has the tag !{tag}, which ParallelCluster does not read"
            raise file.fault(path, got, "write the value itself, or check the CloudFormation template instead")


def gaps(document: Mapping[str, Any]) -> Iterator[Gap]:
    """The parts that no rule evaluates, and keys that Muster does not know."""
    yield from _gaps(document, CONFIGURATION, ())
    scheduler = value_at(document, "Scheduling", "Scheduler")
    if isinstance(scheduler, str) and scheduler not in (_SLURM, "awsbatch", "plugin"):
        yield Gap("Scheduling.Scheduler", f"ParallelCluster has no scheduler '{scheduler}'")
    storage = document.get("SharedStorage")
    for index, each in enumerate(storage if isinstance(storage, list) else ()):
        service = UNREAD_STORAGE.get(str(each.get("StorageType"))) if isinstance(each, Mapping) else None
        if service:
            yield Gap(
                dotted_path(("SharedStorage", index)), f"no rule evaluates {service}, except for where it is mounted"
            )


def _gaps(values: Mapping[str, Any], keys: Mapping[str, Key], path: KeyPath) -> Iterator[Gap]:
    for name, value in values.items():
        at = (*path, name)
        key = keys.get(name)
        if key is None:
            hint = did_you_mean(str(name), keys)
            yield Gap(dotted_path(at), f"Muster does not know this key of ParallelCluster{hint}")
        elif key.missing and value is not None:
            yield Gap(dotted_path(at), key.missing)
        elif key.below and isinstance(value, Mapping):
            yield from _gaps(value, key.below, at)
        elif key.below and isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, Mapping):
                    yield from _gaps(each, key.below, (*at, index))


def has_other_scheduler(document: Mapping[str, Any]) -> bool:
    """Whether the queues are not Slurm's."""
    scheduling = document.get("Scheduling")
    if not isinstance(scheduling, Mapping):
        return False
    scheduler = scheduling.get("Scheduler")
    return any(scheduling.get(each) is not None for each in ("AwsBatchQueues", "SchedulerQueues")) or (
        isinstance(scheduler, str) and scheduler != _SLURM
    )

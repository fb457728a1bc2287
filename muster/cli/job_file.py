"""Reads a job's file as `kubectl apply -f` would: one job, and what goes with it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from muster import user_files
from muster.cli.exits import WrongInput
from muster.cli.job_values import Values
from muster.jobs import MalformedJob, Shape, UnknownJobKind, current, is_job, shape_of
from muster.yaml_text import NotYaml, load_all

Json = dict[str, Any]

_KUBERNETES = frozenset({"v1", "apps/v1", "batch/v1"})
"""Versions of what Kubernetes runs by itself."""


def read_job(
    where: str, values: Values | None = None, runtimes: tuple[Json, ...] = ()
) -> tuple[Json, Shape, tuple[Json, ...]]:
    """The job of a file, what it comes to, and the other objects of the file.

    Args:
        where: the file; ``-`` for stdin.
        values: of its variables, where it is a template.
        runtimes: of TrainJobs, which the cluster has; one of the file stands for the cluster's.

    Raises:
        WrongInput: it cannot be read, has no job or several, or the job's form is wrong.
    """
    name = "stdin" if where == "-" else where
    text = _text(where)
    if text.startswith("#!"):
        raise WrongInput(
            f"{name}: is a script, which clusters with Slurm take; give it a manifest (`muster job` prints one)"
        )
    values = values or Values()
    documents = tuple(_documents(values.fill(text, name), name, values))
    values.check(documents, name)
    values.notes += [_earlier(each) for each in documents if current(each) is not each]
    documents = tuple(map(current, documents))
    jobs = _jobs(documents)
    if not jobs:
        raise WrongInput(f"{name}: {_no_job(documents)}")
    if len(jobs) > 1:
        listed = ", ".join(f"{each['kind']} {each['metadata'].get('name', '')}" for each in jobs)
        raise WrongInput(f"{name}: has {len(jobs)} jobs ({listed}); a rehearsal takes one, so keep one in the file")
    beside = tuple(each for each in documents if each is not jobs[0])
    if jobs[0]["kind"] == "TrainJob":
        beside += runtimes
    try:
        return jobs[0], shape_of(jobs[0], beside), beside
    except (MalformedJob, UnknownJobKind) as fault:
        raise WrongInput(f"{name}: {fault}") from None


def _jobs(documents: tuple[Json, ...]) -> list[Json]:
    """The jobs of a file. Beside one that an operator runs, what Kubernetes itself runs is its surroundings: the etcd
    of an elastic job, a server of metrics; beside a Job, Deployments are."""
    every = [each for each in documents if is_job(each)]
    operators = [each for each in every if each["apiVersion"] not in _KUBERNETES]
    return operators or [each for each in every if each["kind"] == "Job"] or every


def _earlier(document: Json) -> str:
    version = current(document)["apiVersion"]
    return (
        f"the {document['kind']} is of {document['apiVersion']}, which is deprecated, and is read as one of {version}: "
        f"write apiVersion: {version}, for later releases of its operator serve that alone"
    )


def _no_job(documents: tuple[Json, ...]) -> str:
    if not documents:
        return "is empty; give it a job's manifest (`muster job` prints one)"
    try:
        for each in documents:
            shape_of(each)
    except (MalformedJob, UnknownJobKind) as fault:
        return str(fault)
    return "has no job"


def _text(where: str) -> str:
    try:
        return user_files.read_text(where, user_files.MANIFEST)
    except user_files.NoSuchFile:
        raise WrongInput(f"there is no file '{where}'; `muster job NAME --stack STACK` prints a job") from None
    except user_files.CannotRead as fault:
        raise WrongInput(f"{'stdin' if where == user_files.STDIN else where}: {fault}") from None


def _documents(text: str, name: str, values: Values) -> "list[Json]":
    """Every object, those of lists too.

    YAML as kubectl reads it, not as descriptions are read: what others wrote for the cluster is taken as it is.
    """
    try:
        return [_plain(thing, name) for each in load_all(text) if each is not None for thing in _listed(each, name)]
    except NotYaml as fault:
        place = f":{fault.line}:{fault.column}" if fault.line else ""
        raise values.unreadable(name, place, fault.problem, fault.remedy) from None


def _listed(thing: Any, name: str) -> Iterator[Any]:
    """An object, or those of a list."""
    if not isinstance(thing, Mapping) or thing.get("kind") != "List":
        yield thing
        return
    listed = thing.get("items")
    if not isinstance(listed, list | None):
        raise WrongInput(
            f"{name}: items of the List is {_WORDS.get(type(listed), 'an object')}; write a list of objects"
        )
    yield from listed or ()


_WORDS = {str: "text", list: "a list", int: "a number", float: "a number", bool: "true or false"}


def _plain(thing: Any, name: str) -> Json:
    """An object as JSON has it, for that is what is sent: dates become text, as kubectl makes them."""
    if not isinstance(thing, dict) or not all(isinstance(thing.get(key), str) for key in ("apiVersion", "kind")):
        shown = "an object without apiVersion and kind" if isinstance(thing, dict) else _WORDS.get(type(thing), "that")
        raise WrongInput(f"{name}: {shown} is no Kubernetes object; every one has apiVersion, kind and metadata")
    if not isinstance(thing.get("metadata"), dict):
        raise WrongInput(f"{name}: the {thing['kind']} has no metadata; give it metadata.name")
    for key in ("name", "generateName", "namespace"):
        if not isinstance(thing["metadata"].get(key, ""), str):
            raise WrongInput(f"{name}: metadata.{key} of the {thing['kind']} is no text; put it in quotes")
    if not thing["metadata"].get("name") and not thing["metadata"].get("generateName"):
        raise WrongInput(f"{name}: the {thing['kind']} has no name; give it metadata.name")
    try:
        plain: Json = json.loads(json.dumps(thing, default=str, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as fault:
        raise WrongInput(f"{name}: the {thing['kind']} cannot be sent as JSON: {fault}") from None
    return plain

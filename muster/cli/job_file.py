"""Reads a job from a file, a manifest or a template with its values."""

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from muster import user_files
from muster.cli.exits import WrongInput
from muster.jobs import template
from muster.jobs.catalogue import JobRoles, MalformedJob, UnknownJobKind, current_version, is_job, roles_of
from muster.message_text import did_you_mean
from muster.yaml_text import NotYaml, load_all

if TYPE_CHECKING:
    from muster.blueprint.kubernetes import Blueprint

_ASSIGNMENT = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)=")
_RUNS = re.compile(r"\$\(|`")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST = 5_000_000
"""Characters that values may add to a manifest."""


@dataclass(slots=True)
class Values:
    """The user's values for variables, and the results of filling one file."""

    blueprint: "Blueprint | None" = None
    """The cluster that values are proposed from."""
    by_option: Mapping[str, str] = field(default_factory=dict)
    by_file: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    commands: Mapping[str, int] = field(default_factory=dict)
    """Variables of the file whose value is the output of a command, which is not run, and their lines."""
    notes: list[str] = field(default_factory=list)
    """The description of the template for the report."""
    _source: str = ""
    """The text as it was before it was filled."""

    @classmethod
    def given(cls, sets: Iterable[str], file: str | None, blueprint: "Blueprint | None" = None) -> "Values":
        """Reads the two options.

        Raises:
            WrongInput: one is not of its form, or the file cannot be read.
        """
        by_option = dict(map(_setting, sets))
        by_file, commands = _env_file(file) if file else ({}, {})
        return cls(blueprint, by_option, by_file, file or "", commands)

    @property
    def every(self) -> dict[str, str]:
        """Name -> value; the option wins."""
        return {**self.by_file, **self.by_option}

    def fill(self, text: str, name: str) -> str:
        """The manifest's text with the values in it.

        Raises:
            WrongInput: `--set` names a variable that it has not.
        """
        self._source = text
        there = template.variable_names(text)
        for each in self.by_option:
            if each not in there:
                listed = f" (there are: {', '.join(there)})" if there else "; it has none"
                raise WrongInput(f"--set {each}: {name} has no such variable{did_you_mean(each, there)}{listed}")
        if template.growth(text, self.every) > _LONGEST:
            raise WrongInput(f"{name}: with these values it has more than {_LONGEST} characters; give shorter ones")
        return template.fill(text, self.every)

    def unreadable(self, name: str, place: str, problem: str, remedy: str) -> WrongInput:
        """The fault of a text that is not YAML, perhaps because it is a template.

        Args:
            name: the file.
            place: ``:LINE:COLUMN``; empty where it is not known.
            problem: what is wrong there.
            remedy: what to do where no variable is the reason.
        """
        if other := template.rendered_by(self._source):
            return WrongInput(f"{name}:{other}")
        line = int(place.split(":")[1]) if place else 0
        here = template.variable_names("".join(self._source.splitlines()[line - 1 : line]))
        given, lacking = (
            [each for each in here if each in self.every],
            [each for each in here if each not in self.every],
        )
        if lacking:
            remedy = f"give a value there: {', '.join(f'--set {each}=VALUE' for each in lacking)}"
        elif given:
            remedy = f"see that it is YAML with your value of {', '.join(given)}"
        return WrongInput(f"{name}{place}: {problem}; {remedy}")

    def check(self, documents: Iterable[Mapping[str, Any]], name: str) -> None:
        """Sees that a rehearsal has all the values it needs.

        Raises:
            WrongInput: it has not; all variables are named, with values that fit the cluster.
        """
        listed = tuple(documents)
        if template.double_braces(listed):
            raise WrongInput(f"{name}:{template.rendered_by(self._source)}")
        needed, there = template.needed(listed), template.variable_names(self._source)
        if needed:
            nnodes = template.of_nnodes(self._source)
            needed |= {each: nnodes[each] for each in nnodes if each not in needed and each not in self.every}
        left = [each for each in there if each not in self.every and each not in needed]
        if needed:
            raise WrongInput("\n".join(self._lacking(name, needed, left, there)))
        if left and set(there) & set(self.every):
            given = " ".join(f"${each}" for each in there if each in self.every)
            self.notes.append(
                f"no value is given for {', '.join(left)}: they stay as they are here. envsubst empties what the "
                "environment does not have, variables of a container's own script too, unless it is given the list of "
                f"those that it is to replace: envsubst '{given} ...'"
            )

    def _lacking(
        self, name: str, needed: Mapping[str, list[template.VariablePlace]], left: list[str], there: Mapping[str, int]
    ) -> Iterable[str]:
        order = {each: number for number, each in enumerate(there)}
        needed = dict(sorted(needed.items(), key=lambda each: order.get(each[0], 0)))
        shown = ", ".join(f"{each} (line {there[each]})" if each in there else each for each in needed)
        yield f"{name}: is a template, as envsubst fills it; these variables need a value: {shown}"
        for each in needed:
            if each in self.commands:
                place = f"{self.file}:{self.commands[each]}"
                yield f"{place}: the value of {each} is what a command prints, and it is not run; give --set"
        if left:
            yield f"not needed, for a rehearsal pulls no image and runs no command: {', '.join(left)}"
        if self.blueprint is None:
            yield "give --set NAME=VALUE for each, or --env-file FILE"
            return
        from muster.rehearsal.kubernetes.template_values import propose_values

        found = propose_values(self.blueprint, needed)
        known = {**self.by_option, **{each: found.values.get(each, "") for each in needed}}
        words = ["muster", "rehearse", self.blueprint.stack, "--file", "-" if name == "stdin" else name]
        words += ["--env-file", self.file] if self.file else []
        words += [word for each, value in known.items() for word in ("--set", f"{each}={value}")]
        whose = f"sized for '{found.group}' of {self.blueprint.stack}" if found.group else "with your values"
        if unknown := [each for each in needed if each not in found.values]:
            whose += f" (write your own value for {', '.join(unknown)})"
        yield f"{whose}: {shlex.join(words)}"


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not _NAME.fullmatch(name):
        raise WrongInput(f"--set: '{text}' is not a name and a value; write it as in NUM_NODES=4")
    return name, value


def _env_file(where: str) -> tuple[dict[str, str], dict[str, int]]:
    """Assignments as a shell has them, and the lines of those whose value a command would print."""
    values: dict[str, str] = {}
    commands: dict[str, int] = {}
    for number, line in enumerate(_lines(where), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        assigned = _ASSIGNMENT.match(text)
        if assigned is None:
            raise WrongInput(
                f"{where}:{number}: '{text[:60]}' is no assignment; write NAME=VALUE, export before or not"
            )
        if _RUNS.search(text):
            commands[assigned["name"]] = number
            continue
        try:
            words = shlex.split(text, comments=True)
        except ValueError as fault:
            raise WrongInput(f"{where}:{number}: {str(fault).lower()}; mend the quotes there") from None
        for word in words:
            if word != "export" and "=" in word:
                name, _, value = word.partition("=")
                values[name] = template.fill(value, values)
                commands.pop(name, None)
    return values, commands


def _lines(where: str) -> list[str]:
    try:
        return user_files.read_text(where, user_files.MANIFEST).splitlines()
    except user_files.CannotRead as fault:
        raise WrongInput(f"--env-file: '{where}': {fault}") from None


Json = dict[str, Any]

_KUBERNETES = frozenset({"v1", "apps/v1", "batch/v1"})
"""API versions of the kinds that Kubernetes itself runs."""


def read_job(
    where: str, values: Values | None = None, runtimes: tuple[Json, ...] = ()
) -> tuple[Json, JobRoles, tuple[Json, ...]]:
    """The job of a file, the job that it is resolved to, and the other objects of the file.

    Args:
        where: the file; ``-`` for stdin.
        values: the values of its variables, where it is a template.
        runtimes: the cluster's runtimes of TrainJobs; a runtime in the file replaces the cluster's.

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
    values.notes += [_earlier(each) for each in documents if current_version(each) is not each]
    documents = tuple(map(current_version, documents))
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
        return jobs[0], roles_of(jobs[0], beside), beside
    except (MalformedJob, UnknownJobKind) as fault:
        raise WrongInput(f"{name}: {fault}") from None


def _jobs(documents: tuple[Json, ...]) -> list[Json]:
    """The jobs of a file. Where an operator runs one of them, kinds that Kubernetes itself runs are not jobs but
    support it: the etcd of an elastic job, a metrics server. Where there is a Job, Deployments are not jobs."""
    every = [each for each in documents if is_job(each)]
    operators = [each for each in every if each["apiVersion"] not in _KUBERNETES]
    return operators or [each for each in every if each["kind"] == "Job"] or every


def _earlier(document: Json) -> str:
    version = current_version(document)["apiVersion"]
    return (
        f"the {document['kind']} is of {document['apiVersion']}, which is deprecated, and is read as one of {version}: "
        f"write apiVersion: {version}, for later releases of its operator serve that alone"
    )


def _no_job(documents: tuple[Json, ...]) -> str:
    if not documents:
        return "is empty; give it a job's manifest (`muster job` prints one)"
    try:
        for each in documents:
            roles_of(each)
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
    """An object in the types of JSON, in which it is sent: dates become text, as with kubectl."""
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

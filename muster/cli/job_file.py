"""Reads a job from a file: a manifest, or a template with its values."""

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from muster import user_files
from muster.address_credentials import without_credentials
from muster.cli.exits import WrongInput
from muster.jobs import template
from muster.jobs.catalogue import JobRoles, MalformedJob, UnknownJobKind, current_version, is_job, roles_of
from muster.jobs.kinds.catalogue import KINDS
from muster.jobs.manifest import Field, path_of
from muster.message_text import closest_match, did_you_mean
from muster.yaml_text import NotYaml, load_all, place

if TYPE_CHECKING:
    from muster.blueprint.kubernetes import Blueprint

_ASSIGNMENT = re.compile(r"\s*(?:export\s+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)=")
_RUNS = re.compile(r"\$\(|`")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST = 5_000_000
"""The maximum length of a manifest with its values, in characters."""


@dataclass(slots=True)
class Values:
    """The user's values for variables, and the results of filling one file."""

    blueprint: "Blueprint | None" = None
    """The cluster for which values are proposed."""
    by_option: Mapping[str, str] = field(default_factory=dict)
    by_file: Mapping[str, str] = field(default_factory=dict)
    file: str = ""
    commands: Mapping[str, int] = field(default_factory=dict)
    """Variables of the file whose value is the output of a command, with their lines. Muster does not run commands."""
    notes: list[str] = field(default_factory=list)
    """The description of the template for the report."""
    requests_at: dict[tuple[str, str], str] = field(default_factory=dict)
    """Role and resource -> the place in the file where the role's pods first request it: ``job.yaml:9:13``."""
    objects_at: dict[tuple[str, str], str] = field(default_factory=dict)
    """Kind and name of each object -> its place in the file: ``job.yaml:1:1``."""
    _source: str = ""
    """The text before the values were filled in."""

    @classmethod
    def given(cls, sets: Iterable[str], file: str | None, blueprint: "Blueprint | None" = None) -> "Values":
        """Reads the two options.

        Raises:
            WrongInput: one has a wrong format, or the file cannot be read.
        """
        by_option = dict(map(_setting, sets))
        by_file, commands = _env_file(file) if file else ({}, {})
        return cls(blueprint, by_option, by_file, file or "", commands)

    @property
    def every(self) -> dict[str, str]:
        """Name -> value; the option overrides the file."""
        return {**self.by_file, **self.by_option}

    def fill(self, text: str, name: str) -> str:
        """The manifest's text with the values filled in.

        Raises:
            WrongInput: `--set` has a variable that the manifest does not have.
        """
        self._source = text
        there = template.variable_names(text)
        for each in self.by_option:
            if each not in there:
                listed = f" (there are: {', '.join(there)})" if there else "; it has no variables"
                raise WrongInput(f"--set {each}: {name} has no such variable{did_you_mean(each, there)}{listed}")
        if template.growth(text, self.every) > _LONGEST:
            raise WrongInput(
                f"{name}: with these values, the manifest has more than {_LONGEST} characters; give shorter values"
            )
        return template.fill(text, self.every)

    def unreadable(self, name: str, place: str, problem: str, remedy: str) -> WrongInput:
        """The error of a text that is not YAML, perhaps because it is a template.

        Args:
            name: the file.
            place: ``:LINE:COLUMN``; empty if it is unknown.
            problem: what is wrong there.
            remedy: the remedy if no variable is the cause.
        """
        if other := template.rendered_by(self._source):
            return WrongInput(f"{name}:{other}")
        line = int(place.split(":")[1]) if place else 0  # number: a line
        here = template.variable_names("".join(self._source.splitlines()[line - 1 : line]))
        given, lacking = (
            [each for each in here if each in self.every],
            [each for each in here if each not in self.every],
        )
        if lacking:
            remedy = f"give a value: {', '.join(f'--set {each}=VALUE' for each in lacking)}"
        elif given:
            remedy = f"check that the manifest is valid YAML with your value of {', '.join(given)}"
        return WrongInput(f"{name}{place}: {problem}; {remedy}")

    def check(self, documents: Iterable[Mapping[str, Any]], name: str) -> None:
        """Checks that a rehearsal has all the values that it needs.

        Raises:
            WrongInput: values are missing; the message has all variables, with values that fit the cluster.
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
            raise WrongInput(*self._lacking(name, needed, left, there))
        if left and set(there) & set(self.every):
            given = " ".join(f"${each}" for each in there if each in self.every)
            self.notes.append(
                f"no value is given for {', '.join(left)}, so the rehearsal keeps these variables unchanged. envsubst "
                "replaces every variable that is not set by empty text, also in scripts of containers. To prevent "
                f"this, list the variables to replace: envsubst '{given} ...'"
            )

    def _lacking(
        self, name: str, needed: Mapping[str, list[template.VariablePlace]], left: list[str], there: Mapping[str, int]
    ) -> Iterable[str]:
        order = {each: number for number, each in enumerate(there)}
        needed = dict(sorted(needed.items(), key=lambda each: order.get(each[0], 0)))
        shown = ", ".join(f"{each} (line {there[each]})" if each in there else each for each in needed)
        yield f"{name} is a template for envsubst, and these variables need a value: {shown}"
        for each in needed:
            if each in self.commands:
                place = f"{self.file}:{self.commands[each]}"
                yield f"{place}: the value of {each} is the output of a command, which Muster does not run; give --set"
        if left:
            yield f"not needed, because a rehearsal pulls no images and runs no commands: {', '.join(left)}"
        if self.blueprint is None:
            yield "give --set NAME=VALUE for each, or --env-file FILE"
            return
        from muster.rehearsal.kubernetes.template_values import propose_values

        found = propose_values(self.blueprint, needed)
        known = {**self.by_option, **{each: found.values.get(each, "") for each in needed}}
        words = ["muster", "rehearse", self.blueprint.stack, "--file", "-" if name == "stdin" else name]
        words += ["--env-file", self.file] if self.file else []
        words += [word for each, value in known.items() for word in ("--set", f"{each}={value}")]
        whose = f"a command sized for '{found.group}' of {self.blueprint.stack}" if found.group else "with your values"
        if unknown := [each for each in needed if each not in found.values]:
            whose += f" (add your own value of {', '.join(unknown)})"
        yield f"{whose}: {shlex.join(words)}"


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not _NAME.fullmatch(name):
        raise WrongInput(f"--set: '{text}' is not a name and a value; use the format NUM_NODES=4")
    return name, value


def _env_file(where: str) -> tuple[dict[str, str], dict[str, int]]:
    """Assignments in shell syntax, and the lines of those whose value is the output of a command."""
    values: dict[str, str] = {}
    commands: dict[str, int] = {}
    for number, line in enumerate(_lines(where), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        assigned = _ASSIGNMENT.match(text)
        if assigned is None:
            raise WrongInput(
                f"{where}:{number}: '{text[:60]}' is not an assignment; use NAME=VALUE, with or without export"
            )
        if _RUNS.search(text):
            commands[assigned["name"]] = number
            continue
        try:
            words = shlex.split(text, comments=True)
        except ValueError as fault:
            raise WrongInput(f"{where}:{number}: {str(fault).lower()}; fix the quotes in this line") from None
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
"""API versions of the kinds that Kubernetes' own controllers run."""


def read_job(
    where: str, values: Values | None = None, runtimes: tuple[Json, ...] = ()
) -> tuple[Json, JobRoles, tuple[Json, ...]]:
    """The job of a file, the job that it is resolved to, and the other objects of the file.

    Args:
        where: the file; ``-`` for stdin.
        values: the values of its variables, if it is a template.
        runtimes: the cluster's runtimes of TrainJobs; a runtime in the file replaces the cluster's.

    Raises:
        WrongInput: it cannot be read, has no job or several, or the job is malformed.
    """
    name = "stdin" if where == "-" else where
    text = _text(where)
    if text.startswith("#!"):
        raise WrongInput(
            f"{name} is a script, which only clusters with Slurm accept; give a manifest (`muster job` prints one)"
        )
    values = values or Values()
    source = _Source(name, values.fill(text, name))
    documents = tuple(_documents(source, values))
    values.check(documents, name)
    values.notes += [_earlier(each) for each in documents if current_version(each) is not each]
    documents = tuple(map(current_version, documents))
    jobs = _jobs(documents)
    if not jobs:
        raise _no_job(documents, source)
    if len(jobs) > 1:
        listed = ", ".join(f"{each['kind']} {each['metadata'].get('name', '')}" for each in jobs)
        raise WrongInput(f"{name} has {len(jobs)} jobs ({listed}), but a rehearsal runs one; keep only one in the file")
    beside = tuple(each for each in documents if each is not jobs[0])
    for each, origin in zip(documents, source.origins, strict=True):
        values.objects_at[each["kind"], str(each["metadata"].get("name", ""))] = source.at(origin, "kind")
    if jobs[0]["kind"] == "TrainJob":
        beside += runtimes
    origin = next(origin for each, origin in zip(documents, source.origins, strict=True) if each is jobs[0])
    try:
        shape = roles_of(jobs[0], beside)
    except (MalformedJob, UnknownJobKind) as fault:
        raise source.wrong(origin, str(fault), fault.path) from None
    for role in shape.roles:
        for resource, path in _requests(role.spec, Field(jobs[0])):
            values.requests_at.setdefault((role.name, resource), source.at(origin, path))
    return jobs[0], shape, beside


def _requests(spec: Mapping[str, Any], job: Field) -> Iterator[tuple[str, str]]:
    """Each resource that the containers of a pod template request, and its path in the job."""
    pod = Field(spec, path_of(spec, job))
    if not pod.path:
        return  # the template of a runtime
    for containers in ("containers", "initContainers"):
        for container in pod.at(containers).entries():
            for kind in ("requests", "limits"):
                amounts = container.at("resources", kind)
                yield from ((each, amounts.at(each).path) for each in amounts.mapping())


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where an object is in a text with several."""

    document: int
    """The number of its YAML document, from 0."""
    path: str = ""
    """``items[2]``, for an object of a list."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The text of a file, with its values filled in, for the places in errors."""

    name: str
    text: str
    origins: list[_Origin] = field(default_factory=list)
    """Of each object, in the order of the file."""

    def at(self, origin: _Origin, path: str) -> str:
        """The place of a field of an object: ``job.yaml:9:13``."""
        line, column = place(self.text, origin.document, ".".join(filter(None, (origin.path, path))))
        return f"{self.name}:{line}:{column}"

    def wrong(self, origin: _Origin, message: str, path: str = "") -> WrongInput:
        """The error about a field of an object, with its place."""
        return WrongInput(f"{self.at(origin, path)}: {message}")


def _jobs(documents: tuple[Json, ...]) -> list[Json]:
    """The jobs of a file. If an operator runs one of them, kinds of Kubernetes' own controllers are not jobs but
    support it: the etcd of an elastic job, a metrics server. If there is a Job, Deployments are not jobs."""
    every = [each for each in documents if is_job(each)]
    operators = [each for each in every if each["apiVersion"] not in _KUBERNETES]
    return operators or [each for each in every if each["kind"] == "Job"] or every


def _earlier(document: Json) -> str:
    version = current_version(document)["apiVersion"]
    return (
        f"the {document['kind']} has the deprecated apiVersion {document['apiVersion']}; the rehearsal reads it as "
        f"{version}. Set apiVersion: {version}, because later releases of its operator support only this version"
    )


def _no_job(documents: tuple[Json, ...], source: _Source) -> WrongInput:
    if not documents:
        return WrongInput(f"{source.name}: is empty; give it a job's manifest (`muster job` prints one)")
    kinds = {name for _, name in KINDS}
    every = list(zip(documents, source.origins, strict=True))
    # Of several objects, the one that is nearly a job.
    for each, origin in sorted(every, key=lambda one: closest_match(one[0]["kind"], kinds) is None):
        try:
            roles_of(each)
        except (MalformedJob, UnknownJobKind) as fault:
            return source.wrong(origin, str(fault), fault.path)
    return WrongInput(f"{source.name}: has no job")


def _text(where: str) -> str:
    try:
        return user_files.read_text(where, user_files.MANIFEST)
    except user_files.NoSuchFile:
        raise WrongInput(f"there is no file '{where}'; `muster job NAME --stack STACK` prints a job") from None
    except user_files.CannotRead as fault:
        raise WrongInput(f"{'stdin' if where == user_files.STDIN else where}: {fault}") from None


def _documents(source: _Source, values: Values) -> Iterator[Json]:
    """Every object, including those of lists, with its origin in the source.

    The YAML rules are those of kubectl, not those of descriptions: manifests of other tools are accepted as they are.
    """
    try:
        every = load_all(source.text)
    except NotYaml as fault:
        at = f":{fault.line}:{fault.column}" if fault.line else ""
        raise values.unreadable(source.name, at, fault.problem, fault.remedy) from None
    for number, each in enumerate(every):
        for thing, origin in _listed(each, _Origin(number), source) if each is not None else ():
            source.origins.append(origin)
            yield _plain(thing, origin, source)


def _listed(thing: Any, origin: _Origin, source: _Source) -> Iterator[tuple[Any, _Origin]]:
    """An object, or those of a list."""
    if not isinstance(thing, Mapping) or thing.get("kind") != "List":
        yield thing, origin
        return
    listed = thing.get("items")
    if not isinstance(listed, list | None):
        shown = _WORDS.get(type(listed), "an object")
        raise source.wrong(origin, f"items of the List is {shown}; make it a list of objects", "items")
    yield from ((each, replace(origin, path=f"items[{number}]")) for number, each in enumerate(listed or ()))


_WORDS = {str: "text", list: "a list", int: "a number", float: "a number", bool: "true or false"}


def _plain(thing: Any, origin: _Origin, source: _Source) -> Json:
    """An object in the types of JSON: dates become text, as with kubectl."""
    if not isinstance(thing, dict) or not all(isinstance(thing.get(key), str) for key in ("apiVersion", "kind")):
        shown = "an object without apiVersion and kind" if isinstance(thing, dict) else _WORDS.get(type(thing), "that")
        raise source.wrong(origin, f"{shown} is not a Kubernetes object, which has apiVersion, kind and metadata")
    if not isinstance(thing.get("metadata"), dict):
        raise source.wrong(origin, f"the {thing['kind']} has no metadata; give it metadata.name", "metadata")
    for key in ("name", "generateName", "namespace"):
        if not isinstance(thing["metadata"].get(key, ""), str):
            message = f"metadata.{key} of the {thing['kind']} is not text; put it in quotes"
            raise source.wrong(origin, message, f"metadata.{key}")
    if not thing["metadata"].get("name") and not thing["metadata"].get("generateName"):
        raise source.wrong(origin, f"the {thing['kind']} has no name; give it metadata.name", "metadata")
    try:
        plain: Json = without_credentials(json.loads(json.dumps(thing, default=str, allow_nan=False)))
    except (TypeError, ValueError, RecursionError) as fault:
        raise source.wrong(origin, f"the {thing['kind']} cannot be sent as JSON: {fault}") from None
    return plain

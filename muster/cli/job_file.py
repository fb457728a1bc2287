"""Reads a job from a file: a manifest with its other objects."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from muster import user_files
from muster.config.document import value_at
from muster.finding import KeyPath, WrongInput
from muster.jobs.job_metadata import DEFAULT_NAMESPACE
from muster.jobs.kinds.catalogue import KINDS, is_job, roles_of
from muster.jobs.manifest import Field, MalformedJob
from muster.jobs.pod_roles import JobRoles, Role
from muster.message_text import closest_match
from muster.secret_texts import without_credentials
from muster.yaml_text import NotYaml, load_all, position

_TEMPLATE = re.compile(r"\{\{|\{%|\$\{?[A-Z_]+")
"""Marks of templates: of Helm or Jinja, and the variables of `envsubst`."""

_VARIABLE = re.compile(r"\$(?:\{\w{1,99}\}|\w{1,99})")
"""A variable of `envsubst`."""

Json = dict[str, Any]

_FILL = "  if the file is a template, fill it first (`envsubst`, `helm template`), and give the result with --file -"

_KUBERNETES = frozenset({"v1", "apps/v1", "batch/v1"})
"""API versions of the kinds that Kubernetes' own controllers run."""
_NEARLY = 0.85
"""PyTrochJob is nearly a PyTorchJob, but a RayCronJob is no RayJob."""
_MOST_JOBS = 16  # each is submitted, and waited for


@dataclass(frozen=True, slots=True)
class JobFile:
    """The last job of a file, the roles of its pods, and the other objects of the file."""

    text: str
    document: Json
    roles: JobRoles
    earlier: tuple[tuple[Json, JobRoles], ...]
    """The jobs before it, in their order: `kubectl apply` creates them first."""
    beside: tuple[Json, ...]
    requests_at: Mapping[tuple[str, str], str]
    """Role and resource -> the place in the file where the role's pods first request it: ``job.yaml:9:13``."""
    objects_at: Mapping[tuple[str, str], str]
    """Kind and name of each object -> its place in the file: ``job.yaml:1:1``."""


def read_job(where: str, runtimes: tuple[Json, ...] = ()) -> JobFile:
    """The jobs of a file.

    Args:
        where: the file; ``-`` for stdin.
        runtimes: the cluster's runtimes of TrainJobs; a runtime in the file replaces the cluster's.

    Raises:
        WrongInput: it cannot be read, has no job, or a job is malformed.
    """
    name = "stdin" if where == "-" else where
    text = _text(where)
    if text.startswith("#!"):
        raise WrongInput(
            f"{name} is a script, which only clusters with Slurm accept; give a manifest (`muster job` prints one)"
        )
    source = _Source(name, text)
    documents = tuple(_documents(source))
    located = list(zip(documents, source.origins, strict=True))
    _require_known_kinds(located, source)
    jobs = _jobs(documents)
    if not jobs:
        raise _no_job(located, source)
    if len(jobs) > _MOST_JOBS:
        raise WrongInput(f"{name} has {len(jobs)} jobs; keep at most {_MOST_JOBS}, the job in question last")
    beside = tuple(each for each in documents if all(each is not job for job in jobs))
    if any(job["kind"] == "TrainJob" for job in jobs):
        beside += runtimes
    origins = {id(each): origin for each, origin in located}
    *earlier, (job, roles) = _read(jobs, beside, origins, source)
    requests_at: dict[tuple[str, str], str] = {}
    for role in roles.roles:
        for resource, path in _requests(role):
            if value_at(job, path) is not None:  # not of the runtime of a TrainJob
                requests_at.setdefault((role.name, resource), source.at(origins[id(job)], path))
    return JobFile(
        text,
        job,
        roles,
        tuple(earlier),
        beside,
        requests_at,
        {(each["kind"], str(each["metadata"].get("name", ""))): source.at(at, ("kind",)) for each, at in located},
    )


def _require_known_kinds(located: Iterable[tuple[Json, "_Origin"]], source: "_Source") -> None:
    """Raises WrongInput where the kind of an object is nearly that of a job."""
    for each, origin in located:
        kinds = [name.lower() for version, name in KINDS if version == each["apiVersion"]]
        if not is_job(each) and get_close_matches(each["kind"].lower(), kinds, cutoff=_NEARLY):
            raise _not_supported(each, origin, source)


def _read(
    jobs: Iterable[Json], beside: tuple[Json, ...], origins: Mapping[int, "_Origin"], source: "_Source"
) -> list[tuple[Json, JobRoles]]:
    """The jobs, each with its roles. No two have the same name."""
    read = []
    first: dict[tuple[str | None, ...], str] = {}
    for job in jobs:
        origin = origins[id(job)]
        own = job["kind"], job["metadata"].get("namespace") or DEFAULT_NAMESPACE, job["metadata"].get("name")
        if own[-1] and (other := first.setdefault(own, place := source.at(origin))) != place:
            raise source.wrong(origin, f"the {own[0]} '{own[-1]}' is also at {other}; give it another name")
        try:
            roles = roles_of(job, beside)
            _require_filled(roles)
        except MalformedJob as fault:
            raise source.wrong(origin, str(fault), fault.path) from None
        read.append((job, roles))
    return read


def _require_filled(roles: JobRoles) -> None:
    """Raises MalformedJob where a pod template requires a variable as a label of its node."""
    for each in (label for role in roles.roles for label in _labels_of_nodes(role)):
        if isinstance(each.value, str) and _VARIABLE.fullmatch(each.value):
            raise each.wrong("no label has that value; fill the template, each host name with another node's")


def _labels_of_nodes(role: Role) -> Iterator[Field]:
    """The values of labels that a pod template requires of its node."""
    selector = role.template.at("spec", "nodeSelector")
    yield from (selector.at(key) for key in selector.mapping())
    affinity = role.template.at("spec", "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    for term in affinity.at("nodeSelectorTerms").entries():
        for expression in term.at("matchExpressions").entries():
            yield from expression.at("values").entries()


def _requests(role: Role) -> Iterator[tuple[str, KeyPath]]:
    """Each resource that the containers of a pod template request, and its path in the document of the template."""
    for containers in ("containers", "initContainers"):
        for container in role.template.at("spec", containers).entries():
            for kind in ("requests", "limits"):
                amounts = container.at("resources", kind)
                yield from ((each, amounts.at(each).path) for each in amounts.mapping())


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where an object is in a text with several."""

    document: int
    """The number of its YAML document, from 0."""
    path: KeyPath = ()
    """That of ``items[2]``, for an object of a list."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The text of a file, for the places in errors."""

    name: str
    text: str
    origins: list[_Origin] = field(default_factory=list)
    """Of each object, in the order of the file."""

    def at(self, origin: _Origin, path: KeyPath = ()) -> str:
        """The place of a field of an object: ``job.yaml:9:13``."""
        at = position(self.text, origin.document, (*origin.path, *path))
        return f"{self.name}:{at.line}:{at.column}"

    def wrong(self, origin: _Origin, message: str, path: KeyPath = ()) -> WrongInput:
        """The error about a field of an object, with its place."""
        return WrongInput(f"{self.at(origin, path)}: {message}", *self.advice)

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do with a template; empty if the file is none."""
        return (_FILL,) if _TEMPLATE.search(self.text) else ()


def _jobs(documents: tuple[Json, ...]) -> list[Json]:
    """The jobs of a file. If an operator runs one of them, kinds of Kubernetes' own controllers are not jobs but
    support it: the etcd of an elastic job, a metrics server. If there is a Job, Deployments are not jobs."""
    every = [each for each in documents if is_job(each)]
    operators = [each for each in every if each["apiVersion"] not in _KUBERNETES]
    return operators or [each for each in every if each["kind"] == "Job"] or every


def _not_supported(document: Json, origin: _Origin, source: _Source) -> WrongInput:
    """The error about an object that is no job."""
    try:
        roles_of(document)
    except MalformedJob as fault:
        return source.wrong(origin, str(fault), fault.path)
    raise AssertionError("it is a job")


def _no_job(located: list[tuple[Json, _Origin]], source: _Source) -> WrongInput:
    if not located:
        return WrongInput(f"{source.name}: is empty; give it a job's manifest (`muster job` prints one)")
    kinds = {name for _, name in KINDS}
    # Of several objects, the one that is nearly a job.
    nearest = min(located, key=lambda one: closest_match(one[0]["kind"], kinds) is None)
    return _not_supported(*nearest, source)


def _text(where: str) -> str:
    try:
        return user_files.read_text(where, user_files.MANIFEST)
    except user_files.NoSuchFile:
        raise WrongInput(f"there is no file '{where}'; `muster job NAME --stack STACK` prints a job") from None
    except user_files.CannotRead as fault:
        raise WrongInput(f"{'stdin' if where == user_files.STDIN else where}: {fault}") from None


def _documents(source: _Source) -> Iterator[Json]:
    """Every object, including those of lists, with its origin in the source.

    The YAML rules are those of kubectl, not those of descriptions: manifests of other tools are accepted as they are.
    """
    try:
        every = load_all(source.text)
    except NotYaml as fault:
        at = f":{fault.position.line}:{fault.position.column}"
        raise WrongInput(f"{source.name}{at}: {fault.problem}; {fault.remedy}", *source.advice) from None
    for number, each in enumerate(every):
        for thing, origin in _listed(each, _Origin(number), source) if each is not None else ():
            source.origins.append(origin)
            yield _plain(thing, origin, source)


def _listed(thing: Any, origin: _Origin, source: _Source) -> Iterator[tuple[Any, _Origin]]:
    """An object, or those of a list."""
    if not isinstance(thing, Mapping) or thing.get("kind") != "List":
        yield thing, origin
        return
    listed = thing.get("items") or []
    if not isinstance(listed, list):
        raise source.wrong(origin, "items of the List is not a list of objects", ("items",))
    yield from ((each, replace(origin, path=("items", number))) for number, each in enumerate(listed))


def _plain(thing: Any, origin: _Origin, source: _Source) -> Json:
    """An object in the types of JSON: dates become text, as with kubectl."""
    meta = thing.get("metadata") if isinstance(thing, dict) else None
    texts: dict[KeyPath, Any] = {(): None}
    if isinstance(meta, dict):
        texts = {(key,): thing.get(key) for key in ("apiVersion", "kind")}
        texts[("metadata",)] = meta.get("name") or meta.get("generateName") or None
        texts |= {("metadata", key): meta[key] for key in ("name", "generateName", "namespace") if key in meta}
    wrong = next((path for path, text in reversed(texts.items()) if not isinstance(text, str)), None)
    if wrong is not None:
        needed = "apiVersion, kind, and metadata with a name, all of them text"
        raise source.wrong(origin, f"this is not a Kubernetes object, which has {needed}", wrong)
    try:
        plain: Json = without_credentials(json.loads(json.dumps(thing, default=str, allow_nan=False)))
    except (TypeError, ValueError, RecursionError) as fault:
        raise source.wrong(origin, f"the {thing['kind']} cannot be sent as JSON: {fault}") from None
    return plain

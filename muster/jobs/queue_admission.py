"""Whether a queue of Kueue admits a job while nothing else runs, by arithmetic over its quotas."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from muster import kubernetes_quantity
from muster.jobs.manifest import Field, namespace_of
from muster.jobs.pod_requests import PodRequests, amount
from muster.jobs.pod_roles import JobRoles, Role
from muster.message_text import did_you_mean
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import unmet_selection
from muster.scheduling.node import KubernetesNode
from muster.scheduling.requirements import Operator, Requirement, Requirements, Term, Unmet, requirements_of, unmet_of
from muster.scheduling.resources import times
from muster.scheduling.taints import Taint, Toleration, untolerated
from muster.unknown import UNKNOWN, UnknownType

VERSIONS = ("kueue.x-k8s.io/v1beta1", "kueue.x-k8s.io/v1beta2")

_NO_INTEGRATION = frozenset({("batch.volcano.sh/v1alpha1", "Job"), ("apps/v1", "ReplicaSet")})
"""Kinds that Kueue does not manage, with or without its label (`pkg/controller/jobs`)."""

_POD_BY_POD = frozenset({("apps/v1", "Deployment")})
"""Kinds whose pods Kueue admits one by one (`pkg/controller/jobs/deployment`: the pods get the label)."""

_DEFAULT_QUEUE = "default"
"""The LocalQueue of jobs that name none (`jobframework.ApplyDefaultLocalQueue`)."""

_NAMESPACE_NAME = "kubernetes.io/metadata.name"
PODS = "pods"


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A resource that a set of pods does not get of one flavor, or of none."""

    role: str
    resource: str
    flavor: str | None
    """None where no flavor fits; `why` is the reason."""
    asked: int
    """By this role and those before it with the same flavor, in the resource's base unit."""
    quota: int
    """The most there can be, with what may be borrowed."""
    why: str = ""
    """Why it gets none; or, of a flavor, whose quota was counted."""

    def __str__(self) -> str:
        asked = f"{self.role}: {kubernetes_quantity.format_amount(self.resource, self.asked)} {self.resource} asked"
        if self.flavor is None:
            return f"{asked}, {self.why}"
        whose = f" {self.why}" if self.why else ""
        return (
            f"{asked}, flavor '{self.flavor}' has {kubernetes_quantity.format_amount(self.resource, self.quota)}{whose}"
        )


@dataclass(frozen=True, slots=True)
class Admission:
    """What Kueue's quotas mean for a job."""

    queue: str
    cluster_queue: str | None
    """None where it is not known."""
    admitted: bool | None
    """None where it cannot be determined; `said` states what is missing."""
    shortfalls: tuple[Shortfall, ...]
    said: str
    """The result in one sentence, with a remedy where the job is not admitted."""


class _Unjudged(Exception):
    """The result depends on an object that is not given."""


def admission(shape: JobRoles, documents: Iterable[Any]) -> Admission | None:
    """Whether the job's queue admits it; None where it names no queue, and its namespace has no default queue.

    Args:
        shape: the job.
        documents: of the same file: LocalQueues, ClusterQueues, ResourceFlavors, Cohorts and Namespaces count.

    Raises:
        MalformedJob: one of them has a wrong form.
    """
    managed = (shape.api_version, shape.kind) not in _NO_INTEGRATION
    objects, cluster_queue = _Objects(documents), None
    name = shape.queue or (_DEFAULT_QUEUE if managed and objects.has_default(shape.namespace) else None)
    if name is None:
        return None
    if not managed:
        message = f"not judged: Kueue does not manage {shape.kind}s of {shape.api_version}: the label does nothing"
        return Admission(name, None, admitted=None, shortfalls=(), said=message)
    try:
        local = objects.local_queue(name, shape.namespace)
        cluster_queue = local.required("spec", "clusterQueue").text()
        return _judged(shape, name, local, objects.named("ClusterQueue", cluster_queue), objects)
    except _Unjudged as missing:
        return Admission(name, cluster_queue, admitted=None, shortfalls=(), said=f"not judged: {missing}")


def _judged(shape: JobRoles, name: str, local: Field, queue: Field, objects: "_Objects") -> Admission:
    cluster_queue = local.at("spec", "clusterQueue").text()
    if closed := _why_stopped(local, queue, objects, shape.namespace):
        return Admission(name, cluster_queue, admitted=False, shortfalls=(), said=closed)
    taken: _Taken = {}
    one_by_one = (shape.api_version, shape.kind) in _POD_BY_POD
    sets = _pod_by_pod(shape) if one_by_one else _in_order(shape)
    for number, roles in enumerate(sets):
        if short := _assign(roles, taken, queue, objects):
            listed = "; ".join(map(str, short))
            out = f"lets in {number} of its {shape.pods} pods at a time" if one_by_one and number else "keeps it out"
            message = f"{queue.path} {out}: {listed}; ask for less, or raise its quota"
            return Admission(name, cluster_queue, admitted=False, shortfalls=tuple(short), said=message)
    flavors = ", ".join(sorted({flavor for flavor, _ in taken}))
    message = f"{queue.path} has the quota" + (f" (flavors: {flavors})" if flavors else "")
    return Admission(name, cluster_queue, admitted=True, shortfalls=(), said=message)


class _Objects:
    """Kueue's objects of a file."""

    def __init__(self, documents: Iterable[Any]) -> None:
        self._all = [Field(each, _document_name(each)) for each in documents if isinstance(each, Mapping)]

    def of(self, kind: str) -> list[Field]:
        """Those of a kind."""
        return [
            each
            for each in self._all
            if each.at("kind").value == kind
            and (each.at("apiVersion").value in VERSIONS or (kind, each.at("apiVersion").value) == ("Namespace", "v1"))
        ]

    def named(self, kind: str, name: str) -> Field:
        """The one of that name."""
        given = {each.at("metadata", "name").text(): each for each in self.of(kind)}
        if name not in given:
            raise _Unjudged(f"the {kind} '{name}' is not given; put it into the same file{did_you_mean(name, given)}")
        return given[name]

    def has_default(self, namespace: str) -> bool:
        """Whether the namespace has a LocalQueue for jobs that name none."""
        return any(
            (namespace_of(each), each.at("metadata", "name").value) == (namespace, _DEFAULT_QUEUE)
            for each in self.of("LocalQueue")
        )

    def local_queue(self, name: str, namespace: str) -> Field:
        """The LocalQueue of that name in the job's namespace."""
        given = {(namespace_of(each), each.at("metadata", "name").text()): each for each in self.of("LocalQueue")}
        if (namespace, name) in given:
            return given[namespace, name]
        elsewhere = [place for place, each in given if each == name]
        here = [each for place, each in given if place == namespace]
        hint = f" (one of that name is in {', '.join(elsewhere)})" if elsewhere else did_you_mean(name, here)
        raise _Unjudged(
            f"the LocalQueue '{name}' in namespace '{namespace}' is not given; put it into the same file{hint}"
        )


def _document_name(document: Mapping[str, Any]) -> str:
    metadata, kind = document.get("metadata"), document.get("kind")
    name = metadata.get("name") if isinstance(metadata, Mapping) else None
    return " ".join(each for each in (kind, name) if isinstance(each, str))


def _why_stopped(local: Field, queue: Field, objects: _Objects, namespace: str) -> str:
    """Why a queue takes no job at all, of this namespace or any; empty where it does."""
    for each in (local, queue):
        policy = each.at("spec", "stopPolicy").text("None")
        if policy != "None":
            return f"{each.path} is stopped (stopPolicy: {policy}); set it to None"
    selector = queue.at("spec", "namespaceSelector")
    if not selector.there:
        return f"{queue.path} takes jobs of no namespace: it has no namespaceSelector; {{}} takes those of all"
    if selector.mapping() and not _selects(selector, _labels_of(namespace, objects)):
        return f"{queue.path} takes no jobs of namespace '{namespace}'; change its namespaceSelector"
    return ""


def _labels_of(namespace: str, objects: _Objects) -> "_Labels":
    given = [each for each in objects.of("Namespace") if each.at("metadata", "name").value == namespace]
    own = given[0].at("metadata", "labels").texts() if given else {}
    return _Labels({**own, _NAMESPACE_NAME: namespace}, f"the Namespace '{namespace}'" if not given else "")


@dataclass(frozen=True, slots=True)
class _Labels:
    """Labels of something, as far as they are known."""

    known: Mapping[str, str]
    not_given: str = ""
    """What would have to be given to know the others; empty where all are known."""

    def get(self, key: str, /) -> str | None | UnknownType:
        return UNKNOWN if key not in self.known and self.not_given else self.known.get(key)


def _selects(selector: Field, labels: _Labels) -> bool:
    wanted = (*requirements_of(selector.at("matchLabels").texts()), *_requirements(selector.at("matchExpressions")))
    unmet = unmet_of(wanted, labels)
    if unmet and not any(each.certain for each in unmet):
        key = unmet[0].requirement.key
        raise _Unjudged(f"the label '{key}' of {labels.not_given} is not known; put it into the same file")
    return not unmet


def _requirements(written: Field) -> Requirements:
    return tuple(map(_requirement, written.entries()))


def _requirement(written: Field) -> Requirement:
    operator = written.at("operator").choice(*Operator, otherwise="missing")
    values = tuple(each.text() for each in written.at("values").entries())
    return Requirement(written.required("key").text(), operator, values)


_Taken = dict[tuple[str, str], int]
"""(flavor, resource) -> what roles before have taken of it."""


_LAUNCHER_FIRST = ("kubeflow.org/v2beta1", "MPIJob")


def _in_order(shape: JobRoles) -> list[tuple[Role, ...]]:
    """The one workload that a job is, its roles in the order that Kueue lists them (of MPIJobs `orderedReplicaTypes`:
    the launcher, then the workers). Of other kinds it is ours."""
    roles = shape.roles
    if (shape.api_version, shape.kind) == _LAUNCHER_FIRST:
        roles = tuple(sorted(roles, key=lambda role: role.name != "launcher"))
    return [roles]


def _pod_by_pod(shape: JobRoles) -> list[tuple[Role, ...]]:
    """A workload for each pod."""
    return [(replace(role, pods=1, needed=1),) for role in shape.roles for _ in range(role.pods)]


def _assign(roles: Iterable[Role], taken: _Taken, queue: Field, objects: _Objects) -> list[Shortfall]:
    """Gives each role of a workload its flavors in order. The first that gets none ends it, as in Kueue.

    Args:
        roles: the workload's.
        taken: what is taken already; grows.
        queue: the ClusterQueue.
        objects: Kueue's others.
    """
    groups = list(queue.at("spec", "resourceGroups").entries())
    covered = {name: group for group in groups for name in _covered(group)}
    for role in roles:
        requested = times(role.pods, role.asks)
        if PODS in covered:
            requested[PODS] = role.pods
        requested = {resource: number for resource, number in requested.items() if number}
        missing = [
            Shortfall(role.name, each, None, requested[each], 0, "which the queue does not cover")
            for each in sorted(requested)
            if each not in covered
        ]
        if missing:
            return missing
        for group in groups:
            of_group = {each: requested[each] for each in _covered(group) if each in requested}
            if of_group and (short := _take(role, of_group, group, taken, queue, objects)):
                return short
    return []


def _covered(group: Field) -> list[str]:
    return [each.text() for each in group.at("coveredResources").entries()]


def _take(
    role: Role, requested: PodRequests, group: Field, taken: _Taken, queue: Field, objects: _Objects
) -> list[Shortfall]:
    """Takes the first flavor that fits; what is short of each where none does."""
    short: list[Shortfall] = []
    unfit: list[str] = []
    alone = False
    for flavor in group.at("flavors").entries():
        name = flavor.required("name").text()
        if reason := _unfit(role, objects.named("ResourceFlavor", name)):
            unfit.append(f"but flavor '{name}' {reason}")
            continue
        wanted = {resource: taken.get((name, resource), 0) + number for resource, number in requested.items()}
        most = {resource: _most(queue, name, resource, objects) for resource in wanted}
        lacking = [resource for resource, number in wanted.items() if number > most[resource].amount]
        if not lacking:
            taken.update({(name, resource): number for resource, number in wanted.items()})
            return []
        short += [
            Shortfall(role.name, each, name, wanted[each], most[each].amount, most[each].whose) for each in lacking
        ]
        # Queues that are not given may lend all of it, unless a borrowing limit is too small.
        alone |= all(most[each].alone and wanted[each] <= most[each].limit for each in lacking)
    if alone:
        cohort = _cohort(queue)
        raise _Unjudged(
            f"the other queues of cohort '{cohort}', which may lend, are not given; put them into the same file"
        )
    if not short:
        why = ", ".join(unfit) or "but the queue has no flavor of it"
        return [Shortfall(role.name, each, None, requested[each], 0, why) for each in sorted(requested)]
    return short


def _unfit(role: Role, flavor: Field) -> str:
    """Why a role's pods do not go to a flavor's nodes; empty where they may.

    Kueue looks only at the labels that the flavor has (`flavorSelector`).
    """
    spec = Field(role.spec, f"the pod template of '{role.name}'")
    tolerations = map(_toleration, flavor.at("spec", "tolerations").entries())
    labels = flavor.at("spec", "nodeLabels").texts()
    taints = tuple(map(_taint, flavor.at("spec", "nodeTaints").entries()))
    pods = _constraints(spec).restricted_to(labels).tolerating(tolerations)
    for taint in untolerated(pods.tolerations, taints):
        return f"has the taint {taint.key}, which its pods do not tolerate"
    found = unmet_selection(pods, KubernetesNode(flavor.path, labels))
    for unmet in (each for each in found if isinstance(each, Unmet)):
        return f"has {unmet.requirement.key}={unmet.value}, its pods select {unmet.requirement.values[0]}"
    return "has labels that its pods' node affinity excludes" if found else ""


def _constraints(spec: Field) -> PodConstraints:
    """As `PodConstraints.of`, with the place of what is wrong."""
    required = spec.at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    return PodConstraints(
        requirements_of(spec.at("nodeSelector").texts()),
        tuple(Term(_requirements(each.at("matchExpressions"))) for each in required.at("nodeSelectorTerms").entries()),
        tuple(map(_toleration, spec.at("tolerations").entries())),
    )


def _toleration(written: Field) -> Toleration:
    return Toleration(*(written.at(key).text() for key in ("key", "operator", "value", "effect")))


def _taint(written: Field) -> Taint:
    return Taint(*(written.at(key).text() for key in ("key", "value", "effect")))


@dataclass(frozen=True, slots=True)
class _Most:
    """What a ClusterQueue can use of a resource in a flavor while nothing else runs."""

    amount: int
    limit: float
    """The most that it may use, whatever others lend."""
    whose: str = ""
    """A note for the amount, where queues that are not given could raise it."""
    alone: bool = False
    """Whether no other queue of its cohort is given."""


def _most(queue: Field, flavor: str, resource: str, objects: _Objects) -> _Most:
    """Its own quota, and in a cohort what the others lend (`potentialAvailable`)."""
    own = _quota(queue, flavor, resource)
    if own is None:
        return _Most(0, 0)
    cohort = _cohort(queue)
    if not cohort:
        return _Most(own.nominal, own.nominal)
    shared = sum(each.lent for each in _members(cohort, flavor, resource, objects))
    limit = inf if own.borrowing is None else own.nominal + own.borrowing
    if own.kept + shared >= limit:
        return _Most(int(limit), limit)
    whose = f"of the queues given of cohort '{cohort}'"
    return _Most(own.kept + shared, limit, whose, alone=not _others(queue, cohort, objects))


def _others(queue: Field, cohort: str, objects: _Objects) -> bool:
    """Whether another queue of the cohort is given, or the cohort with a quota of its own."""
    name = queue.at("metadata", "name").value
    queues = (
        _cohort(each) == cohort and each.at("metadata", "name").value != name for each in objects.of("ClusterQueue")
    )
    cohorts = (
        each.at("metadata", "name").value == cohort and each.at("spec", "resourceGroups").there
        for each in objects.of("Cohort")
    )
    return any(queues) or any(cohorts)


@dataclass(frozen=True, slots=True)
class _Quota:
    nominal: int
    borrowing: int | None
    lending: int | None

    @property
    def kept(self) -> int:
        """What other queues cannot borrow."""
        return 0 if self.lending is None else max(0, self.nominal - self.lending)

    @property
    def lent(self) -> int:
        """What goes into the cohort."""
        return self.nominal - self.kept


def _members(cohort: str, flavor: str, resource: str, objects: _Objects) -> Iterator[_Quota]:
    """The quotas that a cohort is made of: its queues', and its own."""
    for queue in objects.of("ClusterQueue"):
        if _cohort(queue) == cohort and (quota := _quota(queue, flavor, resource)):
            yield quota
    for each in objects.of("Cohort"):
        if each.at("metadata", "name").value == cohort:
            if each.at("spec", "parentName").there or each.at("spec", "parent").there:
                raise _Unjudged(f"the cohort '{cohort}' is part of another one")
            if quota := _quota(each, flavor, resource):
                yield quota


def _cohort(queue: Field) -> str:
    """``cohortName`` since v1beta2, ``cohort`` before."""
    return queue.at("spec", "cohortName").text() or queue.at("spec", "cohort").text()


def _quota(queue: Field, flavor: str, resource: str) -> _Quota | None:
    for group in queue.at("spec", "resourceGroups").entries():
        for each in group.at("flavors").entries():
            if each.at("name").value != flavor:
                continue
            for quota in each.at("resources").entries():
                if quota.at("name").value == resource:
                    limits = (quota.at(key) for key in ("borrowingLimit", "lendingLimit"))
                    borrowing, lending = (amount(resource, each) if each.there else None for each in limits)
                    return _Quota(amount(resource, quota.required("nominalQuota")), borrowing, lending)
    return None

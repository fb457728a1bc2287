"""Kubernetes objects with pods in them as judged things, whatever their kind: pods are found by their structure.

What Muster's own installer registers is not read here: it is judged as the add-on that it belongs to.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from muster.addons.catalogue.trainer import DEFAULT_RUNTIMES
from muster.fleet.resources.eks import PodOwner, PodTemplate
from muster.jobs.kinds.train_job import as_job_set, processes
from muster.jobs.manifest import Field, MalformedJob
from muster.jobs.pod_roles import QUEUE_LABEL
from muster.plain_data import mappings_at
from muster.policies.views.view import Properties, View
from muster.unknown import UNKNOWN, UnknownType, if_known
from muster.whole_number import whole_number

KUBERNETES = "kubernetes:"
_INSTALLER = "muster:addons:Addons$"
_NO_PODS = frozenset({"CustomResourceDefinition", "ConfigMap", "Secret", "Release", "Chart", "Provider"})
_PODS = frozenset(
    {"Pod", "Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "ReplicationController", "Job", "CronJob"}
)
"""Kubernetes' own kinds that have pods, whatever is known about them."""
_NUMBERS = ("replicas", "parallelism", "numOfHosts")
"""Keys with the number of copies of the template beside or below them; without such a key there is one."""
_OF_GROUPS = "leaderWorkerTemplate"
"""A key of a LeaderWorkerSet. Its replicas are groups of `size` pods, and each group is a job."""


TRAIN_JOB = "kubernetes:trainer.kubeflow.org/v1alpha1:TrainJob"
RUNTIMES = (
    "kubernetes:trainer.kubeflow.org/v1alpha1:ClusterTrainingRuntime",
    "kubernetes:trainer.kubeflow.org/v1alpha1:TrainingRuntime",
)
_PER_NODE, _RUNTIME = "spec.trainer.resourcesPerNode", "spec.runtimeRef"


def train_job(of: Properties) -> PodOwner[UnknownType]:
    """Reads a TrainJob: the pods that Trainer makes of it and its runtime, which the program has, or Trainer's chart.
    The pods of another runtime are not known."""
    job, beside = Field(of.values), [*(each.values for each in of.others(*RUNTIMES)), *DEFAULT_RUNTIMES]
    try:
        found = tuple(_templates({"spec": as_job_set(job, beside).value["spec"]}, ""))
        started = processes(job, beside)
    except MalformedJob:
        return _pod_owner(of, kind="TrainJob", templates=(PodTemplate(_RUNTIME, UNKNOWN, UNKNOWN),), processes=UNKNOWN)
    place = _PER_NODE if isinstance(of.raw(_PER_NODE), Mapping) else _RUNTIME
    templates = _as_admitted((replace(each, path=place) for each in found), of)
    return _pod_owner(of, kind="TrainJob", templates=templates, processes=started)


def training_runtime(of: Properties) -> tuple[PodOwner[UnknownType], ...]:
    """Reads a runtime; empty for one that a TrainJob of the program has: that is judged with it."""
    name = of.raw("metadata.name")
    return () if any(each.raw(f"{_RUNTIME}.name") == name for each in of.others(TRAIN_JOB)) else pod_owners(of)


VIEWS = {TRAIN_JOB: train_job, **dict.fromkeys(RUNTIMES, training_runtime)}
BESIDE = {**{each: {TRAIN_JOB: ""} for each in RUNTIMES}, TRAIN_JOB: dict.fromkeys(RUNTIMES, "")}


def pod_owners(of: Properties) -> tuple[PodOwner[UnknownType], ...]:
    """Reads the pod templates of an object, or of those of a List; empty if it has none."""
    kind = of.resource.type.rpartition(":")[2]
    if _INSTALLER in of.resource.urn:
        return ()
    if kind != "List":
        owner = _owner(of, kind)
        return (owner,) if owner else ()
    items = enumerate(mappings_at(of.values, "items"))
    found = (
        _owner(Properties(of.resource, of.references, of.beside, item), str(item.get("kind")), f"items[{index}]")
        for index, item in items
    )
    return tuple(each for each in found if each)


def _owner(of: Properties, kind: str, path: str = "") -> PodOwner[UnknownType] | None:
    if kind in _NO_PODS:
        return None
    found = list(_templates(of.values, path))
    if not found and kind in _PODS:
        found = [PodTemplate("spec", UNKNOWN)]
    return _pod_owner(of, kind=kind, templates=_as_admitted(found, of)) if found else None


def _as_admitted(found: Iterable[PodTemplate[UnknownType]], of: Properties) -> tuple[PodTemplate[UnknownType], ...]:
    """Pods of a job in a queue of Kueue, which adds the tolerations of the queue's flavor: what they tolerate is not
    known."""
    if QUEUE_LABEL not in (if_known(lambda: of.mapping("metadata.labels")) or {}):
        return tuple(found)
    return tuple(
        replace(each, spec={**each.spec, "tolerations": UNKNOWN}) if isinstance(each.spec, Mapping) else each
        for each in found
    )


def _slots(of: Properties) -> int | None:
    """The slots of a worker of an MPIJob, which only Open MPI's mpirun counts."""
    return of.integer("spec.slotsPerWorker") if of.get("spec.mpiImplementation", "OpenMPI") == "OpenMPI" else None


_ELASTIC = "spec.elasticPolicy"
_pod_owner = View(
    PodOwner,
    name="metadata.name",
    processes=lambda of: whole_number(of.get("spec.nprocPerNode|spec.elasticPolicy.nProcPerNode")) or _slots(of),
    # The training operator sets one to the other (kubeflow/training-operator v1.9.0, `pytorch_defaults.go`).
    nodes_least=lambda of: of.integer(f"{_ELASTIC}.minReplicas|{_ELASTIC}.maxReplicas"),
    nodes_most=lambda of: of.integer(f"{_ELASTIC}.maxReplicas|{_ELASTIC}.minReplicas"),
    grows=lambda of: bool(of.get(f"{_ELASTIC}.metrics")),
    launcher_works=lambda of: of.boolean("spec.runLauncherAsWorker") or False,
)


def _templates(value: Any, path: str, pods: int | UnknownType = 1) -> Iterator[PodTemplate[UnknownType]]:
    """Pod specs below a value: everything that has a list of containers, even one that is not known."""
    if isinstance(value, Mapping):
        containers = value.get("containers")
        if containers is UNKNOWN or isinstance(containers, list):
            yield PodTemplate(path, UNKNOWN if containers is UNKNOWN else value, pods)
            return
        together = pods if _OF_GROUPS in value else _times(pods, *(value.get(name) for name in _NUMBERS))
        for key, each in value.items():
            below = f"{path}.{key}" if path else str(key)
            yield from _templates(each, below, _of_group(value, key) if "workerTemplate" in value else together)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _templates(each, f"{path}[{index}]", pods)


def _of_group(group: Mapping[str, Any], key: str) -> int | UnknownType:
    """The number of pods of one template in a group of a LeaderWorkerSet. The group has `size` pods. One of them is the
    leader, from the leader template if there is one."""
    size = _times(1, group.get("size"))
    if "leaderTemplate" not in group or size is UNKNOWN:
        return size
    return 1 if key == "leaderTemplate" else size - 1


def _times(pods: int | UnknownType, *numbers: Any) -> int | UnknownType:
    """The product of pods and numbers; unknown if one of them is unknown. A value that is not a number, which the API
    server refuses, counts as 1."""
    for each in numbers:
        if each is UNKNOWN or pods is UNKNOWN:
            return UNKNOWN
        number = whole_number(each, 0)
        pods *= 1 if number is None else number
    return pods

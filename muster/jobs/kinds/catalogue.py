"""The kinds that a rehearsal supports, by apiVersion and kind."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.jobs.kinds import builtin, hyperpod_job, job_set, kubeflow, ray, train_job, volcano_job
from muster.jobs.kinds.hyperpod_job import Pod
from muster.jobs.manifest import Field, MalformedJob
from muster.jobs.pod_roles import JobRoles
from muster.message_text import did_you_mean

Documents = Iterable[Mapping[str, Any]]


class UnknownJobKind(ValueError):
    """A document of a kind that is not a job, or that rehearsals do not support. The message lists the supported
    kinds."""

    def __init__(self, message: str, path: str) -> None:
        self.path = path
        """The field that is not supported: ``kind`` or ``apiVersion``."""
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How a kind is read."""

    shape: Callable[[Field, Documents], JobRoles]
    pods: Callable[[Field], Iterator[Pod]] | None = None
    """The function that creates the pods, if the rehearsal simulates the controller."""


def _alone(read: Callable[[Field], Any]) -> Callable[[Field, Documents], Any]:
    """The reader of a kind that needs no other documents."""
    return lambda job, _beside: read(job)


KINDS: Mapping[tuple[str, str], _Kind] = {
    ("v1", builtin.POD): _Kind(_alone(builtin.job_roles)),
    ("batch/v1", builtin.JOB): _Kind(_alone(builtin.job_roles)),
    **{("apps/v1", kind): _Kind(_alone(builtin.job_roles)) for kind in builtin.REPLICATED},
    **{("kubeflow.org/v1", kind): _Kind(_alone(kubeflow.job_roles)) for kind in kubeflow.REPLICAS},
    ("kubeflow.org/v2beta1", "MPIJob"): _Kind(_alone(kubeflow.mpi_job_roles)),
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): _Kind(_alone(job_set.job_roles)),
    ("batch.volcano.sh/v1alpha1", "Job"): _Kind(_alone(volcano_job.job_roles)),
    **{(ray.VERSION, kind): _Kind(_alone(ray.job_roles)) for kind in (ray.CLUSTER, ray.JOB)},
    (hyperpod_job.VERSION, hyperpod_job.KIND): _Kind(_alone(hyperpod_job.job_roles), hyperpod_job.pods),
    (train_job.VERSION, "TrainJob"): _Kind(train_job.job_roles),
}


def roles_of(job: Any, beside: Documents = ()) -> JobRoles:
    """The pods of a job, as roles.

    Args:
        job: the document, as YAML or JSON reads it.
        beside: other documents of the same file; a TrainJob needs its runtime.

    Raises:
        UnknownJobKind: it is not a job, or of a kind that rehearsals do not support.
        MalformedJob: it does not match its kind.
    """
    return _kind(job).shape(Field(job), _documents(beside))


def pods_of(job: Any) -> tuple[Pod, ...]:
    """The pods that a job's controller would create, if the rehearsal simulates it; none for other kinds.

    Raises:
        UnknownJobKind: it is not a job, or of a kind that rehearsals do not support.
        MalformedJob: it does not match its kind.
    """
    kind = _kind(job)
    if kind.pods is None:
        return ()
    kind.shape(Field(job), ())  # raises before any pod is created
    return tuple(kind.pods(Field(job)))


def is_job(document: Any) -> bool:
    """Whether a document of a file is a job. The others, such as queues, belong to it."""
    if not isinstance(document, Mapping):
        return False
    key = document.get("apiVersion"), document.get("kind")
    return all(isinstance(each, str) for each in key) and key in KINDS


def _documents(beside: Documents) -> tuple[Mapping[str, Any], ...]:
    return tuple(each for each in beside if isinstance(each, Mapping))


def _kind(job: Any) -> _Kind:
    document = Field(job)
    if not document.there:
        raise MalformedJob("the document is empty; give a job")
    if isinstance(job, list):
        raise document.wrong("give one job; separate several documents with ---")
    kind = document.required("kind").text()
    if kind == "List" or kind.endswith("List"):
        raise UnknownJobKind(
            f"a {kind} is not a job; give its items as separate documents, with --- between them", "kind"
        )
    version = document.required("apiVersion").text()
    if (version, kind) in KINDS:
        return KINDS[version, kind]
    raise UnknownJobKind(_unknown(version, kind), "apiVersion" if any(name == kind for _, name in KINDS) else "kind")


def _unknown(version: str, kind: str) -> str:
    versions = [each for each, name in KINDS if name == kind]
    if (version, kind) == ("kubeflow.org/v1", "MPIJob"):
        return (
            "an MPIJob of kubeflow.org/v1 needs the training operator, but Muster's clusters run MPIJobs with the MPI "
            "operator; set apiVersion: kubeflow.org/v2beta1, and see its migration guide"
        )
    if versions:
        meant = did_you_mean(version, versions)
        return f"a rehearsal does not support {kind} {version}{meant} (supported: {', '.join(versions)})"
    names = list(dict.fromkeys(name for _, name in KINDS))
    return (
        f"a rehearsal does not support jobs of kind '{kind}'{did_you_mean(kind, names)} (supported: {', '.join(names)})"
    )

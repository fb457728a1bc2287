"""The kinds that a rehearsal supports, by apiVersion and kind."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from muster.jobs.kinds import builtin, hyperpod_job, job_set, kubeflow, ray, train_job, volcano_job
from muster.jobs.kinds.hyperpod_job import Pod
from muster.jobs.manifest import Field, MalformedJob
from muster.jobs.pod_roles import JobRoles
from muster.message_text import did_you_mean

Documents = Iterable[Mapping[str, Any]]


def _alone(read: Callable[[Field], Any]) -> Callable[[Field, Documents], Any]:
    """The reader of a kind that needs no other documents."""
    return lambda job, _beside: read(job)


KINDS: Mapping[tuple[str, str], Callable[[Field, Documents], JobRoles]] = {
    ("v1", builtin.POD): _alone(builtin.job_roles),
    ("batch/v1", builtin.JOB): _alone(builtin.job_roles),
    **{("apps/v1", kind): _alone(builtin.job_roles) for kind in builtin.REPLICATED},
    **{("kubeflow.org/v1", kind): _alone(kubeflow.job_roles) for kind in kubeflow.REPLICAS},
    ("kubeflow.org/v2beta1", "MPIJob"): _alone(kubeflow.mpi_job_roles),
    ("jobset.x-k8s.io/v1alpha2", "JobSet"): _alone(job_set.job_roles),
    ("batch.volcano.sh/v1alpha1", "Job"): _alone(volcano_job.job_roles),
    **{(ray.VERSION, kind): _alone(ray.job_roles) for kind in (ray.CLUSTER, ray.JOB)},
    (hyperpod_job.VERSION, hyperpod_job.KIND): _alone(hyperpod_job.job_roles),
    (train_job.VERSION, "TrainJob"): train_job.job_roles,
}


def roles_of(job: Any, beside: Documents = ()) -> JobRoles:
    """The pods of a job, as roles.

    Args:
        job: the document, as YAML or JSON reads it.
        beside: other documents of the same file; a TrainJob needs its runtime.

    Raises:
        MalformedJob: it is not a job, of a kind that rehearsals do not support, or does not match its kind.
    """
    return _reader(job)(Field(job), [each for each in beside if isinstance(each, Mapping)])


def pods_of(job: Any) -> tuple[Pod, ...]:
    """The pods that a job's controller would create, if the rehearsal simulates it; none for other kinds.

    Raises:
        MalformedJob: it is not a job, of a kind that rehearsals do not support, or does not match its kind.
    """
    read = _reader(job)
    if job["kind"] != hyperpod_job.KIND:
        return ()
    read(Field(job), ())  # raises before any pod is created
    return tuple(hyperpod_job.pods(Field(job)))


def is_job(document: Any) -> bool:
    """Whether a document of a file is a job. The others, such as queues, belong to it."""
    if not isinstance(document, Mapping):
        return False
    key = document.get("apiVersion"), document.get("kind")
    return all(isinstance(each, str) for each in key) and key in KINDS


def _reader(job: Any) -> Callable[[Field, Documents], JobRoles]:
    kind, version = (Field(job).required(key).text() for key in ("kind", "apiVersion"))
    if (version, kind) in KINDS:
        return KINDS[version, kind]
    if versions := [each for each, name in KINDS if name == kind]:
        meant = did_you_mean(version, versions)
        words = f"a rehearsal does not support {kind} {version}{meant} (supported: {', '.join(versions)})"
        raise MalformedJob(words, ("apiVersion",))
    names = dict.fromkeys(name for _, name in KINDS)
    meant = did_you_mean(kind, names)
    words = f"a rehearsal does not support jobs of kind '{kind}'{meant} (supported: {', '.join(names)})"
    raise MalformedJob(words, ("kind",))

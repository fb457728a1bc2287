"""MPIJob kubeflow.org/v2beta1. A rehearsal runs the MPI operator.

Defaults after kubeflow/mpi-operator v0.8.2, `pkg/apis/kubeflow/v2beta1/default.go`, validation after `ValidateMPIJob`.
The job does not show whether the operator's own flags enable gang scheduling (Volcano's, scheduler-plugins').
"""

from collections.abc import Iterator

from muster.jobs.manifest import Field, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role, suspended_note

LAUNCHER, WORKER = "launcher", "worker"

_IMPLEMENTATIONS = ("OpenMPI", "Intel", "MPICH")


def job_roles(job: Field) -> JobRoles:
    """Workers, if any, and a launcher."""
    spec = job.at("spec")
    suspended = spec.at("runPolicy", "suspend").flag()
    note = suspended_note("spec.runPolicy.suspend")
    return JobRoles.of(job, Controller.MPI_OPERATOR, "the MPI operator", _roles(job), notes=[note] if suspended else ())


def _roles(job: Field) -> Iterator[Role]:
    spec = job.required("spec")
    spec.at("slotsPerWorker").number(1)
    _implementation(job)
    wait = spec.at("launcherCreationPolicy").choice("AtStartup", "WaitForWorkersReady", otherwise="AtStartup")
    spec.required("mpiReplicaSpecs", "Launcher")
    with_workers = _replica(job, WORKER).there
    for role in (WORKER, LAUNCHER):
        replica = _replica(job, role)
        if not replica.there:
            continue
        _restart_policy(replica, role)
        # The operator's default is no workers, and it accepts that.
        replicas = replica.required("replicas") if role == WORKER else replica.at("replicas")
        count = replicas.number(1, 1)
        if role == LAUNCHER and count != 1:
            raise replicas.wrong("an MPIJob has one launcher: set 1, or remove the key")
        first = (WORKER,) if role == LAUNCHER and with_workers and wait == "WaitForWorkersReady" else ()
        yield Role(role, count, count, template_of(replica.required("template")), first)


def _replica(job: Field, role: str) -> Field:
    return job.at("spec", "mpiReplicaSpecs", role.capitalize())


def _restart_policy(replica: Field, role: str) -> str:
    """The replica's own, never the template's."""
    return replica.at("restartPolicy").choice(
        "Never", "OnFailure", otherwise="Never" if role == WORKER else "OnFailure"
    )


def _implementation(job: Field) -> str:
    return job.at("spec", "mpiImplementation").choice(*_IMPLEMENTATIONS, otherwise="OpenMPI")

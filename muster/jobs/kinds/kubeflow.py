"""The jobs of Kubeflow's operators. A rehearsal runs these operators.

The training operator (v1): after kubeflow/training-operator v1.9, `pkg/apis/kubeflow.org/v1` (`*_types.go`,
`*_defaults.go`). Containers that it adds to a pod, such as the init container of workers that waits for the master,
request less than any worker. An elastic job is rehearsed at its full size.

MPIJob kubeflow.org/v2beta1: defaults after kubeflow/mpi-operator v0.8.2, `pkg/apis/kubeflow/v2beta1/default.go`,
validation after `ValidateMPIJob`. The job does not show whether the operator's own flags enable gang scheduling
(Volcano's, scheduler-plugins').
"""

from collections.abc import Iterator

from muster.jobs.manifest import Field, MalformedJob, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role
from muster.message_text import did_you_mean

REPLICAS = {
    "PyTorchJob": ("pytorchReplicaSpecs", ("Master", "Worker")),
    "TFJob": ("tfReplicaSpecs", ("Chief", "Master", "PS", "Worker", "Evaluator")),
    "XGBoostJob": ("xgbReplicaSpecs", ("Master", "Worker")),
    "PaddleJob": ("paddleReplicaSpecs", ("Master", "Worker")),
    "JAXJob": ("jaxReplicaSpecs", ("Worker",)),
}
"""Kind -> the key of its replicas, and their types."""


_SUSPEND = ("spec", "runPolicy", "suspend")


def job_roles(job: Field) -> JobRoles:
    """A role for each type of replica: `master`, `worker`."""
    return JobRoles.of(job, Controller.TRAINING_OPERATOR, _roles(job), suspend=_SUSPEND)


def _roles(job: Field) -> Iterator[Role]:
    key, types = REPLICAS[job.at("kind").text()]
    replicas = job.required("spec", key)
    named = [each.lower() for each in types]  # the operator also accepts "worker"
    if not replicas.mapping():
        raise replicas.wrong(f"give at least one of {', '.join(types)}")
    for name in replicas.mapping():
        if name.lower() not in named:
            hint = did_you_mean(name, types)
            raise MalformedJob(
                f"{replicas}: '{name}' is not a type of replica{hint} (types: {', '.join(types)})",
                (*replicas.path, name),
            )
        spec = replicas.at(name)
        pods = spec.at("replicas").number(1)
        yield Role(name.lower(), pods, pods, template_of(spec.required("template")))


def mpi_job_roles(job: Field) -> JobRoles:
    """Workers, if any, and a launcher."""
    return JobRoles.of(job, Controller.MPI_OPERATOR, _mpi_roles(job), suspend=_SUSPEND)


def _mpi_roles(job: Field) -> Iterator[Role]:
    spec = job.required("spec")
    spec.at("slotsPerWorker").number(1)
    spec.at("mpiImplementation").choice("OpenMPI", "Intel", "MPICH", otherwise="OpenMPI")
    wait = spec.at("launcherCreationPolicy").choice("AtStartup", "WaitForWorkersReady", otherwise="AtStartup")
    spec.required("mpiReplicaSpecs", "Launcher")
    workers, launcher = (spec.at("mpiReplicaSpecs", each) for each in ("Worker", "Launcher"))
    if workers.there:
        # The operator's default is no workers, and it accepts that.
        yield _mpi_role("worker", workers, workers.required("replicas"))
    replicas = launcher.at("replicas")
    if replicas.number(1, 1) != 1:
        raise replicas.wrong("an MPIJob has one launcher: set 1, or remove the key")
    first = ("worker",) if workers.there and wait == "WaitForWorkersReady" else ()
    yield _mpi_role("launcher", launcher, replicas, first)


def _mpi_role(name: str, replica: Field, replicas: Field, first: tuple[str, ...] = ()) -> Role:
    replica.at("restartPolicy").choice("Never", "OnFailure", otherwise="Never")
    count = replicas.number(1, 1)
    return Role(name, count, count, template_of(replica.required("template")), first)

"""MPIJob kubeflow.org/v2beta1, which the MPI operator runs.

After kubeflow/mpi-operator v0.8 (main of 2026-07), `pkg/controller/mpi_job_controller.go` (`newWorker`,
`newLauncherPodTemplate`, `setupSSHOnPod`, `setRestartPolicy`), defaults after `default.go`, what is refused after
`ValidateMPIJob`. The Secret and the ConfigMap that pods mount are not made: a simulated node mounts nothing. Gang
scheduling by the operator's own flags (Volcano's, scheduler-plugins') is not known from the job.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.jobs.manifest import Field, name_of, namespace_of, template_of
from muster.jobs.pod_roles import (
    Controller,
    JobRoles,
    Pod,
    Role,
    extend_first_container,
    extend_list,
    pod_from_template,
)

LAUNCHER, WORKER = "launcher", "worker"

_SSH_HOME = "/root/.ssh"
_HOSTFILE = "/etc/mpi/hostfile"

_LAUNCHER_ENVIRONMENT = {
    "OpenMPI": {
        "OMPI_MCA_orte_keep_fqdn_hostnames": "true",
        "OMPI_MCA_orte_default_hostfile": _HOSTFILE,
        "OMPI_MCA_plm_rsh_args": "-o ConnectionAttempts=10",
    },
    "Intel": {
        "I_MPI_HYDRA_HOST_FILE": _HOSTFILE,
        "I_MPI_HYDRA_BOOTSTRAP_EXEC_EXTRA_ARGS": "-o ConnectionAttempts=10",
    },
    "MPICH": {"HYDRA_HOST_FILE": _HOSTFILE, "HYDRA_LAUNCH_EXTRA_ARGS": "-o ConnectionAttempts=10"},
}
_SLOTS = {"OpenMPI": "OMPI_MCA_orte_set_default_slots", "Intel": "I_MPI_PERHOST"}
_NO_GPUS = ("NVIDIA_VISIBLE_DEVICES", "NVIDIA_DRIVER_CAPABILITIES")
"""Emptied for a launcher that is no worker."""

_SSH_ITEMS = [
    {"key": "ssh-privatekey", "path": "id_rsa"},
    {"key": "ssh-publickey", "path": "id_rsa.pub"},
    {"key": "ssh-publickey", "path": "authorized_keys"},
]
_CONFIG_ITEMS = [
    {"key": "hostfile", "path": "hostfile", "mode": 0o444},
    {"key": "discover_hosts.sh", "path": "discover_hosts.sh", "mode": 0o555},
]


def job_roles(job: Field) -> JobRoles:
    """Workers, if any, and a launcher."""
    spec = job.at("spec")
    suspended = spec.at("runPolicy", "suspend").flag()
    note = "it is suspended (spec.runPolicy.suspend): in life no pods are made until somebody, or Kueue, resumes it"
    return JobRoles.of(job, Controller.STAND_IN, "the MPI operator", _roles(job), notes=[note] if suspended else ())


def pods(job: Field) -> Iterator[Pod]:
    """The workers in order, then the launcher's."""
    name, namespace = name_of(job), namespace_of(job)
    as_worker = job.at("spec", "runLauncherAsWorker").flag()
    for role in _roles(job):
        replica = _replica(job, role.name)
        for index in range(role.pods):
            hostname = f"{name}-{WORKER}-{index}" if role.name == WORKER else f"{name}-{LAUNCHER}"
            number = index + as_worker if role.name == WORKER else 0
            indexed = role.name == WORKER or as_worker
            make = _worker if role.name == WORKER else _launcher
            yield pod_from_template(
                role.template,
                hostname,
                namespace,
                role.name,
                labels={
                    "training.kubeflow.org/operator-name": "mpi-operator",
                    "training.kubeflow.org/job-name": name,
                    "training.kubeflow.org/job-role": role.name,
                    **({"training.kubeflow.org/replica-index": str(number)} if indexed else {}),
                },
                spec={
                    **_anywhere(replica.at("template", "spec"), hostname, name),
                    **make(job, replica.at("template", "spec")),
                    "restartPolicy": _restart_policy(replica, role.name),
                },
            )


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
        # Of workers the operator defaults to none, and then refuses none.
        replicas = replica.required("replicas") if role == WORKER else replica.at("replicas")
        count = replicas.number(1, 1)
        if role == LAUNCHER and count != 1:
            raise replicas.wrong("there is one launcher: write 1, or leave it out")
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
    return job.at("spec", "mpiImplementation").choice(*_LAUNCHER_ENVIRONMENT, otherwise="OpenMPI")


def _anywhere(spec: Field, hostname: str, job: str) -> Mapping[str, Any]:
    on_host = {"dnsPolicy": "ClusterFirstWithHostNet"} if spec.at("hostNetwork").flag() else {}
    return {"hostname": hostname, "subdomain": job, **on_host}


def _worker(job: Field, spec: Field) -> dict[str, Any]:
    containers = _with_ssh(job, spec, {"K_MPI_JOB_ROLE": WORKER})
    first = containers[0]
    if not first.get("command") and not first.get("args"):
        first["command"] = ["/usr/sbin/sshd", "-De"]
    dns = spec.at("dnsConfig")
    search = f"{name_of(job)}.{namespace_of(job)}.svc.cluster.local"
    return {
        "containers": containers,
        "volumes": extend_list(spec, "volumes", _ssh(job)),
        "dnsConfig": {**dns.mapping(), "searches": extend_list(dns, "searches", search)},
    }


def _launcher(job: Field, spec: Field) -> dict[str, Any]:
    implementation = _implementation(job)
    slots = str(job.at("spec", "slotsPerWorker").number(1))
    environment = {
        "K_MPI_JOB_ROLE": LAUNCHER,
        **_LAUNCHER_ENVIRONMENT[implementation],
        **({_SLOTS[implementation]: slots} if implementation in _SLOTS else {}),
        **({} if job.at("spec", "runLauncherAsWorker").flag() else dict.fromkeys(_NO_GPUS, "")),
    }
    config = {"name": "mpi-job-config", "configMap": {"name": f"{name_of(job)}-config", "items": _CONFIG_ITEMS}}
    mount = {"name": "mpi-job-config", "mountPath": "/etc/mpi"}
    return {
        "containers": _with_ssh(job, spec, environment, mount),
        "volumes": extend_list(spec, "volumes", _ssh(job), config),
    }


def _with_ssh(job: Field, spec: Field, environment: Mapping[str, str], *mounts: dict[str, str]) -> list[Any]:
    ssh = {"name": "ssh-auth", "mountPath": _ssh_path(job)}
    env = [{"name": key, "value": value} if value else {"name": key} for key, value in environment.items()]
    return extend_first_container(spec, env=env, volumeMounts=[ssh, *mounts])


def _ssh(job: Field) -> dict[str, Any]:
    mode = {"defaultMode": 0o600} if _ssh_path(job) == _SSH_HOME else {}
    return {"name": "ssh-auth", "secret": {"secretName": f"{name_of(job)}-ssh", "items": _SSH_ITEMS, **mode}}


def _ssh_path(job: Field) -> str:
    return job.at("spec", "sshAuthMountPath").text() or _SSH_HOME

"""An MPIJob's pods: those that the MPI operator makes, field by field."""

from typing import Any

import pytest

from muster.jobs.catalogue import pods_of, roles_of
from tests.jobs.documents import a_container, a_template, an_mpi_job


def env(pod: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each.get("value") for each in pod["spec"]["containers"][0].get("env", [])}


def test_a_worker() -> None:
    """After `newWorker`."""
    own = a_container(env=[{"name": "MINE", "value": "1"}], volumeMounts=[{"name": "data", "mountPath": "/data"}])
    template = a_template(labels={"team": "ml"}, containers=[own, {"name": "beside"}], volumes=[{"name": "data"}])
    first, second, _ = pods_of(an_mpi_job(worker={"template": template}))
    marks = {
        "training.kubeflow.org/operator-name": "mpi-operator",
        "training.kubeflow.org/job-name": "train",
        "training.kubeflow.org/job-role": "worker",
        "muster/role": "worker",
        "team": "ml",
    }
    assert second["metadata"] == {
        "name": "train-worker-1",
        "namespace": "default",
        "labels": {**marks, "training.kubeflow.org/replica-index": "1"},
    }
    secret = {
        "secretName": "train-ssh",
        "defaultMode": 0o600,
        "items": [
            {"key": "ssh-privatekey", "path": "id_rsa"},
            {"key": "ssh-publickey", "path": "id_rsa.pub"},
            {"key": "ssh-publickey", "path": "authorized_keys"},
        ],
    }
    assert first["spec"] == {
        "hostname": "train-worker-0",
        "subdomain": "train",
        "restartPolicy": "Never",
        "dnsConfig": {"searches": ["train.default.svc.cluster.local"]},
        "volumes": [{"name": "data"}, {"name": "ssh-auth", "secret": secret}],
        "containers": [
            {
                **own,
                "command": ["/usr/sbin/sshd", "-De"],
                "env": [{"name": "MINE", "value": "1"}, {"name": "K_MPI_JOB_ROLE", "value": "worker"}],
                "volumeMounts": [
                    {"name": "data", "mountPath": "/data"},
                    {"name": "ssh-auth", "mountPath": "/root/.ssh"},
                ],
            },
            {"name": "beside"},
        ],
    }


def test_the_launcher() -> None:
    """After `newLauncherPodTemplate`: the host file, the slots, no GPUs in sight."""
    *_, launcher = pods_of(an_mpi_job())
    assert launcher["metadata"]["name"] == launcher["spec"]["hostname"] == "train-launcher"
    assert "training.kubeflow.org/replica-index" not in launcher["metadata"]["labels"]
    assert launcher["metadata"]["labels"]["training.kubeflow.org/job-role"] == "launcher"
    assert launcher["spec"]["restartPolicy"] == "OnFailure"
    assert launcher["spec"]["containers"][0]["command"] == ["mpirun"]
    assert env(launcher) == {
        "K_MPI_JOB_ROLE": "launcher",
        "OMPI_MCA_orte_keep_fqdn_hostnames": "true",
        "OMPI_MCA_orte_default_hostfile": "/etc/mpi/hostfile",
        "OMPI_MCA_plm_rsh_args": "-o ConnectionAttempts=10",
        "OMPI_MCA_orte_set_default_slots": "8",
        "NVIDIA_VISIBLE_DEVICES": None,
        "NVIDIA_DRIVER_CAPABILITIES": None,
    }
    assert [each["name"] for each in launcher["spec"]["volumes"]] == ["ssh-auth", "mpi-job-config"]
    assert launcher["spec"]["volumes"][1]["configMap"]["name"] == "train-config"


@pytest.mark.parametrize(
    ("implementation", "hostfile", "slots"),
    [("Intel", "I_MPI_HYDRA_HOST_FILE", "I_MPI_PERHOST"), ("MPICH", "HYDRA_HOST_FILE", None)],
)
def test_other_implementations(implementation: str, hostfile: str, slots: str | None) -> None:
    """Each has variables of its own."""
    *_, launcher = pods_of(an_mpi_job(mpiImplementation=implementation))
    said = env(launcher)
    assert said[hostfile] == "/etc/mpi/hostfile"
    assert not any(name.startswith("OMPI") for name in said)
    assert slots is None or said[slots] == "8"


def test_a_launcher_that_works_too() -> None:
    """It is number 0 and sees the GPUs; workers count from 1, their names from 0."""
    first, second, launcher = pods_of(an_mpi_job(runLauncherAsWorker=True))
    index = "training.kubeflow.org/replica-index"
    assert [pod["metadata"]["labels"][index] for pod in (launcher, first, second)] == ["0", "1", "2"]
    assert first["metadata"]["name"] == "train-worker-0"
    assert "NVIDIA_VISIBLE_DEVICES" not in env(launcher)


def test_the_launcher_waits_if_it_is_told_to() -> None:
    """`WaitForWorkersReady`; by default both start at once."""
    roles = roles_of(an_mpi_job(launcherCreationPolicy="WaitForWorkersReady")).roles
    assert [(role.name, role.after) for role in roles] == [("worker", ()), ("launcher", ("worker",))]
    assert [role.after for role in roles_of(an_mpi_job()).roles] == [(), ()]
    assert [role.after for role in roles_of(an_mpi_job(launcherCreationPolicy="AtStartup")).roles] == [(), ()]


def test_on_the_hosts_network() -> None:
    """Names are still resolved in the cluster."""
    template = a_template(hostNetwork=True)
    for pod in pods_of(an_mpi_job(worker={"template": template}, launcher={"template": template})):
        assert pod["spec"]["dnsPolicy"] == "ClusterFirstWithHostNet"


def test_another_home_for_the_keys() -> None:
    """They are then readable as the kubelet makes them."""
    worker, *_ = pods_of(an_mpi_job(sshAuthMountPath="/home/me/.ssh"))
    (volume,) = worker["spec"]["volumes"]
    assert "defaultMode" not in volume["secret"]
    assert worker["spec"]["containers"][0]["volumeMounts"][0]["mountPath"] == "/home/me/.ssh"


def test_restart_policies_are_the_replicas_own() -> None:
    """What the template says is overridden."""
    template = a_template(restartPolicy="Always")
    job = an_mpi_job(worker={"template": template, "restartPolicy": "OnFailure"}, launcher={"restartPolicy": "Never"})
    assert [pod["spec"]["restartPolicy"] for pod in pods_of(job)] == ["OnFailure", "OnFailure", "Never"]


def test_without_workers() -> None:
    """A launcher alone is legal."""
    job = an_mpi_job()
    del job["spec"]["mpiReplicaSpecs"]["Worker"]
    (role,) = roles_of({**job, "spec": {**job["spec"], "launcherCreationPolicy": "WaitForWorkersReady"}}).roles
    assert (role.name, role.after) == ("launcher", ())

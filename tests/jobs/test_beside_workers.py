"""A shell on the file system, and a dashboard over it."""

import shlex
import signal
import subprocess
import time
from typing import Any

import pytest

from muster.blueprint.kubernetes import Blueprint
from muster.jobs import bert, job_metadata, utility_pods
from muster.jobs.catalogue import JOBS as CATALOGUE
from muster.jobs.catalogue import DoesNotFit, JobOptions
from tests.jobs.clusters import SCRATCH, a_group, a_stored_cluster, a_system_group

JOBS = {name: CATALOGUE[name] for name in ("data-shell", "tensorboard")}


def pod(manifest: dict[str, Any]) -> dict[str, Any]:
    return manifest["spec"] if manifest["kind"] == "Pod" else manifest["spec"]["template"]["spec"]


def container(manifest: dict[str, Any]) -> dict[str, Any]:
    (only,) = pod(manifest)["containers"]
    return only


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_it_mounts_the_stacks_file_system(job: Any) -> None:
    """By the claim of its name, at the place where training jobs have it."""
    made = pod(job.build(a_stored_cluster()))
    assert made["volumes"] == [{"name": "data", "persistentVolumeClaim": {"claimName": "scratch"}}]
    ((mount,),) = [each["volumeMounts"] for each in made["containers"]]
    assert mount["mountPath"] == "/data"


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_of_several_file_systems_one_is_chosen(job: Any) -> None:
    """A near miss is offered."""
    blueprint = a_stored_cluster(storage={**SCRATCH, "home": SCRATCH["scratch"]})
    chosen = job.build(blueprint, JobOptions(storage="home"))
    assert pod(chosen)["volumes"][0]["persistentVolumeClaim"] == {"claimName": "home"}
    with pytest.raises(DoesNotFit, match="several file systems; choose with --storage: scratch, home"):
        job.build(blueprint)
    with pytest.raises(DoesNotFit, match="no file system 'hom'; did you mean 'home'"):
        job.build(blueprint, JobOptions(storage="hom"))


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_it_goes_to_the_system_nodes(job: Any) -> None:
    """Whatever their taints; where they are no group of the description, to any node its image runs on."""
    groups = {"s": a_system_group(taints={"team": "NoSchedule"}), "w": a_group()}
    made = pod(job.build(a_stored_cluster(groups)))
    assert made["nodeSelector"] == {"muster/purpose": "system"}
    assert [each["key"] for each in made["tolerations"]] == ["team"]
    alone = pod(job.build(a_stored_cluster({"w": a_group()})))
    assert alone["nodeSelector"] == {"kubernetes.io/arch": "amd64"}
    assert "tolerations" not in alone


def test_the_dashboard_reads_where_the_training_writes() -> None:
    """And writes nothing there."""
    made = container(utility_pods.build_tensorboard(a_stored_cluster()))
    assert f"--output_dir={made['command'][made['command'].index('--logdir') + 1]}" in bert.arguments(job_metadata.PATH)
    assert made["volumeMounts"] == [{"name": "data", "mountPath": "/data", "readOnly": True}]


def test_the_service_finds_the_dashboard() -> None:
    """Its pods, at their port, in their namespace; from inside the cluster alone."""
    blueprint = a_stored_cluster(fsx_csi_driver={"namespace": "ml"})
    deployment, (service,) = utility_pods.build_tensorboard(blueprint), utility_pods.tensorboard_service(blueprint)
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"].items() <= labels.items()
    assert deployment["spec"]["selector"]["matchLabels"].items() <= labels.items()
    (port,) = service["spec"]["ports"]
    assert port["targetPort"] in {each["name"] for each in container(deployment)["ports"]}
    assert "type" not in service["spec"]
    assert service["metadata"]["namespace"] == deployment["metadata"]["namespace"] == "ml"


def test_the_shell_ends_when_it_is_told_to() -> None:
    """`kubectl delete pod` waits half a minute for a process 1 that does not hear."""
    command = container(utility_pods.build_data_shell(a_stored_cluster()))["command"]
    running = subprocess.Popen(command)
    time.sleep(0.5)
    assert running.poll() is None, shlex.join(command)
    running.send_signal(signal.SIGTERM)
    assert running.wait(timeout=5) == 0


def a_cluster() -> Blueprint:
    return a_stored_cluster()


@pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
def test_another_image_is_taken(job: Any) -> None:
    """As it stands."""
    assert (
        container(job.build(a_cluster(), JobOptions(image="registry.example/a:1")))["image"] == "registry.example/a:1"
    )

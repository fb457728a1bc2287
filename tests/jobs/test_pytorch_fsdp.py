"""The FSDP job: what the example and the blog say, with the cluster's numbers."""

from typing import Any

import pytest
from hypothesis import given, settings

from muster.blueprint.kubernetes import Blueprint
from muster.jobs import pytorch_fsdp
from muster.jobs.catalogue import DoesNotFit, JobOptions
from muster.size import Size
from tests.jobs.clusters import (
    FITTING,
    a_group,
    a_hyperpod_cluster,
    a_stored_cluster,
    a_system_group,
    blueprints,
    with_options,
    without,
)


def worker(manifest: dict[str, Any]) -> dict[str, Any]:
    replicas = manifest["spec"]["pytorchReplicaSpecs"]
    assert set(replicas) == {"Worker"}
    return replicas["Worker"]


def pod(manifest: dict[str, Any]) -> dict[str, Any]:
    return worker(manifest)["template"]["spec"]


def container(manifest: dict[str, Any]) -> dict[str, Any]:
    (only,) = pod(manifest)["containers"]
    return only


def environment(manifest: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["value"] for each in container(manifest)["env"] if "value" in each}


def test_checkpoints_go_to_the_file_system() -> None:
    """The same folder to write to and to resume from."""
    manifest = pytorch_fsdp.build(a_stored_cluster())
    folder = "/data/checkpoints/pytorch-fsdp"
    command = container(manifest)["command"]
    assert command[-2:] == [f"--checkpoint_dir={folder}", f"--resume_from_checkpoint={folder}"]
    assert {"name": "data", "persistentVolumeClaim": {"claimName": "scratch"}} in pod(manifest)["volumes"]
    assert manifest["metadata"] == {"name": "pytorch-fsdp"}, "only HyperPod resumes jobs by annotations"


def test_huge_pages_are_asked_for_or_switched_off() -> None:
    """Never both, never neither."""
    asked = pytorch_fsdp.build(a_stored_cluster(), JobOptions(huge_pages=Size(5120)))
    assert container(asked)["resources"]["limits"]["hugepages-2Mi"] == "5120Mi"
    assert "FI_EFA_USE_HUGE_PAGE" not in environment(asked)
    assert "hugepages-2Mi" not in container(pytorch_fsdp.build(a_stored_cluster()))["resources"]["limits"]


@pytest.mark.parametrize(
    ("instance", "copies"), [("g5.48xlarge", True), ("g6.48xlarge", True), ("g6e.48xlarge", False)]
)
def test_nccl_copies_by_cuda_on_g5_and_g6(instance: str, copies: bool) -> None:
    """The cheat sheet names these two families."""
    blueprint = a_stored_cluster({"s": a_system_group(), "w": a_group(instance=instance)})
    assert ("NCCL_SHM_USE_CUDA_MEMCPY" in environment(pytorch_fsdp.build(blueprint))) is copies


def every(blueprint: Blueprint) -> Blueprint:
    return with_options(blueprint, training_operator={})


@settings(max_examples=40)
@given(blueprints(FITTING).map(every))
def test_one_process_a_gpu(blueprint: Blueprint) -> None:
    """Whatever the machine; whole nodes without another word."""
    (group,) = [each for each in blueprint.groups if each.described.purpose == "training"]
    manifest = pytorch_fsdp.build(blueprint)
    limits = container(manifest)["resources"]["limits"]
    assert int(manifest["spec"]["nprocPerNode"]) == limits["nvidia.com/gpu"] == group.node.hardware.accelerators
    assert limits["vpc.amazonaws.com/efa"] == group.node.efa
    assert worker(manifest)["replicas"] == max(1, group.described.nodes.start)


def test_a_part_of_the_gpus_runs_as_many_processes() -> None:
    """And is said aloud."""
    blueprint, ask = a_stored_cluster(), JobOptions(devices=4)
    assert pytorch_fsdp.build(blueprint, ask)["spec"]["nprocPerNode"] == "4"
    assert "4 of 8 GPUs get 16 of 32 EFA interfaces" in pytorch_fsdp.notes(blueprint, ask)


@pytest.mark.parametrize(
    ("namespace", "resumed"), [("kubeflow", True), ("hyperpod-ns-team", True), ("default", False), ("ml", False)]
)
def test_where_hyperpod_does_not_resume_it_is_said(namespace: str, *, resumed: bool) -> None:
    """It looks into `kubeflow`, and into namespaces that begin with its own name; a claim may be elsewhere."""
    blueprint = a_hyperpod_cluster(fsx_csi_driver={"namespace": namespace})
    said = [each for each in pytorch_fsdp.notes(blueprint) if each.startswith("HyperPod resumes only jobs in")]
    assert len(said) == (0 if resumed else 1)
    assert all(f"this job is in '{namespace}'" in each for each in said)


def test_where_nothing_binds_it_is_where_hyperpod_resumes() -> None:
    """On EKS it is in the namespace that kubectl says."""
    assert pytorch_fsdp.build(a_hyperpod_cluster(storage={}))["metadata"]["namespace"] == "kubeflow"
    assert "namespace" not in pytorch_fsdp.build(a_stored_cluster(storage={}))["metadata"]


def test_what_hyperpods_chart_brings_will_do() -> None:
    """Its device plugins on HyperPod's nodes, which serve no others; its operator where values turn it on."""
    ours = ("training-operator", "efa-device-plugin", "nvidia-device-plugin")

    def lacking(cluster: Any, **values: Any) -> list[str]:
        blueprint = without(cluster(hyperpod={"repository": "oci://r.example.org/charts", "values": values}), *ours)
        try:
            pytorch_fsdp.build(blueprint)
        except DoesNotFit as refused:
            return [reason.split("'")[1] for reason in refused.reasons]
        return []

    on = {"trainingOperators": {"enabled": True}}
    assert lacking(a_hyperpod_cluster, **on) == []
    assert set(lacking(a_stored_cluster, **on)) == {"nvidia-device-plugin", "efa-device-plugin"}
    assert lacking(a_hyperpod_cluster) == ["training-operator"]


def test_without_a_file_system_there_are_no_checkpoints() -> None:
    """It runs all the same, and says so."""
    for blueprint in (a_stored_cluster(storage={}), without(a_stored_cluster(), "fsx-csi-driver")):
        manifest = pytorch_fsdp.build(blueprint)
        assert not [each for each in container(manifest)["command"] if "checkpoint_dir" in each]
        assert [each["name"] for each in pod(manifest)["volumes"]] == ["shmem", "local"]
        assert any("keeps no checkpoints" in each for each in pytorch_fsdp.notes(blueprint))
    with pytest.raises(DoesNotFit, match="the stack has no file system 'scratch'"):
        pytorch_fsdp.build(a_stored_cluster(storage={}), JobOptions(storage="scratch"))


def test_volumes_are_of_the_pod_alone() -> None:
    """No folder of the node is mounted: Pod Security's `baseline` refuses that."""
    assert not [each for each in pod(pytorch_fsdp.build(a_stored_cluster()))["volumes"] if "hostPath" in each]

"""Whose NVIDIA driver is known to run the CUDA of the jobs' images."""

import re

import pytest

from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, script_of
from muster.versions import CUDA, FSDP_INDEX, MINIMUM_NVIDIA_DRIVER, NCCL_TESTS_IMAGE
from tests.jobs.clusters import a_group, a_hyperpod_cluster, a_stored_cluster, a_system_group
from tests.jobs.slurm.clusters import a_group as a_compute_resource
from tests.jobs.slurm.clusters import a_queue, a_slurm_cluster

OWN = {"custom": {"id": "ami-0123456789abcdef0"}}
ON_CUDA = ("nccl-tests", "pytorch-fsdp")


def told(notes: tuple[str, ...]) -> bool:
    return any(f"NVIDIA driver {MINIMUM_NVIDIA_DRIVER}" in note for note in notes)


def test_all_that_a_job_loads_is_of_one_cuda() -> None:
    """The base image, and PyTorch's packages."""
    assert f":cuda{CUDA}." in NCCL_TESTS_IMAGE
    assert FSDP_INDEX.endswith(f"/cu{CUDA.replace('.', '')}")


def test_p6_b300_is_tuned() -> None:
    """By aws-ofi-nccl from 1.18 on (its release notes)."""
    found = re.search(r"-ofiv(\d+)\.(\d+)\.", NCCL_TESTS_IMAGE)
    assert found
    assert tuple(map(int, found.groups())) >= (1, 18)


@pytest.mark.parametrize("name", ON_CUDA)
@pytest.mark.parametrize(("image", "unknown"), [("al2023", False), ("bottlerocket", False), (OWN, True)])
def test_an_image_of_ones_own_may_have_an_older_driver(name: str, image: object, unknown: bool) -> None:
    """EKS's own images have a driver that is new enough."""
    blueprint = a_stored_cluster({"system": a_system_group(), "workers": a_group(image=image)})
    assert told(JOBS[name].notes(blueprint, JobOptions())) is unknown
    assert not told(JOBS[name].notes(blueprint, JobOptions(image="example.com/mine:1")))


def test_the_driver_of_hyperpods_image_is_not_known() -> None:
    groups = {"system": a_system_group(instance="m5.2xlarge", nodes=3), "workers": a_group()}
    assert told(JOBS["nccl-tests"].notes(a_hyperpod_cluster(groups), JobOptions()))


@pytest.mark.parametrize("name", ON_CUDA)
def test_so_it_is_on_slurm(name: str) -> None:
    """ParallelCluster's own images have a driver that is new enough."""
    assert not told(script_of(JOBS[name], a_slurm_cluster()).notes)
    assert told(script_of(JOBS[name], a_slurm_cluster(image="ami-0123456789abcdef0")).notes)


@pytest.mark.parametrize("instance", ["p3dn.24xlarge", "g4dn.8xlarge"])
def test_the_image_on_slurm_has_no_code_for_old_gpus(instance: str) -> None:
    """What another image has is not known."""
    queues = {"train": a_queue({"workers": a_compute_resource(instance=instance)})}
    with pytest.raises(DoesNotFit, match=r"GPUs .*, which the image does not support; use a group with"):
        script_of(JOBS["pytorch-fsdp"], a_slurm_cluster(queues))
    assert script_of(JOBS["pytorch-fsdp"], a_slurm_cluster(queues), JobOptions(image="/fsx/mine.sqsh"))


def test_pytorchs_packages_have_code_for_t4_and_none_for_v100() -> None:
    """Without containers NCCL is PyTorch's own."""
    old, new = (
        a_slurm_cluster({"train": a_queue({"workers": a_compute_resource(instance=each)})}, post_install=None)
        for each in ("p3dn.24xlarge", "g4dn.8xlarge")
    )
    assert script_of(JOBS["pytorch-fsdp"], new)
    with pytest.raises(DoesNotFit, match="V100"):
        script_of(JOBS["pytorch-fsdp"], old)

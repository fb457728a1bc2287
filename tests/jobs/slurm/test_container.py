"""Containers: where the stack installs Pyxis, or somebody's own image may have it; their image is a file."""

import re
from dataclasses import replace

import pytest

from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, Script, script_of
from muster.jobs.slurm.job_environment import enroot
from tests.jobs.slurm.clusters import FSX, PYXIS, a_queue, a_slurm_cluster

NEITHER = {"install": ["docker"]}


def contained(made: Script) -> bool:
    return "--container-image" in made.text


def test_with_pyxis_on_the_head_node_and_the_queue() -> None:
    """On the head node alone `srun --container-image` fails: the job runs as it is."""
    for head, queue, cluster, expected in [
        (None, None, PYXIS, True),
        (None, None, None, False),
        (PYXIS, PYXIS, None, True),
        (PYXIS, None, None, False),
        (None, NEITHER, PYXIS, False),
    ]:
        blueprint = a_slurm_cluster(
            {"q": a_queue(**({"post-install": queue} if queue else {}))},
            post_install=cluster,
            head={"post-install": head} if head else None,
        )
        for job in ("nccl-tests", "pytorch-fsdp"):
            assert contained(script_of(JOBS[job], blueprint)) is expected, (head, queue, cluster)


@pytest.mark.parametrize(
    ("reference", "uri"),
    [
        ("public.ecr.aws/hpc-cloud/nccl-tests:1", "public.ecr.aws#hpc-cloud/nccl-tests:1"),
        ("docker://nvcr.io/nvidia/pytorch:25.01", "nvcr.io#nvidia/pytorch:25.01"),
        ("localhost/mine:1", "localhost#mine:1"),
        ("registry:5000/mine", "registry:5000#mine"),
        ("library/alpine", "library/alpine"),
        ("alpine:3", "alpine:3"),
    ],
)
def test_references_in_enroots_form(reference: str, uri: str) -> None:
    """`docker://[USER@][REGISTRY#]IMAGE[:TAG]`: without # it would be Docker Hub's."""
    assert enroot(reference) == uri


def test_mpi_in_containers_needs_a_hook() -> None:
    """Enroot's own, which AWS's script does not enable; of jobs that Slurm does not start by MPI none."""
    hook = "ln -sf /usr/share/enroot/hooks.d/50-slurm-pmi.sh ~/.config/enroot/hooks.d/"
    assert any(line.startswith(hook) for line in script_of(JOBS["nccl-tests"], a_slurm_cluster()).before)
    assert "50-slurm-pmi" not in script_of(JOBS["pytorch-fsdp"], a_slurm_cluster()).text
    assert "50-slurm-pmi" not in script_of(JOBS["nccl-tests"], a_slurm_cluster(post_install=None)).text


def test_an_image_of_ecr() -> None:
    """Its own Region's password; of other registries none."""
    image = "111122223333.dkr.ecr.eu-west-1.amazonaws.com/team/fsdp:7"
    before = script_of(JOBS["pytorch-fsdp"], a_slurm_cluster(), JobOptions(image=image)).before
    assert "--region eu-west-1" in before[3]
    host = "111122223333.dkr.ecr.eu-west-1.amazonaws.com"
    assert before[2].startswith(f"grep -qs 'machine {host} ' ~/.config/enroot/.credentials ||"), "once, however often"
    assert before[4].endswith("'docker://AWS@111122223333.dkr.ecr.eu-west-1.amazonaws.com#team/fsdp:7'")
    assert not any("credentials" in line for line in script_of(JOBS["nccl-tests"], a_slurm_cluster()).before)


@pytest.mark.parametrize("file", ["/apps/mine.sqsh", "./mine.sqsh", "mine.sqsh", "/fsx/mine"])
def test_a_file_of_ones_own(file: str) -> None:
    """Is taken as it is; a bare name is one of the folder that the job is sent from."""
    made = script_of(JOBS["pytorch-fsdp"], a_slurm_cluster(), JobOptions(image=file))
    assert f"image={file if '/' in file else f'./{file}'}" in made.body
    assert not any("enroot" in line or "docker" in line for line in made.before)


def test_another_image() -> None:
    """Is imported in place of the job's own."""
    made = script_of(JOBS["pytorch-fsdp"], a_slurm_cluster(), JobOptions(image="example.com/team/fsdp:7"))
    assert "enroot import --output /fsx/images/pytorch-fsdp.sqsh 'docker://example.com#team/fsdp:7'" in made.before


@pytest.mark.parametrize("image", ["", " ", "a b", "mine\nrm -rf ~", "/fsx/a\tb.sqsh"])
def test_an_image_is_one_word(image: str) -> None:
    """A second line of it would be a command of the script."""
    with pytest.raises(DoesNotFit, match="an image is not empty and has no spaces"):
        script_of(JOBS["pytorch-fsdp"], a_slurm_cluster(), JobOptions(image=image))


def test_what_is_seen_inside() -> None:
    """The file system, and the node's own disks where it has any."""
    p4de = a_slurm_cluster()
    assert "  --container-mounts=/fsx:/fsx,/local_scratch:/local_scratch \\" in script_of(JOBS["nccl-tests"], p4de).body
    for storage, mounts in [(FSX, "/fsx:/fsx"), (None, "")]:
        made = script_of(JOBS["pytorch-fsdp"], diskless(a_slurm_cluster(storage=storage)))
        assert re.findall(r"--container-mounts=(\S+)", made.text) == ([mounts] if mounts else [])
        assert "export TORCH_NCCL_DEBUG_INFO_TEMP_FILE=/tmp/nccl_trace_rank_" in made.body


def diskless(blueprint: ParallelClusterBlueprint) -> ParallelClusterBlueprint:
    """The same with nodes that have no disks of their own: no type with GPUs and EFA is like that today."""
    (group,) = blueprint.groups
    machine = replace(group.node.hardware, nvme_gb=None)
    return replace(blueprint, groups=(replace(group, node=replace(group.node, hardware=machine)),))

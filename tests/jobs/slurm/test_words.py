"""What a cluster with Slurm cannot run is refused in words, each with what to do, all of them at once."""

from typing import Any

import pytest

from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, can_run, first_fitting, script_of
from muster.size import Size
from tests.jobs.slurm.clusters import PYXIS, a_group, a_queue, a_slurm_cluster

SEVERAL = {
    "compute-gpu": a_queue({"a100": a_group(), "h100": a_group(instance="p5.48xlarge", nodes=2)}),
    "compute-trn": a_queue({"trn": a_group(instance="trn1.32xlarge")}),
    "inference": a_queue(
        {"serving": a_group(instance="g5.12xlarge", nodes={"min": 0, "max": 10}) | {"for": "inference"}}
    ),
}
"""Two training groups with GPUs in one queue, one with Trainium in another, one for inference."""


def refused(job: str, ask: JobOptions | None = None, queues: Any = None, **said: Any) -> tuple[str, ...]:
    """The reasons."""
    with pytest.raises(DoesNotFit) as fault:
        script_of(JOBS[job], a_slurm_cluster(queues, **said), ask or JobOptions())
    return fault.value.reasons


WORDS: list[tuple[str, JobOptions, str]] = [
    ("nccl-tests", JobOptions(), "several groups fit; choose with --group: a100, h100"),
    (
        "nccl-tests",
        JobOptions("serving"),
        "group 'serving' is for inference; name a training group with GPUs and EFA",
    ),
    (
        "nccl-tests",
        JobOptions("trn"),
        "group 'trn' has no GPUs (trn1.32xlarge); name a training group with GPUs and EFA",
    ),
    (
        "pytorch-fsdp",
        JobOptions("trn"),
        "group 'trn' has no GPUs (trn1.32xlarge); name a training group with GPUs and EFA",
    ),
    (
        "trn1-pretrain",
        JobOptions("a100"),
        "group 'a100' has no Trainium (p4de.24xlarge); name a training group with Trainium and EFA",
    ),
    ("nccl-tests", JobOptions("a10"), "no group 'a10'; did you mean 'a100'? (there are: a100, h100, trn, serving)"),
    (
        "nccl-tests",
        JobOptions("h100", nodes=3),
        (
            "--nodes 3 is more than group 'h100' may have (2); give at most 2, or raise "
            "queues.compute-gpu.groups.h100.nodes"
        ),
    ),
    (
        "nccl-tests",
        JobOptions(queue="compute-gp"),
        (
            "--queue compute-gp: the stack has no queue 'compute-gp'; did you mean 'compute-gpu'? "
            "(there are: compute-gpu, compute-trn, inference)"
        ),
    ),
    (
        "nccl-tests",
        JobOptions("a100", queue="compute-trn"),
        "group 'a100' is in the queue 'compute-gpu', not in 'compute-trn'; leave out --queue",
    ),
    (
        "nccl-tests",
        JobOptions(queue="inference"),
        "no training group with GPUs and EFA ('serving' is for inference); add one below queues:",
    ),
    (
        "nccl-tests",
        JobOptions("a100", devices=9),
        "--gpus 9 is more than a node has: a node of group 'a100' (p4de.24xlarge) has 8; ask for at most 8",
    ),
    (
        "trn1-pretrain",
        JobOptions(devices=4),
        (
            "--devices 4: Slurm counts no Neuron devices, so a job takes all 16 of a node of group 'trn' "
            "(trn1.32xlarge); leave it out"
        ),
    ),
    (
        "nccl-tests",
        JobOptions("a100", efa=4),
        "--efa 4: Slurm hands out no EFA interfaces, a job finds all those of its nodes; leave it out",
    ),
    (
        "nccl-tests",
        JobOptions("a100", huge_pages=Size(5120)),
        (
            "--huge-pages 5120Mi: Slurm hands out no huge pages, a job finds those that EFA's installer sets aside on "
            "every node; leave it out"
        ),
    ),
    (
        "nccl-tests",
        JobOptions("a100", memory=Size(8000)),
        "--memory 8000Mi: this stack's Slurm counts no memory; leave it out, or set slurm.memory-scheduling: true",
    ),
    (
        "pytorch-fsdp",
        JobOptions("a100", storage="data"),
        "--storage data: the stack has no file system 'data' (there are: fsx)",
    ),
    ("efa-check", JobOptions("trn", storage="fsx"), "efa-check mounts no file system; leave out --storage fsx"),
    (
        "efa-check",
        JobOptions("trn", image="mine"),
        "efa-check looks at nodes as they are, in no container; leave out --image mine",
    ),
    (
        "tensorboard",
        JobOptions(),
        (
            "it is for Kubernetes; run tensorboard on the head node, where the file system is mounted, and forward its "
            "port by SSH"
        ),
    ),
    ("data-shell", JobOptions(), "it is for Kubernetes; log in to the head node: the file system is mounted there"),
]


@pytest.mark.parametrize(("job", "ask", "words"), WORDS, ids=[f"{job}-{words[:30]}" for job, _, words in WORDS])
def test_one_reason(job: str, ask: JobOptions, words: str) -> None:
    """Word for word."""
    assert refused(job, ask, SEVERAL) == (words,)


def test_all_reasons_at_once() -> None:
    """Of the nodes, of each of them, and of the container."""
    said = refused("nccl-tests", JobOptions(nodes=5, devices=9, efa=1, image="mine"), post_install=None)
    assert [reason.partition(" ")[0] for reason in said] == ["--nodes", "--gpus", "--efa", "--image"]


@pytest.mark.parametrize(
    ("group", "words"),
    [
        (a_group(efa=False), "'w' has no EFA interfaces (p4de.24xlarge, efa: false)"),
        (a_group(instance="m5.2xlarge"), "'w' has no GPUs (m5.2xlarge)"),
        ({"for": "system", "instance": "m5.2xlarge", "nodes": 1}, "'w' is for system"),
    ],
)
def test_a_queue_without_what_the_job_needs(group: dict[str, Any], words: str) -> None:
    """Each group with what it lacks."""
    (said,) = refused("pytorch-fsdp", queues={"q": a_queue({"w": group})})
    assert said == f"no training group with GPUs and EFA ({words}); add one below queues:"


def test_no_code_for_the_gpus() -> None:
    """Of the pinned image, as on EKS; what is on the nodes, or in another image, is the user's to know."""
    queues = {"q": a_queue({"w": a_group(instance="g4dn.metal")})}
    (said,) = refused("nccl-tests", queues=queues)
    assert said.startswith("group 'w' has T4 GPUs (g4dn.metal), for which the image has no code")
    for ask, post_install in ((JobOptions(), None), (JobOptions(image="mine"), PYXIS)):
        assert script_of(JOBS["nccl-tests"], a_slurm_cluster(queues, post_install=post_install), ask)


def test_more_memory_than_jobs_may_have() -> None:
    """With the sum, and where to raise it."""
    (said,) = refused("nccl-tests", JobOptions(memory=Size(2_000_000)), slurm={"memory-scheduling": True})
    assert said == (
        "--memory 2000000Mi is more than a node has: of a node of group 'distributed-ml' (p4de.24xlarge) jobs may "
        "have 1120665Mi; ask for at most 1120665Mi, or set queues.compute-gpu.groups.distributed-ml.memory"
    )
    (said,) = refused("nccl-tests", JobOptions(memory=Size(0)), slurm={"memory-scheduling": True})
    assert said == "--memory 0Mi: a job needs some, as in --memory 8000Mi"


def test_training_on_trainium_needs_a_file_system() -> None:
    """For its data; several must be chosen from."""
    queues = {"q": a_queue({"w": a_group(instance="trn1.32xlarge")})}
    assert refused("trn1-pretrain", queues=queues, storage=None) == (
        "the job needs a shared file system; add one below storage:",
    )
    two = {name: {"lustre": {"size": "1200GiB", "throughput": 250}} for name in ("a", "b")}
    assert refused("trn1-pretrain", queues=queues, storage=two) == (
        "the stack has several file systems; choose with --storage: a, b",
    )
    assert "/b/" in script_of(JOBS["trn1-pretrain"], a_slurm_cluster(queues, storage=two), JobOptions(storage="b")).text


def test_notes_say_what_somebody_might_not_expect() -> None:
    """Nodes that start first, GPUs that stay idle; of a plain job nothing."""
    elastic = {"q": a_queue({"w": a_group(nodes={"min": 0, "max": 8})})}
    assert script_of(JOBS["nccl-tests"], a_slurm_cluster()).notes == ()
    assert script_of(JOBS["nccl-tests"], a_slurm_cluster(elastic)).notes == (
        "group 'w' has no nodes until a job asks for them: they start first, which takes minutes",
    )
    some = {"q": a_queue({"w": a_group(nodes={"min": 2, "max": 8})})}
    assert script_of(JOBS["nccl-tests"], a_slurm_cluster(some), JobOptions(nodes=3)).notes == (
        "2 nodes of group 'w' run always; the others start first, which takes minutes",
    )
    assert script_of(JOBS["nccl-tests"], a_slurm_cluster(some), JobOptions(nodes=2)).notes == ()
    assert script_of(JOBS["nccl-tests"], a_slurm_cluster(), JobOptions(devices=2)).notes == (
        "the queue 'compute-gpu' gives each job its nodes alone (exclusive): 6 of 8 GPUs stay idle",
    )
    shared = {"q": a_queue({"w": a_group()}, exclusive=False)}
    assert script_of(JOBS["nccl-tests"], a_slurm_cluster(shared), JobOptions(devices=2)).notes == ()


def test_the_first_that_fits() -> None:
    """What proves more comes first; of those that lack least every reason."""
    assert first_fitting(a_slurm_cluster()).name == "nccl-tests"
    trn = {"q": a_queue({"w": a_group(instance="trn1.32xlarge")})}
    assert first_fitting(a_slurm_cluster(trn)).name == "trn1-pretrain"
    assert first_fitting(a_slurm_cluster(trn, storage=None)).name == "efa-check"
    with pytest.raises(DoesNotFit) as fault:
        first_fitting(a_slurm_cluster({"q": a_queue({"w": a_group(instance="m5.2xlarge")})}))
    lacking = "efa-check: no training group with EFA ('w' has no EFA interfaces (m5.2xlarge)); add one below queues:"
    assert lacking in fault.value.reasons


def test_what_can_run_in_some_way() -> None:
    """On one of the groups, with one of the file systems."""
    blueprint = a_slurm_cluster(SEVERAL)
    able = {name for name, job in JOBS.items() if can_run(blueprint, job)}
    assert able == {"nccl-tests", "pytorch-fsdp", "trn1-pretrain", "trn1-precompile", "efa-check"}

"""BERT on Trainium: the tutorial's two jobs, on a Volcano Job with the cluster's numbers."""

import os
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest

from muster.blueprint.kubernetes import Blueprint
from muster.jobs import bert
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, roles_of
from tests.jobs.clusters import a_group, a_stored_cluster, a_system_group

TUTORIAL = """--batch_size 16 --grad_accum_usteps 32
    --data_dir /data/bert_pretrain_wikicorpus_tokenized_hdf5_seqlen128 --output_dir /data/output"""
"""aws-neuron-eks-samples cecff9e, `dp_bert_hf_pretrain/README.md`, `--script_args` of the training."""

TUTORIALS_ENVIRONMENT = {
    "CCOM_SOCKET_IFNAME": "eth0",
    "FI_EFA_USE_DEVICE_RDMA": "1",
    "FI_PROVIDER": "efa",
    "FI_EFA_FORK_SAFE": "1",
    "NEURON_RT_RESET_CORES": "1",
    "XLA_TRANSFER_SEED_ASYNC": "1",
}
"""The same, `lib/trn1_dist_ddp.py`, but for the caches."""

BOTH = (JOBS["trn1-precompile"], JOBS["trn1-pretrain"])


def a_cluster(instance: str = "trn1.32xlarge", **options: Any) -> Blueprint:
    return a_stored_cluster({"system": a_system_group(), "workers": a_group(instance=instance)}, **options)


def pod(manifest: dict[str, Any]) -> dict[str, Any]:
    (task,) = manifest["spec"]["tasks"]
    return task["template"]["spec"]


def container(manifest: dict[str, Any]) -> dict[str, Any]:
    (only,) = pod(manifest)["containers"]
    return only


def ran(tmp_path: Path, manifest: dict[str, Any], number: int) -> tuple[list[str], dict[str, str]]:
    """What a pod's script starts, and the environment it gives it."""
    for program in ("torchrun", "neuron_parallel_compile"):
        told = f'echo {program} "$@" > {tmp_path}/told\nenv > {tmp_path}/env\n'
        (tmp_path / program).write_text(f"#!/bin/sh\n{told}")
        (tmp_path / program).chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(container(manifest)["command"], env={"PATH": path, "VC_TASK_INDEX": str(number)}, check=True)
    lines = (tmp_path / "env").read_text().splitlines()
    return shlex.split((tmp_path / "told").read_text()), dict(line.split("=", 1) for line in lines if "=" in line)


def options(words: list[str]) -> dict[str, str]:
    """``--a 1 --b=2`` -> a: 1, b: 2."""
    pairs = [word for each in words for word in (each.split("=", 1) if each.startswith("--") else [each])]
    return {name: pairs[index + 1] for index, name in enumerate(pairs) if name.startswith("--")}


def test_the_training_on_two_nodes(tmp_path: Path) -> None:
    """Thirty-two processes on each, who meet at the first pod; the script's arguments are the tutorial's."""
    manifest = bert.build_pretrain(a_cluster())
    words, environment = ran(tmp_path, manifest, 1)
    script = words.index("/bert/dp_bert_large_hf_pretrain_hdf5.py")
    assert words[0] == "torchrun"
    assert options(words[:script]) == {
        "--nnodes": "2",
        "--nproc_per_node": "32",
        "--node_rank": "1",
        "--master_addr": "trn1-pretrain-worker-0.trn1-pretrain",
        "--master_port": "29500",
    }
    assert options(words[script + 1 :]) == options(TUTORIAL.split())
    assert environment["NEURON_CC_FLAGS"] == "--cache_dir=/data/neuron_cache/bert-large_1"
    assert environment["HF_HOME"] == "/data/hf_cache/bert-large_1"
    assert {each["name"]: each["value"] for each in container(manifest)["env"]} == TUTORIALS_ENVIRONMENT


def test_the_compiler_meets_ten_steps_of_the_same(tmp_path: Path) -> None:
    """Around the same line, with the same caches: else it compiles for nobody."""
    trained, of_training = ran(tmp_path, bert.build_pretrain(a_cluster()), 0)
    compiled, of_compiling = ran(tmp_path, bert.build_precompile(a_cluster()), 0)
    named = [word.replace("trn1-pretrain", "trn1-precompile") for word in trained]
    assert compiled == ["neuron_parallel_compile", *named, "--steps_this_run=10"]
    assert [of_training[key] for key in ("NEURON_CC_FLAGS", "HF_HOME")] == [
        of_compiling[key] for key in ("NEURON_CC_FLAGS", "HF_HOME")
    ]


@pytest.mark.parametrize("job", BOTH, ids=lambda job: job.name)
def test_the_first_pod_is_where_the_others_look_for_it(job: Any) -> None:
    """By the name and the domain that Volcano's plugin `svc` gives it."""
    manifest = job.build(a_cluster())
    name, (task,) = manifest["metadata"]["name"], manifest["spec"]["tasks"]
    assert f"--master_addr {name}-{task['name']}-0.{name} " in container(manifest)["command"][2]
    assert "env" in manifest["spec"]["plugins"], "it gives each pod its number"


@pytest.mark.parametrize(
    ("instance", "devices", "efa", "processes"), [("trn1.32xlarge", 16, 8, 32), ("trn1n.32xlarge", 16, 16, 32)]
)
def test_a_process_for_each_core(instance: str, devices: int, efa: int, processes: int) -> None:
    """All devices, all interfaces, huge pages with a unit, all memory that others leave; requests equal limits."""
    made = container(bert.build_pretrain(a_cluster(instance)))
    resources = made["resources"]
    assert resources["requests"] == resources["limits"]
    assert (resources["limits"]["aws.amazon.com/neuron"], resources["limits"]["vpc.amazonaws.com/efa"]) == (
        devices,
        efa,
    )
    assert resources["limits"]["hugepages-2Mi"] == "5120Mi"
    assert f"--nproc_per_node {processes} " in made["command"][2]


def test_kubernetes_expands_nothing_in_the_script() -> None:
    """`$(NAME)` would be the API server's; `$NAME` is the shell's."""
    for job in BOTH:
        assert "$(" not in container(job.build(a_cluster()))["command"][2]


def test_a_queue_of_the_stacks() -> None:
    """The only one, or the one that is asked for; Volcano's own otherwise."""
    one = a_cluster(volcano={"queues": {"test": {}}})
    assert bert.build_pretrain(one)["spec"]["queue"] == "test"
    assert bert.build_pretrain(one, JobOptions(queue="default"))["spec"]["queue"] == "default"
    two = a_cluster(volcano={"queues": {"a": {}, "b": {}}})
    assert bert.build_pretrain(two, JobOptions(queue="b"))["spec"]["queue"] == "b"
    with pytest.raises(DoesNotFit, match="several Queues; choose with --queue: a, b"):
        bert.build_pretrain(two)


def test_one_node_needs_no_efa() -> None:
    """Its processes talk over the devices' own links."""
    for job in BOTH:
        assert roles_of(job.build(a_cluster(), JobOptions(efa=0, nodes=1))).needed == 1

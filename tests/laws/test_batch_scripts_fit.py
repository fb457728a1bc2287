"""Batch scripts are sized by the hardware: laws over every type, and over random clusters."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.config.description.node_group import Purpose
from muster.hardware.catalogue import Accelerator, hardware
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit, JobOptions
from muster.jobs.images import WITHOUT_KERNELS
from muster.jobs.slurm_jobs import Script
from muster.jobs.slurm_jobs import make as script_of
from tests.jobs.clusters import WITH_EFA
from tests.jobs.slurm.clusters import derived, of
from tests.strategies import Described
from tests.strategies.parallelcluster import legal_slurm

SCRIPTS = tuple(name for name, job in JOBS.items() if job.slurm)
ONE_TASK_A_NODE = {"pytorch-fsdp", "trn1-pretrain", "trn1-precompile", "efa-check"}

FITTING = tuple(
    (name, instance)
    for name in SCRIPTS
    for instance in WITH_EFA
    if name == "efa-check"
    or (name.startswith("trn1-") and hardware(instance).accelerator_model == "Trainium")
    or (
        (name in {"nccl-tests", "pytorch-fsdp"} and hardware(instance).accelerator is Accelerator.GPU)
        and hardware(instance).accelerator_model not in WITHOUT_KERNELS
    )
)


def made(name: str, instance: str, **said: object) -> Script:
    return script_of(JOBS[name], of(instance, **said))


def number(script: Script, option: str) -> int:
    return int(script.options[option])


def processes(script: Script) -> int:
    """On each node, as the programs are told."""
    if script.name == "nccl-tests":
        return number(script, "ntasks-per-node")
    (found,) = re.findall(r"--nproc_per_node[= ](\d+)", script.text)
    return int(found)


def test_whole_nodes_are_taken_whole() -> None:
    """Alone; every GPU; every CPU, but for what tasks of one size cannot share. There is a process for each GPU, or
    for each core of a Neuron device, as processes count them."""
    for name, instance in FITTING:
        script, machine = made(name, instance), hardware(instance)
        assert "exclusive" in script.options
        assert script.options["nodes"] == "4"
        tasks, cpus = number(script, "ntasks-per-node"), number(script, "cpus-per-task")
        assert tasks * cpus <= machine.vcpus < tasks * (cpus + 1)
        assert (tasks == 1) == (name in ONE_TASK_A_NODE or machine.accelerators == 1)
        if name != "efa-check":
            cores = machine.neuron_cores_lnc2 or machine.neuron_cores
            neuron = machine.accelerator is Accelerator.NEURON
            assert processes(script) == (cores if neuron else machine.accelerators)


@given(legal_slurm(), st.sampled_from(SCRIPTS))
def test_random_clusters(described: Described, name: str) -> None:
    """Of every group: a script within what the group has, or words; training groups with EFA alone get one."""
    blueprint = derived(described)
    stored = next((each.name for each in blueprint.storage), None)
    for group in blueprint.groups:
        ask = JobOptions(group=group.name, storage=None if name == "efa-check" else stored)
        try:
            script = script_of(JOBS[name], blueprint, ask)
        except DoesNotFit as fault:
            assert fault.reasons
            assert all("\n" not in reason and reason for reason in fault.reasons)
            continue
        assert group.described.purpose is Purpose.TRAINING
        assert group.node.efa
        assert (script.group.name, script.options["partition"]) == (group.name, group.queue)
        assert set(script.options["constraint"].split("&")) <= {group.name, group.described.instance}
        assert 1 <= number(script, "nodes") <= group.described.nodes.max
        assert number(script, "ntasks-per-node") * number(script, "cpus-per-task") <= group.node.cpus
        assert int(script.options.get("gpus-per-node", 0)) == group.node.gpus


@pytest.mark.parametrize(("least", "most"), [(0, 8), (3, 8), (5, 5)])
def test_as_many_nodes_as_the_queue_always_has(least: int, most: int) -> None:
    """One of a group that has none until a job asks; never more than it may have, unless a rehearsal asks."""
    job, blueprint = JOBS["nccl-tests"], of("p4de.24xlarge", nodes={"min": least, "max": most})
    assert script_of(job, blueprint).options["nodes"] == str(least or 1)
    assert script_of(job, blueprint, JobOptions(nodes=most)).options["nodes"] == str(most)
    with pytest.raises(DoesNotFit, match=f"--nodes {most + 1} is more than the maximum"):
        script_of(job, blueprint, JobOptions(nodes=most + 1))
    beyond = JobOptions(nodes=most + 1, beyond_the_group=True)
    assert script_of(job, blueprint, beyond).options["nodes"] == str(most + 1)

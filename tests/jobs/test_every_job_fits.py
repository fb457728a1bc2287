"""The law of sizes: a job that is printed fits the nodes of its cluster, and one more of anything does not."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.addons.daemon_sets import daemon_sets_on, used_of
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.config.description.node_group import Effect
from muster.hardware.catalogue import hardware
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions, roles_of
from muster.jobs.nccl_tests import WITHOUT_KERNELS
from muster.kubernetes_quantity import MIB
from muster.size import Size
from tests.jobs import judge
from tests.jobs.clusters import WITH_EFA, a_group, a_hyperpod_cluster, a_stored_cluster, a_system_group

WORKING = ("nccl-tests", "pytorch-fsdp", "trn1-pretrain", "trn1-precompile", "efa-check")
"""The jobs with workers."""

ON_NCCL = ("nccl-tests", "pytorch-fsdp")
"""The jobs that load NCCL of the pinned image, which has no code for some GPUs."""

STANDING = ("tensorboard", "data-shell")
"""The jobs beside them."""

FITTING = {(name, instance) for instance in WITH_EFA for name in WORKING} - {
    *(
        (name, each)
        for name in ON_NCCL
        for each in WITH_EFA
        if hardware(each).accelerator_model in {*WITHOUT_KERNELS, ""}
    ),
    *(("nccl-tests", each) for each in WITH_EFA if hardware(each).accelerator == "neuron"),
    *(("pytorch-fsdp", each) for each in WITH_EFA if hardware(each).accelerator != "gpu"),
    *((name, each) for name in WORKING if "trn1" in name for each in WITH_EFA if not each.startswith("trn1")),
}
"""Each job that is printed for some machine, with the machine."""


def a_cluster(instance: str, nodes: int = 2, **group: Any) -> Blueprint:
    """One system node, and workers of a type."""
    groups = {"system": a_system_group(), "workers": a_group(instance=instance, nodes=nodes, **group)}
    return a_stored_cluster(groups)


def a_cluster_on_hyperpod(instance: str, nodes: int = 2, **group: Any) -> Blueprint:
    """The same of HyperPod's nodes: one of the system is fewer than its own add-ons need, so there are three."""
    system = a_system_group(instance="m5.2xlarge", nodes=3)
    return a_hyperpod_cluster({"system": system, "workers": a_group(instance=instance, nodes=nodes, **group)})


def worker_pods(manifest: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The pod specs that ask for devices."""
    for role in roles_of(manifest).roles:
        if any("/" in resource for resource in role.asks):
            yield role.spec


def test_each_job_is_printed_for_the_machines_it_runs_on() -> None:
    """Exactly for those: each of them is judged below."""
    for instance in WITH_EFA:
        for name in WORKING:
            try:
                JOBS[name].build(a_cluster(instance), JobOptions())
            except DoesNotFit:
                assert (name, instance) not in FITTING
            else:
                assert (name, instance) in FITTING


@settings(max_examples=50)
@given(
    st.sampled_from(sorted(FITTING)),
    st.integers(1, 30),
    st.sampled_from(["aws", "classic"]),
    st.dictionaries(st.sampled_from(["team.example/a", "team.example/b"]), st.sampled_from(Effect)),
    st.data(),
)
def test_a_job_of_any_size_fits_its_nodes(
    pair: tuple[str, str], most: int, layout: str, taints: dict[str, Effect], data: st.DataObject
) -> None:
    """Any machine, any number of nodes: all pods of the job have a node at once, beside every DaemonSet."""
    name, instance = pair
    blueprint = a_cluster(
        instance, most, interfaces=layout, taints={key: effect.value for key, effect in taints.items()}
    )
    nodes = data.draw(st.integers(1, most))
    manifest = JOBS[name].build(blueprint, JobOptions(nodes=nodes))
    assert roles_of(manifest).role("worker").pods == nodes
    assert judge.fits(blueprint, [manifest], {"workers": nodes, "system": 1})
    assert not judge.fits(blueprint, [manifest], {"workers": nodes - 1, "system": 1}), "whole nodes: none has two"


@settings(max_examples=50)
@given(st.sampled_from(sorted(pair for pair in FITTING if hardware(pair[1]).hyperpod)), st.integers(1, 30), st.data())
def test_a_job_of_any_size_fits_hyperpods_nodes(pair: tuple[str, str], most: int, data: st.DataObject) -> None:
    """Those of HyperPod carry fewer pods and half the processors, keep Schedulable nodes apart, and fit all the
    same: with the pages that Muster's own scripts set aside, or as many as are asked for."""
    name, instance = pair
    pages = data.draw(st.none() | st.integers(0, 8).map(lambda gib: f"{gib}GiB"))
    blueprint = a_cluster_on_hyperpod(instance, most, **({} if pages is None else {"huge-pages": pages}))
    nodes = data.draw(st.integers(1, most))
    manifest = JOBS[name].build(blueprint, JobOptions(nodes=nodes))
    assert roles_of(manifest).role("worker").pods == nodes
    assert judge.fits(blueprint, [manifest], {"workers": nodes, "system": 1})
    assert not judge.fits(blueprint, [manifest], {"workers": nodes - 1, "system": 1}), "whole nodes: none has two"


@given(st.sampled_from(sorted(FITTING)), st.data())
def test_whatever_is_asked_and_not_refused_fits(pair: tuple[str, str], data: st.DataObject) -> None:
    """Sizes by lot: either it fits, or the words say by how much it does not."""
    name, instance = pair
    blueprint = a_cluster(instance)
    node = blueprint.group("workers").node
    ask = JobOptions(
        devices=data.draw(st.none() | st.integers(1, node.hardware.accelerators + 1)),
        efa=data.draw(st.none() | st.integers(0, node.efa + 1)),
        memory=data.draw(st.none() | st.integers(1, node.allocatable.memory_mib + 1).map(Size)),
        huge_pages=data.draw(st.none() | st.integers(0, node.huge_pages.mib // 2 + 1).map(lambda each: Size(2 * each))),
    )
    try:
        manifest = JOBS[name].build(blueprint, ask)
    except DoesNotFit as fault:
        assert fault.reasons
        return
    assert judge.fits(blueprint, [manifest], {"workers": 2, "system": 1})
    for pod in worker_pods(manifest):
        (container,) = pod["containers"]
        assert container["resources"]["requests"] == container["resources"]["limits"]


def most_of(blueprint: Blueprint, group: KubernetesGroup) -> dict[str, Any]:
    """As much of everything as a worker can have of a node."""
    memory = group.node.allocatable.memory_mib - -(-used_of(daemon_sets_on(blueprint, group), "memory") // MIB)
    return {"efa": group.node.efa, "memory": Size(memory), "huge_pages": group.node.huge_pages}


@pytest.mark.parametrize("pair", sorted(FITTING), ids=" on ".join)
def test_all_of_a_node_fits_and_one_more_does_not(pair: tuple[str, str]) -> None:
    """Of GPUs, interfaces, memory and pages; the judge and the sizes draw the line at the same place."""
    name, instance = pair
    blueprint = a_cluster(instance)
    group = blueprint.group("workers")
    most = most_of(blueprint, group)
    manifest = JOBS[name].build(blueprint, JobOptions(**most))
    assert judge.fits(blueprint, [manifest], {"workers": 2, "system": 1})
    (worker, *_) = worker_pods(manifest)
    for resource, amount in worker["containers"][0]["resources"]["requests"].items():
        more = deepcopy(manifest)
        for pod in worker_pods(more):
            step = f"{int(amount[:-2]) + 1}Mi" if isinstance(amount, str) else amount + 1
            pod["containers"][0]["resources"] = {
                kind: {**pod["containers"][0]["resources"][kind], resource: step} for kind in ("limits", "requests")
            }
        assert not judge.fits(blueprint, [more], {"workers": 2, "system": 1}), resource
    one_more = {
        "devices": group.node.hardware.accelerators + 1,
        "efa": most["efa"] + 1,
        "memory": Size(most["memory"].mib + 1),
        "huge_pages": Size(most["huge_pages"].mib + 2),
    }
    for each, number in one_more.items():
        with pytest.raises(DoesNotFit):
            JOBS[name].build(blueprint, JobOptions(**{each: number}))


@pytest.mark.parametrize("name", STANDING)
def test_what_stands_beside_workers_fits_a_system_node(name: str) -> None:
    """Beside the DaemonSets, and all of them together."""
    blueprint = a_cluster("trn1.32xlarge")
    assert judge.fits(blueprint, [JOBS[name].build(blueprint, JobOptions())], {"workers": 0, "system": 1})
    assert judge.fits(
        blueprint, [JOBS[each].build(blueprint, JobOptions()) for each in STANDING], {"workers": 0, "system": 1}
    )


def test_every_job_is_judged() -> None:
    """A new one belongs to one of the two kinds."""
    assert {*WORKING, *STANDING, "nvbandwidth"} == set(JOBS)
    assert {name for name, _ in FITTING} == set(WORKING)

"""The law of sizes: a job that is printed fits the nodes of its cluster, and one more of anything does not."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.cluster import Blueprint
from muster.config.description.node_group import Effect
from muster.hardware.catalogue import hardware
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit, JobOptions
from muster.jobs.images import WITHOUT_KERNELS
from muster.jobs.kinds.catalogue import roles_of
from tests.jobs import judge
from tests.jobs.clusters import WITH_EFA, a_group, a_hyperpod_cluster, a_stored_cluster, a_system_group, manifest_of
from tests.jobs.documents import role_of

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
                manifest_of(JOBS[name], a_cluster(instance), JobOptions())
            except DoesNotFit:
                assert (name, instance) not in FITTING
            else:
                assert (name, instance) in FITTING


@pytest.mark.parametrize("on_hyperpod", [False, True])
@settings(max_examples=50)
@given(
    st.integers(1, 30),
    st.sampled_from(["aws", "classic"]),
    st.dictionaries(st.sampled_from(["team.example/a", "team.example/b"]), st.sampled_from(Effect)),
    st.none() | st.integers(0, 8),
    st.data(),
)
def test_a_job_of_any_size_fits_its_nodes(
    on_hyperpod: bool, most: int, layout: str, taints: dict[str, Effect], gib: int | None, data: st.DataObject
) -> None:
    """Any machine, any number of nodes: all pods of the job have a node at once, beside every DaemonSet. HyperPod's
    nodes carry fewer pods and half the processors, keep Schedulable nodes apart, and fit all the same: with the pages
    that Muster's own scripts set aside, or as many as are asked for."""
    pairs = (pair for pair in FITTING if hardware(pair[1]).hyperpod or not on_hyperpod)
    name, instance = data.draw(st.sampled_from(sorted(pairs)))
    tainted = {key: effect.value for key, effect in taints.items()}
    own = {} if gib is None else {"huge-pages": f"{gib}GiB"}
    if on_hyperpod:
        blueprint = a_cluster_on_hyperpod(instance, most, **own)
    else:
        blueprint = a_cluster(instance, most, interfaces=layout, taints=tainted)
    nodes = data.draw(st.integers(1, most))
    manifest = manifest_of(JOBS[name], blueprint, JobOptions(nodes=nodes))
    assert role_of(roles_of(manifest), "worker").pods == nodes
    assert judge.fits(blueprint, [manifest], {"workers": nodes, "system": 1})
    assert not judge.fits(blueprint, [manifest], {"workers": nodes - 1, "system": 1}), "whole nodes: none has two"


@pytest.mark.parametrize("pair", sorted(FITTING), ids=" on ".join)
def test_one_more_of_any_device_does_not_fit(pair: tuple[str, str]) -> None:
    """The judge and the sizes draw the line at the same place; requests equal limits."""
    name, instance = pair
    blueprint = a_cluster(instance)
    manifest = manifest_of(JOBS[name], blueprint, JobOptions())
    (worker, *_) = worker_pods(manifest)
    resources = worker["containers"][0]["resources"]
    assert resources["requests"] == resources["limits"]
    for resource in (each for each in resources["requests"] if "/" in each):
        more = deepcopy(manifest)
        for pod in worker_pods(more):
            for kind in ("limits", "requests"):
                pod["containers"][0]["resources"][kind][resource] += 1
        assert not judge.fits(blueprint, [more], {"workers": 2, "system": 1}), resource


@pytest.mark.parametrize("name", STANDING)
def test_what_stands_beside_workers_fits_a_system_node(name: str) -> None:
    """Beside the DaemonSets, and all of them together."""
    blueprint = a_cluster("trn1.32xlarge")
    assert judge.fits(blueprint, [manifest_of(JOBS[name], blueprint, JobOptions())], {"workers": 0, "system": 1})
    assert judge.fits(
        blueprint, [manifest_of(JOBS[each], blueprint, JobOptions()) for each in STANDING], {"workers": 0, "system": 1}
    )


def test_every_job_is_judged() -> None:
    """A new one belongs to one of the two kinds."""
    assert {*WORKING, *STANDING, "nvbandwidth"} == set(JOBS)
    assert {name for name, _ in FITTING} == set(WORKING)

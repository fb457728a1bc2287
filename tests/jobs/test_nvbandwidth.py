"""nvbandwidth: its workers are on the nodes of one UltraServer, in one ComputeDomain."""

from dataclasses import replace
from typing import Any

import pytest

from muster.blueprint.kubernetes import Blueprint
from muster.jobs import nvbandwidth
from muster.jobs.group_selection import DoesNotFit
from muster.jobs.job_options import JobOptions
from tests.stack_files import ROOT, open_stack

ON_EKS, ON_HYPERPOD = "p6e-gb200", "hyperpod-p6e-gb200"
FIRST = JobOptions(group="ultraserver-1")


def blueprint_of(stack: str) -> Blueprint:
    made = open_stack(ROOT, stack).derive()
    assert isinstance(made, Blueprint)
    return made


def without(blueprint: Blueprint, addon: str) -> Blueprint:
    """The cluster without an add-on."""
    addons = blueprint.described.addons.model_copy(update={addon.replace("-", "_"): None})
    return replace(blueprint, described=blueprint.described.model_copy(update={"addons": addons}))


def worker(manifest: dict[str, Any]) -> dict[str, Any]:
    return manifest["spec"]["mpiReplicaSpecs"]["Worker"]


@pytest.mark.parametrize(
    ("stack", "ask", "nodes", "label"),
    [
        (ON_EKS, FIRST, 18, "nvidia.com/gpu.clique"),
        (ON_HYPERPOD, JobOptions(), 17, "topology.k8s.aws/ultraserver-id"),
        (ON_HYPERPOD, JobOptions(nodes=2), 2, "topology.k8s.aws/ultraserver-id"),
    ],
)
def test_the_workers_are_together_in_one_ultraserver(stack: str, ask: JobOptions, nodes: int, label: str) -> None:
    """A training plan keeps one of 18 instances as a spare."""
    blueprint = blueprint_of(stack)
    workers = worker(nvbandwidth.build(blueprint, ask))
    assert workers["replicas"] == nodes
    template = workers["template"]
    (term,) = template["spec"]["affinity"]["podAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    assert term["topologyKey"] == label
    assert term["labelSelector"]["matchLabels"].items() <= template["metadata"]["labels"].items()


def test_each_worker_has_all_gpus_and_the_channel_of_the_compute_domain() -> None:
    blueprint = blueprint_of(ON_EKS)
    pod = worker(nvbandwidth.build(blueprint, FIRST))["template"]["spec"]
    (domain,) = nvbandwidth.compute_domain(blueprint, FIRST)
    (claim,), (container,) = pod["resourceClaims"], pod["containers"]
    assert domain["spec"]["channel"]["resourceClaimTemplate"]["name"] == claim["resourceClaimTemplateName"]
    assert container["resources"]["claims"] == [{"name": claim["name"]}]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == 4
    assert not any("efa" in name or "hugepages" in name for name in container["resources"]["limits"])


def test_more_nodes_than_an_ultraserver_has_are_refused() -> None:
    with pytest.raises(DoesNotFit, match="only 17 nodes of group 'workers' are in one UltraServer"):
        nvbandwidth.build(blueprint_of(ON_HYPERPOD), JobOptions(nodes=18))


def test_without_the_driver_its_remedy_keeps_the_device_plugin() -> None:
    with pytest.raises(DoesNotFit) as refused:
        nvbandwidth.build(without(blueprint_of(ON_EKS), "nvidia-dra-driver"), FIRST)
    assert "add `nvidia-dra-driver: {values: {resources: {gpus: {enabled: false}}}}`" in str(refused.value)

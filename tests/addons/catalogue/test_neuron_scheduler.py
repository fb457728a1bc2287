"""The Neuron plugin's scheduler extension, when it is asked for."""

from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes, Mirrors
from muster.addons.values import at, values_of
from muster.fleet.resources import Taint
from muster.versions import EKS_ADDONS, KUBE_SCHEDULERS
from tests.addons.contexts import a_context, said_of
from tests.addons.group_nodes import groups_of

ADDON = CATALOGUE["neuron-device-plugin"]
SYSTEM = GroupNodes(
    "system", "c5.2xlarge", frozenset(), frozenset({Taint("role", "system", "NoSchedule")}), purpose="system"
)
TRAINIUM = GroupNodes(
    "trainium", "trn1.32xlarge", frozenset({ADDON.serves or ""}), frozenset({Taint("aws", "x", "NoSchedule")})
)


def context(kubernetes: str = "1.35", **said: Any) -> AddonContext:
    """A cluster with Trainium and a tainted system group."""
    made = a_context(SYSTEM, TRAINIUM, neuron_device_plugin=said_of(ADDON.name, scheduler=True, **said))
    return replace(made, kubernetes=kubernetes)


@pytest.mark.parametrize("kubernetes", EKS_ADDONS)
def test_the_scheduler_is_of_the_clusters_kubernetes(kubernetes: str) -> None:
    """The chart's own is 1.31's."""
    tag = at(values_of(ADDON, context(kubernetes)), "scheduler", "customScheduler", "image", "tag")
    assert tag.startswith(f"v{kubernetes}.")
    assert tag == KUBE_SCHEDULERS[kubernetes]


def test_of_another_kubernetes_nothing_is_made_up() -> None:
    """A rule refuses such a cluster."""
    assert "image" not in values_of(ADDON, context("1.33"))["scheduler"]["customScheduler"]


def test_both_run_on_the_system_group() -> None:
    """Whose taint they tolerate, and none of the nodes that cost."""
    plugin, *schedulers = ADDON.workloads(values_of(ADDON, context()))
    assert groups_of(plugin, SYSTEM, TRAINIUM) == {"trainium"}
    assert [groups_of(each, SYSTEM, TRAINIUM) for each in schedulers] == [{"system"}, {"system"}]


def test_a_mirror_has_all_of_its_images() -> None:
    """The plugin's, the extension's, the scheduler's."""
    values = values_of(ADDON, replace(context(), mirrors=Mirrors(images="registry.example.org/m")))
    assert [
        at(values, *path, "image", "repository")
        for path in (("devicePlugin",), ("scheduler",), ("scheduler", "customScheduler"))
    ] == [
        "registry.example.org/m/neuron/neuron-device-plugin",
        "registry.example.org/m/neuron/neuron-scheduler",
        "registry.example.org/m/eks-distro/kubernetes/kube-scheduler",
    ]
    assert at(values, "scheduler", "customScheduler", "image", "tag") == KUBE_SCHEDULERS["1.35"]

"""Chart values follow from the nodes that are there."""

from dataclasses import replace
from typing import Any

import pulumi
import pytest

from addons.addon import Chart, EksAddon, Manifest
from addons.catalogue import CATALOGUE
from addons.context import AddonContext, GroupNodes, Mirrors
from addons.installation import ClusterHandle, install
from addons.stand_in import stand_in
from addons.values import at, merged, over_defaults, values_of, version_of, workloads_of
from muster.blueprint.derive.cluster import derive
from muster.blueprint.node import EFA_RESOURCE
from muster.config.description.addons import AddonOptions, Addons
from muster.fleet.resources import Taint
from muster.hardware.catalogue import hardware, instance_types
from muster.offline import run_program
from muster.versions import ADDONS
from tests.addons.contexts import a_site, said_of
from tests.factories import a_description

GPU = Taint("nvidia.com/gpu", "true", "NoSchedule")
OWN = Taint("team", "vision", "NoExecute")
P5 = GroupNodes("workers", "p5.48xlarge", frozenset({"nvidia.com/gpu", "vpc.amazonaws.com/efa"}), frozenset({GPU, OWN}))
G5 = GroupNodes("inference", "g5.12xlarge", frozenset({"nvidia.com/gpu"}), frozenset({GPU}))
SYSTEM = GroupNodes("system", "c5.2xlarge", frozenset(), frozenset())
NEURON = Taint("aws.amazon.com/neuron", "true", "NoSchedule")
TRN1 = GroupNodes("trainium", "trn1.32xlarge", frozenset({"aws.amazon.com/neuron"}), frozenset({NEURON}))
ALL = (SYSTEM, P5, G5, TRN1)


def installing(site: AddonContext) -> ClusterHandle:
    """The handle of a cluster."""
    return ClusterHandle("kubeconfig", "arn", site)


def values(name: str, *nodes: GroupNodes, **said: Any) -> dict[str, Any]:
    """What is derived for it, on these nodes or on all above."""
    options = said_of(name, **said)
    return CATALOGUE[name].as_chosen(options).source.values(a_site(*(nodes or ALL), **{name: options}))


def test_the_nvidia_plugin_lands_on_gpu_nodes_and_only_there() -> None:
    """Its own affinity asks for labels our nodes may not have; its taints are tolerated whatever their value."""
    given = values("nvidia-device-plugin")
    (term,) = given["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert term["matchExpressions"] == [
        {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["g5.12xlarge", "p5.48xlarge"]},
        {"key": "muster/group", "operator": "In", "values": ["inference", "workers"]},
    ]
    assert given["tolerations"] == [
        {"key": "CriticalAddonsOnly", "operator": "Exists"},
        {"key": "nvidia.com/gpu", "operator": "Exists"},
        {"key": "team", "operator": "Exists"},
    ]
    assert given["mofedEnabled"] is False


def test_the_efa_plugin_lands_on_nodes_with_efa_interfaces() -> None:
    """The G5 group has none."""
    assert values("efa-device-plugin") == {
        "supportedInstanceLabels": {"keys": ["muster/group"], "values": ["workers"]},
        "tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}, {"key": "team", "operator": "Exists"}],
    }


def test_the_nvidia_plugin_stays_off_bottlerocket_which_has_it_built_in() -> None:
    """Of two groups of one type only the one on AL2023 is chosen; the EFA plugin is nowhere built in."""
    beside = replace(P5, group="bottlerocket", built_in=frozenset({"nvidia.com/gpu"}))
    nvidia, efa = CATALOGUE["nvidia-device-plugin"], CATALOGUE["efa-device-plugin"]
    site = a_site(P5, beside)
    assert nvidia.served(site) == (P5,)
    assert efa.served(site) == (P5, beside)
    given = nvidia.source.values(site)
    (term,) = given["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
    assert {"key": "muster/group", "operator": "In", "values": ["workers"]} in term["matchExpressions"]


@pytest.mark.parametrize("image", ["al2023", "bottlerocket"])
def test_nodes_know_what_their_image_has_built_in(image: str) -> None:
    """Bottlerocket's NVIDIA variant brings NVIDIA's plugin, for Neuron and EFA it brings none."""
    described = a_description({"groups.workers.image": image})
    site = AddonContext.of_blueprint(derive(described, "s", "us-west-2"))
    (workers,) = [each for each in site.nodes if each.group == "workers"]
    assert workers.built_in == ({"nvidia.com/gpu"} if image == "bottlerocket" else set())


def test_the_neuron_plugin_comes_alone() -> None:
    """Its chart's problem detector wants what the chart does not make, its scheduler comes when it is asked for."""
    assert values("neuron-device-plugin") == {
        "neuronInstances": ["trn1.32xlarge"],
        "devicePlugin": {
            "enabled": True,
            "tolerations": [
                {"key": "CriticalAddonsOnly", "operator": "Exists"},
                {"key": "aws.amazon.com/neuron", "operator": "Exists"},
            ],
        },
        "scheduler": {"enabled": False},
        "npd": {"enabled": False},
        "draDriver": {"enabled": False},
    }


def test_every_device_has_a_plugin() -> None:
    """So that a rule can name it."""
    devices = {hardware(instance).resource_name for instance in instance_types()} - {None}
    assert {*devices, EFA_RESOURCE} == {addon.serves for addon in CATALOGUE.values()} - {None}


def test_a_chart_in_a_registry_is_named_whole() -> None:
    """Helm takes no index address beside `oci://`."""
    neuron, nvidia = (CATALOGUE[f"{name}-device-plugin"] for name in ("neuron", "nvidia"))

    def program() -> None:
        said = {each.name.replace("-", "_"): said_of(each.name) for each in (neuron, nvidia)}
        site = a_site(*ALL, **said)
        for addon in (neuron, nvidia):
            install(addon, installing(site), pulumi.ResourceOptions())

    made = {each.name: each.inputs for each in run_program(program, project="p", stack="s", region="us-west-2")}
    told = made["neuron-device-plugin"]
    assert told["chart"] == "oci://public.ecr.aws/neuron/neuron-helm-chart"
    assert "repositoryOpts" not in told
    assert told["name"] == "neuron-helm-chart"
    assert told["version"] == ADDONS["neuron-device-plugin"].version
    assert made["nvidia-device-plugin"]["chart"] == "nvidia-device-plugin"
    assert made["nvidia-device-plugin"]["repositoryOpts"] == {"repo": "https://nvidia.github.io/k8s-device-plugin"}


def test_a_null_reaches_the_release() -> None:
    """Helm deletes the chart's default for it, as people mean it."""
    nvidia = CATALOGUE["nvidia-device-plugin"]

    def program() -> None:
        own = AddonOptions(values={"affinity": None, "gfd": {"enabled": None}})
        install(nvidia, installing(a_site(*ALL, nvidia_device_plugin=own)), pulumi.ResourceOptions())

    made = {each.name: each.inputs for each in run_program(program, project="p", stack="s", region="us-west-2")}
    given = made["nvidia-device-plugin"]["values"]
    assert (given["affinity"], given["gfd"]) == (None, {"enabled": None})


@pytest.mark.parametrize("name", CATALOGUE)
def test_an_installation_is_given_what_a_rehearsal_is(name: str) -> None:
    """One function says the values of both."""
    addon = CATALOGUE[name]
    valued = isinstance(addon.source, Chart | EksAddon)
    options = said_of(name, values={"own": True}) if valued else said_of(name)
    site = replace(a_site(*ALL), chosen={name: options})
    assert values_of(addon, site) == {**addon.source.values(site), **({"own": True} if valued else {})}
    assert version_of(addon, options) == (options.version or ADDONS[name].version)
    wanted = {version_of(addon, options.model_copy(update={"version": each})) for each in ("v9.9.9", "9.9.9")}
    pinned = ADDONS[name].version
    assert wanted == ({"v9.9.9"} if pinned.startswith("v") else {"9.9.9"}) or not pinned


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({}, {"a": {"b": 1, "c": [1]}, "d": 2}),
        ({"a": None}, {"d": 2}),
        ({"a": {"b": None}}, {"a": {"c": [1]}, "d": 2}),
        ({"a": {"c": [{"e": None}]}}, {"a": {"b": 1, "c": [{}]}, "d": 2}),
        ({"a": {"f": {"g": None}}}, {"a": {"b": 1, "c": [1], "f": {}}, "d": 2}),
        ({"d": {"h": 1}}, {"a": {"b": 1, "c": [1]}, "d": {"h": 1}}),
    ],
)
def test_templates_see_the_charts_defaults_below(given: dict, seen: dict) -> None:
    """A null deletes one of them; what is deleted is not there, and not null."""
    assert over_defaults({"a": {"b": 1, "c": [1]}, "d": 2}, given) == seen


@pytest.mark.parametrize(
    ("path", "found"), [(("a", "b"), 1), (("a",), {"b": 1}), (("a", "c"), None), (("d", "b"), None)]
)
def test_a_value_that_is_not_there_is_none(path: tuple[str, ...], found: object) -> None:
    """Also where something else stands in the way."""
    assert at({"a": {"b": 1}, "d": 2}, *path) == found


def test_catalogue_description_and_versions_name_the_same_addons() -> None:
    """One list in three places would drift apart: this holds them together."""
    described = {info.alias or name for name, info in Addons.model_fields.items()} - {"charts"}
    assert set(CATALOGUE) == described == set(ADDONS)


def test_manifests_name_their_version() -> None:
    """A manifest is pinned by its address."""
    for addon in CATALOGUE.values():
        if isinstance(addon.source, Manifest):
            assert addon.source.address.count("{version}") == 1
            assert all("{number}" in image for image in addon.source.images.values())


@pytest.mark.parametrize(
    ("derived", "own", "result"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 3}}, {"a": {"b": 1, "c": 3}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": {"b": 1}}, {"a": 2}, {"a": 2}),
        ({}, {"a": {"b": 1}}, {"a": {"b": 1}}),
        ({"a": {"b": 1}}, {"a": None}, {"a": None}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": None}}, {"a": {"b": None, "c": 2}}),
    ],
)
def test_own_values_are_laid_over_as_helm_does(derived: dict, own: dict, result: dict) -> None:
    """Maps are merged, lists replaced, a null is handed on; the derived values are not changed."""
    before = repr(derived)
    assert merged(derived, own) == result
    assert repr(derived) == before


@pytest.mark.parametrize("values", [{"nodeSelector": 3}, {"devicePlugin": "on"}, {"tolerations": 1}, {"resources": []}])
def test_values_without_a_form_are_no_workloads_or_some(values: dict) -> None:
    """Never a crash: what a chart makes of them is Helm's to say."""
    for addon in CATALOGUE.values():
        assert len(stand_in(addon, values)) == len(workloads_of(addon, values))
    assert workloads_of(CATALOGUE["nvidia-device-plugin"], {"nodeSelector": 3}) == ()


def test_the_trainer_brings_a_jobset_along_where_there_is_none() -> None:
    """Two controllers of one CRD would both answer for it."""
    trainer = CATALOGUE["trainer"]
    alone = values_of(trainer, a_site(*ALL, trainer=AddonOptions()))
    beside = values_of(trainer, a_site(*ALL, trainer=AddonOptions(), jobset=AddonOptions()))
    assert (alone["jobset"]["install"], beside["jobset"]["install"]) == (True, False)
    assert [each.name for each in trainer.workloads(beside)] == ["kubeflow-trainer-controller-manager"]
    assert alone["runtimes"]["torchDistributed"] == {"enabled": True}


def test_the_trainers_runtimes_are_not_installed_from_a_mirror() -> None:
    """The Job that would do it fetches kubectl from elsewhere, and the release would fail with it."""
    site = replace(a_site(*ALL, trainer=AddonOptions()), mirrors=Mirrors(images="example.org/copies"))
    given = values_of(CATALOGUE["trainer"], site)
    assert given["runtimes"]["torchDistributed"] == {"enabled": False}
    assert given["image"]["registry"] == "example.org/copies"

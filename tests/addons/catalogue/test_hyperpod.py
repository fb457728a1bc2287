"""HyperPod's chart and its EKS add-ons."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.catalogue.hyperpod import CHART
from muster.addons.context import HEALTH_TAINT, AddonContext, GroupNodes, Mirrors
from muster.addons.installation_order import install_order
from muster.addons.values import at, runs_of, values_of
from muster.config.description.addons import options_of
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.offline.recording import Recording
from muster.versions import EKS_ADDONS
from tests.addons.contexts import REQUIRED, a_context, said_of
from tests.addons.group_nodes import groups_of
from tests.factories import a_document
from tests.infra.test_lustre import one, recorded

HYPERPOD = CATALOGUE["hyperpod"]
PLUGINS: Mapping[str, tuple[str, ...]] = {
    "nvidia-device-plugin": ("nvidia-device-plugin", "devicePlugin", "enabled"),
    "efa-device-plugin": ("aws-efa-k8s-device-plugin", "devicePlugin", "enabled"),
    "neuron-device-plugin": ("neuron-device-plugin", "devicePlugin", "enabled"),
}
OPERATORS = {"mpi-operator": ("mpi-operator", "enabled"), "training-operator": ("trainingOperators", "enabled")}
GPUS = frozenset({"nvidia.com/gpu"})
ON_EC2, ON_HYPERPOD = (
    GroupNodes("ec2", "p5.48xlarge", GPUS, frozenset()),
    GroupNodes("hp", "ml.p5.48xlarge", GPUS, frozenset()),
)
RELEASE, ADDON = "kubernetes:helm.sh/v3:Release", "aws:eks/addon:Addon"
POD_IDENTITY = "aws:eks/podIdentityAssociation:PodIdentityAssociation"


def context(*others: str, **said: Any) -> AddonContext:
    """A cluster with HyperPod's chart and other add-ons."""
    chosen = {name.replace("-", "_"): said_of(name) for name in others}
    return a_context(ON_EC2, ON_HYPERPOD, hyperpod=said_of("hyperpod", **said), **chosen)


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_that_muster_has_on_hyperpods_nodes_is_off_in_it_and_else_on(name: str) -> None:
    """Two of a kind would take devices from one another."""
    assert at(values_of(HYPERPOD, context(name)), *PLUGINS[name]) is False
    others = (each for each in PLUGINS if each != name)
    assert at(values_of(HYPERPOD, context(*others)), *PLUGINS[name]) is True


@pytest.mark.parametrize("name", PLUGINS)
def test_where_no_node_of_hyperpods_is_described_its_plugins_serve_them(name: str) -> None:
    """Ours are kept to the groups that are described. The two for Neuron have one name: ours is for all."""
    elsewhere = replace(context(*PLUGINS), nodes=(ON_EC2,))
    assert at(values_of(HYPERPOD, elsewhere), *PLUGINS[name]) is (name != "neuron-device-plugin")
    neuron = values_of(CATALOGUE["neuron-device-plugin"], elsewhere)
    assert {"ml.trn1.32xlarge", "ml.trn2.3xlarge"} < set(neuron["neuronInstances"])
    assert {"key": HEALTH_TAINT, "operator": "Exists"} in neuron["devicePlugin"]["tolerations"]


@pytest.mark.parametrize("ours", [(), tuple(OPERATORS)], ids=["alone", "beside ours"])
def test_its_operators_are_off_whether_ours_are_there_or_not(ours: tuple[str, ...]) -> None:
    """Their CRD and namespaces are templates: turned off later, they would go with every job."""
    values = values_of(HYPERPOD, context(*ours))
    assert {name: at(values, *path) for name, path in OPERATORS.items()} == dict.fromkeys(OPERATORS, False)


def kinds(*others: str, **said: Any) -> set[str]:
    """Of jobs that the chart's own operators run."""
    return {each.kind for each in runs_of(HYPERPOD, values_of(HYPERPOD, context(*others, **said)))}


def test_it_runs_jobs_where_a_users_values_turn_its_operators_on() -> None:
    """A training operator v1.7.0, which knows no JAXJob, and an MPI operator; by itself none."""
    of_training = {"PyTorchJob", "TFJob", "MXJob", "XGBoostJob", "PaddleJob"}
    training, mpi = {"trainingOperators": {"enabled": True}}, {"mpi-operator": {"enabled": True}}
    assert kinds() == set()
    assert kinds(values=training) == of_training
    assert kinds(values={**training, **mpi}) == {*of_training, "MPIJob"}
    assert set(HYPERPOD.brings(values_of(HYPERPOD, context("nvidia-device-plugin", values=mpi)))) == {
        *("efa-device-plugin", "neuron-device-plugin", "mpi-operator")
    }


def test_its_own_plugins_are_for_hyperpods_nodes_only() -> None:
    """Ours are for both."""
    (plugin,) = [each for each in HYPERPOD.workloads(values_of(HYPERPOD, context())) if each.serves == "nvidia.com/gpu"]
    assert groups_of(plugin, ON_EC2, ON_HYPERPOD) == {"hp"}


def test_a_mirror_has_its_images_but_for_one() -> None:
    """The bundled Neuron plugin's cannot be set."""
    given = values_of(HYPERPOD, replace(context(), mirrors=Mirrors(images="registry.example.org/m")))
    assert given["health-monitoring-agent"]["hmaimage"].startswith("registry.example.org/m/hyperpod-health-monitoring")
    assert given["nvidia-device-plugin"]["image"]["repository"] == "registry.example.org/m/nvidia/k8s-device-plugin"
    assert given["training-operators"]["image"]["repository"] == "registry.example.org/m/kubeflow/training-operator"


def test_the_agent_of_another_version_is_not_known() -> None:
    """An older chart with this one's agent would be neither."""
    other = replace(context(version="0.1.0+0123456789ab"), mirrors=Mirrors(images="registry.example.org/m"))
    assert "health-monitoring-agent" not in values_of(HYPERPOD, other)


@pytest.mark.parametrize(
    ("edits", "faults"),
    [
        ({"addons": {"hyperpod": {}}}, 1),
        ({"addons": {"hyperpod": {"repository": "oci://registry.example.org/charts"}}}, 0),
        ({"addons": {"hyperpod": {}}, "chart-mirror": "oci://registry.example.org/charts"}, 0),
    ],
)
def test_without_a_place_for_its_chart_it_is_refused_in_words(edits: dict[str, Any], faults: int) -> None:
    """Which say what to do."""
    _, found = validate(EksCluster, a_document(edits))
    assert len(found) == faults
    for path, fault in found:
        assert path == ("addons", "hyperpod")
        assert fault.got == (
            "AWS does not publish the chart of HyperPod, and the description does not set the repository of your "
            "package"
        )
        assert "repository: oci://" in fault.remedy


@cache
def deployed(*names: str) -> Recording:
    """The default description with add-ons."""
    return recorded({}, {f"addons.{name}": dict(REQUIRED.get(name, {})) for name in names})


def test_its_release_waits_for_no_node() -> None:
    """It comes before HyperPod does, when there are none."""
    release = one(deployed("hyperpod"), RELEASE, "hyperpod").inputs
    assert (release["skipAwait"], release.get("atomic", False)) == (True, False)
    assert (release["chart"], release["namespace"]) == (f"oci://registry.example.org/charts/{CHART}", "kube-system")
    assert release["version"] == "0.1.0+011ca927123e"
    waiting = one(deployed("hyperpod"), RELEASE, "efa-device-plugin").inputs
    assert (waiting.get("skipAwait", False), waiting["atomic"]) == (False, True)


@pytest.mark.parametrize(
    ("name", "called", "namespace", "account"),
    [
        ("hyperpod-task-governance", "amazon-sagemaker-hyperpod-taskgovernance", None, None),
        (
            "hyperpod-training-operator",
            "amazon-sagemaker-hyperpod-training-operator",
            "aws-hyperpod",
            "hp-training-operator-controller-manager",
        ),
        (
            "hyperpod-observability",
            "amazon-sagemaker-hyperpod-observability",
            "hyperpod-observability",
            "hyperpod-observability-operator-otel-collector",
        ),
    ],
)
def test_its_eks_addons_have_their_roles_before_them(
    name: str, called: str, namespace: str | None, account: str | None
) -> None:
    """By associations beside the add-on: EKS refuses one with the training operator."""
    made = deployed(name, "cert-manager")
    addon = one(made, ADDON, name)
    assert addon.inputs["addonName"] == called
    assert "podIdentityAssociations" not in addon.inputs
    own = [each for each in made.registrations if each.type == POD_IDENTITY and each.name.startswith(f"{name}-")]
    assert [(each.inputs["namespace"], each.inputs["serviceAccount"]) for each in own] == (
        [(namespace, account)] if account else []
    )
    assert all(each.urn in addon.dependencies for each in own)


def test_the_training_operator_comes_after_what_it_needs() -> None:
    """cert-manager, though the catalogue has it later; the chart that makes its namespace."""
    chosen = ("hyperpod-training-operator", "cert-manager")
    there = replace(context(*chosen), eks_addons=tuple(EKS_ADDONS["1.35"]))
    turns = [turn.addon.name for turn in install_order(there)]
    assert turns.index("hyperpod-training-operator") > max(turns.index("cert-manager"), turns.index("hyperpod"))
    (turn,) = [each for each in install_order(there) if each.addon.name == "hyperpod-training-operator"]
    assert set(turn.after) == {"hyperpod", "cert-manager", "eks-pod-identity-agent"}
    made = deployed("hyperpod", *chosen)
    operator = one(made, ADDON, "hyperpod-training-operator")
    assert one(made, ADDON, "cert-manager").urn in operator.dependencies
    assert one(made, RELEASE, "hyperpod").urn in operator.dependencies


def test_observability_writes_to_the_workspace_that_is_named() -> None:
    """By its address, which follows from its ARN."""
    given = json.loads(
        one(deployed("hyperpod-observability"), ADDON, "hyperpod-observability").inputs["configurationValues"]
    )
    assert given == {
        "ampWorkspace": {
            "arn": "arn:aws:aps:us-west-2:111122223333:workspace/ws-0123",
            "prometheusEndpoint": "https://aps-workspaces.us-west-2.amazonaws.com/workspaces/ws-0123",
        }
    }


@pytest.mark.parametrize(
    ("said", "path"),
    [
        ({"workspace": REQUIRED["hyperpod-observability"]["workspace"]}, "version"),
        ({"version": "v1.0.0-eksbuild.1"}, "workspace"),
        ({**REQUIRED["hyperpod-observability"], "workspace": "ws-0123"}, "workspace"),
    ],
)
def test_observability_is_told_its_version_and_workspace(said: dict[str, str], path: str) -> None:
    """No public source prints the one, and the other is the user's."""
    _, found = validate(EksCluster, a_document({"addons": {"hyperpod-observability": said}}))
    assert [each for each, _ in found] == [("addons", "hyperpod-observability", path)]


def test_of_another_stacks_observability_only_the_version_is_known() -> None:
    """As it is read from that stack's outputs."""
    (read,) = options_of({"hyperpod-observability": "v1.0.0-eksbuild.1"}).values()
    observability = CATALOGUE["hyperpod-observability"]
    assert values_of(observability, replace(a_context(), chosen={"hyperpod-observability": read})) == {}


def test_what_its_removal_takes_along_is_kept() -> None:
    """Jobs and queues."""
    kept = {name for name, addon in CATALOGUE.items() if name.startswith("hyperpod") and addon.loses}
    assert kept == {"hyperpod", "hyperpod-inference", "hyperpod-task-governance", "hyperpod-training-operator"}
    made = deployed("hyperpod", "hyperpod-task-governance")
    assert one(made, RELEASE, "hyperpod").options["retainOnDelete"] is True
    assert one(made, ADDON, "hyperpod-task-governance").options["retainOnDelete"] is True

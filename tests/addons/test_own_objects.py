"""How objects of our own are installed: in their order, after what they are for, and what is others' stays."""

from typing import Any

import pulumi
import pytest
import yaml

from muster.addon_sheets import ADDONS
from muster.addons.addon import tolerations_added
from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, Mirrors
from muster.addons.installation import Addons, ClusterHandle, install
from muster.addons.manifest_patches import changed
from muster.config.description.addon_queues import KueueQueue, VolcanoQueue
from muster.config.description.addons import KeptManifestOptions, KueueOptions, ManifestOptions, VolcanoOptions
from muster.config.description.base import OnDestroy
from muster.fleet.registration import Registration
from muster.fleet.resources.eks import AddonKind
from muster.offline.recording import record
from muster.policies.views.addons import of_own_objects
from tests.addons.catalogue.test_kueue_queues import SYSTEM, WORKERS
from tests.addons.contexts import a_context


def installed(name: str, context: AddonContext) -> list[Registration]:
    """What is registered of one add-on."""

    def program() -> None:
        install(CATALOGUE[name], ClusterHandle("kubeconfig", "arn", context), pulumi.ResourceOptions())

    return list(record(program, project="p", stack="s", region="us-west-2").registrations)


KUEUE = KueueOptions(queues={"vision": KueueQueue(namespace="vision"), "speech": KueueQueue()})
VOLCANO = VolcanoOptions(queues={"part": VolcanoQueue(parent="test"), "test": VolcanoQueue()})


@pytest.mark.parametrize(
    ("name", "context"),
    [("kueue", a_context(WORKERS, SYSTEM, kueue=KUEUE)), ("volcano", a_context(volcano=VOLCANO))],
)
def test_each_object_waits_for_the_one_before_it_and_for_the_release(name: str, context: AddonContext) -> None:
    """A queue's webhook asks for its parent; a LocalQueue stands in a namespace."""
    made = {each.name: each for each in installed(name, context) if each.custom}
    release = made.pop(name)
    assert release.type == "kubernetes:helm.sh/v3:Release"
    ours = [f"{name}-{each['kind'].lower()}-{each['metadata']['name']}" for each in CATALOGUE[name].objects(context)]
    assert set(made) == set(ours)
    assert len(ours) > 1
    for index, each in enumerate(ours):
        assert set(made[each].dependencies) == {release.urn, *(made[before].urn for before in ours[:index])}


@pytest.mark.parametrize("on_destroy", OnDestroy)
def test_a_namespace_is_never_deleted(on_destroy: OnDestroy) -> None:
    """There is more in it than what Muster put there. Queues go whenever the description makes them no more: one that
    stayed beside others would promise the cluster twice. Kueue itself stays."""
    context = a_context(WORKERS, kueue=KUEUE.model_copy(update={"on_destroy": on_destroy}))
    kept = {each.type: each.options.get("retainOnDelete") for each in installed("kueue", context)}
    assert kept["kubernetes:core/v1:Namespace"] is True
    for queue in ("ClusterQueue", "LocalQueue", "ResourceFlavor"):
        assert kept[f"kubernetes:kueue.x-k8s.io/v1beta2:{queue}"] is None
    assert kept["kubernetes:helm.sh/v3:Release"] == (True if on_destroy is OnDestroy.KEEP else None)


def test_queues_go_with_the_cluster_that_the_same_stack_destroys() -> None:
    """Nobody waits for jobs to leave them; of an add-on that is uninstalled first they go before it."""

    def gone(on_destroy: OnDestroy) -> dict[str, object]:
        def program() -> None:
            made = pulumi.ComponentResource("test:Cluster", "made")
            chosen = VOLCANO.model_copy(update={"on_destroy": on_destroy})
            context = a_context(volcano=chosen)
            install(
                CATALOGUE["volcano"], ClusterHandle("kubeconfig", "arn", context, made=made), pulumi.ResourceOptions()
            )

        every = record(program, project="p", stack="s", region="us-west-2").registrations
        return {each.name: each.options.get("deletedWith") for each in every if each.type.startswith("kubernetes:")}

    urn = "urn:pulumi:s::p::test:Cluster::made"
    assert gone(OnDestroy.KEEP) == {"volcano": None, "volcano-queue-part": urn, "volcano-queue-test": urn}
    assert set(gone(OnDestroy.DELETE).values()) == {None}


def test_etcd_is_read_back_as_the_addon_that_it_is() -> None:
    """By its Deployment: its version is its image's tag, wherever the image comes from."""
    context = AddonContext(
        "c", "r", "1.35", (), {"etcd": ManifestOptions()}, mirrors=Mirrors(images="example.org/copies")
    )
    registered = record(
        lambda: Addons.on(ClusterHandle("kubeconfig", "arn", context)), project="p", stack="s", region="us-west-2"
    ).registrations
    (read,) = filter(None, map(of_own_objects, registered))
    assert (read.ref.name, read.version, read.kind, read.values) == (
        "etcd",
        ADDONS["etcd"].version,
        AddonKind.MANIFEST,
        {},
    )
    assert not any(map(of_own_objects, installed("etcd", context))), "what somebody else registers is none of ours"


def test_a_manifest_is_told_the_systems_taints() -> None:
    """Its Deployments; other objects stay as they are."""
    more = [{"key": "system", "operator": "Exists"}]
    patches = tolerations_added({"tolerations": more})
    deployment: dict[str, Any] = {
        "kind": "Deployment",
        "metadata": {"name": "any"},
        "spec": {"template": {"spec": {"containers": []}}},
    }
    assert changed(deployment, patches)["spec"]["template"]["spec"] == {"containers": [], "tolerations": more}
    assert changed(deployment, tolerations_added({})) == deployment
    service = {**deployment, "kind": "Service"}
    assert changed(service, patches) == service


def test_the_training_operator_is_an_overlay_with_our_patches(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder that is called after it and its version, where the provider reads it; each stack has its own."""
    monkeypatch.chdir(tmp_path)
    context = a_context(WORKERS, SYSTEM, training_operator=KeptManifestOptions(version="v1.8.1"))
    (made,) = [each for each in installed("training-operator", context) if each.type.endswith(":Directory")]
    assert made.inputs["directory"] == ".muster/overlays/s/training-operator-v1.8.1"
    assert made.options.get("retainOnDelete") is True
    said = yaml.safe_load((tmp_path / made.inputs["directory"] / "kustomization.yaml").read_text(encoding="utf-8"))
    assert said["resources"] == ["https://github.com/kubeflow/trainer//manifests/overlays/standalone?ref=v1.8.1"]
    assert any("mxjob" in each["patch"] for each in said["patches"])
    assert not any("jaxjob" in each["patch"] for each in said["patches"])

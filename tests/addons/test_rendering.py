"""What is rendered is judged, what is not is not; and a fault is laid at the door of whoever can mend it.

The charts are small ones under the names of ours (`small_charts`).
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from muster.addons.addon import Chart, EksAddon, OwnObjects
from muster.addons.catalogue import CATALOGUE
from muster.addons.charts import Charts, placement
from muster.addons.charts.cluster_rendering import BY_EKS, NO_CHARTS, FaultOwner, Rendering, render
from muster.addons.context import AddonContext
from muster.blueprint.kubernetes import Blueprint
from muster.rehearsal.kubernetes.nodes import planned_nodes
from tests.addons.small_charts import MPI_OPERATOR, NVIDIA, a_chart, small_charts
from tests.addons.tiny import needs_helm
from tests.factories import DROP, a_blueprint

PLUGIN = "addons.nvidia-device-plugin"
OTHER = {"repository": "https://charts.example.org", "chart": "thing", "version": "1.0.0", "namespace": "things"}
DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}-it", annotations: {"helm.sh/hook": pre-install}}
spec: {template: {spec: {nodeSelector: {{ toJson .Values.nodeSelector }}, containers: [{image: a}]}}}
"""


def rendering_of(blueprint: Blueprint, charts: Path | None) -> Rendering:
    return render(
        AddonContext.of_blueprint(blueprint), planned_nodes(blueprint), Charts.at(str(charts)) if charts else None
    )


def rendered(charts: Path | None, edits: Mapping[str, Any] | None = None) -> Rendering:
    """The default cluster with some edits."""
    return rendering_of(a_blueprint({"addons.mpi-operator": {}, **(edits or {})}), charts)


def blames(rendering: Rendering) -> set[tuple[str, FaultOwner, str]]:
    return {(each.fault.check, each.owner, each.path) for each in rendering.faults}


@needs_helm
def test_our_values_land_right(tmp_path: Path) -> None:
    """Every plugin on the group it serves, the operator on the system's."""
    found = rendered(small_charts(tmp_path))
    assert found.faults == ()
    groups = {each.addon.name: {one.groups for one in each.placements} for each in found.addons}
    assert groups == {
        "nvidia-device-plugin": {("workers",)},
        "efa-device-plugin": {("workers",)},
        "mpi-operator": {("system",)},
    }
    assert all(each.is_checked and not each.is_open for each in found.addons)
    assert set(found.eks) == {"vpc-cni", "kube-proxy", "coredns", "eks-pod-identity-agent"}


def test_without_charts_nothing_is_checked_and_nothing_is_wrong() -> None:
    """And each says why."""
    found = rendered(None)
    assert found.faults == ()
    assert {(each.is_checked, each.is_open, each.why, each.placements) for each in found.addons} == {
        (False, True, NO_CHARTS, ())
    }


@needs_helm
def test_what_is_not_there_is_open_and_the_rest_is_checked(tmp_path: Path) -> None:
    """A folder with one chart of three."""
    a_chart(tmp_path, "nvidia-device-plugin", "0.20.0", NVIDIA)
    found = {each.addon.name: each for each in rendered(tmp_path).addons}
    assert {name: each.is_checked for name, each in found.items()} == {
        "nvidia-device-plugin": True,
        "efa-device-plugin": False,
        "mpi-operator": False,
    }
    assert found["efa-device-plugin"].why == f"there is no aws-efa-k8s-device-plugin-v0.5.30.tgz in '{tmp_path}'"


@needs_helm
@pytest.mark.parametrize(
    ("values", "check"),
    [
        ({"tolerations": []}, placement.SERVES),
        ({"nodeSelector": {"team": "vision"}}, placement.SERVES),
        ({"affinity": None, "tolerations": [{"operator": "Exists"}]}, placement.ELSEWHERE),
        ({"refuse": True, "nodeSelector": {}}, placement.RENDERS),
    ],
)
def test_what_the_users_values_bring_about_is_the_users(tmp_path: Path, values: dict[str, Any], check: str) -> None:
    """Without its affinity the plugin is on the system's nodes, too."""
    found = blames(rendered(small_charts(tmp_path), {f"{PLUGIN}.values": values}))
    assert found == {(check, FaultOwner.USERS, PLUGIN)}


@needs_helm
def test_what_is_wrong_with_our_values_alone_is_ours(tmp_path: Path) -> None:
    """A chart of the version that our values are for, which takes none of them."""
    deaf = NVIDIA.replace("{{ toJson .Values.tolerations }}", "[]")
    found = blames(rendered(small_charts(tmp_path, nvidia=deaf)))
    assert found == {(placement.SERVES, FaultOwner.OURS, PLUGIN)}


@needs_helm
def test_another_version_in_the_folder_is_the_folders_fault(tmp_path: Path) -> None:
    """It is rendered, and a note says what would be installed."""
    deaf = NVIDIA.replace("{{ toJson .Values.tolerations }}", "[]")
    a_chart(tmp_path, "nvidia-device-plugin", "0.19.0", deaf)
    found = rendered(tmp_path)
    assert blames(found) == {(placement.SERVES, FaultOwner.CHARTS, PLUGIN)}
    (plugin,) = [each for each in found.addons if each.rendered]
    assert plugin.rendered is not None
    assert "Muster checked version 0.19.0, which it found; it would install 0.20.0" in plugin.rendered.notes[0]


@needs_helm
def test_another_version_in_the_description_is_told_there(tmp_path: Path) -> None:
    """Our values are for the pinned one."""
    deaf = NVIDIA.replace("{{ toJson .Values.tolerations }}", "[]")
    a_chart(tmp_path, "nvidia-device-plugin", "0.19.0", deaf)
    found = blames(rendered(tmp_path, {f"{PLUGIN}.version": "0.19.0"}))
    assert found == {(placement.SERVES, FaultOwner.USERS, PLUGIN)}


@needs_helm
def test_a_chart_that_breaks_by_itself_is_the_folders_fault(tmp_path: Path) -> None:
    """And nothing of it is checked."""
    charts = small_charts(tmp_path, nvidia='{{ fail "broken" }}')
    found = rendered(charts)
    assert blames(found) == {(placement.RENDERS, FaultOwner.CHARTS, PLUGIN)}
    assert [each.addon.name for each in found.addons if each.is_checked] == ["efa-device-plugin", "mpi-operator"]
    assert not any(each.is_open for each in found.addons)


@needs_helm
def test_charts_of_the_users_own_are_rendered_by_their_releases_name(tmp_path: Path) -> None:
    """A hook that no group takes is told at its value."""
    charts = small_charts(tmp_path)
    a_chart(charts, "thing", "1.0.0", DEPLOYMENT, "nodeSelector: {}")
    found = rendered(charts, {"addons.charts": {"mine": {**OTHER, "values": {"nodeSelector": {"a": "b"}}}}})
    assert blames(found) == {(placement.PLACE, FaultOwner.USERS, "addons.charts.mine")}
    (landing,) = found.addons[-1].placements
    assert (landing.display_name, landing.hook) == ("Deployment things/mine-it", True)


@needs_helm
def test_a_second_plugin_in_a_chart_of_the_users_own(tmp_path: Path) -> None:
    """Known by its image; whatever its values are, the chart is theirs."""
    charts = small_charts(tmp_path)
    second = NVIDIA.replace("nvidia-device-plugin", "gpu-operator-plugin").replace(
        ".Values.image.repository", '"a/k8s-device-plugin"'
    )
    a_chart(
        charts,
        "thing",
        "1.0.0",
        second,
        "tolerations: [{operator: Exists}]\naffinity: {}\nnodeSelector: {muster/group: workers}",
    )
    found = rendered(charts, {"addons.charts": {"mine": OTHER}})
    assert blames(found) == {(placement.ALONE, FaultOwner.USERS, "addons.charts.mine")}


def with_source(monkeypatch: pytest.MonkeyPatch, name: str, source: Any) -> None:
    """An add-on of the catalogue with another source."""
    monkeypatch.setitem(CATALOGUE, name, replace(CATALOGUE[name], source=source))


@needs_helm
def test_images_that_the_users_values_take_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told at that value; where a chart has no value for its images, nobody's mends it."""
    mirrored = {"image": {"repository": "r.example.org/m/nvidia/k8s-device-plugin"}}
    source = CATALOGUE["nvidia-device-plugin"].source
    assert isinstance(source, Chart)
    charts = small_charts(tmp_path)
    theirs = {"image": {"repository": "nvcr.io/other"}}

    def faults(values: dict[str, Any]) -> set[tuple[FaultOwner, str]]:
        found = rendered(charts, {"image-mirror": "r.example.org/m", f"{PLUGIN}.values": values})
        assert {each.fault.check for each in found.faults} <= {placement.MIRROR}
        return {(each.owner, each.path) for each in found.faults if each.fault.addon == "nvidia-device-plugin"}

    with_source(monkeypatch, "nvidia-device-plugin", replace(source, mirrored=lambda _: mirrored))
    assert faults({}) == set()
    assert faults(theirs) == {(FaultOwner.USERS, PLUGIN)}
    with_source(monkeypatch, "nvidia-device-plugin", replace(source, mirrored=None))
    assert faults({}) == {(FaultOwner.CHARTS, PLUGIN)}


def test_a_manifests_image_is_the_mirrors_as_the_installation_sets_it(tmp_path: Path) -> None:
    """Its own is a moving tag of Docker Hub."""
    (tmp_path / "mpi-operator-v0.8.2.yaml").write_text(MPI_OPERATOR)
    for mirror, image in (
        (DROP, "mpioperator/mpi-operator:0.8.2"),
        ("r.io/m", "r.io/m/mpioperator/mpi-operator:0.8.2"),
    ):
        found = rendered(tmp_path, {"image-mirror": mirror, PLUGIN: DROP, "addons.efa-device-plugin": DROP})
        (operator,) = found.addons
        assert [image.removeprefix("docker.io/") for image in operator.images] == [image]


def test_what_eks_renders_nobody_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not checked, and not open either: no chart would change that."""
    with_source(monkeypatch, "mpi-operator", EksAddon("mpi"))
    for charts in (tmp_path, None):
        (operator,) = [each for each in rendered(charts).addons if each.addon.name == "mpi-operator"]
        assert (operator.why, operator.is_checked, operator.is_open) == (BY_EKS, False, False)


def test_objects_of_our_own_are_there_without_a_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are judged as a chart's are, and nobody but us can mend them."""
    pod = {"nodeSelector": {"muster/group": "nobody"}, "containers": [{"image": "etcd:1"}]}
    metadata = {"name": "it", "namespace": "here"}
    thing = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": {"template": {"spec": pod}}}
    own = replace(CATALOGUE["mpi-operator"], source=OwnObjects("etcd:{version}"), objects=lambda _: (thing,))
    monkeypatch.setitem(CATALOGUE, "mpi-operator", own)
    found = rendered(None)
    (operator,) = [each for each in found.addons if each.addon.name == "mpi-operator"]
    assert (operator.is_checked, operator.images) == (True, ("etcd:1",))
    assert blames(found) == {(placement.PLACE, FaultOwner.OURS, "addons.mpi-operator")}

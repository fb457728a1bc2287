"""Add-ons with defaults, so that a case shows only what matters."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Addon, Fleet, Place, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from tests.factories import DROP, a_control_plane, a_fleet, a_group, elsewhere

PLUGINS: Mapping[str, Any] = {"nvidia-device-plugin": {}, "efa-device-plugin": {}}

ON_DEMAND: Mapping[str, Any] = {"groups.workers.capacity": DROP}


def an_addon(
    chart: Any, version: Any = "1.0.0", values: Any = None, *, name: str = "", kind: AddonKind = AddonKind.CHART
) -> Addon:
    """An add-on by itself, as another program's."""
    release = name or str(chart)
    return Addon(Ref("kubernetes:helm.sh/v3:Release", release), version, Place(urn(release)), kind, chart, values or {})


def urn(release: str) -> str:
    """Where an add-on of another program is."""
    return f"urn:pulumi:dev::theirs::kubernetes:helm.sh/v3:Release::{release}"


NVIDIA, EFA, OPERATOR = "nvidia-device-plugin", "aws-efa-k8s-device-plugin", "gpu-operator"
ALONE = {"driver": {"enabled": False}, "toolkit": {"enabled": False}}
"""Values of the GPU operator for EKS's images."""
HYPERPOD = "hyperpod-helm-chart"
LEAN: Mapping[str, Any] = {
    "nvidia-device-plugin": {"devicePlugin": {"enabled": False}},
    "aws-efa-k8s-device-plugin": {"devicePlugin": {"enabled": False}},
    "neuron-device-plugin": {"devicePlugin": {"enabled": False}},
    "mpi-operator": {"enabled": False},
    "trainingOperators": {"enabled": False},
}
"""Values of HyperPod's chart that leave to others what others install."""


def where(label: str, *values: str) -> dict[str, Any]:
    """An affinity to nodes by one label."""
    expression = {"key": label, "operator": "In", "values": list(values)}
    required = {"nodeSelectorTerms": [{"matchExpressions": [expression]}]}
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}


def loose(*addons: Any, **more: Any) -> Fleet:
    """Add-ons of another program beside its nodes: p5.48xlarge, tainted or not."""
    taints = more.pop("taints", frozenset())
    return a_fleet(a_group(taints=taints), *addons, **more)


def by_manifest(name: str, version: str, release: str = "") -> Addon:
    """An add-on of another program by its project's manifest."""
    return an_addon(name, version, kind=AddonKind.MANIFEST, name=release)


def on_version(kubernetes: Any, *addons: Any, **more: Any) -> Fleet:
    """Add-ons of a cluster that another program made, of some version."""
    return a_fleet(elsewhere(a_control_plane(kubernetes), "training"), *addons, **more)


def a_manifest(name: str, version: str) -> Addon:
    """An add-on of the catalogue that is a manifest."""
    return Addon(Ref(KUBERNETES_ADDON, name), version, Place(f"addons.{name}"), AddonKind.MANIFEST, name)


def of_hyperpod(**more: Any) -> Addon:
    return an_addon(HYPERPOD, "0.1.0", {**LEAN, **more})

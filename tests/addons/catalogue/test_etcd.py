"""The etcd that TorchX's jobs meet by."""

from typing import Any

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes, Mirrors
from muster.addons.simulated_workloads import simulated_workloads
from muster.addons.values import values_of
from muster.config.description.addons import ManifestOptions
from muster.fleet.resources import Taint
from muster.versions import ADDONS
from tests.addons.contexts import a_context
from tests.addons.placements import placement

ETCD = CATALOGUE["etcd"]
SYSTEM = GroupNodes(
    "system", "c5.2xlarge", frozenset(), frozenset({Taint("system", "only", "NoExecute")}), purpose="system"
)


def made(context: AddonContext | None = None) -> dict[tuple[str, str], dict[str, Any]]:
    objects = ETCD.objects(context or a_context(SYSTEM, etcd=ManifestOptions()))
    return {(each["kind"], each["metadata"]["name"]): each for each in objects}


def pod(context: AddonContext | None = None) -> dict[str, Any]:
    found: dict[str, Any] = made(context)["Deployment", "etcd-server"]["spec"]["template"]["spec"]
    return found


def test_jobs_find_it_where_torchx_looks() -> None:
    """The names, ports and selectors of TorchX's own `resources/etcd.yaml`, which jobs in `default` look up."""
    objects = made()
    assert set(objects) == {("Service", "etcd-server"), ("Service", "etcd-client"), ("Deployment", "etcd-server")}
    assert {each["metadata"]["namespace"] for each in objects.values()} == {"default"}
    ports = {
        name: [each["port"] for each in thing["spec"]["ports"]]
        for (kind, name), thing in objects.items()
        if kind == "Service"
    }
    assert ports == {"etcd-server": [2379, 2380], "etcd-client": [2379]}
    labels = objects["Deployment", "etcd-server"]["spec"]["template"]["metadata"]["labels"]
    for name in ports:
        assert objects["Service", name]["spec"]["selector"].items() <= labels.items()


def test_it_serves_the_v2_api() -> None:
    """python-etcd speaks no other, and etcd 3.6 has it no more."""
    (container,) = pod()["containers"]
    assert "--enable-v2" in container["command"]
    assert container["image"] == f"quay.io/coreos/etcd:{ADDONS['etcd'].version}"
    assert ADDONS["etcd"].version.startswith("v3.5.")
    (flag,) = [each for each in container["command"] if each.startswith("--initial-cluster=")]
    assert flag == "--initial-cluster=etcd-server=http://etcd-server:2380"


def test_it_is_placed_as_its_stand_in_says() -> None:
    """By the description's version, from the mirror, on tainted system nodes."""
    context = a_context(SYSTEM, etcd=ManifestOptions(version="v3.5.20"))
    (deployment,) = [each for each in ETCD.objects(context) if each["kind"] == "Deployment"]
    assert placement([deployment]) == placement(simulated_workloads(ETCD, values_of(ETCD, context)))
    assert pod(context)["tolerations"] == [
        {"key": "system", "operator": "Equal", "value": "only", "effect": "NoExecute"}
    ]
    mirrored = AddonContext(
        "c", "r", "1.35", (), {"etcd": ManifestOptions()}, mirrors=Mirrors(images="example.org/copies")
    )
    (container,) = pod(mirrored)["containers"]
    assert container["image"] == f"example.org/copies/coreos/etcd:{ADDONS['etcd'].version}"
    assert "tolerations" not in pod(mirrored)

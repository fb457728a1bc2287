"""The placement we say a chart gives is the one its templates give. For whoever has the charts:

    MUSTER_CHARTS=folder pytest tests/addons/test_real_charts.py

with the folder as `--charts` takes it. No chart is kept in this repository, so elsewhere this is skipped.
"""

import os
from typing import Any

import pytest

from addons.catalogue import CATALOGUE
from addons.charts import Charts, NoChart
from addons.stand_in import stand_in
from addons.values import merged, values_of
from muster.fleet.description.cluster import AddonOptions
from muster.versions import ADDONS
from tests.addons.test_workloads import NODES
from tests.addons.tiny import needs_helm

WHERE = os.environ.get("MUSTER_CHARTS", "")
if not WHERE:
    pytest.skip("MUSTER_CHARTS names no folder with the real charts", allow_module_level=True)
pytestmark = needs_helm

NODE = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": []}]}}
SAID_OF_A_POD: list[dict[str, Any]] = [
    {},
    {"tolerations": []},
    {"tolerations": None},
    {"tolerations": [{"operator": "Exists"}, {"key": "a", "operator": "Equal", "value": "b", "effect": "NoExecute"}]},
    {"nodeSelector": {"team": "vision", "mpi": "yes"}},
    {"nodeSelector": None},
    {"affinity": None},
    {"affinity": {}},
    {"affinity": {"nodeAffinity": None}},
    {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": None}}},
    {"affinity": {"nodeAffinity": NODE}},
    {"affinity": {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": []}}},
    {"priorityClassName": "mine"},
    {"priorityClassName": None},
    {"resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"memory": "2Gi"}}},
    {"resources": {"requests": {"memory": None}}},
    {"resources": None},
    {"fullnameOverride": "mine"},
    {"fullnameOverride": None},
    {"fullnameOverride": "mine" * 15 + "min-e"},
    {"nameOverride": "mine"},
    {"nameOverride": "mine", "fullnameOverride": ""},
    {"nameOverride": "device-plugin", "fullnameOverride": None},
    {"namespaceOverride": "mine"},
    {"namespaceOverride": None},
]
OWN: dict[str, list[dict[str, Any]]] = {
    "nvidia-device-plugin": [*SAID_OF_A_POD, {"devicePlugin": {"enabled": False}}, {"gfd": {"enabled": True}}],
    "efa-device-plugin": [
        *(each for each in SAID_OF_A_POD if "namespaceOverride" not in each),
        {"supportedInstanceLabels": {"keys": ["a", "b"]}},
        {"supportedInstanceLabels": {"values": ["ml.p5.48xlarge"]}},
        {"supportedInstanceLabels": {"values": []}},
        {"supportedInstanceLabels": {"values": None}},
    ],
    "neuron-device-plugin": [
        *({"devicePlugin": each} for each in SAID_OF_A_POD),
        {"devicePlugin": {"enabled": False}},
        {"neuronInstances": ["a", "b"]},
    ],
    "mpi-operator": [{}],
}
CASES = [(name, own) for name, cases in OWN.items() for own in cases]


def placement(objects: tuple[dict[str, Any], ...]) -> dict[tuple[str, str, str], Any]:
    """What of each workload decides where its pods run, and what they take."""
    return {
        (each["kind"], each["metadata"]["namespace"], each["metadata"]["name"]): _pod(each["spec"])
        for each in objects
        if each["kind"] in {"DaemonSet", "Deployment"}
    }


def _pod(spec: dict[str, Any]) -> dict[str, Any]:
    pod = spec["template"]["spec"]
    said = {key: pod.get(key) for key in ("nodeSelector", "affinity", "tolerations", "priorityClassName")}
    asked = [each["resources"] for each in pod["containers"] if each.get("resources")]
    # Nulls are nothing to the API server.
    return merged({}, _without_nulls({**said, "resources": asked, "replicas": spec.get("replicas")}))


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("name", "own"), CASES, ids=[f"{name} {own}" for name, own in CASES])
@pytest.mark.parametrize("derived", [True, False], ids=["over ours", "over the chart's"])
def test_stand_ins_are_placed_as_the_chart_places_its_pods(name: str, own: dict[str, Any], derived: bool) -> None:
    """Over our values, and over the chart's own alone."""
    addon = CATALOGUE[name]
    values = values_of(addon, AddonOptions(values=own), NODES) if derived else own
    if name == "efa-device-plugin" and "values" not in values.get("supportedInstanceLabels", {}):
        pytest.skip("its own list of types is not repeated in ours")
    try:
        real = placement(Charts.at(WHERE).rendered(addon, ADDONS[name], values, "1.35").objects)
    except NoChart as missing:
        pytest.skip(str(missing))
    ours = placement(stand_in(addon, values))
    assert ours == {each: real[each] for each in ours}
    others = {each for each in real if each not in ours}
    assert not others or "gfd" in own

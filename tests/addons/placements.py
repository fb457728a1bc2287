"""What the charts' templates give: where their pods are placed, and what they ask for, kept beside this file.

    python -m tests.addons.placements CHARTS [ADD-ON...]

renders them again with Helm, all (minutes) or those named, where CHARTS is a folder as `--charts` takes it, and writes
`placements.json`. No chart is
kept in this repository, only what came out: what stand-ins are compared with, everywhere and always.
"""

import json
import sys
from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from muster.addon_sheets import ADDONS
from muster.addons.addon import Addon, Chart, Patched
from muster.addons.catalogue import CATALOGUE
from muster.addons.charts import Charts
from muster.plain_data import merged
from tests.addons.contexts import values_over
from tests.addons.operators import OPERATORS

Json = dict[str, Any]

FILE = Path(__file__).with_name("placements.json")
KUBERNETES = "1.35"

NODE = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": []}]}}
SAID_OF_A_POD: list[Json] = [
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
_BUNDLED = ("nvidia-device-plugin", "aws-efa-k8s-device-plugin", "neuron-device-plugin")
_ON: Json = {"devicePlugin": {"enabled": True}}


_SELECTING = {"nodeSelector", "affinity"}


def _is_of_a_driver(said: Json) -> bool:
    """Names and priorities are not values there."""
    return said.keys() <= {"tolerations", "nodeSelector", "affinity", "resources"}


def _is_of_a_pod(said: Json) -> bool:
    """Names are not values there."""
    return said.keys() <= {"tolerations", "nodeSelector", "affinity", "priorityClassName"}


def _switched(chart: str, *path: str, on: bool = False) -> Json:
    switch: Json = {"enabled": on}
    for key in path:
        switch = {key: switch}
    return {chart: switch}


OWN: dict[str, list[Json]] = {
    "nvidia-device-plugin": [*SAID_OF_A_POD, {"devicePlugin": {"enabled": False}}, {"gfd": {"enabled": True}}],
    "efa-device-plugin": [
        *(each for each in SAID_OF_A_POD if "namespaceOverride" not in each),
        {"supportedInstanceLabels": {"keys": ["a", "b"]}},
        {"supportedInstanceLabels": {"values": ["ml.p5.48xlarge"]}},
        {"supportedInstanceLabels": {"values": []}},
        {"supportedInstanceLabels": {"values": None}},
    ],
    "nvidia-dra-driver": [
        {"gpuResourcesEnabledOverride": True, **each}
        for each in (
            *({"kubeletPlugin": each} for each in SAID_OF_A_POD if _is_of_a_pod(each)),
            {"resources": {"computeDomains": {"enabled": True}}},
            {"resources": {"computeDomains": {"enabled": True}, "gpus": {"enabled": False}}},
            {"resources": {"gpus": {"enabled": False}}},
            *(
                {"resources": {"computeDomains": {"enabled": True}}, "controller": each}
                for each in SAID_OF_A_POD
                if _is_of_a_pod(each)
            ),
            {"kubeletPlugin": {"containers": {"gpus": {"resources": {"requests": {"cpu": "1"}}}}}},
            {
                "resources": {"computeDomains": {"enabled": True}},
                "kubeletPlugin": {"containers": {"computeDomains": {"resources": {"requests": {"memory": "1Gi"}}}}},
                "controller": {"replicas": 2, "containers": {"computeDomain": {"resources": {"limits": {"cpu": "1"}}}}},
            },
            {"webhook": {"enabled": True, "replicas": 2, "tls": {"mode": "secret", "secret": {"name": "tls"}}}},
            *(
                each
                for each in SAID_OF_A_POD
                if each.keys() & {"nameOverride", "namespaceOverride", "fullnameOverride"}
            ),
        )
    ],
    "efa-dra-driver": [
        *(each for each in SAID_OF_A_POD if "namespaceOverride" not in each),
        {"supportedInstanceLabels": {"keys": ["a", "b"]}},
        {"supportedInstanceLabels": {"values": ["p5.48xlarge"]}},
        {"supportedInstanceLabels": {"values": []}},
        {"supportedInstanceLabels": {"values": None}},
    ],
    "neuron-device-plugin": [
        *({"devicePlugin": each} for each in SAID_OF_A_POD),
        {"devicePlugin": {"enabled": False}},
        {"neuronInstances": ["a", "b"]},
    ],
    **OPERATORS,
    "hyperpod": [
        {},
        {"global": {"region": "us-east-2"}},
        *(_switched(path) for path in ("health-monitoring-agent", "mpi-operator", "trainingOperators")),
        *(_switched(path, "devicePlugin") for path in _BUNDLED),
        {"health-monitoring-agent": {"namespace": "mine"}},
        {"nvidia-device-plugin": {**_ON, "tolerations": [], "nodeSelector": {"team": "vision"}}},
        {"nvidia-device-plugin": {**_ON, "affinity": None, "namespaceOverride": None}},
        {"aws-efa-k8s-device-plugin": {**_ON, "supportedInstanceLabels": {"values": ["p5.48xlarge"]}}},
        {"mpi-operator": {"enabled": True, "mpiOperator": {"tolerations": [], "replicas": 2}}},
    ],
    "dcgm-exporter": [*SAID_OF_A_POD, {"serviceMonitor": {"enabled": True}}],
    "eks-node-monitoring-agent": [
        {},
        *({part: each} for part in ("nodeAgent", "dcgmAgent") for each in SAID_OF_A_POD if _is_of_a_driver(each)),
    ],
    "openzfs-csi-driver": [
        {},
        *({part: each} for part in ("controller", "node") for each in SAID_OF_A_POD if each.keys() <= _SELECTING),
    ],
}
"""Add-on -> what a user may say in its values."""

KEPT_BY_EKS: dict[str, Chart] = {"eks-node-monitoring-agent": Chart("", "eks-node-monitoring-agent", lambda _: {})}
"""EKS add-ons whose own projects keep the chart: of the version that EKS builds."""

WITHOUT_CHART = frozenset(
    {
        # Made of our own objects.
        "etcd",
        # EKS has the charts of these, and publishes none.
        "hyperpod-task-governance",
        "hyperpod-training-operator",
        "hyperpod-observability",
        "hyperpod-inference",
        "efs-csi-driver",
        "fsx-csi-driver",
        "s3-csi-driver",
        "metrics-server",
        "cert-manager",
        # The chart makes custom resources, and its controller the DaemonSets.
        "cloudwatch-observability",
    }
)
"""Add-ons with which there is nothing to compare."""


def cases() -> Iterator[tuple[str, Json]]:
    """Add-on and values, each once: over our values, and over the chart's own alone."""
    for name, cases in OWN.items():
        made = isinstance(CATALOGUE[name].source, Patched)
        over = [(values_over(name, own), own) for own in cases]
        given = [values for both in over for values in both[: 1 if made else 2]]
        # Its own list of types is not repeated in ours, so without one there is nothing to compare.
        whole = [each for each in given if name not in _OWN_TYPES or _names_types(each)]
        yield from ((name, json.loads(key)) for key in dict.fromkeys(map(key_of, whole)))


_OWN_TYPES = {"efa-device-plugin", "efa-dra-driver"}


def _names_types(values: Json) -> bool:
    return "values" in values.get("supportedInstanceLabels", {})


def key_of(values: Json) -> str:
    """Values in one form."""
    return json.dumps(values, sort_keys=True)


def placement(objects: Iterable[Json]) -> dict[str, Json]:
    """What of each workload, and of each hook, decides where its pods run, and what they take."""
    return {
        f"{each['kind']} {each['metadata']['namespace']}/{each['metadata']['name']}": _pod(each["spec"])
        for each in objects
        if each["kind"] in {"DaemonSet", "Deployment", "Job"}
    }


def _pod(spec: Json) -> Json:
    pod = spec["template"]["spec"]
    said = {key: pod.get(key) for key in ("nodeSelector", "tolerations", "priorityClassName")}
    asked = [each["resources"] for each in pod["containers"] if each.get("resources")]
    # Nulls are nothing to the API server, and so is an affinity without a word.
    affinity = _without_nulls(pod.get("affinity")) or None
    return merged(
        {}, _without_nulls({**said, "affinity": affinity, "resources": asked, "replicas": spec.get("replicas")})
    )


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def as_chart(name: str) -> Addon:
    """An add-on, in the form of which a chart or manifest is to be had."""
    addon = CATALOGUE[name]
    return replace(addon, source=KEPT_BY_EKS[name]) if name in KEPT_BY_EKS else addon


def pinned(name: str) -> str:
    """The version of that form: EKS's name for its build of a version is none of the project's."""
    return ADDONS[name].version.partition("-eksbuild")[0]


def rendered(charts: Charts, names: Container[str] = frozenset(OWN)) -> dict[str, Json]:
    """Add-on -> the chart's version, and its cases: values and what they give; of these add-ons."""
    made: dict[str, Json] = {}
    for name, values in cases():
        if name not in names:
            continue
        addon, version = as_chart(name), pinned(name)
        found = charts.rendered(addon, version, values, KUBERNETES)
        of_addon = made.setdefault(name, {"version": found.version or version, "cases": []})
        of_addon["cases"].append({"values": values, "gives": placement(found.objects)})
    return made


def kept() -> dict[str, Json]:
    """What was rendered last."""
    found: dict[str, Json] = json.loads(FILE.read_text(encoding="utf-8"))["addons"]
    return found


def _written(addons: dict[str, Json]) -> str:
    """A line for each case, so that a difference is read as one."""
    parts = []
    for name, each in addons.items():
        lines = ",\n".join(f"        {json.dumps(case, sort_keys=True)}" for case in each["cases"])
        version = json.dumps(each["version"])
        parts.append(
            f'    {json.dumps(name)}: {{\n      "version": {version},\n      "cases": [\n{lines}\n      ]\n    }}'
        )
    generator = "python -m tests.addons.placements CHARTS (Helm renders the charts)"
    listed = ",\n".join(parts)
    return f'{{\n  "generator": {json.dumps(generator)},\n  "addons": {{\n{listed}\n  }}\n}}\n'


if __name__ == "__main__":
    WANTED = frozenset(sys.argv[2:] or OWN)
    AGAIN = rendered(Charts.at(sys.argv[1]), WANTED)
    KEPT = kept() if frozenset(OWN) != WANTED else {}
    FILE.write_text(_written({name: AGAIN.get(name) or KEPT[name] for name in OWN}), encoding="utf-8")

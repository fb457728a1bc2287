"""Writes `addons/catalogue/chart_values.json`: the keys of each chart's values, from the charts' sources.

    python -m tools.chart_values CLONES [--check]

CLONES is a folder with a clone of each repository in `CHARTS`, under the repository's name without its owner.

A key is known if the `values.yaml` of the chart has it or a template reads it (`.Values.image.tag`). A map of known
keys is closed. It is free (null in the table) if its default is empty or not a map, or if a template uses it as a whole
(`toYaml .Values.resources`): then it can have any keys. A chart inside a chart is closed if the repository, `CHARTS` or
`DEPENDENCIES` contains it. Otherwise it is free.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from muster import child_process

TABLE = Path(__file__).resolve().parent.parent / "addons" / "catalogue" / "chart_values.json"


class Source(NamedTuple):
    """Where a chart's source is."""

    repository: str
    revision: str
    folder: str
    version: str | None = None
    """The version that Muster pins, if the chart's own version does not identify its source."""


CHARTS = {
    "nvidia-device-plugin": Source("NVIDIA/k8s-device-plugin", "v0.20.0", "deployments/helm/nvidia-device-plugin"),
    "aws-efa-k8s-device-plugin": Source("aws/eks-charts", "5239609", "stable/aws-efa-k8s-device-plugin"),
    "dra-driver-nvidia-gpu": Source(
        "kubernetes-sigs/dra-driver-nvidia-gpu", "v0.4.1", "deployments/helm/dra-driver-nvidia-gpu"
    ),
    "aws-dranet": Source("aws/eks-charts", "5239609", "stable/aws-dranet"),
    "jobset": Source("kubernetes-sigs/jobset", "v0.12.0", "charts/jobset"),
    "kubeflow-trainer": Source("kubeflow/trainer", "v2.3.0", "charts/kubeflow-trainer"),
    "volcano": Source("volcano-sh/volcano", "v1.15.0", "installer/helm/chart/volcano"),
    "kuberay-operator": Source("ray-project/kuberay", "v1.7.0", "helm-chart/kuberay-operator"),
    "karpenter": Source("aws/karpenter-provider-aws", "v1.14.1", "charts/karpenter"),
    "kueue": Source("kubernetes-sigs/kueue", "v0.19.2", "charts/kueue"),
    "aws-fsx-csi-driver": Source(
        "kubernetes-sigs/aws-fsx-csi-driver", "helm-chart-aws-fsx-csi-driver-1.17.0", "charts/aws-fsx-csi-driver"
    ),
    "dcgm-exporter": Source("NVIDIA/dcgm-exporter", "4.5.3-4.8.2", "deployment"),
    "hyperpod-helm-chart": Source(
        "aws/sagemaker-hyperpod-cli", "011ca927123e", "helm_chart/HyperPodHelmChart", "0.1.0+011ca927123e"
    ),
}
"""Chart -> its source, at the pinned version or the nearest one that is public."""

_REFERENCE = re.compile(r"\.Values((?:\.[A-Za-z_]\w*)+)")
_INDEXED = re.compile(r'index \$?\.Values((?: "[^"]+")+)')
_HAS_KEY = re.compile(r'hasKey \$?\.Values((?:\.[A-Za-z_]\w*)*) "([^"]+)"')
_IN_PARENTHESES = re.compile(r"\((\$?\.Values[\w.]*)\)(?=\.)")
_ACTION = re.compile(r"\{\{-?(.*?)-?\}\}", re.DOTALL)
_CONDITION = re.compile(r"\s*(else )?if\b")

DEPENDENCIES = {
    ("node-feature-discovery", "0.19.0"): Source(
        "kubernetes-sigs/node-feature-discovery", "v0.19.0", "deployment/helm/node-feature-discovery"
    ),
    ("nvidia-device-plugin", "0.16.1"): Source(
        "NVIDIA/k8s-device-plugin", "v0.16.1", "deployments/helm/nvidia-device-plugin"
    ),
    ("aws-efa-k8s-device-plugin", "0.5.20"): Source("aws/eks-charts", "de5fdc1", "stable/aws-efa-k8s-device-plugin"),
    ("jobset", "0.12.0"): CHARTS["jobset"],
}
"""Name and version of a chart that Helm downloads for another one -> its source."""

_VERSION = re.compile(r"v?\d+\.")
_OF_KUBERNETES = re.compile(r".*(affinity|resources|nodeSelector|[sS]ecurityContext|[aA]nnotations|[lL]abels)$")
"""Keys whose values have a type of Kubernetes, or belong to the user: free, whatever the default of the chart is."""

Keys = dict[str, Any]


@dataclass(frozen=True)
class Chart:
    """A chart's files at a revision."""

    clones: Path
    repository: str
    revision: str
    folder: str

    @classmethod
    def of(cls, source: Source, clones: Path) -> "Chart":
        """The chart of a source, in one of the clones."""
        return cls(clones, source.repository.split("/")[1], source.revision, source.folder)

    def read(self, name: str) -> str:
        """The text of a file. Empty if the file does not exist."""
        shown = self._git("show", f"{self.revision}:{self.folder}/{name}")
        return shown.stdout if shown.returncode == 0 else ""

    def templates(self) -> Iterator[str]:
        """The texts of all templates."""
        for each in self._listed(self.folder, "-r"):
            if each.startswith("templates/"):
                yield self.read(each)

    def charts_inside(self) -> "dict[str, Chart]":
        """The charts in its folder `charts`, by their names."""
        found = {}
        for each in self._listed(f"{self.folder}/charts", "-d"):
            chart = replace(self, folder=f"{self.folder}/charts/{each}")
            found[yaml.safe_load(chart.read("Chart.yaml"))["name"]] = chart
        return found

    def _listed(self, folder: str, *options: str) -> list[str]:
        return self._git("ls-tree", *options, "--name-only", f"{self.revision}:{folder}").stdout.splitlines()

    def _git(self, *arguments: str) -> child_process.Completed[str]:
        return child_process.run(["git", "-C", (self.clones / self.repository).absolute(), *arguments])


def of_chart(chart: Chart) -> Keys:
    """The keys of a chart's values: a map for a closed one, None for a free one."""
    return {**_own_keys(chart), "global": None}


def _own_keys(chart: Chart) -> Keys:
    defaults = yaml.safe_load(chart.read("values.yaml")) or {}
    closed = _of_defaults(defaults) or {}
    free: set[tuple[str, ...]] = set()
    for path, whole in (each for text in chart.templates() for each in references(text)):
        _add(closed, path)
        if whole:
            free.add(path)
    for path in sorted(free):
        _make_free(closed, path)
    inside = chart.charts_inside()
    for each in yaml.safe_load(chart.read("Chart.yaml")).get("dependencies") or ():
        name = each.get("alias") or each["name"]
        elsewhere = DEPENDENCIES.get((each["name"], str(each.get("version"))))
        own = inside.get(each["name"]) or (Chart.of(elsewhere, chart.clones) if elsewhere else None)
        closed[name] = _joined(closed.get(name, {}), of_chart(own) if own else None)
        for condition in filter(None, each.get("condition", "").split(",")):
            _add(closed, tuple(condition.strip().split(".")))
    return closed


def _joined(one: Keys | None, other: Keys | None) -> Keys | None:
    """The keys of both: the values of a chart can set values of a chart inside it. Free if one of them is free."""
    if one is None or other is None:
        return None
    return {**one, **{key: _joined(one[key], below) if key in one else below for key, below in other.items()}}


def tags_of(chart: Chart) -> dict[str, str]:
    """Path of an image tag in the values that templates read -> its default. If the default is empty or a branch: the
    `appVersion` of the chart."""
    described = yaml.safe_load(chart.read("Chart.yaml"))
    app = described.get("appVersion") or described["version"]
    defaults = yaml.safe_load(chart.read("values.yaml")) or {}
    read = {path for text in chart.templates() for path, _ in references(text)}
    found = {(*above, "tag"): str(image["tag"]) for above, image in _maps(defaults, ()) if "tag" in image}
    return {
        ".".join(path): tag if _VERSION.match(tag) else str(app)
        for path, tag in found.items()
        if path in read or path[:-1] in read
    }


def _maps(value: Any, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    if isinstance(value, dict):
        yield above, value
        for key, below in value.items():
            yield from _maps(below, (*above, str(key)))


def references(text: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The paths of values that a template reads, and whether it uses the value as a whole."""
    for action in _ACTION.findall(text):
        read = _IN_PARENTHESES.sub(r"\1", action)
        whole = not _CONDITION.match(read)
        yield from ((tuple(each[1].split(".")[1:]), whole) for each in _REFERENCE.finditer(read))
        yield from ((tuple(re.findall(r'"([^"]+)"', each[1])), whole) for each in _INDEXED.finditer(read))
        yield from (((*each[1].split(".")[1:], each[2]), False) for each in _HAS_KEY.finditer(read))


def _of_defaults(value: Any) -> Keys | None:
    if not isinstance(value, dict) or not value:
        return None
    return {str(key): None if _is_free(key, each) else _of_defaults(each) for key, each in value.items()}


def _is_free(key: object, default: object) -> bool:
    """Whether a key has a type of Kubernetes. `resources` of NVIDIA's DRA driver has keys of its own."""
    own = key == "resources" and isinstance(default, dict) and bool(default.keys() - {"limits", "requests", "claims"})
    return bool(_OF_KUBERNETES.match(str(key))) and not own


def _add(keys: Keys, path: tuple[str, ...]) -> None:
    """Adds a path that a template reads, unless it is below a free map of the defaults."""
    *above, last = path
    for key in above:
        if key in keys and keys[key] is None:
            return
        keys = keys.setdefault(key, {})
    keys.setdefault(last, None)


def _make_free(keys: Keys, path: tuple[str, ...]) -> None:
    *above, last = path
    for key in above:
        if (below := keys.get(key)) is None:
            return
        keys = below
    keys[last] = None


def table(clones: Path) -> dict[str, Any]:
    """The whole table: chart -> version, source, tags of its images, keys."""
    found = {}
    for name, source in sorted(CHARTS.items()):
        chart = Chart.of(source, clones)
        version = source.version or str(yaml.safe_load(chart.read("Chart.yaml"))["version"])
        where = f"{source.repository} {source.revision} {source.folder}"
        found[name] = {"version": version, "source": where, "tags": tags_of(chart), "keys": of_chart(chart)}
    return found


def written(found: dict[str, Any]) -> str:
    """The table's text: one line for each top-level key."""
    charts = []
    for name, entry in found.items():
        keys = ",\n".join(f"   {json.dumps(key)}: {_compact(below)}" for key, below in sorted(entry["keys"].items()))
        head = ",\n".join(f'  "{each}": {json.dumps(entry[each])}' for each in ("version", "source", "tags"))
        charts.append(f' {json.dumps(name)}: {{\n{head},\n  "keys": {{\n{keys}\n  }}\n }}')
    return "{\n" + ",\n".join(charts) + "\n}\n"


def _compact(below: Keys | None) -> str:
    return json.dumps(below, sort_keys=True, separators=(",", ":"))


def main() -> None:
    """Writes the table, or compares it with the charts."""
    parser = argparse.ArgumentParser(description="Writes the keys of the values of charts.")
    parser.add_argument("clones", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = written(table(arguments.clones))
    if not arguments.check:
        TABLE.write_text(text)
    elif TABLE.read_text() != text:
        sys.exit(f"{TABLE.name} is outdated: run python -m tools.chart_values CLONES")


if __name__ == "__main__":
    main()

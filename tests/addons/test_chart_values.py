"""The keys of charts' values: of the pinned versions, and how they are read in a chart's source."""

import subprocess
from pathlib import Path

import pytest

from muster.addons.addon import Chart
from muster.addons.catalogue import CATALOGUE
from muster.addons.chart_values import chart_keys
from muster.versions import ADDONS, FSX_CSI_CHART
from tools.chart_values import CHARTS, of_chart, tags_of
from tools.chart_values import Chart as Source

PINNED = {
    addon.source.name: ADDONS[addon.name].version for addon in CATALOGUE.values() if isinstance(addon.source, Chart)
} | {"aws-fsx-csi-driver": FSX_CSI_CHART.version}
"""Chart -> its pinned version."""

WITHOUT = {"neuron-helm-chart": "its source at 1.9.0 is in no tag"}
"""Chart -> why its keys are not known."""


def test_every_pinned_chart_has_its_keys() -> None:
    assert CHARTS.keys() | WITHOUT.keys() == PINNED.keys()


@pytest.mark.parametrize("chart", sorted(CHARTS))
def test_they_are_of_the_pinned_version(chart: str) -> None:
    """After a change of `muster.versions`: change `CHARTS`, and run `python -m tools.chart_values CLONES`."""
    keys = chart_keys(chart)
    assert keys is not None
    assert keys.is_of(PINNED[chart])


FILES = {
    "Chart.yaml": "name: tiny\nversion: 1.0.0\nappVersion: 2.0.0\ndependencies:\n- {name: below, alias: under}\n"
    "- {name: far, condition: far.enabled}\n",
    "values.yaml": "image: {repository: a, tag: ''}\nmonitor: {enabled: true}\nextra: {}\nrules: {first: 1}\n"
    "affinity: {nodeAffinity: {a: 1}}\nswitch: {first: 1}\n",
    "templates/all.yaml": "{{ .Values.image.repository }}:{{ $.Values.image.tag }}\n{{- toYaml .Values.rules }}\n"
    '{{ if .Values.switch }}{{ .Values.switch.off }}{{ end }}{{ index .Values "dashed-key" "below" }}\n',
    "charts/below/Chart.yaml": "name: below\nversion: 1.0.0\n",
    "charts/below/values.yaml": "size: 1\n",
}


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """A chart in a clone of its repository."""
    for name, text in FILES.items():
        file = tmp_path / "clone" / "chart" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    for command in (("init", "-q"), ("add", "."), (*who, "commit", "-q", "-m", "chart")):
        subprocess.run(["git", "-C", str(tmp_path / "clone"), *command], check=True)
    return Source(tmp_path, "clone", "HEAD", "chart")


def test_a_key_is_in_the_defaults_or_read_by_a_template(source: Source) -> None:
    assert of_chart(source) == {
        "image": {"repository": None, "tag": None},
        "monitor": {"enabled": None},
        "extra": None,  # empty by default: any key may be below it
        "rules": None,  # used as a whole
        "affinity": None,  # Kubernetes' own form
        "switch": {"first": None, "off": None},  # a condition does not use it as a whole
        "dashed-key": {"below": None},
        "under": {"size": None, "global": None},
        "far": None,
        "global": None,
    }


def test_an_empty_tag_is_the_charts_app_version(source: Source) -> None:
    assert tags_of(source) == {"image.tag": "2.0.0"}

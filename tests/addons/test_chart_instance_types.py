"""The table of the instance types that charts list."""

from collections import Counter

from muster.addon_sheets import ADDONS
from muster.hardware.tables import read_table
from muster.hardware.type_names import is_type_name

ROWS = read_table("chart_instance_types.csv", "muster.addons.catalogue")
PINNED = {
    "eks-node-monitoring-agent": "eks-node-monitoring-agent",
    "hyperpod-helm-chart": "hyperpod",
    "neuron-helm-chart": "neuron-device-plugin",
}
"""Chart -> the add-on whose pin names its version; CloudWatch's add-on does not name that of its chart."""


def test_each_list_has_a_type_once() -> None:
    assert [each for each, times in Counter(map(str, ROWS)).items() if times > 1] == []
    assert all(is_type_name(row["instance_type"].removeprefix("ml.")) for row in ROWS)


def test_a_list_is_of_one_version_of_its_chart() -> None:
    """Of the pinned one: who takes a newer chart reads its lists again."""
    versions = {(row["chart"], row["version"]) for row in ROWS}
    assert len(versions) == len({chart for chart, _ in versions})
    assert {chart for chart, _ in versions} - PINNED.keys() == {"amazon-cloudwatch-observability"}
    assert [(chart, version) for chart, version in versions if chart in PINNED and version not in _pinned(chart)] == []


def _pinned(chart: str) -> str:
    return ADDONS[PINNED[chart]].version or ""

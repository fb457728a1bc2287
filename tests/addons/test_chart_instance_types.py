"""The table of the instance types that charts list."""

from collections import Counter

import pytest

from muster.addon_sheets import ADDONS
from muster.hardware.tables import read_table
from muster.hardware.type_names import is_type_name
from muster.policies.lookups.versions import version_tuple

ROWS = read_table("chart_instance_types.csv", "muster.addons.catalogue")
PINNED = {
    "eks-node-monitoring-agent": "eks-node-monitoring-agent",
    "hyperpod-helm-chart": "hyperpod",
    "neuron-helm-chart": "neuron-device-plugin",
}
"""Chart -> the add-on whose pin names its version; CloudWatch's add-on does not name that of its chart."""
SINCE = {"aws-efa-k8s-device-plugin": "efa-device-plugin", "aws-dranet": "efa-dra-driver"}
"""Chart of which every version was read, whose rows have the first version that lists the type -> the add-on."""


def test_each_list_has_a_type_once() -> None:
    assert [each for each, times in Counter(map(str, ROWS)).items() if times > 1] == []
    assert all(is_type_name(row["instance_type"].removeprefix("ml.")) for row in ROWS)


def test_a_list_is_of_one_version_of_its_chart() -> None:
    """Of the pinned one: who takes a newer chart reads its lists again."""
    versions = {(row["chart"], row["version"]) for row in ROWS if row["chart"] not in SINCE}
    assert len(versions) == len({chart for chart, _ in versions})
    assert {chart for chart, _ in versions} - PINNED.keys() == {"amazon-cloudwatch-observability", "eksctl"}
    assert [(chart, version) for chart, version in versions if chart in PINNED and version not in _pinned(chart)] == []


@pytest.mark.parametrize("chart", SINCE)
def test_the_pinned_chart_lists_each_type(chart: str) -> None:
    pinned = version_tuple(ADDONS[SINCE[chart]].version)
    assert [row for row in ROWS if row["chart"] == chart and version_tuple(row["version"]) > pinned] == []


def _pinned(chart: str) -> str:
    return ADDONS[PINNED[chart]].version or ""

"""Reads `catalogue/chart_instance_types.csv`: the instance types that charts have in their values and templates.

A row is a type that a chart of that version (or commit) lists, in the chart's order, under the name of the DaemonSet
that the list is for. The chart's module in `muster.addons.catalogue` says where it was read.
"""

from collections.abc import Mapping
from functools import cache

from muster.hardware.tables import read_table


@cache
def _lists() -> Mapping[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for row in read_table("chart_instance_types.csv", "muster.addons.catalogue"):
        found.setdefault((row["chart"], row["list"]), []).append(row["instance_type"])
    return found


def chart_instance_types(chart: str, name: str) -> list[str]:
    """The types that a chart lists, as a Kubernetes node is labelled: on HyperPod ``ml.p5.48xlarge``.

    Args:
        chart: the chart's name.
        name: of the DaemonSet that the list is for.
    """
    return list(_lists()[chart, name])

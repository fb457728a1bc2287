"""Service monitors, and who installs their kinds."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.addons import PLUGINS, a_chart, with_addons


def monitored(**others: Any) -> Fleet:
    """The exporter of GPUs' metrics with its service monitor, beside other charts."""
    return with_addons({**PLUGINS, "dcgm-exporter": {"service-monitor": True}, **others})


OPERATOR = a_chart("kube-prometheus-stack", "75.0.0")

"""Service monitors, and who installs their kinds."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories import a_control_plane, a_fleet
from tests.policies.addons import PLUGINS, a_chart, an_addon, with_addons
from tests.policies.case import cases

# monitor-kinds-installed, monitor-kinds-likely


def monitored(**others: Any) -> Fleet:
    """The exporter of GPUs' metrics with its service monitor, beside other charts."""
    return with_addons({**PLUGINS, "dcgm-exporter": {"service-monitor": True}, **others})


OPERATOR = a_chart("kube-prometheus-stack", "75.0.0")

cases(
    a_monitor_of_no_kind=monitored,
    a_monitor_of_kueue=lambda: with_addons({**PLUGINS, "kueue": {"values": {"enablePrometheus": True}}}),
    a_monitor_below_another_key=lambda: with_addons(
        {**PLUGINS, "kuberay-operator": {"values": {"metrics": {"serviceMonitor": {"enabled": True}}}}}
    ),
    a_monitor_of_an_eks_addon=lambda: with_addons(
        {**PLUGINS, "cert-manager": {"values": {"prometheus": {"servicemonitor": {"enabled": True}}}}}
    ),
    a_monitor_whose_operator_comes_after_it=lambda: monitored(charts={"prometheus": OPERATOR}),
    a_monitor_whose_operator_comes_first=lambda: monitored(charts={"prometheus": {**OPERATOR, "before-addons": True}}),
    a_monitor_beside_a_chart_of_unknown_contents=lambda: monitored(charts={"ours": a_chart("our-platform", "1.0.0")}),
    a_monitor_beside_an_eks_addon_of_unknown_contents=lambda: monitored(**{"cloudwatch-observability": {}}),
    a_monitor_on_an_existing_cluster=lambda: a_fleet(
        a_control_plane(existing=True, name="theirs"),
        an_addon("dcgm-exporter", "4.8.2", {"serviceMonitor": {"enabled": True}}),
    ),
)

"""What rendered add-ons are asked, by id: the `rule` of the findings, and who says that it matters."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One question."""

    id: str
    title: str
    source: str


_PLUGINS = "Kubernetes, Device Plugins"
_PLACES = "Kubernetes, Assigning Pods to Nodes"

RENDERS = "chart-renders"
SERVES = "plugin-lands-where-it-serves"
ELSEWHERE = "plugin-lands-nowhere-else"
ALONE = "one-plugin-for-a-device"
PLACE = "pods-have-a-place"
MIRROR = "images-come-from-the-mirror"

CHECKS = {
    each.id: each
    for each in (
        Check(RENDERS, "Helm renders a chart with our values and the user's", "Helm, helm template"),
        Check(SERVES, "A plugin's DaemonSet lands on every group that has its device", _PLUGINS),
        Check(ELSEWHERE, "No DaemonSet that can offer devices lands on another group", _PLUGINS),
        Check(ALONE, "No other plugin offers the device of a group", "EKS user guide, device-management-nvidia"),
        Check(PLACE, "Every Deployment, Job and hook has a group that takes its pods", _PLACES),
        Check(MIRROR, "Every image comes from the image mirror, where there is one", "Muster, image-mirror"),
    )
}

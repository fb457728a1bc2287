"""What lands where it should not is told, by the check that it breaks, and nothing else is."""

from typing import Any

import pytest

from muster.addons.addon import Addon, Chart
from muster.addons.charts import placement
from muster.addons.charts.placement import RenderedObjects, WorkloadPlacement, devices_offered_twice, placement_faults
from muster.addons.context import AddonContext, GroupNodes, Mirrors
from muster.addons.workload import Workload
from muster.fleet.resources import Taint

NVIDIA, EFA = "nvidia.com/gpu", "vpc.amazonaws.com/efa"
GPU = frozenset({Taint(NVIDIA, "true", "NoSchedule")})
CONTEXT = AddonContext(
    "research",
    "us-west-2",
    "1.35",
    (
        GroupNodes("system", "c5.2xlarge", frozenset(), frozenset(), purpose="system"),
        GroupNodes("workers", "p5.48xlarge", frozenset({NVIDIA, EFA}), GPU),
        GroupNodes("rocket", "g5.12xlarge", frozenset({NVIDIA}), GPU, built_in=frozenset({NVIDIA})),
    ),
    {},
)
GROUPS = ("system", "workers", "rocket")
KEPT_OFF = "it does not tolerate the taint"


def an_addon(serves: str | None = NVIDIA, name: str = "plugin") -> Addon:
    return Addon(name, "kube-system", Chart("https://example.org", name, lambda _: {}), "tests", lambda _: (), serves)


def a_placement(*groups: str, kind: str = "DaemonSet", name: str = "plugin", **more: Any) -> WorkloadPlacement:
    """A workload that may be on these groups."""
    obstacles = {group: ("",) if group in groups else (KEPT_OFF,) for group in GROUPS}
    settings: dict[str, Any] = {"hook": False, "registers": False, "images": (), **more}
    return WorkloadPlacement(kind, "kube-system", name, obstacles, **settings)


def rendered(
    *placements: WorkloadPlacement, serves: str | None = NVIDIA, name: str = "plugin", known: bool = True
) -> RenderedObjects:
    """An add-on whose DaemonSet `plugin` serves."""
    workloads = (Workload("DaemonSet", "plugin", "kube-system", serves=serves),) if known else ()
    return RenderedObjects(an_addon(serves, name), workloads, placements)


def found(one: RenderedObjects, context: AddonContext = CONTEXT) -> set[tuple[str, str]]:
    return {(fault.check, fault.group) for fault in placement_faults(one, context)}


def test_a_plugin_where_it_serves_is_right() -> None:
    """Bottlerocket's own group is not one of those."""
    assert found(rendered(a_placement("workers"))) == set()


@pytest.mark.parametrize(
    ("groups", "faults"),
    [
        ((), {(placement.SERVES, "workers")}),
        (("system",), {(placement.SERVES, "workers"), (placement.ELSEWHERE, "system")}),
        (("workers", "system"), {(placement.ELSEWHERE, "system")}),
        (("workers", "rocket"), {(placement.ELSEWHERE, "rocket")}),
    ],
)
def test_a_plugin_anywhere_else_is_wrong(groups: tuple[str, ...], faults: set[tuple[str, str]]) -> None:
    """Each group by itself."""
    assert found(rendered(a_placement(*groups))) == faults


def test_the_words_say_what_keeps_it_off_and_what_a_group_lacks() -> None:
    """With the group's name and the device's."""
    said = {fault.got for fault in placement_faults(rendered(a_placement("system", "rocket")), CONTEXT)}
    assert said == {
        f"DaemonSet kube-system/plugin does not run on group workers, which has nvidia.com/gpu: {KEPT_OFF}",
        "DaemonSet kube-system/plugin runs on group system, which has no nvidia.com/gpu",
        "DaemonSet kube-system/plugin runs on group rocket, whose image already offers nvidia.com/gpu",
    }


def test_one_zone_of_the_group_is_not_enough() -> None:
    """All its nodes have the device."""
    partly = WorkloadPlacement("DaemonSet", "kube-system", "plugin", {"workers": ("", "zone b")}, False, True, ())
    (fault,) = placement_faults(rendered(partly), CONTEXT)
    assert (fault.check, fault.group) == (placement.SERVES, "workers")
    assert fault.got.endswith("zone b")


def test_a_plugin_that_is_not_there_is_missed() -> None:
    """And what is there instead is named."""
    (fault,) = placement_faults(rendered(a_placement(name="mps")), CONTEXT)
    assert fault.check == placement.SERVES
    assert fault.got == "no DaemonSet offers nvidia.com/gpu to group workers (there are: DaemonSet kube-system/mps)"


@pytest.mark.parametrize("registers", [True, False])
def test_another_daemon_set_of_a_plugin_may_land_elsewhere_unless_it_can_offer_devices(registers: bool) -> None:
    """Feature discovery looks at every node; a second plugin has no business there."""
    other = a_placement("system", "workers", name="other", registers=registers)
    assert found(rendered(a_placement("workers"), other)) == ({(placement.ELSEWHERE, "system")} if registers else set())
    operators = rendered(a_placement("system", registers=registers), serves=None, known=False)
    assert found(operators) == set()


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "Job", "CronJob", "Pod"])
def test_what_no_group_takes_has_no_place(kind: str) -> None:
    """With the reason of every group; hooks are called so."""
    one = a_placement(kind=kind, name="it", hook=True)
    (fault,) = placement_faults(rendered(one, serves=None, known=False), CONTEXT)
    assert fault.check == placement.PLACE
    reasons = "; ".join(f"{group}: {KEPT_OFF}" for group in GROUPS)
    assert fault.got == f"no group accepts the pods of the hook {kind} kube-system/it: {reasons}"
    assert found(rendered(a_placement("rocket", kind=kind), serves=None, known=False)) == set()
    assert found(rendered(a_placement(kind=kind, has_pods=False), serves=None, known=False)) == set()


def test_images_that_are_not_the_mirrors() -> None:
    """Only where there is one; a name that begins alike is another registry's."""
    named = ("r.example.org/m/a:1", "r.example.org/mm/b:1", "nvcr.io/c:1")
    one = RenderedObjects(an_addon(None), (), (), named)
    mirrored = AddonContext("c", "us-west-2", "1.35", CONTEXT.nodes, {}, mirrors=Mirrors(images="r.example.org/m"))
    assert {fault.about for fault in placement_faults(one, mirrored)} == {"r.example.org/mm/b:1", "nvcr.io/c:1"}
    assert found(one) == set()


def twice(*every: RenderedObjects) -> set[tuple[str, str, str]]:
    return {
        (fault.addon, fault.got.partition(" offers ")[0], fault.group)
        for fault in devices_offered_twice(every, CONTEXT)
    }


def test_two_plugins_for_one_device() -> None:
    """The later one is told, on the groups that both land on and that have the device."""
    first = rendered(a_placement("workers"), name="first")
    second = rendered(a_placement("workers", "system", name="plugin"), name="second")
    assert twice(first) == twice(first, rendered(a_placement("workers"), serves=EFA, name="efa")) == set()
    assert twice(first, second) == {("second", "DaemonSet kube-system/plugin", "workers")}, "and take turns at one name"
    other = a_placement(
        "workers", "system", name="their-plugin", registers=True, images=("a.example/k8s-device-plugin:v1",)
    )
    theirs = rendered(other, serves=None, name="charts.theirs", known=False)
    assert twice(first, theirs) == {("charts.theirs", "DaemonSet kube-system/their-plugin", "workers")}


@pytest.mark.parametrize(
    ("image", "serves"),
    [
        ("nvcr.io/nvidia/k8s-device-plugin:v0.20.0", NVIDIA),
        ("r.example.org:5000/m/aws-efa-k8s-device-plugin@sha256:ab", EFA),
        ("public.ecr.aws/neuron/neuron-device-plugin", "aws.amazon.com/neuron"),
        ("nvcr.io/nvidia/k8s-device-plugin-tools:v1", None),
        ("busybox", None),
    ],
)
def test_plugins_of_other_charts_are_known_by_their_images(image: str, serves: str | None) -> None:
    """If they can offer devices at all: feature discovery runs from the same image."""
    strangers = rendered(serves=None, known=False)
    assert strangers.device_of(a_placement(images=(image,), registers=True)) == serves
    assert strangers.device_of(a_placement(images=(image,), registers=False)) is None
    assert strangers.device_of(a_placement(images=(image,), registers=True, kind="Deployment")) is None

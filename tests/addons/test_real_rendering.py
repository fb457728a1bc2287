"""The whole catalogue at once, with the real charts, for whoever has them:

    MUSTER_CHARTS=folder pytest tests/addons/test_real_rendering.py

with the folder as `--charts` takes it.
"""

import os
from collections.abc import Mapping
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.charts import Charts
from muster.addons.charts.cluster_rendering import BY_EKS, RenderedAddon, Rendering, render
from muster.addons.charts.mirror import mirror_list
from muster.addons.context import AddonContext, Mirrors
from muster.addons.image_names import full_reference
from muster.rehearsal.kubernetes.nodes import planned_nodes
from tests.addons.contexts import REQUIRED
from tests.addons.tiny import needs_helm
from tests.factories import a_blueprint

WHERE = os.environ.get("MUSTER_CHARTS", "")
MIRRORS = {"image-mirror": "r.example.org/m", "chart-mirror": "oci://r.example.org/c"}
TRAINIUM = {"for": "training", "instance": "trn1.32xlarge", "nodes": 1, "zone": "us-west-2a"}
EVERY: Mapping[str, Any] = {
    "addons": {**{name: dict(REQUIRED.get(name, {})) for name in CATALOGUE}, "fsx-csi-driver": {"from": "helm"}},
    "groups.trainium": TRAINIUM,
    "groups.system.taints": {"CriticalAddonsOnly": "NoSchedule"},
}

pytestmark = [needs_helm, pytest.mark.skipif(not WHERE, reason="MUSTER_CHARTS names no folder with the real charts")]


def rendered(edits: Mapping[str, Any] | None = None) -> tuple[AddonContext, Rendering]:
    """All of it, on a cluster with GPUs, Trainium and a tainted system group."""
    blueprint = a_blueprint({**EVERY, **(edits or {})})
    context = AddonContext.of_blueprint(blueprint)
    return context, render(context, planned_nodes(blueprint), Charts.at(WHERE))


def without_tags(images: set[str]) -> set[str]:
    return {image.partition("@")[0] for image in images}


def is_there(each: RenderedAddon) -> bool:
    return each.is_checked or each.why == BY_EKS


def test_everything_lands_where_it_should() -> None:
    """No chart is named, and no fault is found: every taint of a system group is tolerated by what is for it."""
    _, found = rendered()
    assert [each.addon.name for each in found.addons if not is_there(each)] == []
    assert [(each.fault.got, each.owner) for each in found.faults] == []


def test_with_both_mirrors_nothing_comes_from_elsewhere_and_all_of_it_is_listed() -> None:
    """The images that the charts name and the addresses of the charts."""
    context, found = rendered(MIRRORS)
    assert [each.fault.got for each in found.faults] == []
    copied = mirror_list(context, context.mirrors, {})
    images = without_tags({image for each in found.addons for image in each.images})
    assert {image for image in images if not image.startswith("r.example.org/m/")} == set()
    unknown = {each.addon for each in copied.unknown}
    known = without_tags({image for each in found.addons if each.addon.name not in unknown for image in each.images})
    assert known - without_tags({each.destination or "" for each in copied.images}) == set()
    charts = {each.address for each in found.addons if each.address.startswith("oci://r.example.org/c/")}
    assert {each.destination for each in copied.charts} == charts


def test_the_pins_list_every_image_that_the_charts_name() -> None:
    """Without a mirror, by their own names: what a site copies before it has one."""
    context, found = rendered()
    unknown = {each.addon for each in mirror_list(context, Mirrors(), {}).unknown}
    known = without_tags({each.source for each in mirror_list(context, Mirrors(), {}).images})
    named = {
        image for each in found.addons if each.addon.name not in unknown for image in map(full_reference, each.images)
    }
    assert without_tags(named) - known == set()

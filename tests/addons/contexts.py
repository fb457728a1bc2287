"""Clusters, as add-ons see them."""

from dataclasses import replace
from typing import Any

from addons.context import AddonContext, GroupNodes, Volume
from muster.config.description.addons import Addons, Options
from muster.contract import Cluster

REQUIRED: dict[str, dict[str, Any]] = {
    "hyperpod": {"repository": "oci://registry.example.org/charts"},
    "hyperpod-observability": {
        "version": "v1.0.0-eksbuild.1",
        "workspace": "arn:aws:aps:us-west-2:111122223333:workspace/ws-0123",
    },
}
"""What cannot be left unsaid of an add-on."""


def a_site(*nodes: GroupNodes, **chosen: Options) -> AddonContext:
    """A cluster of these groups; the names of add-ons are written with underscores."""
    named = {name.replace("_", "-"): options for name, options in chosen.items()}
    return AddonContext("research", "us-west-2", "1.35", nodes, named)


def said_of(name: str, **more: Any) -> Options:
    """What a description says of an add-on; keys are written with underscores."""
    keys = {key.replace("_", "-"): value for key, value in more.items()}
    return Addons.model_validate({name: {**REQUIRED.get(name, {}), **keys}}).chosen[name]


def assert_the_same_site(ours: AddonContext, outputs: Cluster) -> None:
    """The site of a cluster's outputs is that of its blueprint, but for what AWS decides of a file system."""
    alone = outputs.model_copy(update={"addons": {}})
    theirs = AddonContext.of_contract(alone, ours.chosen, ours.charts, ours.mirrors)
    assert [_made(each) for each in theirs.volumes] == [_made(each) for each in ours.volumes]
    assert replace(theirs, volumes=()) == replace(ours, volumes=())


def _made(volume: Volume) -> Volume:
    make = volume.make and replace(volume.make, subnet="", security_group="")
    return replace(volume, file_system="", dns_name="", mount_name="", make=make)

"""Clusters, as add-ons see them."""

from dataclasses import replace

from addons.site import Nodes, Site, Volume
from muster.contract import Cluster
from muster.fleet.description.addons import Options


def a_site(*nodes: Nodes, **chosen: Options) -> Site:
    """A cluster of these groups; the names of add-ons are written with underscores."""
    named = {name.replace("_", "-"): options for name, options in chosen.items()}
    return Site("research", "us-west-2", "1.35", nodes, named)


def assert_the_same_site(ours: Site, outputs: Cluster) -> None:
    """The site of a cluster's outputs is that of its blueprint, but for what AWS decides of a file system."""
    alone = outputs.model_copy(update={"addons": {}})
    theirs = Site.of_contract(alone, ours.chosen, ours.charts, ours.mirrors)
    assert [_made(each) for each in theirs.volumes] == [_made(each) for each in ours.volumes]
    assert replace(theirs, volumes=()) == replace(ours, volumes=())


def _made(volume: Volume) -> Volume:
    return replace(volume, file_system="", dns_name="", mount_name="")

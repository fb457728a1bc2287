"""Clusters, as add-ons see them."""

from addons.site import Nodes, Site
from muster.fleet.description.addons import Options


def a_site(*nodes: Nodes, **chosen: Options) -> Site:
    """A cluster of these groups; the names of add-ons are written with underscores."""
    named = {name.replace("_", "-"): options for name, options in chosen.items()}
    return Site("research", "us-west-2", "1.35", nodes, named)

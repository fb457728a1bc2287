"""The queues that the description itself puts on the cluster, beside those of a job's file."""

from collections.abc import Iterable

from addons.order import order
from addons.site import Site
from muster.fleet.blueprint import Blueprint
from muster.jobs.kueue import VERSIONS
from muster.rehearsal.client import Json

_NAMESPACE = ("v1", "Namespace")


def queue_objects(blueprint: Blueprint, beside: Iterable[Json] = ()) -> tuple[Json, ...]:
    """Kueue's objects, and the namespaces that they are in. One of the file stands in place of the cluster's.

    Args:
        blueprint: the cluster.
        beside: what stands in the job's file.
    """
    site = Site.of_blueprint(blueprint)
    own = (each for turn in order(site) for each in turn.addon.objects(site))
    found = {_named(each): each for each in (*filter(_counts, own), *beside)}
    return tuple(found.values())


def _counts(thing: Json) -> bool:
    return thing["apiVersion"] in VERSIONS or (thing["apiVersion"], thing["kind"]) == _NAMESPACE


def _named(thing: Json) -> tuple[str, str, str]:
    metadata = thing.get("metadata") or {}
    return str(thing.get("kind")), str(metadata.get("namespace", "default")), str(metadata.get("name"))

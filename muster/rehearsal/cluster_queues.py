"""The queues that the description itself puts on the cluster, beside those of a job's file."""

from collections.abc import Iterable

from addons.order import order
from addons.site import Site
from muster.fleet.blueprint import Blueprint
from muster.jobs.kueue import VERSIONS
from muster.jobs.volcano_queues import QUEUE
from muster.rehearsal.client import Json

_COUNTED = frozenset({*((version, "") for version in VERSIONS), QUEUE, ("v1", "Namespace")})
"""API versions, with the kind where others of the version do not count."""


def queue_objects(blueprint: Blueprint, beside: Iterable[Json] = ()) -> tuple[Json, ...]:
    """Kueue's objects, Volcano's queues, and the namespaces they are in. One of the file stands for the cluster's.

    Args:
        blueprint: the cluster.
        beside: what stands in the job's file.
    """
    site = Site.of_blueprint(blueprint)
    own = (each for turn in order(site) for each in turn.addon.objects(site))
    return tuple({_named(each): each for each in (*filter(_counts, own), *beside)}.values())


def _counts(thing: Json) -> bool:
    return bool({(thing["apiVersion"], ""), (thing["apiVersion"], thing["kind"])} & _COUNTED)


def _named(thing: Json) -> tuple[str, str, str]:
    metadata = thing.get("metadata") or {}
    return str(thing.get("kind")), str(metadata.get("namespace", "default")), str(metadata.get("name"))

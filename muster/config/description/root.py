"""Selects the model of a description: a cluster on one of the backends, or add-ons for the cluster of another stack."""

from collections.abc import Mapping

from muster import backends
from muster.config.description.base import StrictModel
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group
from muster.config.description.kubernetes_cluster import AddonsOf, KubernetesCluster
from muster.config.description.of_backend import backends_of
from muster.message_text import closest_match

Description = Cluster | AddonsOf
"""Every type that may be below `muster:cluster`."""

ADDONS_OF = "addons-of"
DEFAULT_BACKEND = "eks"
"""The backend of a description that has neither a valid `backend` nor a key that only one backend has."""


def model_of(raw: object) -> type[Description]:
    """The model of a description, or the model that an invalid description most likely intends.

    The key `addons-of`, or a close misspelling of it, decides first; then the value of `backend`, a close misspelling
    or a synonym of it; then keys that only one backend has.
    """
    if not isinstance(raw, Mapping):
        return backends.RECORDS[DEFAULT_BACKEND].description.load()
    if ADDONS_OF in raw or ("backend" not in raw and _nearly_addons_of(raw)):
        return AddonsOf
    given = str(raw.get("backend"))
    name = closest_match(given, backends.RECORDS) or backends.meant_by(given.lower()) or _backend_by_keys(raw)
    return backends.RECORDS[name].description.load()


def _backend_by_keys(raw: Mapping[object, object]) -> str:
    """The backend that has the most of the keys of a description and its groups."""
    groups = raw.get("groups")
    blocks: list[tuple[type[StrictModel], object]] = [(Cluster, raw)]
    blocks += [(Group, each) for each in (groups.values() if isinstance(groups, Mapping) else ())]
    written = [backends_of(block, key) for block, each in blocks if isinstance(each, Mapping) for key in each]
    return max(backends.RECORDS, key=lambda name: sum(name in each for each in written))


def _nearly_addons_of(raw: Mapping[object, object]) -> bool:
    known = KubernetesCluster.keys()
    return any(closest_match(str(key), [ADDONS_OF, *known]) == ADDONS_OF for key in raw if key not in known)

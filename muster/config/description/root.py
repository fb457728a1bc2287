"""Which model a description takes: a cluster of one of the backends, or add-ons for another stack's cluster."""

from collections.abc import Mapping

from muster.config.description.base import Change, change_cost
from muster.config.description.cluster import AddonsOf, AnyKubernetes, EksCluster, HyperPodCluster
from muster.config.description.slurm_cluster import SlurmCluster
from muster.message_text import closest_match

AnyCluster = AnyKubernetes | SlurmCluster
"""A cluster of any backend."""

Description = AnyCluster | AddonsOf
"""Everything that may stand below `muster:cluster`."""

BACKENDS: Mapping[str, type[AnyCluster]] = {
    "eks": EksCluster,
    "hyperpod": HyperPodCluster,
    "parallelcluster": SlurmCluster,
}
"""The word for `backend` -> the form of a cluster there."""

ADDONS_OF = "addons-of"


def model_of(raw: object) -> type[Description]:
    """The form that a description has or, where it is wrong, is meant to have.

    `addons-of` decides, spelt rightly or nearly; else `backend` does, so too. Without either it is a cluster that lacks
    its `backend`: on ParallelCluster or HyperPod where it has the keys that only these know, else on EKS.
    """
    if not isinstance(raw, Mapping):
        return EksCluster
    if ADDONS_OF in raw or ("backend" not in raw and _nearly(raw)):
        return AddonsOf
    if meant := closest_match(str(raw.get("backend")), BACKENDS):
        return BACKENDS[meant]
    if not _OF_SLURM.isdisjoint(raw):
        return SlurmCluster
    return HyperPodCluster if _says_hyperpod(raw) else EksCluster


_OF_SLURM = frozenset({"queues", "head", "slurm", "post-install"})
"""Keys that only a cluster with Slurm has."""


def _says_hyperpod(raw: Mapping[object, object]) -> bool:
    groups = raw.get("groups")
    blocks = [raw, *(groups.values() if isinstance(groups, Mapping) else ())]
    return any("hyperpod" in block for block in blocks if isinstance(block, Mapping))


def _nearly(raw: Mapping[object, object]) -> bool:
    known = {info.alias or name for name, info in EksCluster.model_fields.items()}
    return any(closest_match(str(key), [ADDONS_OF, *known]) == ADDONS_OF for key in raw if key not in known)


__all__ = [
    "AddonsOf",
    "AnyCluster",
    "AnyKubernetes",
    "Change",
    "Description",
    "EksCluster",
    "HyperPodCluster",
    "SlurmCluster",
    "change_cost",
    "model_of",
]

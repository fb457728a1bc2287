"""Which form a description has: a cluster, by its backend, or add-ons for another stack's cluster."""

from collections.abc import Mapping

from muster.fleet.description.addons_of import AddonsOf
from muster.fleet.description.cluster import AnyKubernetes, EksCluster, HyperPodCluster
from muster.fleet.description.slurm_cluster import SlurmCluster
from muster.fleet.near_miss import nearest

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


def form_of(raw: object) -> type[Description]:
    """The form that a description has or, where it is wrong, is meant to have.

    `addons-of` decides, spelt rightly or nearly; else `backend` does, so too. Without either it is a cluster that lacks
    its `backend`: on ParallelCluster or HyperPod where it has the keys that only these know, else on EKS.
    """
    if not isinstance(raw, Mapping):
        return EksCluster
    if ADDONS_OF in raw or ("backend" not in raw and _nearly(raw)):
        return AddonsOf
    if meant := nearest(str(raw.get("backend")), BACKENDS):
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
    return any(nearest(str(key), [ADDONS_OF, *known]) == ADDONS_OF for key in raw if key not in known)

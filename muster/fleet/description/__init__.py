"""What the user says: the `muster:cluster` block of a stack file, as types."""

from muster.fleet.description.addons_of import AddonsOf
from muster.fleet.description.cluster import AnyKubernetes, EksCluster, HyperPodCluster
from muster.fleet.description.forms import AnyCluster, Description, form_of
from muster.fleet.description.part import Change, change_cost
from muster.fleet.description.slurm_cluster import SlurmCluster

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
    "form_of",
]

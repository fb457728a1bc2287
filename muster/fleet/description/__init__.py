"""What the user says: the `muster:cluster` block of a stack file, as types."""

from muster.fleet.description.addons_of import AddonsOf
from muster.fleet.description.cluster import AnyCluster, EksCluster, HyperPodCluster
from muster.fleet.description.forms import Description, form_of
from muster.fleet.description.part import Change, change_cost

__all__ = ["AddonsOf", "AnyCluster", "Change", "Description", "EksCluster", "HyperPodCluster", "change_cost", "form_of"]

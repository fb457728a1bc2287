"""What the user says: the `muster:cluster` block of a stack file, as types."""

from muster.fleet.description.cluster import EksCluster
from muster.fleet.description.part import Change, change_cost

__all__ = ["Change", "EksCluster", "change_cost"]

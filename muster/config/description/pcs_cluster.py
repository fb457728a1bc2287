"""The description of a Slurm cluster on AWS Parallel Computing Service (PCS)."""

from muster.config.description.base import PCS
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group
from muster.config.description.node_group import Purpose
from muster.config.description.of_backend import model_on
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import Layout


@model_on(PCS)
class PcsGroup(Group):
    """One compute node group: nodes of one instance type, from one source of capacity."""

    @property
    def has_efa(self) -> bool:
        """Whether its nodes have EFA: `efa`; otherwise true for training on a type with EFA."""
        if self.efa is not None:
            return self.efa
        return self.purpose is Purpose.TRAINING and hardware(self.instance).max_efa > 0

    @property
    def layout(self) -> Layout:
        """The layout of its network interfaces: an interface of type efa on each card, as in the PCS user guide
        ("Create or update an EC2 launch template")."""
        return Layout.CLASSIC if self.has_efa else Layout.PLAIN


@model_on(PCS)
class PcsCluster(Cluster):
    """A training cluster with Slurm on AWS Parallel Computing Service: `muster:cluster` with `backend: pcs`."""

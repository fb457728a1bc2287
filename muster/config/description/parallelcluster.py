"""The description of a Slurm cluster on AWS ParallelCluster."""

from typing import Self

from pydantic import model_validator

from muster.config.description.base import PARALLELCLUSTER, unique_items
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group
from muster.config.description.node_group import Purpose
from muster.config.description.of_backend import model_on
from muster.config.description.queues import Queue
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import Layout


@model_on(PARALLELCLUSTER)
class ComputeResource(Group):
    """One compute resource: nodes from one source of capacity."""

    @model_validator(mode="after")
    def _types_once(self) -> Self:
        unique_items(self.types)
        return self

    @property
    def has_efa(self) -> bool:
        """Whether its nodes have EFA: `efa`; otherwise true for training on types with EFA."""
        if self.efa is not None:
            return self.efa
        return self.purpose is Purpose.TRAINING and all(hardware(each).max_efa for each in self.types)

    @property
    def layout(self) -> Layout:
        """ParallelCluster's layout of network interfaces."""
        return Layout.AWS if self.has_efa else Layout.PLAIN


@model_on(PARALLELCLUSTER)
class SlurmQueue(Queue):
    """One queue. Its nodes are in private subnets. Their NVMe disks form one volume at /local_scratch."""

    @model_validator(mode="after")
    def _one_market(self) -> Self:
        markets = {
            name: "a Capacity Block"
            if group.capacity.capacity_block
            else "spot"
            if group.capacity.spot
            else "on-demand"
            for name, group in self.groups.items()
        }
        if len(set(markets.values())) > 1:
            listed = ", ".join(f"{name} uses {market}" for name, market in markets.items())
            raise ValueError(
                f"all groups of a queue must use one kind of capacity, but {listed}; move each kind to its own queue"
            )
        return self


@model_on(PARALLELCLUSTER)
class SlurmCluster(Cluster):
    """A training cluster with Slurm on AWS ParallelCluster: `muster:cluster` with `backend: parallelcluster`."""

"""Clusters on ParallelCluster of which one thing else is said, so that a case shows only what matters."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.factories.parallelcluster_fleets import a_pcluster, a_slurm_fleet


def said_of(**said: Any) -> Fleet:
    """A cluster of which something else is said."""
    return a_slurm_fleet(a_pcluster(**said))

"""Shared storage of a cluster on ParallelCluster."""

from muster.fleet.resources import Mount
from muster.unknown import UNKNOWN
from tests.factories.parallelcluster_fleets import APPS
from tests.policies.case import cases
from tests.policies.parallelclusters import said_of

cases(
    storage_not_yet_known=lambda: said_of(mounts=UNKNOWN),
    a_file_system_that_goes_with_the_cluster=lambda: said_of(mounts=(APPS, Mount("fsx", "FsxLustre"))),
    a_file_system_that_nobody_knows_what_becomes_of=lambda: said_of(
        mounts=(APPS, Mount("fsx", "FsxLustre", deletion=UNKNOWN))
    ),
    an_elastic_file_system_that_stays=lambda: said_of(mounts=(APPS, Mount("efs", "Efs", deletion="Retain"))),
)

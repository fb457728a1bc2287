"""Clusters on ParallelCluster of which one thing else is said, so that a case shows only what matters."""

from typing import Any

from muster.fleet.resources import Database, Fleet, Mount, Volume
from tests.slurms import APPS, FSX, a_pcluster, a_slurm_fleet

SECRET = "arn:aws:secretsmanager:us-west-2:111122223333:secret:slurm-Ab12Cd"


def said_of(**said: Any) -> Fleet:
    """A cluster of which something else is said."""
    return a_slurm_fleet(a_pcluster(**said))


def mounted_at(directory: Any, name: Any = "data", **more: Any) -> Fleet:
    """A cluster that mounts one more file system."""
    return said_of(mounts=(APPS, FSX, Mount(name, directory, "FsxLustre", file_system="fs-0fedcba9876543210", **more)))


def accounting(uri: Any = "slurm.example.com:3306", secret: Any = SECRET, **more: Any) -> Fleet:
    return said_of(accounting=True, database=Database(uri, secret), **more)


def with_volume(**said: Any) -> Fleet:
    """A shared volume of which something else is said."""
    return said_of(mounts=(Mount("apps", "/apps", "Ebs", volume=Volume(**said)), FSX))

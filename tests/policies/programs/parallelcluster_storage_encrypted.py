"""A file system of EFS that nobody asks to encrypt, which ParallelCluster then does not."""

from typing import Any

from tests.policies.programs.pcluster import cluster

AT = {"pcluster"}


def shared(**settings: Any) -> dict[str, Any]:
    """A file system of EFS that ParallelCluster makes, at /shared."""
    said = {"DeletionPolicy": "Retain", **settings}
    return {"Name": "shared", "MountDir": "/shared", "StorageType": "Efs", "EfsSettings": said}


def passing() -> None:
    cluster(SharedStorage=[shared(Encrypted=True)])


def failing() -> None:
    cluster(SharedStorage=[shared()])

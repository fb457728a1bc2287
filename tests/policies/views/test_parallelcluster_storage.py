"""Views of ParallelCluster's mounts and file systems."""

from typing import Any

from muster.fleet.resources import LustreFileSystem, Mount, ParallelCluster, Ref
from muster.fleet.resources.parallelcluster import STORAGE_GROUP
from muster.fleet.resources.ref import LUSTRE
from muster.unknown import UNKNOWN
from tests.policies.views.parallelclusters import FSX, read, with_queue


def the_mount(said: dict[str, Any], *refs: Ref, **parameters: Any) -> Mount:
    (cluster,) = read({"SharedStorage": [said]}, *refs, **parameters).of(ParallelCluster)
    assert isinstance(cluster.mounts, tuple)
    return cluster.mounts[0]


def test_mounts() -> None:
    """What exists by its id, what is made by what is said of it."""
    ebs = {"Name": "apps", "MountDir": "/apps", "StorageType": "Ebs"}
    volume = {"VolumeType": "gp3", "Size": 200, "DeletionPolicy": "Retain"}
    made = the_mount({**ebs, "EbsSettings": volume})
    assert made == Mount("apps", "Ebs", deletion="Retain")
    assert the_mount({**ebs, "EbsSettings": {"VolumeId": "vol-1", "Raid": {}}}).file_system == "vol-1"
    ours = the_mount({**FSX, "FsxLustreSettings": {"FileSystemId": {"Ref": "F"}}}, Ref(LUSTRE, "ours"), F=UNKNOWN)
    assert ours.file_system == Ref(LUSTRE, "ours")
    efs = {"Name": "home", "MountDir": "/home", "StorageType": "Efs", "EfsSettings": {"FileSystemId": "fs-1"}}
    assert the_mount(efs).file_system == "fs-1"


def the_file_system(**settings: Any) -> LustreFileSystem:
    queue = with_queue({"Networking": {"SubnetIds": ["subnet-1"]}})
    (found,) = read({**queue, "SharedStorage": [{**FSX, "FsxLustreSettings": settings}]}).of(LustreFileSystem)
    return found


def test_a_file_system_that_parallelcluster_makes() -> None:
    """With its own choices, in its queues' subnet, in a security group of its own making."""
    system = the_file_system(StorageCapacity=1200)
    assert (system.ref, system.place.part) == (Ref(LUSTRE, "pcluster.fsx"), "shared storage fsx")
    assert (system.size, system.deployment, system.disk, system.version) == (1200, "SCRATCH_2", "SSD", "2.15")
    assert (system.subnets, system.security_groups) == (("subnet-1",), (STORAGE_GROUP,))
    assert (system.throughput, system.backup_days) == (None, 0)


def test_a_file_system_with_everything() -> None:
    """Its words in those of FSx."""
    system = the_file_system(
        StorageCapacity="6000",
        DeploymentType="PERSISTENT_1",
        StorageType="HDD",
        PerUnitStorageThroughput=12,
        AutomaticBackupRetentionDays=3,
    )
    assert (system.size, system.deployment, system.disk, system.throughput) == (6000, "PERSISTENT_1", "HDD", 12)
    assert system.backup_days == 3


def test_a_file_system_from_a_backup() -> None:
    """Takes after what was backed up: what is left out is not known."""
    system = the_file_system(BackupId="backup-1")
    assert {system.size, system.deployment, system.disk, system.version} == {UNKNOWN}


def test_a_file_system_that_exists_is_none_of_the_clusters() -> None:
    """Nothing is known of it here."""
    assert read({"SharedStorage": [{**FSX, "FsxLustreSettings": {"FileSystemId": "fs-1"}}]}).of(LustreFileSystem) == ()

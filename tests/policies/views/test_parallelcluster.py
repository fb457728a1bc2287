"""Views of clusters on ParallelCluster: in either language, as stacks of either provider, several at once."""

from typing import Any

import pytest

from muster.fleet.resources import (
    CapacityTarget,
    ComputeResource,
    HeadNode,
    LustreFileSystem,
    Mount,
    ParallelCluster,
    Placement,
    Queue,
    Ref,
)
from muster.fleet.resources.parallelcluster import HEAD_NODE, QUEUE, STORAGE_GROUP
from muster.fleet.resources.ref import LUSTRE
from muster.unknown import UNKNOWN
from tests.policies.views.parallelclusters import (
    FSX,
    STACK,
    a_stack,
    a_template,
    read,
    with_queue,
)
from tests.policies.views.registrations import seen


def test_nothing_said() -> None:
    """What is left out is known to be, or has ParallelCluster's default."""
    fleet = read(with_queue({"ComputeResources": [{}]}))
    (cluster,), (head,) = fleet.of(ParallelCluster), fleet.of(HeadNode)
    (queue,), (resource,) = fleet.of(Queue), fleet.of(ComputeResource)
    assert (cluster.ref, cluster.name, cluster.version) == (STACK, "ml", "3.16.1")
    assert (cluster.os, cluster.image, cluster.mounts) == (None, None, ())
    assert (head.ref, head.subnet, head.ssh_from, head.key_pair) == (Ref(HEAD_NODE, "head"), None, None, None)
    assert (queue.capacity_type, queue.subnets, queue.security_groups, queue.scripts) == (None, (), (), ())
    assert (resource.nodes_min, resource.nodes_max, resource.instances, resource.has_efa) == (0, 10, (), False)
    assert (resource.target, resource.placement) == (CapacityTarget(), Placement())
    assert resource.place.resource == cluster.place.resource


def test_parts_of_a_stack_say_which_they_are() -> None:
    """They share its URN."""
    fleet = read(with_queue({"ComputeResources": [{"Name": "workers"}, {}]}))
    assert [each.place.part for each in fleet.of(Queue)] == ["queue train"]
    parts = [each.place.part for each in fleet.of(ComputeResource)]
    assert parts == ["queue train, workers", "queue train, ComputeResources[1]"]


@pytest.mark.parametrize(
    ("kind", "token", "holds"),
    [
        ("Custom::PclusterCluster", "arn:aws:lambda:us-west-2:111122223333:function:x", True),
        ("AWS::CloudFormation::CustomResource", {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}, True),
        ("Custom::Anything", {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}, True),
        ("AWS::S3::Bucket", {"Fn::GetAtt": ["Provider", "Outputs.ServiceToken"]}, False),
    ],
)
def test_what_is_a_cluster(kind: str, token: Any, holds: bool) -> None:
    """By its type, or by who provides it."""
    fleet = seen(a_stack(a_template({}, kind=kind, ServiceToken=token)))
    assert bool(fleet.of(ParallelCluster)) is holds


def test_a_custom_resource_of_others_is_none() -> None:
    """It has neither a configuration nor ParallelCluster's provider."""
    body = {"Resources": {"One": {"Type": "Custom::Other", "Properties": {"ServiceToken": "arn"}}, "Two": None}}
    assert seen(a_stack(body)).objects == ()


def test_the_version_of_a_provider_from_elsewhere() -> None:
    """Nobody says it; where no other is in the template."""
    body = a_template({}, ServiceToken="arn:aws:lambda:us-west-2:111122223333:function:x")
    del body["Resources"]["Provider"]
    (cluster,) = seen(a_stack(body)).of(ParallelCluster)
    assert cluster.version is UNKNOWN


def test_two_clusters() -> None:
    """In one stack, and in two: each is told apart, and so are parts of one name."""
    both = a_template(with_queue({"ComputeResources": [{"Name": "workers"}]}))
    both["Resources"]["Second"] = {"Type": "Custom::PclusterCluster", "Properties": {"ClusterConfiguration": {}}}
    other = a_stack(a_template(with_queue({"ComputeResources": [{"Name": "workers"}]})), "other")
    fleet = seen(a_stack(both), other)
    assert {each.ref.name for each in fleet.of(ParallelCluster)} == {"pcluster.Cluster", "pcluster.Second", "other"}
    assert len({each.ref for each in fleet.of(HeadNode)}) == 3
    names = {each.ref.name for each in fleet.of(Queue)}
    assert names == {"pcluster.Cluster.SlurmQueues[0]", "other.SlurmQueues[0]"}
    assert len({each.ref for each in fleet.of(ComputeResource)}) == 2


def test_two_queues_of_one_name() -> None:
    """Both are there: a rule says that they may not be."""
    queues = [{"Name": "train"}, {"Name": "train"}]
    found = read({"Scheduling": {"SlurmQueues": queues}}).of(Queue)
    assert [(each.ref, each.name) for each in found] == [
        (Ref(QUEUE, "pcluster.SlurmQueues[0]"), "train"),
        (Ref(QUEUE, "pcluster.SlurmQueues[1]"), "train"),
    ]


# mounts and file systems


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
    assert read({"SharedStorage": [{**FSX, "FsxLustreSettings": {"FileSystemId": "fs-1"}}]}).of(LustreFileSystem) == ()
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

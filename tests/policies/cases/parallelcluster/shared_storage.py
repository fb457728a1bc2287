"""Shared storage and volumes of a cluster on ParallelCluster."""

from typing import Any

from muster.fleet.resources import Mount, Volume
from muster.unknown import UNKNOWN
from tests.policies.case import cases
from tests.policies.parallelclusters import mounted_at, said_of, with_volume
from tests.slurms import APPS, FSX, a_head, a_pcluster, a_queue, a_slurm_fleet

cases(
    a_storage_named_default=lambda: mounted_at("/data", "default"),
    a_storage_named_in_31_letters=lambda: mounted_at("/data", "a" * 31),
    a_storage_without_a_name=lambda: mounted_at("/data", None),
    a_storage_of_a_name_not_yet_known=lambda: mounted_at("/data", UNKNOWN),
    storage_not_yet_known=lambda: said_of(mounts=UNKNOWN),
    two_storages_of_one_name=lambda: mounted_at("/data", "fsx"),
    one_file_system_twice=lambda: said_of(
        mounts=(APPS, FSX, Mount("again", "/again", "FsxLustre", file_system=FSX.file_system))
    ),
    a_storage_at_opt=lambda: mounted_at("/opt"),
    a_storage_at_tmp_without_a_slash=lambda: mounted_at("tmp"),
    a_storage_at_a_hidden_directory=lambda: mounted_at("/.data"),
    a_storage_at_home=lambda: mounted_at("/home"),
    a_storage_at_a_directory_not_yet_known=lambda: mounted_at(UNKNOWN),
    two_storages_at_one_directory=lambda: mounted_at("/fsx"),
    a_storage_in_another=lambda: mounted_at("fsx/data"),
    a_storage_over_the_nvme_disks=lambda: mounted_at("/local_scratch"),
    a_storage_in_the_nvme_disks=lambda: mounted_at("/local_scratch/data"),
    a_storage_at_scratch=lambda: mounted_at("/scratch"),
    a_storage_where_the_head_nodes_disks_are=lambda: a_slurm_fleet(
        a_pcluster(mounts=(APPS, Mount("scratch", "/scratch", "FsxLustre", file_system="fs-0fedcba9876543210"))),
        a_head(instance="g5.8xlarge"),
    ),
    disks_mounted_nobody_knows_where=lambda: a_slurm_fleet(a_queue(scratch=UNKNOWN)),
    disks_of_a_type_that_nobody_knows=lambda: a_slurm_fleet(a_head(instance="x9.huge")),
    two_file_systems_that_parallelcluster_makes=lambda: said_of(
        mounts=(APPS, *(Mount(name, f"/{name}", "FsxLustre", deletion="Retain") for name in ("one", "two")))
    ),
)


def _of_kind(kind: Any, count: int) -> tuple[Mount, ...]:
    return tuple(Mount(f"some-{index}", f"/some-{index}", kind, deletion="Retain") for index in range(count))


cases(
    two_storages_of_nobody_knows_what=lambda: said_of(mounts=_of_kind(UNKNOWN, 2)),
    one_storage_of_nobody_knows_what=lambda: said_of(mounts=_of_kind(UNKNOWN, 1)),
    six_volumes=lambda: said_of(mounts=tuple(Mount(f"vol-{index}", f"/vol-{index}", "Ebs") for index in range(6))),
    two_raids=lambda: said_of(
        mounts=tuple(Mount(f"raid-{index}", f"/raid-{index}", "Ebs", raid=True) for index in range(2))
    ),
    two_elastic_file_systems=lambda: said_of(
        mounts=tuple(Mount(f"efs-{index}", f"/efs-{index}", "Efs", deletion="Retain") for index in range(2))
    ),
    a_file_system_that_goes_with_the_cluster=lambda: said_of(mounts=(APPS, Mount("fsx", "/fsx", "FsxLustre"))),
    a_file_system_that_nobody_knows_what_becomes_of=lambda: said_of(
        mounts=(APPS, Mount("fsx", "/fsx", "FsxLustre", deletion=UNKNOWN))
    ),
    a_volume_of_no_type=lambda: with_volume(type="gp9"),
    a_small_cold_volume=lambda: with_volume(type="sc1", gib=200),
    a_large_old_volume=lambda: with_volume(type="standard", gib=2000),
    iops_on_gp2=lambda: with_volume(type="gp2", gib=100, iops=3000),
    too_many_iops_for_the_size=lambda: with_volume(gib=10, iops=6000),
    a_gp3_volume_of_5_gib=lambda: with_volume(gib=5),
    a_gp3_volume_of_6_gib=lambda: with_volume(gib=6),
    too_few_iops=lambda: with_volume(type="gp3", gib=100, iops=100),
    too_much_throughput_for_the_iops=lambda: with_volume(gib=100, iops=3000, throughput=1000),
    throughput_beside_its_iops=lambda: with_volume(gib=100, iops=4000, throughput=1000),
    little_throughput=lambda: with_volume(gib=100, throughput=100),
    a_volume_not_yet_known=lambda: with_volume(gib=UNKNOWN),
    a_large_root_volume=lambda: a_slurm_fleet(a_head(root=Volume("gp3", 20000))),
    a_queues_root_volume=lambda: a_slurm_fleet(a_queue(root=Volume("io1", 100, iops=9000))),
)

"""Shared storage and volumes of a cluster on ParallelCluster."""

from typing import Any

from muster.fleet.resources import Fleet, Mount, Volume
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.policies.parallelclusters import mounted_at, said_of, with_volume
from tests.slurms import APPS, FSX, a_head, a_pcluster, a_queue, a_slurm_fleet


@case("parallelcluster-storage-names-legal @ storage.default")
def a_storage_named_default() -> Fleet:
    return mounted_at("/data", "default")


@case("parallelcluster-storage-names-legal @ storage.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
def a_storage_named_in_31_letters() -> Fleet:
    return mounted_at("/data", "a" * 31)


@case("parallelcluster-storage-names-legal @ storage")
def a_storage_without_a_name() -> Fleet:
    return mounted_at("/data", None)


@case(unjudged=("parallelcluster-storage-names-legal @ ",))
def a_storage_of_a_name_not_yet_known() -> Fleet:
    return mounted_at("/data", UNKNOWN)


@case(
    unjudged=(
        "parallelcluster-storage-encrypted @ ",
        "parallelcluster-storage-names-legal @ ",
    )
)
def storage_not_yet_known() -> Fleet:
    return said_of(mounts=UNKNOWN)


@case("parallelcluster-names-distinct @ storage")
def two_storages_of_one_name() -> Fleet:
    return mounted_at("/data", "fsx")


@case("parallelcluster-names-distinct @ storage")
def one_file_system_twice() -> Fleet:
    return said_of(mounts=(APPS, FSX, Mount("again", "/again", "FsxLustre", file_system=FSX.file_system)))


@case("parallelcluster-mount-dir-usable @ storage.data")
def a_storage_at_opt() -> Fleet:
    return mounted_at("/opt")


@case("parallelcluster-mount-dir-usable @ storage.data")
def a_storage_at_tmp_without_a_slash() -> Fleet:
    return mounted_at("tmp")


@case("parallelcluster-mount-dir-usable @ storage.data")
def a_storage_at_a_hidden_directory() -> Fleet:
    return mounted_at("/.data")


@case()
def a_storage_at_home() -> Fleet:
    return mounted_at("/home")


@case(unjudged=("parallelcluster-mount-dir-usable @ ",))
def a_storage_at_a_directory_not_yet_known() -> Fleet:
    return mounted_at(UNKNOWN)


@case("parallelcluster-mount-dirs-apart @ storage.data")
def two_storages_at_one_directory() -> Fleet:
    return mounted_at("/fsx")


@case("parallelcluster-mount-dirs-apart @ storage.data")
def a_storage_in_another() -> Fleet:
    return mounted_at("fsx/data")


@case("parallelcluster-mount-dirs-apart @ storage.data")
def a_storage_over_the_nvme_disks() -> Fleet:
    return mounted_at("/local_scratch")


@case("parallelcluster-mount-dirs-apart @ storage.data")
def a_storage_in_the_nvme_disks() -> Fleet:
    return mounted_at("/local_scratch/data")


@case()
def a_storage_at_scratch() -> Fleet:
    return mounted_at("/scratch")


@case("parallelcluster-mount-dirs-apart @ storage.scratch")
def a_storage_where_the_head_nodes_disks_are() -> Fleet:
    return a_slurm_fleet(
        a_pcluster(mounts=(APPS, Mount("scratch", "/scratch", "FsxLustre", file_system="fs-0fedcba9876543210"))),
        a_head(instance="g5.8xlarge"),
    )


@case(unjudged=("parallelcluster-mount-dirs-apart @ ",))
def disks_mounted_nobody_knows_where() -> Fleet:
    return a_slurm_fleet(a_queue(scratch=UNKNOWN))


@case(
    unjudged=("parallelcluster-mount-dirs-apart @ ", "parallelcluster-one-architecture @ queues.train.groups.workers")
)
def disks_of_a_type_that_nobody_knows() -> Fleet:
    return a_slurm_fleet(a_head(instance="x9.huge"))


@case("parallelcluster-storage-within-limits @ storage")
def two_file_systems_that_parallelcluster_makes() -> Fleet:
    return said_of(mounts=(APPS, *(Mount(name, f"/{name}", "FsxLustre", deletion="Retain") for name in ("one", "two"))))


def _of_kind(kind: Any, count: int) -> tuple[Mount, ...]:
    return tuple(Mount(f"some-{index}", f"/some-{index}", kind, deletion="Retain") for index in range(count))


@case(unjudged=("parallelcluster-storage-within-limits @ ",))
def two_storages_of_nobody_knows_what() -> Fleet:
    return said_of(mounts=_of_kind(UNKNOWN, 2))


@case()
def one_storage_of_nobody_knows_what() -> Fleet:
    return said_of(mounts=_of_kind(UNKNOWN, 1))


@case("parallelcluster-storage-within-limits @ storage")
def six_volumes() -> Fleet:
    return said_of(mounts=tuple(Mount(f"vol-{index}", f"/vol-{index}", "Ebs") for index in range(6)))


@case("parallelcluster-storage-within-limits @ storage")
def two_raids() -> Fleet:
    return said_of(mounts=tuple(Mount(f"raid-{index}", f"/raid-{index}", "Ebs", raid=True) for index in range(2)))


@case("parallelcluster-storage-encrypted @ storage", "parallelcluster-storage-within-limits @ storage")
def two_elastic_file_systems() -> Fleet:
    return said_of(mounts=tuple(Mount(f"efs-{index}", f"/efs-{index}", "Efs", deletion="Retain") for index in range(2)))


@case("parallelcluster-data-kept @ storage.fsx")
def a_file_system_that_goes_with_the_cluster() -> Fleet:
    return said_of(mounts=(APPS, Mount("fsx", "/fsx", "FsxLustre")))


@case(unjudged=("parallelcluster-data-kept @ ",))
def a_file_system_that_nobody_knows_what_becomes_of() -> Fleet:
    return said_of(mounts=(APPS, Mount("fsx", "/fsx", "FsxLustre", deletion=UNKNOWN)))


@case("parallelcluster-volumes-legal @ head.apps")
def a_volume_of_no_type() -> Fleet:
    return with_volume(type="gp9")


@case("parallelcluster-volumes-legal @ head.apps")
def a_small_cold_volume() -> Fleet:
    return with_volume(type="sc1", gib=200)


@case("parallelcluster-volumes-legal @ head.apps")
def a_large_old_volume() -> Fleet:
    return with_volume(type="standard", gib=2000)


@case("parallelcluster-volumes-legal @ head.apps")
def iops_on_gp2() -> Fleet:
    return with_volume(type="gp2", gib=100, iops=3000)


@case("parallelcluster-volumes-legal @ head.apps")
def too_many_iops_for_the_size() -> Fleet:
    return with_volume(gib=10, iops=6000)


@case("parallelcluster-volumes-legal @ head.apps")
def a_gp3_volume_of_5_gib() -> Fleet:
    return with_volume(gib=5)


@case()
def a_gp3_volume_of_6_gib() -> Fleet:
    return with_volume(gib=6)


@case("parallelcluster-volumes-legal @ head.apps")
def too_few_iops() -> Fleet:
    return with_volume(type="gp3", gib=100, iops=100)


@case("parallelcluster-volumes-legal @ head.apps")
def too_much_throughput_for_the_iops() -> Fleet:
    return with_volume(gib=100, iops=3000, throughput=1000)


@case()
def throughput_beside_its_iops() -> Fleet:
    return with_volume(gib=100, iops=4000, throughput=1000)


@case("parallelcluster-volumes-legal @ head.apps")
def little_throughput() -> Fleet:
    return with_volume(gib=100, throughput=100)


@case(unjudged=("parallelcluster-volumes-legal @ ",))
def a_volume_not_yet_known() -> Fleet:
    return with_volume(gib=UNKNOWN)


@case("parallelcluster-volumes-legal @ head.root")
def a_large_root_volume() -> Fleet:
    return a_slurm_fleet(a_head(root=Volume("gp3", 20000)))


@case("parallelcluster-volumes-legal @ queues.train.root")
def a_queues_root_volume() -> Fleet:
    return a_slurm_fleet(a_queue(root=Volume("io1", 100, iops=9000)))

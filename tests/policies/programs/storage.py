"""Programs about storage."""

import pulumi
import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    SCRATCH,
    World,
    a_template,
    a_world,
    efa_group,
    file_system,
    link,
    lustre_group,
    workers,
)


@keeps("lustre-in-training-zone", "lustre-ports-open")
def workers_and_a_file_system() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world)


@keeps("lustre-throughput-fits-type", "lustre-version-for-clients")
def a_scratch_file_system() -> None:
    file_system(a_world(), **SCRATCH)


@keeps("lustre-association-paths-apart")
def keeps_lustre_association_paths_apart() -> None:
    system = file_system(a_world())
    link(system, "/data/", "s3://data/a")
    link(system, "/data-new", "s3://data/b")


@breaks(
    "lustre-association-paths-apart", "A data repository association whose path is inside another's.", at={"scratch"}
)
def breaks_lustre_association_paths_apart() -> None:
    system = file_system(a_world())
    link(system, "/data/", "s3://data/a")
    link(system, "/data/new", "s3://data/b")


@keeps("lustre-associations-allowed")
def keeps_lustre_associations_allowed() -> None:
    system = file_system(a_world())
    for number in range(8):
        link(system, f"/{number}", f"s3://data/{number}")


@breaks("lustre-associations-allowed", "Nine data repository associations.", at={"scratch"})
def breaks_lustre_associations_allowed() -> None:
    system = file_system(a_world())
    for number in range(9):
        link(system, f"/{number}", f"s3://data/{number}")


keeps("lustre-backups-without-s3")(lambda: link(file_system(a_world()), "/data", "s3://data/imagenet"))
breaks("lustre-backups-without-s3", "Backups of a file system that is linked to S3.", at={"scratch"})(
    lambda: link(file_system(a_world(), automatic_backup_retention_days=7), "/data", "s3://data/imagenet")
)


@keeps("lustre-disk-fits-type")
def keeps_lustre_disk_fits_type() -> None:
    kind = {"deployment_type": "PERSISTENT_1", "per_unit_storage_throughput": 12, "metadata_configuration": None}
    file_system(a_world(), **kind, storage_type="HDD", drive_cache_type="READ", storage_capacity=6000)


breaks("lustre-disk-fits-type", "Hard disks on PERSISTENT_2.", at={"scratch"})(
    lambda: file_system(a_world(), storage_type="HDD", drive_cache_type="READ")
)

LARGE = {"efa_enabled": True, "storage_capacity": 19200}


def _world_and_group() -> tuple[World, aws.ec2.SecurityGroup]:
    world = a_world()
    return world, efa_group(world, "fsx")


keeps("lustre-efa-allowed")(lambda: file_system(*_world_and_group(), **LARGE))
breaks("lustre-efa-allowed", "EFA without metadata.", at={"scratch"})(
    lambda: file_system(*_world_and_group(), **LARGE, metadata_configuration=None)
)


@keeps("lustre-efa-traffic-open")
def keeps_lustre_efa_traffic_open() -> None:
    world = a_world()
    file_system(world, efa_group(world, "fsx"), **LARGE)


@breaks("lustre-efa-traffic-open", "A file system with EFA, and a security group that allows only TCP.", at={"scratch"})
def breaks_lustre_efa_traffic_open() -> None:
    world = a_world()
    file_system(world, lustre_group(world), **LARGE)


keeps("lustre-import-path-complete")(
    lambda: file_system(a_world(), **SCRATCH, import_path="s3://data", export_path="s3://data/out")
)
breaks("lustre-import-path-complete", "An export path without an import path.", at={"scratch"})(
    lambda: file_system(a_world(), **SCRATCH, export_path="s3://data/out")
)


@breaks("lustre-in-training-zone", "FSx in another zone than the workers.", at={"scratch"})
def breaks_lustre_in_training_zone() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world, subnet_ids=world.subnets[1].id)


keeps("lustre-key-and-backups-persistent")(
    lambda: file_system(a_world(), kms_key_id=aws.kms.Key("data").arn, automatic_backup_retention_days=7)
)
breaks("lustre-key-and-backups-persistent", "The account's own KMS key on a scratch file system.", at={"scratch"})(
    lambda: file_system(a_world(), **SCRATCH, kms_key_id=aws.kms.Key("data").arn)
)

keeps("lustre-metadata-fits-type")(
    lambda: file_system(a_world(), metadata_configuration={"mode": "USER_PROVISIONED", "iops": 12000})
)
breaks("lustre-metadata-fits-type", "9000 metadata operations a second.", at={"scratch"})(
    lambda: file_system(a_world(), metadata_configuration={"mode": "USER_PROVISIONED", "iops": 9000})
)


@breaks("lustre-ports-open", "Port 988 alone, as in most templates.", at={"scratch"})
def breaks_lustre_ports_open() -> None:
    world = a_world()
    workers(world, a_template(world))
    file_system(world, lustre_group(world, ports=[(988, 988)]))


keeps("lustre-single-subnet")(lambda: file_system(a_world()))


@breaks(
    "lustre-single-subnet",
    "A subnet in every zone, as for other services. The Python SDK accepts text; YAML accepts any value.",
    at={"scratch"},
)
def breaks_lustre_single_subnet() -> None:
    world = a_world()
    settings = {
        "subnetIds": [subnet.id for subnet in world.subnets],
        "securityGroupIds": [lustre_group(world).id],
        "storageCapacity": 1200,
        "deploymentType": "SCRATCH_2",
        "fileSystemTypeVersion": "2.15",
    }
    pulumi.CustomResource("aws:fsx/lustreFileSystem:LustreFileSystem", "scratch", settings)


keeps("lustre-size-valid")(lambda: file_system(a_world(), storage_capacity=2400))
breaks("lustre-size-valid", "3000 GiB.", at={"scratch"})(lambda: file_system(a_world(), storage_capacity=3000))

breaks("lustre-throughput-fits-type", "A throughput on scratch.", at={"scratch"})(
    lambda: file_system(a_world(), **{**SCRATCH, "per_unit_storage_throughput": 200})
)

breaks("lustre-version-for-clients", "No version, so FSx creates 2.10.", at={"scratch"})(
    lambda: file_system(a_world(), **{**SCRATCH, "file_system_type_version": None})
)

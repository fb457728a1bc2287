"""Volumes of instance groups, and their keys."""

from muster.fleet.resources import FileSystemMount, Fleet, HyperPodCluster, InstanceGroup, StorageVolume
from muster.unknown import UNKNOWN, UnknownType
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

KEY = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def _keyed(group: InstanceGroup, provisioning: str | None | UnknownType = "Continuous") -> Fleet:
    """A group with keys, provisioned in some mode."""
    return a_hyperpod_fleet(a_hyperpod(provisioning=provisioning), group)


cases(
    a_volume_larger_than_there_are=lambda: a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(20000),))),
    a_volume_without_a_size=lambda: a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None),))),
    a_root_volume_with_a_key=lambda: _keyed(
        an_instance_group(volumes=(StorageVolume(None, True, KEY), StorageVolume(500, key=KEY)))
    ),
    a_root_volume_with_a_size=lambda: _keyed(an_instance_group(volumes=(StorageVolume(100, True, KEY),))),
    a_root_volume_without_a_key=lambda: a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None, True),))),
    five_storage_configurations=lambda: a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(500),) * 5)),
    a_file_system_that_is_mounted=lambda: a_hyperpod_fleet(
        an_instance_group(
            volumes=(StorageVolume(500),),
            mounts=(FileSystemMount("FsxLustreConfig", "fs-0123456789abcdef0.fsx", "abcd", None),),
        )
    ),
    volumes_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(volumes=UNKNOWN)),
    a_volumes_size_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(UNKNOWN),))),
    a_root_volumes_key_where_groups_come_whole=lambda: _keyed(
        an_instance_group(volumes=(StorageVolume(None, True, KEY), StorageVolume(500))), None
    ),
    a_volumes_key_where_groups_come_whole=lambda: _keyed(
        an_instance_group(volumes=(StorageVolume(500, key="1234abcd-12ab-34cd-56ef-1234567890ab"),)), None
    ),
    a_key_of_another_region=lambda: _keyed(
        an_instance_group(volumes=(StorageVolume(500, key=KEY.replace("us-west-2", "us-east-1")),))
    ),
    a_key_under_provisioning_not_yet_known=lambda: _keyed(
        an_instance_group(volumes=(StorageVolume(500, key=KEY),)), UNKNOWN
    ),
    a_key_of_a_cluster_that_is_not_here=lambda: a_hyperpod_fleet(
        an_instance_group(volumes=(StorageVolume(500, key=KEY),)), without=[HyperPodCluster]
    ),
    a_key_that_the_program_makes=lambda: _keyed(an_instance_group(volumes=(StorageVolume(500, key=UNKNOWN),))),
)

"""Volumes of instance groups, and their keys."""

from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup, StorageVolume
from muster.fleet.unknown import UNKNOWN, UnknownType
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.case import case

KEY = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def _keyed(group: InstanceGroup, provisioning: str | None | UnknownType = "Continuous") -> Fleet:
    """A group with keys, provisioned in some mode."""
    return a_hyperpod_fleet(a_hyperpod(provisioning=provisioning), group)


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.volume")
def a_volume_larger_than_there_are() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(20000),)))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.volume")
def a_volume_without_a_size() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None),)))


@case()
def a_root_volume_with_a_key() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(None, True, KEY), StorageVolume(500, key=KEY))))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.root-volume-key")
def a_root_volume_with_a_size() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(100, True, KEY),)))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.root-volume-key")
def a_root_volume_without_a_key() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None, True),)))


@case("hyperpod-volumes-legal @ groups.workers.hyperpod.volume")
def five_storage_configurations() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(500),) * 5))


@case()
def a_file_system_that_is_mounted() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(None, mounts=True), StorageVolume(500))))


@case(unjudged=("hyperpod-key-usable @ groups.workers", "hyperpod-volumes-legal @ groups.workers"))
def volumes_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=UNKNOWN))


@case(unjudged=("hyperpod-volumes-legal @ groups.workers",))
def a_volumes_size_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(UNKNOWN),)))


@case("hyperpod-key-usable @ groups.workers.hyperpod.root-volume-key")
def a_root_volumes_key_where_groups_come_whole() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(None, True, KEY), StorageVolume(500))), None)


@case("hyperpod-key-usable @ groups.workers.hyperpod.volume.key")
def a_volumes_key_where_groups_come_whole() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key="1234abcd-12ab-34cd-56ef-1234567890ab"),)), None)


@case("hyperpod-key-usable @ groups.workers.hyperpod.volume.key")
def a_key_of_another_region() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key=KEY.replace("us-west-2", "us-east-1")),)))


@case(unjudged=("hyperpod-key-usable @ groups.workers", "hyperpod-provisioning-known @ hyperpod"))
def a_key_under_provisioning_not_yet_known() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key=KEY),)), UNKNOWN)


@case(unjudged=("hyperpod-key-usable @ groups.workers",))
def a_key_of_a_cluster_that_is_not_here() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(volumes=(StorageVolume(500, key=KEY),)), without=[HyperPodCluster])


@case()
def a_key_that_the_program_makes() -> Fleet:
    return _keyed(an_instance_group(volumes=(StorageVolume(500, key=UNKNOWN),)))

"""Volumes of instance groups, and their keys."""

from muster.fleet.resources import Fleet, InstanceGroup, StorageVolume
from muster.unknown import UNKNOWN, UnknownType
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

KEY = "arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab"


def _keyed(group: InstanceGroup, provisioning: str | None | UnknownType = "Continuous") -> Fleet:
    """A group with keys, provisioned in some mode."""
    return a_hyperpod_fleet(a_hyperpod(provisioning=provisioning), group)


cases(
    volumes_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(volumes=UNKNOWN)),
    a_root_volumes_key_where_groups_come_whole=lambda: _keyed(
        an_instance_group(volumes=(StorageVolume(None, True, KEY), StorageVolume(500))), None
    ),
)

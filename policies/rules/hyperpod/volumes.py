"""Storage configurations of HyperPod groups, and their KMS keys."""

import re
from collections.abc import Iterator

from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, InstanceGroup, StorageVolume
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import cluster_of, display_name
from muster.unknown import UNKNOWN

_MOST, _LARGEST = 4, 16384


@rule(
    "hyperpod-volumes-legal",
    title="A HyperPod group has up to 4 storage configurations, with volumes of 1 to 16384 GB",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="The API refuses other values. HyperPod decides the size of the root volume, so its configuration sets only "
    "the KMS key. The schema of a description refuses most of these faults.",
    source="SageMaker API, ClusterInstanceStorageConfigs and ClusterEbsVolumeConfig",
    remedy="Keep to the API's limits.",
    facts=("rules.md#60", "hardware.md#R19"),
)
def hyperpod_volumes_legal(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.volumes is UNKNOWN:
        yield rule.unjudged(group.place, f"the volumes of {display_name(group)} (known only after `pulumi up`)")
        return
    number = len(group.volumes) + len(() if group.mounts is UNKNOWN else group.mounts)
    if number > _MOST:
        got = f"{display_name(group)} has {number} storage configurations, but the API accepts {_MOST}"
        yield rule.finding(
            group.place,
            at="hyperpod.volume",
            got=got,
            remedy=f"keep at most {_MOST} storage configurations",
            program_remedy=f"keep at most {_MOST} entries in instanceStorageConfigs",
        )
    for volume in group.volumes:
        if UNKNOWN in (volume.gib, volume.root):
            yield rule.unjudged(group.place, f"a volume of {display_name(group)} (known only after `pulumi up`)")
        else:
            yield from _of(volume, group, rule)


def _of(volume: StorageVolume, group: InstanceGroup, rule: Rule) -> Iterator[Verdict]:
    at = "hyperpod.root-volume-key" if volume.root else "hyperpod.volume"
    if volume.root:
        if volume.gib is not None:
            got = f"{display_name(group)} sets the size of its root volume ({volume.gib} GB), which HyperPod decides"
            yield rule.finding(
                group.place,
                at=at,
                got=got,
                remedy="remove the size, or set it for another volume",
                program_remedy="remove ebsVolumeConfig.volumeSizeInGb, or set it for another volume",
            )
        if volume.key is None:
            got = f"{display_name(group)} configures its root volume without a KMS key"
            yield rule.finding(
                group.place, at=at, got=got, remedy="set volumeKmsKeyId, or remove this storage configuration"
            )
    elif not isinstance(volume.gib, int) or not 1 <= volume.gib <= _LARGEST:
        size = "no size" if volume.gib is None else f"a size of {volume.gib} GB"
        got = f"a volume of {display_name(group)} has {size}, but the API accepts 1 to {_LARGEST} GB"
        to = f"from 1 to {_LARGEST}"
        in_program = f"set ebsVolumeConfig.volumeSizeInGb to a number {to}"
        yield rule.finding(group.place, at=at, got=got, remedy=f"set a size {to} GB", program_remedy=in_program)


_ARN = re.compile(r"arn:[^:]+:kms:([^:]+):")


@rule(
    "hyperpod-key-usable",
    title="A customer KMS key is in the stack's Region, and the cluster uses continuous provisioning",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="SageMaker encrypts volumes with a customer's KMS key only on clusters with continuous provisioning, and EBS "
    "cannot use a key of another Region. You cannot change the key of a group later.",
    source="SageMaker guide, smcluster-cmk; EBS user guide, How Amazon EBS encryption works",
    remedy="Use continuous provisioning, and a key in the stack's Region.",
    facts=("rules.md#60", "hardware.md#R19"),
)
def hyperpod_key_usable(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.volumes is UNKNOWN:
        yield rule.unjudged(group.place, f"the volumes of {display_name(group)} (known only after `pulumi up`)")
        return
    cluster = cluster_of(group, fleet)
    mode = cluster.provisioning if cluster else UNKNOWN
    keyed = [volume for volume in group.volumes if volume.key is not None]
    if mode is UNKNOWN and any(volume.key is not UNKNOWN for volume in keyed):
        missing = (
            f"the provisioning mode of {display_name(cluster)} (known only after `pulumi up`)"
            if cluster
            else "its cluster"
        )
        yield rule.unjudged(group.place, missing)
    for volume in keyed:
        at = "hyperpod.root-volume-key" if volume.root is True else "hyperpod.volume.key"
        if volume.key is UNKNOWN and mode != "Continuous":
            yield rule.unjudged(group.place, f"the KMS key of {_whose(volume, group)} (known only after `pulumi up`)")
        elif mode not in ("Continuous", UNKNOWN):
            yield rule.finding(
                group.place,
                at=at,
                got=f"{_whose(volume, group)} has a customer KMS key, but the cluster has no continuous provisioning",
                remedy="set provisioning: continuous, or remove the key",
                program_remedy="set nodeProvisioningMode to Continuous, or remove volumeKmsKeyId",
            )
        region = _region(volume.key)
        if fleet.region and region and region != fleet.region:
            got = f"{_whose(volume, group)} has a KMS key in {region}, but its instances are in {fleet.region}"
            remedy, in_program = (
                f"use a KMS key in {fleet.region}",
                f"set volumeKmsKeyId to a KMS key in {fleet.region}",
            )
            yield rule.finding(group.place, at=at, got=got, remedy=remedy, program_remedy=in_program)


def _whose(volume: StorageVolume, group: InstanceGroup) -> str:
    return f"{'the root' if volume.root is True else 'a'} volume of {display_name(group)}"


def _region(key: object) -> str:
    """The Region in a key's ARN; empty for an id, an alias and a key that the program creates."""
    found = _ARN.match(key) if isinstance(key, str) else None
    return found[1] if found else ""

"""Storage configurations of HyperPod groups, and their KMS keys."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup, StorageVolume
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import cluster_of, display_name

_MOST, _LARGEST = 4, 16384


@rule(
    "hyperpod-volumes-legal",
    title="A HyperPod group has up to 4 storage configurations, with volumes of 1 to 16384 GB",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The API refuses others. The root volume has a size that HyperPod decides: a configuration of it says only "
    "whose key encrypts it. A description's own types refuse most of these.",
    source="SageMaker API, ClusterInstanceStorageConfigs and ClusterEbsVolumeConfig",
    remedy="Keep to the API's limits.",
    facts=("rules.md#60", "hardware.md#R19"),
)
def hyperpod_volumes_legal(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.volumes is UNKNOWN:
        yield rule.unjudged(group.place, f"the volumes of {display_name(group)}, not known before creation")
        return
    if len(group.volumes) > _MOST:
        got = f"{display_name(group)} has {len(group.volumes)} storage configurations; the API takes {_MOST}"
        yield rule.finding(group.place, at="hyperpod.volume", got=got, remedy=f"keep {_MOST} at most")
    for volume in group.volumes:
        if UNKNOWN in (volume.gib, volume.root):
            yield rule.unjudged(group.place, f"a volume of {display_name(group)}, not known before creation")
        elif not volume.mounts:
            yield from _of(volume, group, rule)


def _of(volume: StorageVolume, group: InstanceGroup, rule: Rule) -> Iterator[Verdict]:
    at = "hyperpod.root-volume-key" if volume.root else "hyperpod.volume"
    if volume.root:
        if volume.gib is not None:
            got = f"{display_name(group)} says a size of its root volume ({volume.gib} GB); HyperPod decides that"
            yield rule.finding(group.place, at=at, got=got, remedy="leave the size out, and say it of another volume")
        if volume.key is None:
            got = f"{display_name(group)} has a configuration of its root volume without a KMS key"
            yield rule.finding(group.place, at=at, got=got, remedy="name the key, or leave the configuration out")
    elif not isinstance(volume.gib, int) or not 1 <= volume.gib <= _LARGEST:
        size = "no size" if volume.gib is None else f"a size of {volume.gib} GB"
        got = f"a volume of {display_name(group)} has {size}; the API takes 1 to {_LARGEST} GB"
        yield rule.finding(group.place, at=at, got=got, remedy=f"write 1 to {_LARGEST}")


_ARN = re.compile(r"arn:[^:]+:kms:([^:]+):")


@rule(
    "hyperpod-key-usable",
    title="A key of one's own is the Region's, and goes with continuous provisioning",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="SageMaker encrypts volumes with a customer's KMS key only on clusters that are provisioned continuously, and "
    "EBS reaches no key of another Region. A group's key cannot be changed later.",
    source="SageMaker guide, smcluster-cmk; EBS user guide, How Amazon EBS encryption works",
    remedy="Provision continuously, with a key of the stack's Region.",
    facts=("rules.md#60", "hardware.md#R19"),
)
def hyperpod_key_usable(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.volumes is UNKNOWN:
        yield rule.unjudged(group.place, f"the volumes of {display_name(group)}, not known before creation")
        return
    cluster = cluster_of(group, fleet)
    mode = cluster.provisioning if cluster else UNKNOWN
    keyed = [volume for volume in group.volumes if volume.key is not None]
    if mode is UNKNOWN and any(volume.key is not UNKNOWN for volume in keyed):
        missing = (
            f"the provisioning mode of {display_name(cluster)}, not known before creation" if cluster else "its cluster"
        )
        yield rule.unjudged(group.place, missing)
    for volume in keyed:
        at = "hyperpod.root-volume-key" if volume.root is True else "hyperpod.volume.key"
        if volume.key is UNKNOWN and mode != "Continuous":
            yield rule.unjudged(group.place, f"the KMS key of {_whose(volume, group)}, not known before creation")
        elif mode not in ("Continuous", UNKNOWN):
            got = f"{_whose(volume, group)} has a KMS key of its own, and the cluster is not provisioned continuously"
            remedy = "set provisioning: continuous (nodeProvisioningMode), or leave the key out"
            yield rule.finding(group.place, at=at, got=got, remedy=remedy)
        region = _region(volume.key)
        if fleet.region and region and region != fleet.region:
            got = f"{_whose(volume, group)} has a KMS key of {region}; its instances are in {fleet.region}"
            yield rule.finding(group.place, at=at, got=got, remedy=f"name a key of {fleet.region}")


def _whose(volume: StorageVolume, group: InstanceGroup) -> str:
    return f"{'the root' if volume.root is True else 'a'} volume of {display_name(group)}"


def _region(key: object) -> str:
    """Of a key's ARN; empty of an id, an alias and a key that the program makes."""
    found = _ARN.match(key) if isinstance(key, str) else None
    return found[1] if found else ""

"""Volumes of HyperPod's instances."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup, StorageVolume
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule

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
        yield rule.unjudged(group.place, f"the volumes of {called(group)}, not known before creation")
        return
    if len(group.volumes) > _MOST:
        got = f"{called(group)} has {len(group.volumes)} storage configurations; the API takes {_MOST}"
        yield rule.finding(group.place, at="hyperpod.volume", got=got, remedy=f"keep {_MOST} at most")
    for volume in group.volumes:
        if UNKNOWN in (volume.gib, volume.root):
            yield rule.unjudged(group.place, f"a volume of {called(group)}, not known before creation")
        elif not volume.mounts:
            yield from _of(volume, group, rule)


def _of(volume: StorageVolume, group: InstanceGroup, rule: Rule) -> Iterator[Verdict]:
    at = "hyperpod.root-volume-key" if volume.root else "hyperpod.volume"
    if volume.root:
        if volume.gib is not None:
            got = f"{called(group)} says a size of its root volume ({volume.gib} GB); HyperPod decides that"
            yield rule.finding(group.place, at=at, got=got, remedy="leave the size out, and say it of another volume")
        if volume.key is None:
            got = f"{called(group)} has a configuration of its root volume without a KMS key"
            yield rule.finding(group.place, at=at, got=got, remedy="name the key, or leave the configuration out")
    elif not isinstance(volume.gib, int) or not 1 <= volume.gib <= _LARGEST:
        said = "no size" if volume.gib is None else f"a size of {volume.gib} GB"
        got = f"a volume of {called(group)} has {said}; the API takes 1 to {_LARGEST} GB"
        yield rule.finding(group.place, at=at, got=got, remedy=f"write 1 to {_LARGEST}")

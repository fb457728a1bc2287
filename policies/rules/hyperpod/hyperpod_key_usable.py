"""Keys of one's own for the volumes of HyperPod's instances."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup, StorageVolume
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, cluster_of
from policies.rule import Rule, Verdict, rule

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
        yield rule.unjudged(group.place, f"the volumes of {called(group)}, not known before creation")
        return
    cluster = cluster_of(group, fleet)
    mode = cluster.provisioning if cluster else UNKNOWN
    keyed = [volume for volume in group.volumes if volume.key is not None]
    if mode is UNKNOWN and any(volume.key is not UNKNOWN for volume in keyed):
        missing = f"the provisioning mode of {called(cluster)}, not known before creation" if cluster else "its cluster"
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
    return f"{'the root' if volume.root is True else 'a'} volume of {called(group)}"


def _region(key: object) -> str:
    """Of a key's ARN; empty of an id, an alias and a key that the program makes."""
    found = _ARN.match(key) if isinstance(key, str) else None
    return found[1] if found else ""

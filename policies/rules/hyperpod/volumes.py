"""Storage configurations of HyperPod groups, and their KMS keys."""

import re
from collections.abc import Iterator

from muster.fleet.backend_sets import IN_HYPERPOD
from muster.fleet.resources import Fleet, InstanceGroup, StorageVolume
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import cluster_of, display_name
from muster.unknown import UNKNOWN

_ARN = re.compile(r"arn:[^:]+:kms:([^:]+):")


@rule(
    "hyperpod-key-usable",
    title="A customer KMS key is in the stack's Region, and the cluster uses continuous provisioning",
    judges=InstanceGroup,
    backends=IN_HYPERPOD,
    why="SageMaker encrypts volumes with a customer's KMS key only on clusters with continuous provisioning, and EBS "
    "cannot use a key of another Region. You cannot change the key of a group later.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/smcluster-cmk.html",
        "https://docs.aws.amazon.com/ebs/latest/userguide/how-ebs-encryption-works.html",
    ),
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

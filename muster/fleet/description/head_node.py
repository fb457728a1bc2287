"""The head node of a cluster on ParallelCluster: where people log in, and Slurm's controller runs."""

import re
from typing import Annotated, ClassVar

from pydantic import AfterValidator

from muster.fleet.description.group_core import SecurityGroups, Tier
from muster.fleet.description.identifiers import AnyCidr, KeyPairName
from muster.fleet.description.part import Change, Choice, Nothing, Part, field
from muster.fleet.description.post_install import PostInstall
from muster.fleet.hardware import instance_types
from muster.fleet.hardware.near_type import nearest_type
from muster.fleet.hardware.plain_types import has_form
from muster.fleet.quantity import Size, whole_gib
from muster.fleet.zones import ZoneName

_PUBLIC_KEY = re.compile(r"(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/]+={0,3}( [^\n]*)?")
"""The kinds that EC2 imports (ImportKeyPair): ED25519 and RSA."""


def _public_key(value: str) -> str:
    if "PRIVATE KEY" in value:
        raise ValueError("a private key stands here; take it out of the file, and write its .pub half")
    if not _PUBLIC_KEY.fullmatch(value.strip()):
        raise ValueError("this is no public key that EC2 takes; write the line of a .pub file: ssh-ed25519 AAAA...")
    return value.strip()


PublicKey = Annotated[str, AfterValidator(_public_key)]


class Login(Choice):
    """How people get a shell on the head node. Muster never has a private key."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"ssm"})

    ssm: Nothing | None = field(
        "AWS Systems Manager sessions alone: no open port, no key.", Change.REFUSED, default=None
    )
    key_pair: KeyPairName | None = field("SSH, with an EC2 key pair that exists.", Change.REFUSED, default=None)
    public_key: PublicKey | None = field(
        "SSH, with this public key (the line of a .pub file): Muster makes the key pair.", Change.REFUSED, default=None
    )


def _head_type(instance: str) -> str:
    """Any type will do, catalogued or not: it computes nothing."""
    if instance in instance_types():
        return instance
    near = nearest_type(instance, instance_types())
    if near or not has_form(instance):
        meant = f"; did you mean '{near}'?" if near else ";"
        raise ValueError(f"'{instance}' is not an EC2 instance type{meant} write one like m5.8xlarge")
    return instance


HeadType = Annotated[str, AfterValidator(_head_type)]

_LARGEST_VOLUME = Size(16 * 1024 * 1024)
_SMALLEST_ROOT = Size(40 * 1024)
"""ParallelCluster's images have 40 GiB by now (`get_default_volume_size`: the image's own is the least)."""


_SMALLEST_VOLUME = Size(6 * 1024)
"""ParallelCluster asks 3000 IOPS of any gp3 volume, and refuses more than 500 a GiB (`EbsVolumeIopsValidator`)."""


def _volume(size: Size) -> Size:
    if not _SMALLEST_VOLUME <= size <= _LARGEST_VOLUME:
        raise ValueError(f"{size} is not a volume; give {_SMALLEST_VOLUME} to {_LARGEST_VOLUME}")
    return size


def _root(size: Size) -> Size:
    if not _SMALLEST_ROOT <= size <= _LARGEST_VOLUME:
        raise ValueError(f"{size} is not a root volume; give {_SMALLEST_ROOT} to {_LARGEST_VOLUME}")
    return size


VolumeSize = Annotated[Size, AfterValidator(whole_gib), AfterValidator(_volume)]
RootSize = Annotated[Size, AfterValidator(whole_gib), AfterValidator(_root)]


class HeadNode(Part):
    """The head node. It exports /home, which is on its root volume, and /apps to all nodes."""

    instance: HeadType = field("An EC2 instance type.", Change.REFUSED, default="m5.8xlarge")
    subnets: Tier = field("private or public subnet.", Change.REFUSED, default=Tier.PRIVATE)
    zone: ZoneName | None = field(
        "The zone it is in. Without it: that of the first queue.", Change.REFUSED, default=None
    )
    root: RootSize = field("Its root volume, /home included.", Change.REFUSED, default=Size(200 * 1024))
    apps: VolumeSize = field("The volume shared at /apps.", Change.REFUSED, default=Size(200 * 1024))
    login: Login = field(
        "ssm, {key-pair: NAME} or {public-key: ...}. Sessions work in any case.",
        Change.REFUSED,
        default=Login(ssm=Nothing()),
    )
    ssh_from: AnyCidr | None = field(
        "The network that SSH is let in from: with a key, and only then.", Change.IN_PLACE, default=None
    )
    security_groups: SecurityGroups = field(
        "Existing security groups to attach beside ParallelCluster's and Muster's.", Change.IN_PLACE, default=()
    )
    post_install: PostInstall | None = field(
        "What is installed on it; the cluster's without it.", Change.REFUSED, default=None
    )

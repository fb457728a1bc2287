"""Facts of images and key pairs."""

from typing import Literal

from pydantic import StrictBool, StrictInt

from muster.fleet.facts.fact import EXISTS, Fact, a_fact


class ImageFacts(Fact):
    """What `DescribeImages` says of an image; its tags where `pcluster build-image` made it in this account."""

    exists: StrictBool | None = a_fact(EXISTS)
    parallelcluster_version: str | None = a_fact("Its tag parallelcluster:version, as in 3.16.1")
    os: str | None = a_fact("Its tag parallelcluster:os, as in alinux2023")
    root_gib: StrictInt | None = a_fact("The size of its root device's snapshot, in GiB")


class KeyPairFacts(Fact):
    """What `DescribeKeyPairs` says of one key pair."""

    exists: StrictBool | None = a_fact(EXISTS)
    type: Literal["rsa", "ed25519"] | None = a_fact("KeyType")

"""The volume that people set of nodes of pulumi-eks: its size, its device, and what Amazon Linux 2 has without a word.

Read in pulumi-eks `nodejs/eks` (4.3, whose logic 4.4's SDK drives): `nodes/nodegroup.ts`, `nodes/ami.ts`.
"""

from collections.abc import Mapping
from typing import Any

from muster.fleet.unknown import UNKNOWN
from muster.offline.eks_making import given_or

ROOT_VOLUME = {
    "nodeRootVolumeSize": "volumeSize",
    "nodeRootVolumeType": "volumeType",
    "nodeRootVolumeIops": "iops",
    "nodeRootVolumeThroughput": "throughput",
    "nodeRootVolumeEncrypted": "encrypted",
    "nodeRootVolumeDeleteOnTermination": "deleteOnTermination",
}


_AL2, _AL2023, _BOTTLEROCKET = "AL2", "AL2023", "Bottlerocket"
_IMAGES = {"AL2_": _AL2, "amazon-linux-2-": _AL2, "AL2023_": _AL2023, "amazon-linux-2023/": _AL2023}
"""How types of images begin, in pulumi-eks, today and before (`nodejs/eks/nodes/ami.ts`, 4.3.0)."""
_DEVICES = {_AL2: "/dev/xvda", _AL2023: "/dev/xvda", _BOTTLEROCKET: "/dev/xvdb"}
"""The volume that people set, of EKS's own images: the root's, of Bottlerocket that of the data (`nodegroup.ts`)."""


def _operating_system(args: Mapping[str, Any]) -> Any:
    """What the image runs: as its type says, else as it is asked for, else Amazon Linux 2023."""
    image = args.get("amiType")
    if image is None:
        return given_or(args.get("operatingSystem"), _AL2023)
    text = str(image)
    if text.startswith("BOTTLEROCKET_"):
        return _BOTTLEROCKET
    if text == "amazon-linux-2":
        return _AL2
    return next((os for begins, os in _IMAGES.items() if text.startswith(begins)), UNKNOWN)


def root_volume(args: Mapping[str, Any]) -> Any:
    """The volume of `createNodeGroupV2`: with Amazon Linux 2 always said in full, else as far as somebody asks.

    Its device is the image's: of one's own image only AWS knows it.
    """
    given = {theirs: args[ours] for ours, theirs in ROOT_VOLUME.items() if args.get(ours) is not None}
    system = _operating_system(args)
    if system is UNKNOWN:
        return UNKNOWN
    if system == _AL2:
        given = {"encrypted": False, "volumeSize": 20, "volumeType": "gp2", "deleteOnTermination": True, **given}
    for flag in {"encrypted", "deleteOnTermination"} & given.keys():
        given[flag] = given[flag] if given[flag] is UNKNOWN else str(bool(given[flag])).lower()
    device = UNKNOWN if args.get("amiId") is not None else _DEVICES.get(system, UNKNOWN)
    return [{"deviceName": device, "ebs": given}] if given else []


def device_of(args: Mapping[str, Any]) -> Any:
    """The device of that volume, of EKS's own image."""
    return _DEVICES.get(_operating_system(args), UNKNOWN)

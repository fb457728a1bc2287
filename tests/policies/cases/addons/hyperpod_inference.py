"""HyperPod's inference operator, and what it needs."""

from typing import Any

from muster.fleet.resources import EksAddon, Place, Ref
from muster.fleet.resources.ref import ADDON

OPERATOR = "amazon-sagemaker-hyperpod-inference"
DRIVERS = ("aws-mountpoint-s3-csi-driver", "aws-fsx-csi-driver")


def an_eks(name: Any, version: Any = "v1.18.2-eksbuild.1") -> EksAddon:
    return EksAddon(Ref(ADDON, str(name)), name, version, Place("kubernetes"))


def installed(*names: Any) -> dict[str, str]:
    return dict.fromkeys(("vpc-cni", *names), "v1.23.1-eksbuild.1")

"""One node group of a file: its name, instance types and image.

The image is that of `GetAMIType` in amitype.go, or of pkg/ami if eksctl looks it up itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from muster.finding import KeyPath
from muster.hardware.ami import Family, ami_type
from muster.hardware.catalogue import Accelerator, Hardware, UnknownInstance, hardware
from muster.hardware.default_types import EKSCTL_NODES
from muster.sources.eksctl.resources import block, first
from muster.unknown import UNKNOWN

MANAGED, SELF_MANAGED = "managedNodeGroups", "nodeGroups"
AL2023, AL2, BOTTLEROCKET = "AmazonLinux2023", "AmazonLinux2", "Bottlerocket"
_FAMILIES = (AL2023, AL2, BOTTLEROCKET, "BottlerocketFips")
"""The values of `amiFamily` with which EKS has an image (`SupportedAMIFamilies`), beside Ubuntu and Windows."""


@dataclass(frozen=True)
class Group:
    """A node group. A value that the file does not have is unknown."""

    values: Mapping[str, Any]
    path: KeyPath
    """Its path in the file."""

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key."""
        return self.values.get(key, default)

    def block(self, *keys: str) -> Mapping[str, Any]:
        """A nested block."""
        found = self.values
        for key in keys:
            found = block(found, key)
        return found

    @property
    def managed(self) -> bool:
        """Whether EKS manages it; otherwise it is an Auto Scaling group."""
        return self.path[0] == MANAGED

    @property
    def name(self) -> str:
        """Its name; its place, if the file has only a placeholder."""
        found = self.get("name")
        return found if isinstance(found, str) else f"{self.path[0]}[{self.path[1]}]"

    @property
    def template(self) -> str:
        """The id of its launch template in the program."""
        return f"template of {self.name}"

    @property
    def efa(self) -> Any:
        """Whether it has EFA."""
        return self.get("efaEnabled", False)

    @property
    def on_capacity_block(self) -> bool:
        """Whether it runs on a Capacity Block."""
        return self.block("instanceMarketOptions").get("marketType") == "capacity-block"

    @cached_property
    def types(self) -> list[Any]:
        """Its instance types; one unknown type if the file does not have them."""
        if self.block("instanceSelector") or self.get("instanceSelector") is UNKNOWN:
            return [UNKNOWN]
        for listed in (self.get("instanceTypes"), self.block("instancesDistribution").get("instanceTypes")):
            if listed is UNKNOWN:
                return [UNKNOWN]
            if listed:
                return list(listed)
        if self.get("instanceType") is None and self.get("launchTemplate") is not None:
            return [UNKNOWN]
        given = first(self.get("instanceType"), EKSCTL_NODES)
        return [UNKNOWN if given == "mixed" else given]

    @cached_property
    def machines(self) -> list[Hardware | None]:
        """The hardware of each type; None for one that Muster does not know."""
        return [_machine(each) for each in self.types]

    def has(self, kind: Accelerator) -> bool:
        """Whether a type has an accelerator of this kind."""
        return any(each and each.accelerator is kind for each in self.machines)

    @property
    def has_gpu(self) -> bool:
        """Whether eksctl prepares its nodes for GPUs."""
        return self.has(Accelerator.GPU) and self.family in (AL2, AL2023)

    @cached_property
    def family(self) -> Any:
        """Its `amiFamily`, in any case of letters (`normalizeAMIFamily`). Default: Amazon Linux 2023; for a custom AMI
        it is unknown then."""
        given = self.get("amiFamily")
        if given is None:
            return AL2023 if self.get("ami") is None else UNKNOWN
        return next((each for each in _FAMILIES if each.lower() == str(given).lower()), str(given).capitalize())

    @property
    def ami_type(self) -> Any:
        """The `amiType` of a managed node group. None if eksctl looks up an image itself (Ubuntu); unknown for a type
        that Muster does not know. With several types, the first one with an accelerator decides."""
        known = [each for each in self.machines if each]
        if self.family is UNKNOWN or not known or len(known) < len(self.machines):
            return UNKNOWN
        machine = next((each for each in known if each.accelerator is not Accelerator.NONE), known[0])
        family = str(self.family)
        if family == AL2:
            devices = machine.accelerator is not Accelerator.NONE
            return "AL2_ARM_64" if machine.architecture == "arm64" else "AL2_x86_64_GPU" if devices else "AL2_x86_64"
        if family == AL2023:
            return ami_type(machine)
        if family.startswith(BOTTLEROCKET):
            return ami_type(machine, Family.BOTTLEROCKET) + ("_FIPS" if family != BOTTLEROCKET else "")
        return UNKNOWN if family.startswith("Windows") else None


def _machine(instance: Any) -> Hardware | None:
    try:
        return hardware(instance) if isinstance(instance, str) else None
    except UnknownInstance:
        return None


def groups_of(config: Mapping[str, Any]) -> list[Group]:
    """The groups of a file, except those with a placeholder instead of a block."""
    return [
        Group(each, (kind, index))
        for kind in (MANAGED, SELF_MANAGED)
        for index, each in enumerate(config[kind] if isinstance(config.get(kind), list) else ())
        if each is not UNKNOWN
    ]

"""The image of a node group (`GetAMIType` in amitype.go, and pkg/ami for images that eksctl looks up itself)."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.hardware.catalogue import Accelerator, UnknownInstance, hardware
from muster.unknown import UNKNOWN

AL2023, AL2, BOTTLEROCKET = "AmazonLinux2023", "AmazonLinux2", "Bottlerocket"
_WINDOWS = ("2019Core", "2019Full", "2022Core", "2022Full", "2025Core", "2025Full")
_UBUNTU = ("2604", "2404", "2204", "2004")
FAMILIES = (
    *(AL2023, AL2, BOTTLEROCKET, "BottlerocketFips"),
    *(f"Ubuntu{pro}{release}" for release in _UBUNTU for pro in ("", "Pro")),
    *(f"WindowsServer{name}Container" for name in _WINDOWS),
)
"""The values of `amiFamily` (`SupportedAMIFamilies`)."""

_GPU, _NEURON, _NONE = Accelerator.GPU, Accelerator.NEURON, Accelerator.NONE
_X86, _ARM = "x86_64", "arm64"
_AMI_TYPES: Mapping[str, Mapping[tuple[str, Accelerator], str]] = {
    AL2023: {
        (_X86, _NONE): "AL2023_x86_64_STANDARD",
        (_X86, _GPU): "AL2023_x86_64_NVIDIA",
        (_X86, _NEURON): "AL2023_x86_64_NEURON",
        (_ARM, _NONE): "AL2023_ARM_64_STANDARD",
        (_ARM, _GPU): "AL2023_ARM_64_NVIDIA",
    },
    AL2: {
        (_X86, _NONE): "AL2_x86_64",
        (_X86, _GPU): "AL2_x86_64_GPU",
        (_X86, _NEURON): "AL2_x86_64_GPU",
        (_ARM, _NONE): "AL2_ARM_64",
    },
    BOTTLEROCKET: {
        (_X86, _NONE): "BOTTLEROCKET_x86_64",
        (_X86, _GPU): "BOTTLEROCKET_x86_64_NVIDIA",
        (_ARM, _NONE): "BOTTLEROCKET_ARM_64",
        (_ARM, _GPU): "BOTTLEROCKET_ARM_64_NVIDIA",
    },
}
_FIPS = "_FIPS"


def family_of(group: Mapping[str, Any]) -> Any:
    """The family of a group: its `amiFamily`, in any case of letters (`normalizeAMIFamily`). Default: Amazon Linux
    2023; for a custom AMI it is unknown then."""
    given = group.get("amiFamily")
    if given is None:
        return AL2023 if group.get("ami") is None else UNKNOWN
    if given is UNKNOWN:
        return UNKNOWN
    return next((each for each in FAMILIES if each.lower() == str(given).lower()), given)


def ami_type(family: Any, types: Iterable[Any]) -> Any:
    """The `amiType` of a managed node group. None if eksctl looks up an image itself (Ubuntu); unknown for a type that
    Muster does not know. With several types, the first one with an accelerator decides."""
    machines = []
    for each in types:
        try:
            machines.append(hardware(each) if isinstance(each, str) else None)
        except UnknownInstance:
            machines.append(None)
    if family is UNKNOWN or not machines or None in machines:
        return UNKNOWN
    known = [each for each in machines if each]
    machine = next((each for each in known if each.accelerator is not _NONE), known[0])
    name = str(family).removesuffix("Fips")
    if name not in _AMI_TYPES:
        return UNKNOWN if name.startswith("Windows") else None
    found = _AMI_TYPES[name]
    fips = _FIPS if name != family else ""
    kind = found.get((machine.architecture, machine.accelerator)) or found.get((machine.architecture, _NONE), "")
    return f"{kind}{fips}" if kind else UNKNOWN

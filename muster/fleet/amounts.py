"""Amounts of resources, counted as Kubernetes' scheduler counts them, and in words as Kubernetes writes them.

An amount is a whole number of its resource's base unit: milli-CPUs, bytes, or pieces (devices, pods).
"""

from muster.fleet.kubernetes_quantity import Quantity

CPU = "cpu"
MIB = 2**20

BUILT_IN = frozenset({CPU, "memory", "ephemeral-storage", "pods"})
"""What every node has."""

_BYTES = frozenset({"memory", "ephemeral-storage", "storage"})

_Units = tuple[tuple[str, int], ...]

_OF_CPU: _Units = (("", 1000), ("m", 1))
_OF_BYTES: _Units = (("Gi", 2**30), ("Mi", MIB), ("Ki", 2**10), ("", 1))
_OF_PIECES: _Units = (("", 1),)
"""Units with what they stand for, the coarsest first."""

_SHORT = {
    "nvidia.com/gpu": "GPU",
    "vpc.amazonaws.com/efa": "EFA",
    "aws.amazon.com/neuron": "Neuron",
    "aws.amazon.com/neuroncore": "Neuron core",
}


def counted(resource: str, quantity: Quantity) -> int:
    """A quantity in the resource's base unit; a part of one is one."""
    return quantity.milli if resource == CPU else quantity.whole


def amount(resource: str, number: int) -> str:
    """An amount as a Kubernetes quantity, exact: ``8``, ``7910m``, ``4Gi``, ``32000Mi``.

    Bytes are in the coarsest unit of which they are a whole number.
    """
    return amounts(resource, number)[0]


def amounts(resource: str, *numbers: int) -> tuple[str, ...]:
    """Amounts that stand beside each other, in one unit: ``8000m`` beside ``7910m``, never ``8``."""
    units = _OF_CPU if resource == CPU else _OF_BYTES if is_bytes(resource) else _OF_PIECES
    unit, size = next(each for each in units if not any(number % each[1] for number in numbers))
    return tuple(f"{number // size}{unit}" if number else "0" for number in numbers)


def named(resource: str, number: int) -> str:
    """An amount with its resource: ``8 nvidia.com/gpu``, ``32000Mi of memory``."""
    of = "of " if resource == CPU or is_bytes(resource) else ""
    return f"{amount(resource, number)} {of}{resource}"


def is_bytes(resource: str) -> bool:
    """Whether its base unit is the byte."""
    return resource in _BYTES or is_huge_pages(resource)


def is_huge_pages(resource: str) -> bool:
    """Whether it is huge pages, of whatever size."""
    return resource.startswith("hugepages-")


def is_device(resource: str) -> bool:
    """Whether it comes in pieces that a device plugin offers: GPUs, EFA interfaces, Neuron cores."""
    return resource not in BUILT_IN and not is_bytes(resource)


def short_name(resource: str) -> str:
    """What people call it: ``GPU``; the resource's own name where they have none."""
    return _SHORT.get(resource, resource)

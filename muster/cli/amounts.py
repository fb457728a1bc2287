"""Amounts of resources in words, for every report: milli-CPUs, bytes and devices as Kubernetes writes them."""

_Units = tuple[tuple[str, int], ...]

_CPU: _Units = (("", 1000), ("m", 1))
_BYTES: _Units = (("Mi", 2**20), ("Ki", 2**10), ("", 1))
_PIECES: _Units = (("", 1),)
"""Units with what they stand for, the coarsest first."""

_NOT_DEVICES = frozenset({"cpu", "memory", "ephemeral-storage", "pods"})

_SHORT = {
    "nvidia.com/gpu": "GPU",
    "vpc.amazonaws.com/efa": "EFA",
    "aws.amazon.com/neuron": "Neuron",
    "aws.amazon.com/neuroncore": "Neuron core",
}


def amount(resource: str, number: int) -> str:
    """A number of milli-CPUs, bytes or devices as a Kubernetes quantity, exact: ``7910m``, ``32000Mi``, ``8``.

    Memory is in mebibytes, never in gibibytes, so that amounts can be compared by eye; in kibibytes or bytes only where
    it is no whole number of them.
    """
    return amounts(resource, number)[0]


def amounts(resource: str, *numbers: int) -> tuple[str, ...]:
    """Numbers that stand beside each other, in one unit: ``8000m`` beside ``7910m``, never ``8``."""
    units = _CPU if resource == "cpu" else _BYTES if is_bytes(resource) else _PIECES
    unit, size = next(each for each in units if not any(number % each[1] for number in numbers))
    return tuple(f"{number // size}{unit}" if number else "0" for number in numbers)


def is_bytes(resource: str) -> bool:
    """Whether amounts of it are bytes."""
    return resource in {"memory", "ephemeral-storage"} or resource.startswith("hugepages-")


def is_device(resource: str) -> bool:
    """Whether it comes in pieces that a device plugin offers: GPUs, EFA interfaces, Neuron cores."""
    return resource not in _NOT_DEVICES and not is_bytes(resource)


def short_name(resource: str) -> str:
    """What people call it: ``GPU``; the resource's own name where they have none."""
    return _SHORT.get(resource, resource)

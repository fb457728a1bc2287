"""Versions as numbers."""

import re
from collections.abc import Iterable

from muster.fleet.resources import Fleet
from muster.fleet.resources.fleet import HYPERPOD
from muster.versions import HYPERPOD_KUBERNETES

_FORM = re.compile(r"v?(\d+(?:\.\d+)*)(?:[-+].*)?")


def numbers(version: object) -> tuple[int, ...] | None:
    """``v0.19.2-ubi8`` -> (0, 19, 2); None for what is no version, or is not known."""
    found = _FORM.fullmatch(version) if isinstance(version, str) else None
    return tuple(map(int, found[1].split("."))) if found else None


_HYPERPOD = tuple(numbers(each) or () for each in HYPERPOD_KUBERNETES)


def hyperpod_takes(version: str) -> bool:
    """Whether HyperPod supports a Kubernetes version."""
    return _HYPERPOD[0] <= (numbers(version) or ()) <= _HYPERPOD[1]


def taken(versions: Iterable[str], fleet: Fleet) -> tuple[str, ...]:
    """Those of some Kubernetes versions that HyperPod takes, too, where it runs nodes of the cluster."""
    return tuple(each for each in versions if HYPERPOD not in fleet.backends or hyperpod_takes(each))

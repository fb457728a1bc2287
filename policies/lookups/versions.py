"""Versions as numbers, and how long EKS supports a Kubernetes version."""

import re
from collections.abc import Callable

from muster.fleet.facts import KubernetesVersionFacts
from muster.fleet.resources import ControlPlane, Fleet
from muster.unknown import NotKnown
from muster.versions import EKS_CALENDAR, HYPERPOD_KUBERNETES, OLDEST_ADDONS, Support
from muster.whole_number import version_numbers


def version_facts(version: str | None, fleet: Fleet) -> KubernetesVersionFacts | None:
    """What EKS states about a version; None if EKS does not state whether it offers the version."""
    known = fleet.facts.kubernetes_versions.get(version or "") if fleet.facts else None
    return known if known and known.offered is not None else None


def support_of(version: str | None, fleet: Fleet) -> Support | None:
    """When EKS ends a version's support; None if neither the facts nor the calendar have the version."""
    known = version_facts(version, fleet)
    if known and known.end_of_standard and known.end_of_extended:
        return Support(known.end_of_standard.date(), known.end_of_extended.date())
    return EKS_CALENDAR.get(version or "")


def is_offered(version: str | None, fleet: Fleet) -> bool:
    """Whether a cluster may have a version on the day that the rules use."""
    known, support = version_facts(version, fleet), support_of(version, fleet)
    if known and not known.offered:
        return False
    return fleet.as_of <= support.extended_ends if support else known is not None


_FORM = re.compile(r"v?(\d+(?:\.\d+)*)(?:[-+].*)?")


def version_tuple(version: object) -> tuple[int, ...] | None:
    """``v0.19.2-ubi8`` -> (0, 19, 2); None if it is not a version, or is not known."""
    found = _FORM.fullmatch(version) if isinstance(version, str) else None
    return (version_numbers(found[1]) or None) if found else None


def kubernetes_numbers(plane: ControlPlane) -> tuple[int, ...]:
    """A cluster's Kubernetes version as numbers.

    Raises:
        NotKnown: it is not set, or is not a version.
    """
    if (numbers := version_tuple(plane.kubernetes)) is None:
        raise NotKnown("the cluster's Kubernetes version")
    return numbers


def older_than_listed(name: str, version: Callable[[], object], fleet: Fleet) -> tuple[str, ControlPlane] | None:
    """The oldest version of an add-on for the cluster's Kubernetes, and the cluster, if a version is older. Of several
    clusters the one with the oldest Kubernetes decides, because it is not known whose add-on it is.

    Args:
        name: EKS's, or the chart's.
        version: reads the version; it is not called where no oldest one is known.
        fleet: the fleet.

    Raises:
        NotKnown: the version of the add-on or of Kubernetes is not known.
    """
    steps = OLDEST_ADDONS.get(name)
    numbers = version_tuple(version()) if steps else None
    planes = [each for each in fleet.of(ControlPlane) if each.kubernetes is not None] if numbers else []
    if not (steps and numbers and planes):
        return None  # None: EKS's choice
    kubernetes, plane = min(((kubernetes_numbers(each), each) for each in planes), key=lambda each: each[0])
    least = next((steps[each] for each in reversed(steps) if (version_tuple(each) or ()) <= kubernetes), None)
    older = least is not None and numbers < (version_tuple(least) or ())[: len(numbers)]
    return (least, plane) if least is not None and older else None


_HYPERPOD = tuple(version_tuple(each) or () for each in HYPERPOD_KUBERNETES)


def hyperpod_supports(version: str) -> bool:
    """Whether HyperPod supports a Kubernetes version."""
    return _HYPERPOD[0] <= (version_tuple(version) or ()) <= _HYPERPOD[1]

"""How long EKS supports a Kubernetes version: by its own word, where the account was asked, else by the calendar."""

import re

from muster.fleet.facts import KubernetesVersionFacts
from muster.fleet.resources import Fleet
from muster.versions import EKS_CALENDAR, Support


def told(version: object, fleet: Fleet) -> KubernetesVersionFacts | None:
    """What EKS says of a version; None where it does not say whether it offers it."""
    known = fleet.facts.kubernetes_versions.get(version) if fleet.facts and isinstance(version, str) else None
    return known if known and known.offered is not None else None


def support_of(version: object, fleet: Fleet) -> Support | None:
    """When EKS ends a version's support; None for one of which nobody says."""
    known = told(version, fleet)
    if known and known.end_of_standard and known.end_of_extended:
        return Support(known.end_of_standard.date(), known.end_of_extended.date())
    return EKS_CALENDAR.get(version) if isinstance(version, str) else None


def is_offered(version: object, fleet: Fleet) -> bool:
    """Whether a cluster may have a version on the day that is judged by."""
    known, support = told(version, fleet), support_of(version, fleet)
    if known and not known.offered:
        return False
    return fleet.as_of <= support.extended_ends if support else known is not None


def is_past(version: object) -> bool:
    """Whether a version is older than all in the calendar, which keeps those that EKS ended last."""
    numbers = [re.fullmatch(r"(\d{1,4})\.(\d{1,4})", str(each)) for each in (version, *EKS_CALENDAR)]
    asked, *known = [tuple(map(int, each.groups())) if each else () for each in numbers]
    return bool(asked) and asked < min(known)


def standing(fleet: Fleet) -> tuple[str, ...]:
    """The versions in standard support."""
    names = {*EKS_CALENDAR, *(fleet.facts.kubernetes_versions if fleet.facts else ())}
    ends = {each: support_of(each, fleet) for each in sorted(names) if is_offered(each, fleet)}
    return tuple(each for each, support in ends.items() if support and support.standard_ends >= fleet.as_of)

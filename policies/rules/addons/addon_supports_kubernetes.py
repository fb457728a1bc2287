"""The Kubernetes versions that a pinned add-on supports."""

from collections.abc import Iterator

from muster.fleet.resources import Addon, ControlPlane, Fleet
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.installed_addons import catalogued
from muster.policies.lookups.versions import kubernetes_numbers, version_tuple
from muster.versions import ADDONS, EKS_CALENDAR


def addon_supports_kubernetes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    pin = ADDONS.get(addon.ref.name) if catalogued(addon) else None
    # Muster does not know what a version that the user chose instead supports.
    if pin is None or addon.version != pin.version:
        return
    first, last = pin.kubernetes

    def judge(plane: ControlPlane) -> Iterator[Verdict]:
        version = kubernetes_numbers(plane)
        if _is_run(str(plane.kubernetes), fleet) and not _supported(version, first, last):
            named = f"{first} to {last}" if last else f"{first} and newer"
            got = f"{addon.ref.name} {pin.version} is for Kubernetes {named}, but the cluster has {plane.kubernetes}"
            nearest = first if last is None or version < (version_tuple(first) or ()) else last
            # A project lists the versions that it has tested: a later version may work.
            newer = version >= (version_tuple(first) or ())
            leveled = rule.advice if newer else rule
            other = f"use a version of {addon.ref.name} that supports {plane.kubernetes}"
            yield leveled.finding(addon, got=got, change=(f"use Kubernetes {nearest}", other))

    yield from rule.each(fleet.of(ControlPlane), judge, addon.place)


def _supported(version: tuple[int, ...], first: str, last: str | None) -> bool:
    return (version_tuple(first) or ()) <= version and (last is None or version <= (version_tuple(last) or ()))


def _is_run(version: str, fleet: Fleet) -> bool:
    """Whether EKS still runs clusters of a version; kubernetes-version-supported reports all others."""
    return version in EKS_CALENDAR and fleet.as_of <= EKS_CALENDAR[version].extended_ends

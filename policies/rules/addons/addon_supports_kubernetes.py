"""The Kubernetes versions that a pinned add-on is made for."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Addon, ControlPlane, Fleet
from muster.versions import ADDONS, EKS_CALENDAR
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.installed_addons import catalogued
from policies.lookups.versions import version_tuple


@rule(
    "addon-supports-kubernetes",
    title="An add-on names the cluster's Kubernetes version as one it works with",
    judges=Addon,
    backends=("eks", "hyperpod"),
    why="Outside of what its project names, an add-on meets an API that has gone, or has not come: its controller ends "
    "at once, or leaves alone what it does not know.",
    source="cert-manager, Supported Releases; muster/versions.py, from the projects' own charts and readmes",
    remedy="Take a version of the add-on, or of Kubernetes, that go together.",
    facts=("addons.md#add-ons",),
)
def addon_supports_kubernetes(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    pin = ADDONS.get(addon.ref.name) if catalogued(addon) else None
    # What a version that the user chose instead supports is not known here.
    if pin is None or addon.version != pin.version:
        return
    first, last = pin.kubernetes
    for plane in fleet.of(ControlPlane):
        version = version_tuple(plane.kubernetes)
        if version is None:
            yield rule.unjudged(addon.place, "the cluster's Kubernetes version")
        elif _is_run(str(plane.kubernetes), fleet) and not _supported(version, first, last):
            named = f"{first} to {last}" if last else f"{first} and newer"
            got = f"{addon.ref.name} {pin.version} is for Kubernetes {named}; the cluster has {plane.kubernetes}"
            nearest = first if last is None or version < (version_tuple(first) or ()) else last
            remedy = f"take Kubernetes {nearest}, or a version of {addon.ref.name} that supports it"
            # A project names the versions that it has tested: one that came later may work.
            newer = version >= (version_tuple(first) or ())
            yield (rule.configured(Level.ADVISORY) if newer else rule).finding(addon.place, got=got, remedy=remedy)


def _supported(version: tuple[int, ...], first: str, last: str | None) -> bool:
    return (version_tuple(first) or ()) <= version and (last is None or version <= (version_tuple(last) or ()))


def _is_run(version: str, fleet: Fleet) -> bool:
    """Whether EKS still runs clusters of a version; kubernetes-version-supported reports all others."""
    return version in EKS_CALENDAR and fleet.as_of <= EKS_CALENDAR[version].extended_ends

"""The Kubernetes version against EKS's calendar."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet
from muster.fleet.unknown import UNKNOWN
from muster.versions import EKS_CALENDAR
from policies.reading.kubernetes_versions import is_past, standing, told
from policies.reading.versions import taken
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "kubernetes-version-supported",
    title="EKS supports the Kubernetes version",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="EKS creates no cluster of a version whose extended support has ended, and upgrades existing ones by itself.",
    source="EKS user guide, Kubernetes release calendar",
    remedy="Take a version in standard support.",
    facts=("hardware.md#R11",),
)
def kubernetes_version_supported(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = cluster.kubernetes
    if told(version, fleet):
        return  # kubernetes-version-offered goes by EKS's own word
    current = taken(standing(fleet), fleet)
    known = f"({some(current)})" if current else "(newer than any that Muster knows)"
    if version is UNKNOWN:
        yield rule.unjudged(cluster.place, "the Kubernetes version, not known before creation")
    elif version is None:
        return  # EKS then takes its default, which it supports
    elif version not in EKS_CALENDAR:
        got = (
            f"EKS has ended its support of Kubernetes {version}"
            if is_past(version)
            else f"Kubernetes {version} is not in EKS's calendar"
        )
        yield rule.finding(
            cluster.place,
            at="kubernetes",
            got=got,
            remedy=f"take a version in standard support {known}",
        )
    elif (ended := EKS_CALENDAR[version].extended_ends) < fleet.as_of:
        yield rule.finding(
            cluster.place,
            at="kubernetes",
            got=f"extended support of Kubernetes {version} ended on {ended}",
            remedy=f"take a version in standard support {known}, one minor version at a time on a live cluster",
        )

"""The Kubernetes version against what EKS itself says of it."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet
from policies.reading.asked import was_asked
from policies.reading.kubernetes_versions import is_offered, standing, support_of, told
from policies.reading.versions import taken
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "kubernetes-version-offered",
    title="EKS offers the Kubernetes version in this account and Region",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="EKS refuses a version that it does not have, or has no more, and upgrades existing clusters of it by itself. "
    "What it says itself counts before Muster's calendar, which is a copy of its guide.",
    source="EKS API, DescribeClusterVersions",
    remedy="Take a version in standard support.",
    facts=("hardware.md#R11",),
)
def kubernetes_version_offered(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = cluster.kubernetes
    if not isinstance(version, str):
        return  # kubernetes-version-supported speaks of these
    known, support = told(version, fleet), support_of(version, fleet)
    if known is None:
        if was_asked(fleet):
            yield rule.unjudged(cluster.place, fleet.missing(f"whether EKS offers Kubernetes {version}"))
    elif not is_offered(version, fleet):
        current = taken(standing(fleet), fleet)
        got = f"EKS does not offer Kubernetes {version} in {fleet.region or 'this Region'}"
        if known.offered and support:
            got = f"extended support of Kubernetes {version} ended on {support.extended_ends}"
        remedy = f"({some(current)})" if current else "(`aws eks describe-cluster-versions` lists them)"
        yield rule.finding(cluster.place, got, f"take a version in standard support {remedy}", at="kubernetes")

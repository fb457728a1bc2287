"""The Kubernetes version of a cluster: support, offers, and pinned add-ons."""

import re
from collections.abc import Iterator
from datetime import timedelta

from pydantic import Field

from muster.config.description.base import HYPERPOD
from muster.edits import set_to
from muster.fleet.resources import ControlPlane, Fleet
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.versions import hyperpod_supports, is_offered, support_of, version_facts
from muster.unknown import NotKnown
from muster.versions import EKS_ADDONS, EKS_CALENDAR
from muster.whole_number import version_numbers

_MINOR_VERSION = re.compile(r"\d+\.\d+")


def kubernetes_version_supported(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = cluster.kubernetes
    if version is None:
        return  # EKS then uses its default, which it supports
    known, support = version_facts(version, fleet), support_of(version, fleet)
    if known is None and is_after_calendar(version):
        got = f"Kubernetes {version} is newer than Muster's copy of EKS's calendar"
        change = "check that `aws eks describe-cluster-versions` lists it"
        yield rule.advice.finding(cluster, "kubernetes", got=got, change=change)
    elif not is_offered(version, fleet):
        current = in_standard_support(fleet)
        got = f"EKS does not offer Kubernetes {version} in {fleet.region or 'this Region'}"
        if support and support.extended_ends < fleet.as_of and (known is None or known.offered):
            got = f"extended support of Kubernetes {version} ended on {support.extended_ends}"
        how = "(a live cluster one minor version at a time)"
        words = how if current else f"a newer version {how}"
        yield rule.finding(cluster, "kubernetes", got=got, change=set_to(*current, words=words))
    if known is None and facts_observed(fleet):
        raise NotKnown(fleet.missing(f"whether EKS offers Kubernetes {version}"))


def is_after_calendar(version: str) -> bool:
    """Whether a text is a version as EKS writes it, and newer than all in Muster's copy of EKS's calendar."""
    newest = max(map(version_numbers, EKS_CALENDAR))
    return _MINOR_VERSION.fullmatch(version) is not None and version_numbers(version) > newest


def in_standard_support(fleet: Fleet) -> tuple[str, ...]:
    """The versions in standard support, of which HyperPod also supports each if it runs nodes of the cluster."""
    names = {*EKS_CALENDAR, *(fleet.facts.kubernetes_versions if fleet.facts else ())}
    ends = {each: support_of(each, fleet) for each in sorted(names) if is_offered(each, fleet)}
    current = [each for each, support in ends.items() if support and support.standard_ends >= fleet.as_of]
    return tuple(each for each in current if HYPERPOD not in fleet.backends or hyperpod_supports(each))


class Notice(Options):
    """How early the rule reports the end of support."""

    days: int = Field(
        default=0,
        ge=0,
        le=365,
        description="Report the end of standard support this many days before. Default: 0.",
    )


def kubernetes_standard_support(cluster: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # kubernetes-version-supported reports a version past all support.
    # A version for which Muster pins no add-ons was chosen on purpose.
    if cluster.place.described and cluster.kubernetes not in EKS_ADDONS:
        return
    support = support_of(cluster.kubernetes, fleet)
    if support is None or not is_offered(cluster.kubernetes, fleet):
        return
    ends = support.standard_ends
    if (ends - fleet.as_of).days < Notice.of(rule.settings).days:
        got = f"the last day of standard support of Kubernetes {cluster.kubernetes} is {ends}"
        cost = f"from {ends + timedelta(days=1)} to {support.extended_ends} the control plane costs six times as much"
        yield rule.finding(cluster, "kubernetes", got=got, change=set_to(words=f"a newer version: {cost}"))

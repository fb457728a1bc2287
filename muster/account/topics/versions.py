"""Which Kubernetes versions EKS offers, and how long it supports them."""

from collections.abc import Mapping
from typing import Any

from muster.account.ask import Inquiry
from muster.account.question import Question
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.blueprint import Blueprint
from muster.fleet.facts import Facts, KubernetesVersionFacts

_ORDINARY = "eks"
"""The `clusterType` of clusters in a Region; EKS on Outposts has versions of its own."""
_OFFERED = frozenset({"STANDARD_SUPPORT", "EXTENDED_SUPPORT"})


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    if not isinstance(wanted.blueprint, Blueprint):
        return Learned()
    # All of them: a version that EKS does not know is refused by name, and only missing in a list.
    own = wanted.blueprint.described.kubernetes
    about = f"Kubernetes versions, {own} among them"
    (answer,) = yield [Question("eks", "DescribeClusterVersions", about, {"includeAll": True})]
    entries = (answer.result or {}).get("clusterVersions")
    if entries is None or not all("clusterVersion" in each for each in entries):
        return Learned()
    listed = [each for each in entries if each.get("clusterType", _ORDINARY) == _ORDINARY]
    told = {each["clusterVersion"]: _facts(each) for each in listed}
    known = {own: KubernetesVersionFacts(offered=False), **told}
    offered = {name: each for name, each in known.items() if each.offered}
    return Learned(
        Facts(kubernetesVersions={**offered, own: known[own]}),
        (Said(f"Kubernetes {own}", _words(known[own], sorted(offered, key=_number))),),
    )


def _facts(said: Mapping[str, Any]) -> KubernetesVersionFacts:
    ends = {name: said.get(key) for name, key in _ENDS.items()}
    return KubernetesVersionFacts(
        offered=said["versionStatus"] in _OFFERED if "versionStatus" in said else None,
        **{name: each for name, each in ends.items() if each is not None},
    )


_ENDS = {"endOfStandard": "endOfStandardSupportDate", "endOfExtended": "endOfExtendedSupportDate"}


def _words(own: KubernetesVersionFacts, offered: list[str]) -> str:
    if own.offered is None:
        return "whether EKS offers it is not known"
    if not own.offered:
        return f"not offered by EKS, which offers {', '.join(offered) or 'none'}"
    ends = (("standard", own.end_of_standard), ("extended", own.end_of_extended))
    return ", ".join(("offered", *(f"{kind} support until {end.date()}" for kind, end in ends if end)))


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in version.split(".") if each.isdigit())


VERSIONS = Topic("versions", _inquire, frozenset({"kubernetesVersions"}), {"eks:DescribeClusterVersions": "*"})

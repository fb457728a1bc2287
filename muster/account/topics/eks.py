"""EKS: an existing cluster with its add-ons, and the Kubernetes versions that EKS supports."""

from collections.abc import Mapping, Sequence
from typing import Any

from muster.account.query import Answer, Inquiry, Query
from muster.account.topic import MAX_ONE_BY_ONE, PreflightRequest, Topic, TopicLine, TopicResult, describe_one_by_one
from muster.blueprint.kubernetes import Blueprint
from muster.fleet.facts import ClusterFacts, Facts, KubernetesVersionFacts

_ABSENT = frozenset({"ResourceNotFoundException"})


def _inquire_cluster(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    blueprint = wanted.blueprint
    if not isinstance(blueprint, Blueprint) or not blueprint.control_plane.existing:
        return TopicResult()
    name = blueprint.cluster_name
    cluster, addons = yield [
        Query("eks", "DescribeCluster", f"EKS cluster {name}", {"name": name}, _ABSENT),
        Query("eks", "ListAddons", f"EKS add-ons of {name}", {"clusterName": name}, _ABSENT),
    ]
    if cluster.absent:
        none = TopicLine(f"EKS cluster {name}", "does not exist")
        return TopicResult(Facts(clusters={name: ClusterFacts(exists=False)}), (none,))
    one = (cluster.result or {}).get("cluster")
    facts = {} if one is None else _cluster(one)
    lines = [TopicLine(f"EKS cluster {name}", _cluster_text(facts))] if facts else []
    if addons.result is not None and "addons" in addons.result:
        listed = sorted(addons.result["addons"])
        addon_answers = yield [_addon(name, each) for each in listed] if len(listed) <= MAX_ONE_BY_ONE else []
        versions = _versions(addon_answers) if len(addon_answers) == len(listed) else None
        known = None if versions is None else [f"{addon} {version}" for addon, version in versions.items()]
        lines.append(TopicLine(f"EKS add-ons of {name}", describe_one_by_one(len(listed), known)))
        facts |= {"eksAddons": versions} if versions is not None else {}
    return TopicResult(Facts(clusters={name: ClusterFacts(**facts)} if facts else {}), tuple(lines))


def _addon(cluster: str, addon: str) -> Query:
    parameters = {"clusterName": cluster, "addonName": addon}
    return Query("eks", "DescribeAddon", f"EKS add-on {addon} of {cluster}", parameters, _ABSENT)


def _cluster(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The cluster's values, by the keys of facts."""
    network, access = entry.get("resourcesVpcConfig", {}), entry.get("accessConfig", {})
    known = {
        "version": entry.get("version"),
        "vpc": network.get("vpcId"),
        "securityGroup": network.get("clusterSecurityGroupId"),
        "authentication": access.get("authenticationMode"),
        "state": entry.get("status"),
    }
    return {"exists": True, **{key: each for key, each in known.items() if each}}


def _versions(answers: Sequence[Answer]) -> dict[str, str] | None:
    """Add-on -> its version. None if one is unknown, because a missing add-on counts as not installed."""
    if not all(each.answered for each in answers):
        return None
    addons = [each.result.get("addon", {}) for each in answers if each.result is not None]
    if not all("addonName" in each and "addonVersion" in each for each in addons):
        return None
    return {each["addonName"]: each["addonVersion"] for each in addons}


def _cluster_text(facts: Mapping[str, Any]) -> str:
    kinds = (("version", "Kubernetes {}"), ("state", "{}"), ("vpc", "{}"), ("authentication", "authentication {}"))
    return ", ".join(form.format(facts[key]) for key, form in kinds if key in facts)


CLUSTERS = Topic(
    "clusters",
    "The existing EKS cluster that groups join, if there is one, and its add-ons.",
    _inquire_cluster,
    frozenset({"clusters"}),
    dict.fromkeys(("eks:DescribeAddon", "eks:DescribeCluster", "eks:ListAddons"), "*"),
    {"eks.ListAddons": ("eks.DescribeAddon",)},
)


_ORDINARY = "eks"
"""The `clusterType` of clusters in a Region; EKS on Outposts supports other versions."""
_OFFERED = frozenset({"STANDARD_SUPPORT", "EXTENDED_SUPPORT"})


def _inquire_versions(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    if not isinstance(wanted.blueprint, Blueprint):
        return TopicResult()
    # Ask for all versions: if the request names a version that EKS does not know, EKS refuses the request.
    own = wanted.blueprint.described.kubernetes
    about = f"Kubernetes versions, including {own}"
    (answer,) = yield [Query("eks", "DescribeClusterVersions", about, {"includeAll": True})]
    entries = (answer.result or {}).get("clusterVersions")
    if entries is None or not all("clusterVersion" in each for each in entries):
        return TopicResult()
    listed = [each for each in entries if each.get("clusterType", _ORDINARY) == _ORDINARY]
    by_version = {each["clusterVersion"]: _facts(each) for each in listed}
    known = {own: KubernetesVersionFacts(offered=False), **by_version}
    offered = {name: each for name, each in known.items() if each.offered}
    return TopicResult(
        Facts(kubernetesVersions={**offered, own: known[own]}),
        (TopicLine(f"Kubernetes {own}", _version_text(known[own], sorted(offered, key=_number))),),
    )


def _facts(entry: Mapping[str, Any]) -> KubernetesVersionFacts:
    ends = {name: entry.get(key) for name, key in _ENDS.items()}
    return KubernetesVersionFacts(
        offered=entry["versionStatus"] in _OFFERED if "versionStatus" in entry else None,
        **{name: each for name, each in ends.items() if each is not None},
    )


_ENDS = {"endOfStandard": "endOfStandardSupportDate", "endOfExtended": "endOfExtendedSupportDate"}


def _version_text(own: KubernetesVersionFacts, offered: list[str]) -> str:
    if own.offered is None:
        return "it is unknown whether EKS offers it"
    if not own.offered:
        return f"not offered by EKS, which offers {', '.join(offered) or 'none'}"
    ends = (("standard", own.end_of_standard), ("extended", own.end_of_extended))
    return ", ".join(("offered", *(f"{kind} support until {end.date()}" for kind, end in ends if end)))


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in version.split(".") if each.isdigit())


VERSIONS = Topic(
    "versions",
    "The Kubernetes versions that EKS offers, and the ends of their support.",
    _inquire_versions,
    frozenset({"kubernetesVersions"}),
    {"eks:DescribeClusterVersions": "*"},
)

"""The EKS cluster that groups join, where one exists: what it is, its add-ons, the HyperPod clusters on it."""

from collections.abc import Mapping, Sequence
from typing import Any

from muster.account.answer import Answer
from muster.account.question import Question
from muster.account.topic import Inquiry, Learned, Said, Topic, Wanted
from muster.fleet.blueprint import Blueprint
from muster.fleet.facts import ClusterFacts, Facts

MOST = 40
"""Add-ons, or HyperPod clusters, that are asked about one by one. Where there are more, nothing is known of them: a
list that lacks some would be taken for all."""

_NO_CLUSTER = frozenset({"ResourceNotFoundException"})
_NO_HYPERPOD = frozenset({"ResourceNotFound"})


def _inquire(wanted: Wanted) -> Inquiry:
    blueprint = wanted.blueprint
    if not isinstance(blueprint, Blueprint) or not blueprint.control_plane.existing:
        return Learned()
    name = blueprint.cluster_name
    listing = [Question("sagemaker", "ListClusters", "HyperPod clusters")] if blueprint.hyperpod else []
    cluster, addons, *machines = yield [
        Question("eks", "DescribeCluster", f"EKS cluster {name}", {"name": name}, _NO_CLUSTER),
        Question("eks", "ListAddons", f"EKS add-ons of {name}", {"clusterName": name}, _NO_CLUSTER),
        *listing,
    ]
    if cluster.absent:
        return Learned(
            Facts(clusters={name: ClusterFacts(exists=False)}), (Said(f"EKS cluster {name}", "there is none"),)
        )
    installed = sorted(addons.result.get("addons", ())) if addons.result is not None else None
    there = sorted(_names(machines[0].result)) if machines and machines[0].result is not None else None
    of_addons, of_machines = [_addon(name, each) for each in _few(installed)], [_hyperpod(each) for each in _few(there)]
    one_by_one = yield [*of_addons, *of_machines]
    facts: dict[str, Any] = {}
    said: list[Said] = []
    if cluster.result is not None:
        facts |= _cluster(cluster.result["cluster"])
        said.append(Said(f"EKS cluster {name}", _words(facts)))
    if installed is not None:
        versions = _versions(one_by_one[: len(of_addons)]) if len(installed) <= MOST else None
        said.append(Said(f"EKS add-ons of {name}", _told(installed, versions)))
        facts |= {"eksAddons": versions} if versions is not None else {}
    if there is not None:
        on_it = _on(name, one_by_one[len(of_addons) :]) if len(there) <= MOST else None
        said.append(Said(f"HyperPod clusters on {name}", _told(there, on_it)))
        facts |= {"hyperpodClusters": on_it} if on_it is not None else {}
    return Learned(Facts(clusters={name: ClusterFacts(**facts)} if facts else {}), tuple(said))


def _names(listed: Mapping[str, Any]) -> list[str]:
    return [each["ClusterName"] for each in listed.get("ClusterSummaries", ())]


def _few(names: Sequence[str] | None) -> Sequence[str]:
    return names if names is not None and len(names) <= MOST else ()


def _addon(cluster: str, addon: str) -> Question:
    asked = {"clusterName": cluster, "addonName": addon}
    return Question("eks", "DescribeAddon", f"EKS add-on {addon} of {cluster}", asked, _NO_CLUSTER)


def _hyperpod(name: str) -> Question:
    return Question("sagemaker", "DescribeCluster", f"HyperPod cluster {name}", {"ClusterName": name}, _NO_HYPERPOD)


def _cluster(said: Mapping[str, Any]) -> dict[str, Any]:
    """By the facts' keys."""
    network, access = said.get("resourcesVpcConfig", {}), said.get("accessConfig", {})
    known = {
        "version": said.get("version"),
        "vpc": network.get("vpcId"),
        "securityGroup": network.get("clusterSecurityGroupId"),
        "authentication": access.get("authenticationMode"),
        "state": said.get("status"),
    }
    return {"exists": True, **{key: each for key, each in known.items() if each}}


def _versions(answers: Sequence[Answer]) -> dict[str, str] | None:
    """None as soon as one is not known: an add-on that is left out counts as one that is not there."""
    if not all(each.answered for each in answers):
        return None
    addons = [each.result["addon"] for each in answers if each.result is not None]
    return {each["addonName"]: each["addonVersion"] for each in addons}


def _on(name: str, answers: Sequence[Answer]) -> list[str] | None:
    """The HyperPod clusters whose orchestrator is that EKS cluster; None as soon as one's is not known."""
    if not all(each.answered for each in answers):
        return None
    there = [each.result for each in answers if each.result is not None]
    return [each["ClusterName"] for each in there if _orchestrator(each).endswith(f":cluster/{name}")]


def _orchestrator(hyperpod: Mapping[str, Any]) -> str:
    return str(hyperpod.get("Orchestrator", {}).get("Eks", {}).get("ClusterArn", ""))


def _words(facts: Mapping[str, Any]) -> str:
    kinds = (("version", "Kubernetes {}"), ("state", "{}"), ("vpc", "{}"), ("authentication", "authentication {}"))
    return ", ".join(form.format(facts[key]) for key, form in kinds if key in facts)


def _told(listed: Sequence[str], known: Mapping[str, str] | Sequence[str] | None) -> str:
    if len(listed) > MOST:
        return f"{len(listed)}, and {MOST} at most are asked about one by one: not known"
    if known is None:
        return f"{len(listed)} to ask about, not all answered: not known"
    each = [f"{name} {known[name]}" for name in known] if isinstance(known, Mapping) else known
    return ", ".join(each) or "none"


CLUSTERS = Topic(
    "clusters",
    _inquire,
    dict.fromkeys(
        (
            *("eks:DescribeAddon", "eks:DescribeCluster", "eks:ListAddons"),
            *("sagemaker:DescribeCluster", "sagemaker:ListClusters"),
        ),
        "*",
    ),
)

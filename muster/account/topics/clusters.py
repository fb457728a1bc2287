"""The EKS cluster that groups join, where one exists: what it is, and its add-ons."""

from collections.abc import Mapping, Sequence
from typing import Any

from muster.account.answer import Answer
from muster.account.ask import Inquiry
from muster.account.one_by_one import MOST, told
from muster.account.question import Question
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.blueprint import Blueprint
from muster.fleet.facts import ClusterFacts, Facts

_ABSENT = frozenset({"ResourceNotFoundException"})


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    blueprint = wanted.blueprint
    if not isinstance(blueprint, Blueprint) or not blueprint.control_plane.existing:
        return Learned()
    name = blueprint.cluster_name
    cluster, addons = yield [
        Question("eks", "DescribeCluster", f"EKS cluster {name}", {"name": name}, _ABSENT),
        Question("eks", "ListAddons", f"EKS add-ons of {name}", {"clusterName": name}, _ABSENT),
    ]
    if cluster.absent:
        none = Said(f"EKS cluster {name}", "there is none")
        return Learned(Facts(clusters={name: ClusterFacts(exists=False)}), (none,))
    one = (cluster.result or {}).get("cluster")
    facts = {} if one is None else _cluster(one)
    said = [Said(f"EKS cluster {name}", _words(facts))] if facts else []
    if addons.result is not None and "addons" in addons.result:
        listed = sorted(addons.result["addons"])
        asked = yield [_addon(name, each) for each in listed] if len(listed) <= MOST else []
        versions = _versions(asked) if len(asked) == len(listed) else None
        known = None if versions is None else [f"{addon} {version}" for addon, version in versions.items()]
        said.append(Said(f"EKS add-ons of {name}", told(len(listed), known)))
        facts |= {"eksAddons": versions} if versions is not None else {}
    return Learned(Facts(clusters={name: ClusterFacts(**facts)} if facts else {}), tuple(said))


def _addon(cluster: str, addon: str) -> Question:
    asked = {"clusterName": cluster, "addonName": addon}
    return Question("eks", "DescribeAddon", f"EKS add-on {addon} of {cluster}", asked, _ABSENT)


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
    addons = [each.result.get("addon", {}) for each in answers if each.result is not None]
    if not all("addonName" in each and "addonVersion" in each for each in addons):
        return None
    return {each["addonName"]: each["addonVersion"] for each in addons}


def _words(facts: Mapping[str, Any]) -> str:
    kinds = (("version", "Kubernetes {}"), ("state", "{}"), ("vpc", "{}"), ("authentication", "authentication {}"))
    return ", ".join(form.format(facts[key]) for key, form in kinds if key in facts)


CLUSTERS = Topic(
    "clusters",
    _inquire,
    frozenset({"clusters"}),
    dict.fromkeys(("eks:DescribeAddon", "eks:DescribeCluster", "eks:ListAddons"), "*"),
    {"eks.ListAddons": ("eks.DescribeAddon",)},
)

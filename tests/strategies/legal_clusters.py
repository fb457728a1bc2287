"""Random legal descriptions of clusters on EKS: no rule finds anything mandatory."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from muster.versions import EKS_ADDONS, EKS_CALENDAR
from tests.factories import AS_OF
from tests.strategies import file_systems
from tests.strategies.addons import addons_for
from tests.strategies.around import Around
from tests.strategies.capacity import sharing_with
from tests.strategies.described import ACCOUNT, REGIONS, WORKERS, Described, made_up
from tests.strategies.facts import observed
from tests.strategies.groups import any_group, system_group
from tests.strategies.karpenter import karpenters_addons, some_by_karpenter
from tests.strategies.networks import a_network, more_subnets, training_zones
from tests.strategies.roles import POLICIES, iam


@st.composite
def legal(draw: st.DrawFn, *, facts: bool | None = None) -> Described:
    """A legal description, with facts or not; None leaves that to chance."""
    region = draw(st.sampled_from(sorted(REGIONS)))
    joins = draw(st.booleans())
    created = not joins and draw(st.booleans())
    count = draw(st.integers(2, 7 if created else 4))
    zones = [f"{region}{letter}" for letter in "abcdefg"[:count]]
    public = created or draw(st.booleans())
    mode = draw(st.sampled_from(["api", "api-and-config-map", "config-map"])) if joins else "api"
    around = Around(region, zones, public, created, only_managed=mode == "config-map")
    groups = {"system": system_group(draw, around), WORKERS: any_group(draw, around, 0)}
    if draw(st.booleans()):
        groups |= sharing_with(groups[WORKERS])
    for index in range(draw(st.integers(0, 2))):
        groups[f"group-{index}"] = any_group(draw, around, index + 1)
    karpenter = mode != "config-map" and some_by_karpenter(draw, groups)
    document: dict[str, Any] = {
        "backend": "eks",
        "kubernetes": (kubernetes := draw(st.sampled_from(_standing()))),
        **(_joined(draw, mode) if joins else _made(draw)),
        "network": {"create" if created else "existing": a_network(draw, around, groups)},
        "groups": groups,
        "addons": addons_for(draw, groups, kubernetes),
    }
    if karpenter:
        document["addons"] = karpenters_addons(document["addons"])
    more_subnets(draw, document, groups, joins=joins)
    if mode != "config-map" and draw(st.booleans()):
        document["access"] = [
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/ml-admins", "policy": "cluster-admin"},
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/ml", "policy": "view", "namespaces": ["training", "team-*"]},
            {
                "principal": f"arn:aws:iam::{ACCOUNT}:role/team",
                **draw(st.sampled_from([{"policy": "edit"}, {"policy": "admin", "namespaces": ["training"]}, {}])),
                "groups": draw(st.sampled_from([["team"], ["ml:team", "all"]])),
                "jobs": draw(st.booleans()),
            },
        ]
    if draw(st.booleans()):
        document["registry"] = draw(st.sampled_from([{}, {"repository": "ml/training", "on-destroy": "delete"}]))
    if draw(st.booleans()):
        document["tags"] = {"cost-center": "research"}
    if draw(st.booleans()):
        other = draw(st.sampled_from([{}, {"http": "http://10.9.8.7:3129", "no-proxy": [".corp.example.com"]}]))
        document["proxy"] = {"https": "http://proxy.example.com:3128", **other}
    document |= _storage(draw, document, zones) | iam(draw, *_roles(groups, joins=joins), policies=False)
    if "nodes" not in document.get("iam", {}).get("roles", ()):
        groups[WORKERS]["policies"] = draw(st.lists(st.sampled_from(POLICIES), unique=True))
    known = draw(st.booleans()) if facts is None else facts
    return Described(document, region, observed(document, around) if known else {})


def _roles(groups: Mapping[str, Any], *, joins: bool) -> list[str]:
    """The existing roles that there may be: nodes of EKS Auto Mode and others never have one together."""
    auto_mode = any(each.get("provisioned-by") == "auto-mode" for each in groups.values())
    return [*([] if joins else ["control-plane"]), *([] if auto_mode else ["nodes"])]


def _storage(draw: st.DrawFn, document: Mapping[str, Any], zones: list[str]) -> dict[str, Any]:
    """File systems, where somebody trains."""
    vpc = document["network"].get("existing", {}).get("vpc")
    made = file_systems.storages(draw, training_zones(document["groups"].values(), zones), vpc)
    made |= {**file_systems.efs(draw, vpc), **file_systems.buckets(draw)}
    return {"storage": made} if made or draw(st.booleans()) else {}


def _standing() -> list[str]:
    """Versions in standard support for which Muster pins add-ons."""
    return [name for name in EKS_ADDONS if EKS_CALENDAR[name].standard_ends >= AS_OF]


def _made(draw: st.DrawFn) -> dict[str, Any]:
    """A control plane that Muster makes."""
    made: dict[str, Any] = {
        "control-plane": draw(st.sampled_from(["create", {"create": {}}])),
        "api": draw(st.sampled_from(["private", {"public": ["198.51.100.0/24", "8.8.8.0/24"]}])),
    }
    if draw(st.booleans()):
        made["name"] = draw(st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True))
    if draw(st.booleans()):
        key = "0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"
        made["secrets-key"] = f"arn:aws:kms:us-west-2:{ACCOUNT}:key/{key}"
    return made


def _joined(draw: st.DrawFn, mode: str) -> dict[str, Any]:
    """A control plane that exists."""
    name = draw(st.from_regex(r"[a-z][a-z0-9-]{0,20}[a-z0-9]", fullmatch=True))
    security_group = made_up("sg", 1000)
    return {"control-plane": {"existing": {"name": name, "security-group": security_group, "authentication": mode}}}

"""Random legal descriptions of clusters on EKS: no rule finds anything mandatory."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from muster.versions import EKS_ADDONS, EKS_CALENDAR
from tests.factories import AS_OF
from tests.strategies import file_systems
from tests.strategies.addons import addons_for
from tests.strategies.capacity import sharing_with
from tests.strategies.described import ACCOUNT, WORKERS, Described, made_up
from tests.strategies.facts import observed
from tests.strategies.groups import any_group, system_group
from tests.strategies.karpenter import karpenters_addons, some_by_karpenter
from tests.strategies.networks import a_network, training_zones
from tests.strategies.wanted import ANYTHING, Around, Wanted


@st.composite
def legal(draw: st.DrawFn, wanted: Wanted = ANYTHING) -> Described:
    """A legal description: no rule finds anything mandatory."""
    region = draw(st.sampled_from(wanted.regions))
    joins = wanted.joins if wanted.joins is not None else wanted.network != "create" and draw(st.booleans())
    kind = wanted.network or (
        "existing" if joins or wanted.public is False else draw(st.sampled_from(("existing", "create")))
    )
    created = kind == "create"
    count = wanted.zones or draw(st.integers(2, 7 if created else 4))
    zones = [f"{region}{letter}" for letter in "abcdefg"[:count]]
    public = created or (wanted.public if wanted.public is not None else draw(st.booleans()))
    modes = ["api", "api-and-config-map", *(["config-map"] if wanted.managed is not False else [])]
    mode = draw(st.sampled_from(modes)) if joins else "api"
    around = Around(region, zones, public, created, only_managed=mode == "config-map")
    groups = {"system": system_group(draw, wanted, around), WORKERS: any_group(draw, wanted, around, 0)}
    if wanted.shared or (wanted.shared is None and draw(st.booleans())):
        groups |= sharing_with(groups[WORKERS])
    for index in range(draw(st.integers(0, wanted.groups))):
        groups[f"group-{index}"] = any_group(draw, wanted.of_others(), around, index + 1)
    drawn = groups if wanted == ANYTHING else {name: groups[name] for name in groups if name.startswith("group-")}
    karpenter = mode != "config-map" and wanted.managed is None and some_by_karpenter(draw, drawn)
    document: dict[str, Any] = {
        "backend": "eks",
        "kubernetes": (kubernetes := draw(st.sampled_from(_standing()))),
        **(_joined(draw, mode) if joins else _made(draw)),
        "network": {kind: a_network(draw, around, groups)},
        "groups": groups,
        "addons": addons_for(draw, groups, kubernetes),
    }
    if karpenter:
        document["addons"] = karpenters_addons(document["addons"])
    if mode != "config-map" and draw(st.booleans()):
        document["access"] = [
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/ml-admins", "policy": "cluster-admin"},
            {"principal": f"arn:aws:iam::{ACCOUNT}:role/ml", "policy": "edit", "namespaces": ["training", "team-*"]},
        ]
    if draw(st.booleans()):
        document["registry"] = draw(st.sampled_from([{}, {"repository": "ml/training", "on-destroy": "delete"}]))
    if draw(st.booleans()):
        document["tags"] = {"cost-center": "research"}
    document |= _storage(draw, document, zones)
    facts = wanted.facts if wanted.facts is not None else draw(st.booleans())
    return Described(document, region, observed(document, around) if facts else {})


def _storage(draw: st.DrawFn, document: Mapping[str, Any], zones: list[str]) -> dict[str, Any]:
    """File systems, where somebody trains."""
    vpc = document["network"].get("existing", {}).get("vpc")
    made = file_systems.storages(draw, training_zones(document, zones), vpc)
    return {"storage": made} if made or draw(st.booleans()) else {}


def _standing() -> list[str]:
    """Versions in standard support for which Muster pins add-ons."""
    return [name for name in EKS_ADDONS if EKS_CALENDAR[name].standard_ends >= AS_OF]


def _made(draw: st.DrawFn) -> dict[str, Any]:
    """A control plane that Muster makes."""
    made = {
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

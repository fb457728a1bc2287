"""A law: Muster's stacks on EKS, written as a ClusterConfig, are the same clusters when they are read back."""

from functools import cache
from typing import Any

import pytest
import yaml

from muster.sources.eksctl.description import describe
from muster.sources.valid_description import valid_description
from tests.sources.eksctl.files import HEAD, findings, opened
from tests.stack_files import ON_KUBERNETES, text_of

STACKS = [
    each
    for each in ON_KUBERNETES
    if "backend: eks" in text_of(each)
    and "control-plane: create" in text_of(each)
    # eksctl creates no NodePools.
    and "provisioned-by:" not in text_of(each)
]
ARRAY = "kind: NodeConfig\nspec: {instance: {localStorage: {strategy: RAID0}}}\n"
NEWER = {
    "p6-b300": {"efa-fits-instance", "plugin-reaches-its-nodes"},
    "p6e-gb200": {
        *("capacity-block-drained", "capacity-block-no-placement-group", "control-plane-zone-accepted"),
        *("efa-fits-instance", "plugin-reaches-its-nodes"),
    },
    "p5-capacity-block-self-managed": {"capacity-block-drained", "capacity-block-no-placement-group"},
    "trn2-ultraserver": {"plugin-reaches-its-nodes"},
}
"""Stack -> what eksctl 0.231 does wrong. With p6-b300 and p6e-gb200, it puts EFA on the card that takes none. Its EFA
plugin does not select these types and trn2u. It schedules nothing for the end of a Capacity Block, and puts its
self-managed nodes into a placement group. It gives the control plane all subnets of the file, also one in a Local
Zone."""


@cache
def cluster_of(stack: str) -> Any:
    """A stack's `muster:cluster`."""
    return yaml.safe_load(text_of(stack))["config"]["muster:cluster"]


def region_of(stack: str) -> str:
    """A stack's Region."""
    return str(yaml.safe_load(text_of(stack))["config"]["aws:region"])


def as_config(stack: str) -> str:
    """The stack's cluster as a ClusterConfig."""
    cluster = cluster_of(stack)
    value: dict[str, Any] = {
        **HEAD,
        "metadata": {"name": stack, "region": region_of(stack), "version": cluster["kubernetes"]},
        "iam": {"withOIDC": True},
    }
    network = cluster["network"]
    if "create" in network:
        value["availabilityZones"] = network["create"]["zones"]
        value["vpc"] = {"cidr": network["create"]["cidr"]}
    else:
        tiers = {tier: network["existing"].get(tier, {}) for tier in ("private", "public")}
        listed = {tier: {zone: {"id": id_} for zone, id_ in each.items()} for tier, each in tiers.items()}
        value["vpc"] = {"id": network["existing"]["vpc"], "subnets": listed}
    for name, group in cluster["groups"].items():
        kind = "nodeGroups" if group.get("self-managed") else "managedNodeGroups"
        value.setdefault(kind, []).append(_group(name, group))
    return yaml.safe_dump(value, sort_keys=False)


def _group(name: str, group: dict[str, Any]) -> dict[str, Any]:
    nodes = group["nodes"]
    least, start, most = (nodes[key] if isinstance(nodes, dict) else nodes for key in ("min", "start", "max"))
    found = {"name": name, "instanceType": group["instance"], "privateNetworking": True}
    found |= {"minSize": least, "desiredCapacity": start, "maxSize": most, "volumeSize": _gib(group)}
    if "zone" in group:
        found["availabilityZones"] = [group["zone"]]
    if group["for"] == "training":
        found["efaEnabled"] = True
    if group.get("local-storage") == "raid0":
        found["overrideBootstrapCommand"] = ARRAY
    held = _held(group)
    if held:
        found["capacityReservation"] = {"capacityReservationTarget": {"capacityReservationID": held["id"]}}
    if "capacity-block" in _capacity(group):
        found["instanceMarketOptions"] = {"marketType": "capacity-block"}
    return found


def _capacity(group: dict[str, Any]) -> dict[str, Any]:
    given = group.get("capacity", {})
    return given if isinstance(given, dict) else {}


def _held(group: dict[str, Any]) -> dict[str, Any]:
    return next((each for key, each in _capacity(group).items() if key in ("reservation", "capacity-block")), {})


def _gib(group: dict[str, Any]) -> int:
    return int(group.get("volume", {}).get("size", "100GiB").removesuffix("GiB"))


def looked_at(group: dict[str, Any]) -> dict[str, Any]:
    """What both descriptions of a group must have in common."""
    nodes = group["nodes"]
    return {
        "for": group["for"],
        "instance": group["instance"],
        "nodes": tuple(nodes[key] for key in ("min", "start", "max")) if isinstance(nodes, dict) else (nodes,) * 3,
        "zone": group.get("zone"),
        "held": (sorted(_capacity(group)), _held(group).get("id"), _held(group).get("zone")),
        "volume": _gib(group),
        "disks": group.get("local-storage"),
        "self-managed": group.get("self-managed", False),
    }


@pytest.mark.parametrize("stack", STACKS)
def test_a_stack_read_back_has_the_same_groups(stack: str) -> None:
    made, faults = valid_description(describe(opened(as_config(stack))))
    assert faults == ()
    again, groups = made.cluster["groups"], cluster_of(stack)["groups"]
    assert {name: looked_at(each) for name, each in again.items()} == {
        name: looked_at(each) for name, each in groups.items()
    }


@pytest.mark.parametrize("stack", STACKS)
def test_a_stack_written_for_eksctl_breaks_no_rule_more(stack: str) -> None:
    found = {each.rule for each in findings(as_config(stack)) if each.level == "mandatory"}
    assert found == NEWER.get(stack, set())


@pytest.mark.parametrize("stack", STACKS)
def test_a_stack_read_back_has_its_network(stack: str) -> None:
    network = cluster_of(stack)["network"]
    made = describe(opened(as_config(stack))).cluster["network"]
    if "create" in network:
        assert sorted(made["create"]["zones"]) == sorted(network["create"]["zones"])
    else:
        assert made["existing"]["private"] == network["existing"]["private"]

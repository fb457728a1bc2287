"""Random clusters on AWS PCS: only legal descriptions, which no rule refuses."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from muster.hardware.catalogue import hardware
from muster.policies.rules.capacity.capacity_blocks import may_sell_blocks
from muster.versions import PCS_SLURM
from tests.hardware_types import CLUSTER_TYPES
from tests.strategies import IN_BLOCKS, NOT_HELD, REGIONS, WORKERS, Described, Kind, file_systems, made_up
from tests.strategies.capacity import Held, capacity_of
from tests.strategies.networks import name_subnets, training_zones
from tests.strategies.readings import zone_of
from tests.strategies.roles import iam

USABLE = tuple(name for name in CLUSTER_TYPES if hardware(name).architecture == "x86_64")
"""The types that a group can be of: those of one image."""
MOST_NODES = 4


@st.composite
def legal_pcs(draw: st.DrawFn) -> Described:
    """A legal description."""
    region = draw(st.sampled_from(sorted(REGIONS)))
    zones = [f"{region}{letter}" for letter in "abc"[: draw(st.integers(1, 3))]]
    groups = {
        name: _group(draw, region, zones, number)
        for number, name in enumerate((WORKERS, *draw(st.sampled_from([(), ("more",), ("more", "other")]))))
    }
    queues = {"train": {"groups": {WORKERS: groups.pop(WORKERS)}}}
    for name, group in groups.items():
        queue = draw(st.sampled_from(["train", "second"]))
        queues.setdefault(queue, {"groups": {}})["groups"][name] = group
    if draw(st.booleans()):
        queues["train"]["exclusive"] = draw(st.booleans())
    version = draw(st.sampled_from(PCS_SLURM))
    network = _network(draw, zones)
    every = (group for queue in queues.values() for group in queue["groups"].values())
    name_subnets(draw, network, ((group, zone_of(group)) for group in every))
    where = training_zones((group for queue in queues.values() for group in queue["groups"].values()), zones)
    vpc = network.get("existing", {}).get("vpc")
    document: dict[str, Any] = {
        "backend": "pcs",
        "size": draw(st.sampled_from(["small", "medium", "large"])),
        "slurm": {"version": version, **_slurm(draw)},
        "image": made_up("ami", 1),
        "network": network,
        "queues": queues,
        "storage": {**file_systems.storages(draw, where, vpc), **file_systems.efs(draw, vpc)},
    }
    if len(queues) > 1:
        document["slurm"]["default-queue"] = draw(st.sampled_from(sorted(queues)))
    if draw(st.booleans()):
        document["login-nodes"] = {"login": _login(draw)}
    if draw(st.booleans()):
        document |= {"zone": draw(st.sampled_from(zones)), "name": "Ml-2", "on-destroy": "keep", "registry": {}}
    if draw(st.booleans()):
        document["tags"] = {"cost-center": "research", "équipe": "entraînement 1"}
    document |= iam(draw)
    return Described(document, region, {})


def _network(draw: st.DrawFn, zones: list[str]) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"create": {"zones": zones, "cidr": "10.42.0.0/16"}}
    private = {zone: made_up("subnet", number) for number, zone in enumerate(zones)}
    return {"existing": {"vpc": made_up("vpc", 1), "private": private}}


def _group(draw: st.DrawFn, region: str, zones: list[str], number: int) -> dict[str, Any]:
    kind = draw(st.sampled_from(list(Kind)))
    types = [
        each
        for each in USABLE
        if (kind is not Kind.CAPACITY_BLOCK or (each in IN_BLOCKS and may_sell_blocks(each, region)))
        and (kind is not Kind.SPOT or hardware(each).spot)
    ]
    assume(types)
    most = draw(st.integers(1, MOST_NODES))
    group: dict[str, Any] = {
        "for": draw(st.sampled_from(["training", "inference"])),
        "instance": draw(st.sampled_from(types)),
        "nodes": draw(st.sampled_from([most, {"min": 0, "max": most}])),
    }
    zone = draw(st.sampled_from(zones))
    group |= capacity_of(draw, kind, group, Held(region, zone, number))
    if kind is Kind.CAPACITY_BLOCK:
        group["capacity"][kind].pop("active", None)
    if kind in NOT_HELD:
        group["zone"] = zone
    if draw(st.booleans()):
        group["efa"] = draw(st.sampled_from([bool(hardware(group["instance"]).max_efa), False]))
    if draw(st.booleans()):
        group["memory"] = f"{hardware(group['instance']).memory_mib // 2}MiB"
    if draw(st.booleans()):
        group["security-groups"] = [made_up("sg", 8)]
    if draw(st.booleans()):
        group["scripts"] = {"before": "#!/bin/bash\necho before slurmd\n"}
    return group


def _login(draw: st.DrawFn) -> dict[str, Any]:
    more = {"nodes": 2, "key-pair": "ml", "security-groups": [made_up("sg", 9)]}
    return {"instance": "m5.large", **draw(st.sampled_from([{}, more]))}


def _slurm(draw: st.DrawFn) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if draw(st.booleans()):
        made["accounting"] = draw(st.sampled_from([{}, {"keep-days": 365}]))
    if draw(st.booleans()):
        made |= {"idle-minutes": draw(st.integers(1, 60)), "memory-scheduling": draw(st.booleans())}
    if draw(st.booleans()):
        made["settings"] = {"MaxJobCount": 20000}
    return made

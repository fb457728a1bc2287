"""Groups of random clusters."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from muster.config.description.node_group import Purpose
from muster.hardware.ami import Family
from muster.hardware.catalogue import hardware
from muster.policies.rules.capacity.capacity_blocks import may_sell_blocks
from muster.size import Size
from tests.strategies.around import Around
from tests.strategies.capacity import Held, capacity_of
from tests.strategies.described import made_up
from tests.strategies.instances import IN_BLOCKS, USABLE
from tests.strategies.networks import PUBLIC_SHARE
from tests.strategies.readings import MOST_AT_ONCE, NOT_HELD, Kind, addresses_of, efa_of, family_of


def system_group(draw: st.DrawFn, around: Around) -> dict[str, Any]:
    """A group for ordinary pods: every cluster needs one, with a node from the start."""
    nodes = _nodes(draw, around)
    if isinstance(nodes, dict):
        nodes = {**nodes, "start": max(1, nodes["start"]), "max": max(1, nodes["max"])}
    group = {
        "for": "system",
        "instance": draw(st.sampled_from(("c5.2xlarge", "m5.2xlarge", "m5.8xlarge"))),
        "nodes": nodes,
    }
    _boots(draw, around, group)
    return group | ({"zone": draw(st.sampled_from(around.zones))} if draw(st.booleans()) else {})


def _nodes(draw: st.DrawFn, around: Around) -> Any:
    """A number, or three in order and who moves between them."""
    numbers = sorted(draw(st.lists(st.integers(0, around.most_nodes), min_size=3, max_size=3)))
    least, start, most = numbers[0], numbers[1], max(numbers[2], 1)
    if draw(st.booleans()):
        return most
    moved = {"scaled-by": draw(st.sampled_from(["you", "autoscaler"]))} if least != most else {}
    return {"min": least, "start": start, "max": most, **moved}


def may_be_for(purpose: str, instance: str) -> bool:
    """Whether nothing advises against a group: one for training has accelerators or EFA."""
    machine = hardware(instance)
    return purpose != Purpose.TRAINING or bool(machine.accelerators or machine.max_efa)


def any_group(draw: st.DrawFn, around: Around, number: int) -> dict[str, Any]:
    kind = draw(st.sampled_from(list(Kind)))
    types = tuple(
        each
        for each in USABLE
        if kind is not Kind.CAPACITY_BLOCK or (each in IN_BLOCKS and may_sell_blocks(each, around.region))
    )
    if kind is Kind.SPOT:
        types = tuple(each for each in types if hardware(each).spot)
    assume(types)
    group: dict[str, Any] = {
        "for": str(draw(st.sampled_from(list(Purpose)))),
        "instance": draw(st.sampled_from(types)),
        "nodes": _nodes(draw, around),
    }
    assume(may_be_for(group["for"], group["instance"]))
    layout = draw(st.sampled_from((None, "aws", "classic", "plain")))
    if layout:
        group["interfaces"] = layout
    efa = efa_of(group)
    zone = draw(st.sampled_from(around.zones))
    group |= capacity_of(draw, kind, group, Held(around.region, zone, number))
    if draw(st.booleans()) or (efa and kind in NOT_HELD):  # EFA stays in one zone; what is held is in one anyway
        group["zone"] = zone
    tight = around.created and addresses_of(group) > PUBLIC_SHARE
    if not efa and around.public and not tight and draw(st.booleans()):
        group["subnets"] = "public"  # the EFA interfaces' template gives no public address
    _boots(draw, around, group)
    _decorate(draw, group)
    return group


def _boots(draw: st.DrawFn, around: Around, group: dict[str, Any]) -> None:
    """Who runs the nodes, and from which image."""
    managed = around.only_managed or draw(st.booleans())
    if not managed:
        group["self-managed"] = True
    elif draw(st.booleans()):
        group["updates"] = draw(st.sampled_from([{"at-once": MOST_AT_ONCE}, {"percent-at-once": 33}]))
    if managed and draw(st.booleans()):
        group["node-repair"] = draw(st.booleans())
    image = draw(st.sampled_from(("al2023", "bottlerocket", "custom")))
    custom: list[dict[str, Any]] = [{"id": made_up("ami", 1)}, {"id": made_up("ami", 2), "family": "bottlerocket"}]
    custom += [] if managed else [{"ssm": "/teams/ml/images/training-2026-11"}]
    ways = {"al2023": [None, "al2023", {"al2023": {}}], "bottlerocket": ["bottlerocket"]}
    said = draw(st.sampled_from(ways.get(image) or [{"custom": each} for each in custom]))
    if said is not None:
        group["image"] = said
    if draw(st.booleans()):  # Bottlerocket has no SSH daemon
        keys = [{"key-pair": "ml-admins"}] if family_of(group) is Family.AL2023 else []
        group["session"] = draw(st.sampled_from(["ssm", *keys]))


def _decorate(draw: st.DrawFn, group: dict[str, Any]) -> None:
    """Settings that no rule minds."""
    if draw(st.booleans()):
        group["security-groups"] = [made_up("sg", number) for number in range(draw(st.integers(1, 2)))]
    if draw(st.booleans()):
        room = hardware(group["instance"]).memory_mib // 2  # the rest is the kubelet's and the pods'
        fitting = [each for each in ("0MiB", "2GiB", "10256MiB", "42240Mi") if Size.parse(each).mib <= room]
        group["huge-pages"] = draw(st.sampled_from(fitting))
    if draw(st.booleans()):
        group["volume"] = draw(st.sampled_from([{}, {"size": "300GiB"}, {"size": "1TiB", "throughput": 500}]))
    if draw(st.booleans()):
        group["labels"] = {"team": "research"}
    if draw(st.booleans()):
        _boots_otherwise(draw, group)
    if draw(st.booleans()):
        group["taints"] = {"team": draw(st.sampled_from(["NoSchedule", "PreferNoSchedule", "NoExecute"]))}
    if draw(st.booleans()):
        able = ["raid0", "none"] if hardware(group["instance"]).nvme_gb else ["none"]
        group["local-storage"] = draw(st.sampled_from(able))


_SCRIPTS = (
    "#!/bin/bash\nmount /dev/sdf /scratch\n",
    "#!/usr/bin/env python3\nprint('é')\n",
    "#!/bin/bash\n# what readers of user data look for\nmaxPods: 5\nexport HTTPS_PROXY=http://10.0.0.1\n",
)


def _boots_otherwise(draw: st.DrawFn, group: dict[str, Any]) -> None:
    """Scripts, and settings of the kubelet, containerd and disks."""
    bottlerocket = family_of(group) is Family.BOTTLEROCKET
    script = draw(st.sampled_from(_SCRIPTS))
    more = {"image": "111122223333.dkr.ecr.us-west-2.amazonaws.com/boot:1"} if bottlerocket else {"after": script}
    group["scripts"] = {"before": script, **more}
    large = hardware(group["instance"]).memory_mib > 16384
    reserved = {"systemReserved": {"memory": "512Mi", "cpu": "100m"}} if large else {}
    group["kubelet"] = draw(st.sampled_from([{"maxPods": 8}, {**reserved, "registryPullQPS": 20}]))
    config = {} if bottlerocket else {"config": "[metrics]\naddress = '127.0.0.1:1338'\n"}
    group["containerd"] = {"parallel-pull": draw(st.booleans()), **config}
    group["volumes"] = [{"device": "/dev/sdf", "size": "1GiB"}, {"device": "/dev/sdg", "size": "2TiB", "iops": 4000}]

"""Why a pod waits, from nodes as they are planned and as they are: rule, place and, for numbers, the remedy."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.blueprint.labels import HOST_NAME
from muster.blueprint.node import EFA_RESOURCE
from muster.fleet.resources import Taint
from muster.rehearsal.kubernetes.causes import PendingPod, cause_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, InstalledPlugin, LiveNode
from muster.rehearsal.outcome import Amount, Cause
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU

TAINT = Taint(GPU, "true", "NoSchedule")
TOLERATION = {"key": GPU, "operator": "Exists"}
MIB = 2**20
WHOLE = {GPU: 8, EFA_RESOURCE: 32}


def a_node(number: int = 0, group: str = "workers", **more: Any) -> LiveNode:
    """A p5.48xlarge with everything offered and nothing used; `used`, `offered` and `planned` change amounts."""
    planned = {**WHOLE, "cpu": 190_000, "memory": 2_000_000 * MIB, "hugepages-2Mi": 10256 * MIB, "pods": 48}
    planned |= more.get("planned", {})
    offered = planned | more.get("offered", {})
    used = more.get("used", {})
    return LiveNode(
        name=f"{group}-{number}",
        group=group,
        instance="p5.48xlarge",
        labels={"muster/group": group} | more.get("labels", {}),
        taints=more.get("taints", (TAINT,)),
        amounts={name: Amount(number, offered[name], used.get(name, 0)) for name, number in planned.items()},
    )


def asking(asks: Mapping[str, int], alike: int = 1, **pod: Any) -> PendingPod:
    """A pod that tolerates the GPUs' taint, as EKS lets every pod that asks for them. One of those alike runs."""
    return PendingPod({"tolerations": [TOLERATION], **pod}, {**asks, "pods": 1}, "worker", alike, max(1, alike - 1))


def cause(
    of: PendingPod,
    *nodes: LiveNode,
    reason: str = "0/1 nodes are available.",
    edits: Mapping[str, Any] | None = None,
    **scene: Any,
) -> Cause:
    """The cause on these nodes, those of the default blueprint with some edits."""
    return cause_of(of, ClusterSnapshot(a_blueprint(edits), nodes, **scene), reason)


@pytest.mark.parametrize(("alike", "where"), [(3, "start"), (4, "max")])
def test_a_group_with_bounds_is_scaled_within_them(alike: int, where: str) -> None:
    nodes = {"groups.workers.nodes": {"min": 1, "start": 1, "max": 3, "scaled-by": "you"}}
    edits = {**nodes, "groups.workers.capacity.reservation.count": 3}
    found = cause(asking(WHOLE, alike), a_node(used=WHOLE), edits=edits)
    assert found.where == f"groups.workers.nodes.{where}"
    assert ("its reservation holds 3" in found.remedy) is (where == "max")


def test_more_nodes_do_not_help_a_pod_that_names_its_node() -> None:
    """They have other names: it may name one that is free, or none."""
    pinned, name = asking(WHOLE, 2, nodeSelector={HOST_NAME: "workers-0"}), {"labels": {HOST_NAME: "workers-0"}}
    full = a_node(used=WHOLE, **name)
    assert cause(pinned, full, a_node(1)).remedy == f"name workers-1 in the pod's {HOST_NAME}, too, or reduce the job"
    assert cause(pinned, full).remedy == f"remove {HOST_NAME} from the pod, or reduce the job"


@pytest.mark.parametrize(("asked", "raised"), [(20_480, True), (2_000_000, False)])
def test_huge_pages_are_not_raised_until_no_memory_is_left(asked: int, raised: bool) -> None:
    found = cause(asking({"hugepages-2Mi": asked * MIB, "memory": 65_536 * MIB}), a_node())
    assert (found.id, "set groups.workers.huge-pages" in found.remedy) == ("too-few-huge-pages", raised)


SERVER = InstalledPlugin("nvidia-device-plugin", {"tolerations": [TOLERATION]})
CHOOSY = InstalledPlugin("nvidia-device-plugin", {"nodeSelector": {"gpu": "yes"}}, frozenset({"nodeSelector"}))
OWN = Taint("team", "vision", "NoSchedule")
BY_KARPENTER = {"groups.workers.provisioned-by": "karpenter", "addons.karpenter": {}}
IDLE = a_node(offered={GPU: 0})


@pytest.mark.parametrize(
    ("of", "nodes", "scene", "id_", "where"),
    [
        (asking(WHOLE), [IDLE], {}, "no-plugin", "addons"),
        (asking(WHOLE), [IDLE], {"servers": {GPU: (SERVER,)}}, "plugin-not-on-node", "addons.nvidia-device-plugin"),
        (
            asking(WHOLE),
            [IDLE],
            {"servers": {GPU: (CHOOSY,)}},
            "plugin-not-on-node",
            "addons.nvidia-device-plugin.values.nodeSelector",
        ),
        # A missing plugin comes before full nodes: more nodes would be bought for nothing.
        (asking({GPU: 8}), [a_node(used={GPU: 8}), a_node(1, "others", offered={GPU: 0})], {}, "no-plugin", "addons"),
        (asking(WHOLE), [a_node(taints=(TAINT, OWN))], {}, "taint-not-tolerated", "groups.workers"),
        (asking(WHOLE, nodeSelector={"zone": "a"}), [a_node()], {}, "no-node-chosen", ""),
        (asking({GPU: 16}), [a_node()], {}, "more-than-a-node-has", "groups.workers.instance"),
        (asking({"cpu": 200_000}), [a_node()], {}, "more-than-a-node-has", "groups.workers.instance"),
        (asking({GPU: 8}), [a_node(used={GPU: 1})], {}, "nodes-full", "groups.workers.nodes"),
        (asking({"cpu": 1}), [a_node(used={"pods": 48})], {}, "nodes-full", "groups.workers.nodes"),
        (asking(WHOLE), [a_node(planned=dict.fromkeys(WHOLE, 0))], {"absent": (a_node(),)}, "group-has-no-nodes",
         "groups.workers.nodes"),
        (asking({GPU: 8}), [], {"absent": (IDLE,), "edits": BY_KARPENTER}, "group-has-no-nodes",
         "groups.workers.nodes"),
        (asking({GPU: 16}), [], {"absent": (IDLE,), "edits": BY_KARPENTER}, "more-than-a-node-has",
         "groups.workers.instance"),
        (asking(WHOLE), [a_node()], {"reason": 'persistentvolumeclaim "data" not found'}, "claim-missing", ""),
        (asking(WHOLE), [a_node()], {"reason": ""}, "scheduler-says", ""),
        (asking(WHOLE), [a_node()], {}, "scheduler-says", ""),
        (asking({"nvidia.com/gpus": 8}), [a_node()], {}, "more-than-a-node-has", ""),
        (asking({"cpu": 100}), [], {}, "scheduler-says", ""),
    ],
)  # fmt: skip
def test_each_cause_has_its_place(
    of: PendingPod, nodes: list[LiveNode], scene: dict[str, Any], id_: str, where: str
) -> None:
    found = cause(of, *nodes, **scene)
    assert (found.id, found.where) == (id_, where)
    assert found.remedy


@pytest.mark.parametrize("kind", ["podAffinity", "podAntiAffinity"])
@pytest.mark.parametrize("key", ["topology.kubernetes.io/zone", "kubernetes.io/hostname", "muster/group"])
@pytest.mark.parametrize("zones", ["a", "ab", "aab", "abc"])
def test_pods_that_belong_together_or_apart_wait_for_resources_first(kind: str, key: str, zones: str) -> None:
    """Where every node is full, its rule on other pods is not the cause, whatever it is about. Where a node has room,
    the scheduler says which rule keeps the pod off it."""
    term = {"labelSelector": {"matchLabels": {"app": "small"}}, "topologyKey": key}
    pod = asking({"cpu": 3000}, affinity={kind: {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})
    places = [{"topology.kubernetes.io/zone": f"us-west-2{zone}", "kubernetes.io/hostname": zone} for zone in zones]
    full = [a_node(number, labels=place, used={"cpu": 190_000}) for number, place in enumerate(places)]
    assert cause(pod, *full).id == "nodes-full"
    assert cause(pod, *full[1:], a_node(labels=places[0])).id == "scheduler-says"

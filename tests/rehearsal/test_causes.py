"""Why a pod waits, from nodes as they are planned and as they are: each cause in its own words, and no other."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from addons.catalogue import CATALOGUE
from muster.fleet.node import EFA_RESOURCE
from muster.fleet.resources import Taint
from muster.rehearsal.causes import Asking, cause_of
from muster.rehearsal.outcome import Amount, Cause
from muster.rehearsal.scene import LiveNode, Scene, Server
from tests.factories import a_blueprint

from .clusters import GPU

TAINT = Taint(GPU, "true", "NoSchedule")
TOLERATION = {"key": GPU, "operator": "Exists"}
MIB = 2**20


def a_node(number: int = 0, group: str = "workers", **more: Any) -> LiveNode:
    """A p5.48xlarge with everything offered and nothing used; `used`, `offered` and `planned` change amounts."""
    planned = {
        GPU: 8,
        EFA_RESOURCE: 32,
        "cpu": 190_000,
        "memory": 2_000_000 * MIB,
        "hugepages-2Mi": 10256 * MIB,
        "pods": 48,
    }
    planned |= more.get("planned", {})
    offered = planned | more.get("offered", {})
    used = more.get("used", {})
    return LiveNode(
        name=f"{group}-{number}",
        group=group,
        instance="p5.48xlarge",
        labels={"muster/group": group, "node.kubernetes.io/instance-type": "p5.48xlarge"} | more.get("labels", {}),
        taints=more.get("taints", (TAINT,)),
        amounts={name: Amount(number, offered[name], used.get(name, 0)) for name, number in planned.items()},
    )


def asking(asks: Mapping[str, int], alike: int = 1, **pod: Any) -> Asking:
    """A pod that tolerates the GPUs' taint, as EKS lets every pod that asks for them."""
    return Asking({"tolerations": [TOLERATION], **pod}, {**asks, "pods": 1}, "worker", alike)


def cause(of: Asking, *nodes: LiveNode, reason: str = "", **scene: Any) -> Cause:
    """The cause on these nodes."""
    return cause_of(of, Scene(a_blueprint(), nodes, **scene), reason)


WHOLE = {GPU: 8, EFA_RESOURCE: 32}


@given(st.integers(1, 6), st.integers(1, 20))
def test_full_nodes_are_counted_and_what_would_do_is_said(nodes: int, more: int) -> None:
    """One pod a node: so many nodes as pods."""
    full = [a_node(number, used=WHOLE | {"pods": 3}) for number in range(nodes)]
    found = cause(asking(WHOLE, alike=nodes + more), *full)
    assert (found.id, found.where) == ("nodes-full", "groups.workers.nodes")
    assert f"{nodes} such pod" in found.said
    assert f"the job has {nodes + more}" in found.said
    assert found.remedy.startswith(f"raise groups.workers.nodes to {nodes + more} ")
    assert {each.resource for each in found.sums} == {GPU, EFA_RESOURCE}
    assert all(each.in_use == each.offered for each in found.sums)


def test_several_pods_fit_a_node() -> None:
    """Nine pods of two GPUs take three nodes of eight; the third is what is missing."""
    full = [a_node(number, used={GPU: 8}) for number in range(2)]
    found = cause(asking({GPU: 2}, alike=9), *full)
    assert "2 nodes of 'workers' together take 8 such pods; the job has 9" in found.said
    assert "to 3" in found.remedy


def test_who_else_is_there_takes_room() -> None:
    """The job's own pods would fit; what runs beside them leaves too little."""
    found = cause(asking({GPU: 8}), a_node(used={GPU: 1}))
    assert found.id == "nodes-full"
    assert (
        found.said == "1 node of 'workers' could take it, and has too little nvidia.com/gpu left beside what runs there"
    )


def test_a_plugin_that_waits_itself() -> None:
    """Its labels and taints fit, it is not there all the same: what it asks for is at fault."""
    server = Server("nvidia-device-plugin", {"tolerations": [TOLERATION]})
    found = cause(asking(WHOLE), a_node(offered={GPU: 0}), servers={GPU: (server,)})
    assert (found.id, found.where) == ("plugin-not-on-node", "addons.nvidia-device-plugin")
    assert "its pods were not made, or wait themselves" in found.said


@pytest.mark.parametrize("resource", [GPU, EFA_RESOURCE])
def test_a_resource_that_nobody_serves_names_the_add_on_that_would(resource: str) -> None:
    """The catalogue knows it."""
    found = cause(asking({resource: 1}), a_node(offered={resource: 0}))
    (name,) = (name for name, addon in CATALOGUE.items() if addon.serves == resource)
    assert (found.id, found.remedy) == ("no-plugin", f"add `{name}: {{}}` below addons:")


def test_a_resource_without_an_add_on_of_ours() -> None:
    """Somebody's own device."""
    found = cause(asking({"x.com/y": 1}), a_node(planned={"x.com/y": 1}, offered={"x.com/y": 0}))
    assert found.remedy == "install the device plugin of x.com/y"


def test_a_taint_of_the_users_own() -> None:
    """All that are not tolerated are named, with the tolerations to add."""
    own = Taint("team", "vision", "NoExecute")
    found = cause(asking(WHOLE), a_node(taints=(TAINT, own)))
    assert found.id == "taint-not-tolerated"
    assert "the taint team=vision:NoExecute" in found.said
    assert found.remedy == "add to its tolerations: {key: team, operator: Exists, effect: NoExecute}"


def test_pages_of_another_size() -> None:
    """Nodes reserve pages of 2Mi only."""
    found = cause(asking({"hugepages-1Gi": 2**30}), a_node(planned={"hugepages-1Gi": 0}))
    assert (found.id, found.remedy) == ("no-such-huge-pages", "ask for hugepages-2Mi")


@given(st.integers(10_257, 100_000))
def test_the_huge_pages_that_are_advised_are_enough(mib: int) -> None:
    """And whole pages."""
    found = cause(asking({"hugepages-2Mi": mib * MIB}), a_node())
    assert found.id == "too-few-huge-pages"
    advised = found.remedy.split("at least ")[1].split(" ")[0]
    number = int(advised.removesuffix("GiB")) * 1024 if advised.endswith("GiB") else int(advised.removesuffix("MiB"))
    assert mib <= number <= mib + 1
    assert number % 2 == 0


def test_too_many_pods_on_the_nodes() -> None:
    """The VPC CNI's addresses are counted as pods."""
    found = cause(asking({"cpu": 100}, alike=1), a_node(used={"pods": 48}))
    assert found.id == "nodes-full"
    assert "too little room for pods left" in found.said


def test_devices_of_two_groups() -> None:
    """Each node has one of them."""
    gpus, neuron = a_node(planned={EFA_RESOURCE: 0}), a_node(1, planned={GPU: 0})
    found = cause(asking(WHOLE), gpus, neuron)
    assert found.id == "no-node-has-all"


def test_a_cluster_without_nodes() -> None:
    """Nothing else could be said of it."""
    assert cause(asking({"cpu": 100})).id == "no-nodes"


def test_an_empty_group_is_preferred_to_what_other_nodes_lack() -> None:
    """Scaling it is the remedy, however many nodes of other groups there are."""
    found = cause(asking(WHOLE, alike=3), a_node(planned={GPU: 0, EFA_RESOURCE: 0}), absent=(a_node(),))
    assert (found.id, found.where) == ("group-has-no-nodes", "groups.workers.nodes")
    assert "scale it to 3" in found.remedy


def test_a_lost_node_is_the_cause_before_any_other() -> None:
    """It would have fitted there."""
    found = cause(asking(WHOLE), a_node(1, used=WHOLE), lost=(a_node(),))
    assert found.id == "node-lost"


def test_a_lost_node_that_could_not_have_taken_it_is_none() -> None:
    """A lost system node does not explain a worker."""
    found = cause(asking(WHOLE, alike=2), a_node(1, used=WHOLE), lost=(a_node(2, planned={GPU: 0}),))
    assert found.id == "nodes-full"


@pytest.mark.parametrize(
    ("reason", "id_"),
    [
        ('0/2 nodes are available: persistentvolumeclaim "data" not found.', "claim-missing"),
        ("0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.", "claim-unbound"),
        ("0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.", "claim-unbound"),
    ],
)
def test_claims_are_told_by_the_schedulers_words(reason: str, id_: str) -> None:
    """It names no node for them."""
    assert cause(asking(WHOLE), a_node(), reason=reason).id == id_


def test_what_nothing_here_explains_is_left_to_the_scheduler() -> None:
    """No cause is made up."""
    assert cause(asking(WHOLE), a_node()).id == "scheduler-says"


def test_every_cause_has_a_remedy_and_says_something() -> None:
    """An action, not the cause said again."""
    for found in (cause(asking(WHOLE), a_node()), cause(asking(WHOLE, 2), a_node(used=WHOLE)), cause(asking(WHOLE))):
        assert found.said
        assert found.remedy
        assert found.said != found.remedy

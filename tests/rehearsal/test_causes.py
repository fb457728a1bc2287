"""Why a pod waits, from nodes as they are planned and as they are: each cause in its own words, and no other."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.addons.catalogue import CATALOGUE
from muster.blueprint.labels import HOST_NAME
from muster.blueprint.node import EFA_RESOURCE
from muster.fleet.resources import Taint
from muster.rehearsal.kubernetes.causes import PendingPod, cause_of
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot, InstalledPlugin, LiveNode
from muster.rehearsal.outcome import Amount, Cause
from tests.factories import DROP, a_blueprint
from tests.rehearsal.clusters import GPU

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


def asking(asks: Mapping[str, int], alike: int = 1, **pod: Any) -> PendingPod:
    """A pod that tolerates the GPUs' taint, as EKS lets every pod that asks for them."""
    return PendingPod({"tolerations": [TOLERATION], **pod}, {**asks, "pods": 1}, "worker", alike)


def cause(
    of: PendingPod, *nodes: LiveNode, reason: str = "", edits: Mapping[str, Any] | None = None, **scene: Any
) -> Cause:
    """The cause on these nodes, those of the default blueprint with some edits."""
    return cause_of(of, ClusterSnapshot(a_blueprint(edits), nodes, **scene), reason)


OF_TWO = {"reservation": {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 2, "provided-by": "aws"}}

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
    assert "2 nodes of 'workers' together have room for 8 such pods, but the job has 9" in found.said
    assert "to 3" in found.remedy


def test_who_else_is_there_takes_room() -> None:
    """The job's own pods would fit; what runs beside them leaves too little."""
    found = cause(asking({GPU: 8}), a_node(used={GPU: 1}))
    assert found.id == "nodes-full"
    assert found.said == (
        "1 node of 'workers' could run the pod, but has too little nvidia.com/gpu left beside the running pods"
    )


def test_a_plugin_that_waits_itself() -> None:
    """Its labels and taints fit, it is not there all the same: what it asks for is at fault."""
    server = InstalledPlugin("nvidia-device-plugin", {"tolerations": [TOLERATION]})
    found = cause(asking(WHOLE), a_node(offered={GPU: 0}), servers={GPU: (server,)})
    assert (found.id, found.where) == ("plugin-not-on-node", "addons.nvidia-device-plugin")
    assert "its pods were not created, or are themselves waiting" in found.said


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
    assert found.remedy == "add to the pod's tolerations: {key: team, operator: Exists, effect: NoExecute}"


def test_pages_of_another_size() -> None:
    """Nodes reserve pages of 2Mi only."""
    found = cause(asking({"hugepages-1Gi": 2**30}), a_node(planned={"hugepages-1Gi": 0}))
    assert (found.id, found.remedy) == ("no-such-huge-pages", "request hugepages-2Mi")


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


BY_KARPENTER = {"groups.workers.provisioned-by": "karpenter", "addons.karpenter": {}}


@pytest.mark.parametrize(
    ("of", "id_", "words"),
    [
        (asking({GPU: 8}), "group-has-no-nodes", "until Karpenter creates one"),
        (asking({GPU: 16}), "more-than-a-node-has", "requests 16 nvidia.com/gpu; a p5.48xlarge has 8"),
        (asking({GPU: 8, "memory": 4_000_000 * MIB}), "more-than-a-node-has", "memory"),
        (
            asking({GPU: 8}, nodeSelector={"node.kubernetes.io/instance-type": "p5e.48xlarge"}),
            "no-node-chosen",
            "requires nodes with node.kubernetes.io/instance-type=p5e.48xlarge",
        ),
    ],
)
def test_a_pod_waits_for_karpenter_only_if_a_node_of_it_could_run_the_pod(of: PendingPod, id_: str, words: str) -> None:
    absent = a_node(offered={GPU: 0, EFA_RESOURCE: 0})
    system = a_node(group="system", planned=dict.fromkeys((GPU, EFA_RESOURCE), 0))
    found = cause(of, system, absent=(absent,), edits=BY_KARPENTER)
    assert found.id == id_
    assert words in found.said


def test_an_empty_group_is_preferred_to_what_other_nodes_lack() -> None:
    """Scaling it is the remedy, however many nodes of other groups there are."""
    found = cause(asking(WHOLE, alike=3), a_node(planned={GPU: 0, EFA_RESOURCE: 0}), absent=(a_node(),))
    assert (found.id, found.where) == ("group-has-no-nodes", "groups.workers.nodes")
    assert "scale the group to 3" in found.remedy


@given(st.integers(1, 4), st.integers(1, 4))
def test_nodes_that_nobody_serves_are_told_before_full_ones(full: int, idle: int) -> None:
    """One group is full, and in the other the devices stand unserved: more nodes would be bought for nothing."""
    own = Taint("team", "vision", "NoSchedule")
    server = InstalledPlugin("nvidia-device-plugin", {"tolerations": [TOLERATION]})
    found = cause(
        asking({GPU: 8}, alike=full + idle, tolerations=[TOLERATION, {"key": "team", "operator": "Exists"}]),
        *(a_node(number, used={GPU: 8}) for number in range(full)),
        *(a_node(number, "others", taints=(TAINT, own), offered={GPU: 0}) for number in range(idle)),
        servers={GPU: (server,)},
    )
    assert found.id == "plugin-not-on-node"
    assert found.said.startswith(f"{idle} node{'s' if idle > 1 else ''} of 'others' ha")
    assert "its pods do not tolerate the taint team=vision:NoSchedule" in found.said
    (sum_,) = found.sums
    assert (sum_.resource, sum_.nodes, sum_.offered) == (GPU, idle, 0), "of the idle nodes alone"


def test_groups_that_a_plugin_is_kept_off_for_one_reason_are_told_together() -> None:
    """And a group that it is kept off for another is not mixed in."""
    server = InstalledPlugin("p", {"tolerations": [TOLERATION], "nodeSelector": {"muster/group": "none"}})
    same = cause(
        asking({GPU: 8}), a_node(0, "a", offered={GPU: 0}), a_node(1, "b", offered={GPU: 0}), servers={GPU: (server,)}
    )
    assert same.said.startswith("2 nodes of 'a' and 'b' have")
    labelled = a_node(1, "b", offered={GPU: 0}, labels={"muster/group": "none"}, taints=(Taint("x", "", "NoExecute"),))
    other = cause(
        asking({GPU: 8}, tolerations=[{"operator": "Exists"}]),
        a_node(0, "a", offered={GPU: 0}),
        labelled,
        servers={GPU: (server,)},
    )
    assert other.said.startswith("1 node of 'a' has")


def test_broken_devices_beside_a_full_node_are_told() -> None:
    """One interface of the second node is broken: replacing it is the remedy, not a third node."""
    found = cause(asking(WHOLE, alike=2), a_node(0, used=WHOLE), a_node(1, offered={EFA_RESOURCE: 31}))
    assert (found.id, found.where) == ("devices-broken", "groups.workers")
    assert found.said == (
        f"the pod requests 32 {EFA_RESOURCE}; a p5.48xlarge has 32, but on 1 node of 'workers' at most 31 work"
    )
    (sum_,) = found.sums
    assert (sum_.asked, sum_.nodes, sum_.offered) == (32, 1, 31)


def test_broken_devices_that_leave_room_for_fewer_pods_are_told() -> None:
    """A pod of two GPUs fits a node of seven, but the fourth such pod does not."""
    found = cause(asking({GPU: 2}, alike=4), a_node(offered={GPU: 7}, used={GPU: 6}))
    assert found.id == "devices-broken"


def test_what_nobody_serves_is_told_before_what_is_broken() -> None:
    """Whichever node comes first: the description is at fault, and mended for good."""
    idle = (a_node(0, "a", offered={GPU: 7}), a_node(1, "b", offered={GPU: 0}))
    for nodes in (idle, idle[::-1]):
        found = cause(asking({GPU: 8}), *nodes)
        assert found.id == "no-plugin"
        assert found.said.startswith("1 node of 'b' has")


def test_a_full_node_with_broken_devices_is_full() -> None:
    """Were they whole, the pod would not fit beside what runs there all the same."""
    assert cause(asking({GPU: 2}, alike=5), a_node(offered={GPU: 7}, used={GPU: 7})).id == "nodes-full"


def test_what_is_free_on_two_nodes_is_free_on_neither() -> None:
    """No resource is short everywhere; each node is short of one."""
    found = cause(asking(WHOLE), a_node(0, used={GPU: 1}), a_node(1, used={EFA_RESOURCE: 32}), a_node(2, used={GPU: 8}))
    assert (found.id, found.where) == ("no-node-has-all-left", "groups.workers.nodes")
    assert found.said == (
        "no single node has all of the pod's requests free: 2 nodes of 'workers' have too little nvidia.com/gpu, 1 "
        "node of 'workers' has too little vpc.amazonaws.com/efa"
    )
    assert {(each.resource, each.most_free) for each in found.sums} == {(GPU, 8), (EFA_RESOURCE, 32)}
    assert "raise groups.workers.nodes to 4" in found.remedy


def test_more_pods_than_the_nodes_take_are_told_wherever_they_lack_what() -> None:
    """Moving what runs beside them would not do."""
    found = cause(asking(WHOLE, alike=3), a_node(0, used={GPU: 1}), a_node(1, used={EFA_RESOURCE: 32}))
    assert found.id == "nodes-full"
    assert "the job has 3" in found.said


@given(st.integers(1, 5), st.integers(1, 5), st.integers(1, 5))
def test_a_group_grows_from_all_its_nodes(chosen: int, others: int, more: int) -> None:
    """Also from those that the selector leaves out; and what restricts is said, for new nodes may land there too."""
    zone = "topology.kubernetes.io/zone"
    found = cause(
        asking(WHOLE, alike=chosen + more, nodeSelector={zone: "us-west-2a"}),
        *(a_node(number, used=WHOLE, labels={zone: "us-west-2a"}) for number in range(chosen)),
        *(a_node(chosen + number, labels={zone: "us-west-2b"}) for number in range(others)),
    )
    assert found.id == "nodes-full"
    assert f"raise groups.workers.nodes to {chosen + others + more} " in found.remedy
    assert f"; a new node must have {zone}=us-west-2a, which the pod requires. " in found.remedy
    assert f"so that it can use the other {others} node{'s' if others > 1 else ''} of 'workers'" in found.remedy


def test_two_full_groups() -> None:
    """Either may grow."""
    found = cause(asking(WHOLE, alike=4), a_node(0, "a", used=WHOLE), a_node(1, "b", used=WHOLE))
    assert found.remedy == "add 2 more nodes to group 'a' or 'b', or reduce the job to 2 such pods"


RANGE = {"min": 1, "start": 1, "max": 3, "scaled-by": "you"}
WITHIN = "scale group 'workers' to 3 nodes (if it does not exist yet, raise groups.workers.nodes.start)"
BEYOND = (
    "raise groups.workers.nodes.max to 4 and scale the group to 4 nodes (if it does not exist yet, raise nodes.start)"
)
HELD = " (its reservation holds 3 instances; it must hold 4)"


@pytest.mark.parametrize(("alike", "remedy", "where"), [(3, WITHIN, "start"), (4, f"{BEYOND}{HELD}", "max")])
def test_a_group_with_bounds_is_scaled_within_them(alike: int, remedy: str, where: str) -> None:
    """Only beyond its most there is one to raise, and a reservation that holds too few."""
    edits = {"groups.workers.nodes": RANGE, "groups.workers.capacity.reservation.count": 3}
    found = cause(asking(WHOLE, alike), a_node(used=WHOLE), edits=edits)
    assert found.remedy == f"{remedy}, or reduce the job to 1 such pod"
    assert found.where == f"groups.workers.nodes.{where}"


def test_an_empty_group_scales_up_to_its_most() -> None:
    """Beyond that, its most is to be raised too."""
    nodes = {"groups.workers.nodes": {"min": 0, "start": 0, "max": 2, "scaled-by": "you"}}
    assert "max" not in cause(asking(WHOLE, 2), absent=(a_node(),), edits=nodes).remedy
    assert (
        "raise groups.workers.nodes.max, which is 2" in cause(asking(WHOLE, 3), absent=(a_node(),), edits=nodes).remedy
    )


def test_taints_are_told_of_the_nodes_that_carry_them() -> None:
    """Each group's own, and the tolerations of those that are nearest."""
    a, b, c = (Taint(key, "", "NoSchedule") for key in "abc")
    found = cause(
        asking({"cpu": 1}, tolerations=()),
        a_node(0, "one", taints=(a, b)),
        a_node(1, "two", taints=(c,)),
        a_node(2, "two", taints=(c,)),
    )
    assert (found.id, found.where) == ("taint-not-tolerated", "groups.two")
    assert f"1 node of 'one' has the taints {a} and {b}" in found.said
    assert f"2 nodes of 'two' have the taint {c}" in found.said
    assert found.remedy == (
        "add to the pod's tolerations: {key: c, operator: Exists, effect: NoSchedule} (for 2 nodes of 'two')"
    )


@pytest.mark.parametrize(
    ("placement", "key"),
    [
        ({"nodeSelector": {"gpu": "yes"}}, "nodeSelector"),
        (
            {
                "affinity": {
                    "nodeAffinity": {
                        "requiredDuringSchedulingIgnoredDuringExecution": {
                            "nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]
                        }
                    }
                }
            },
            "affinity",
        ),
    ],
)
def test_the_key_that_keeps_a_plugin_off_is_named(placement: dict[str, Any], key: str) -> None:
    """Its node selector is not its affinity."""
    server = InstalledPlugin("nvidia-device-plugin", {"tolerations": [TOLERATION], **placement}, frozenset({key}))
    found = cause(asking(WHOLE), a_node(offered={GPU: 0}), servers={GPU: (server,)})
    assert found.where == f"addons.nvidia-device-plugin.values.{key}"
    assert found.remedy.startswith(f"remove `{key}` from addons.nvidia-device-plugin.values ")


@pytest.mark.parametrize(("pages", "said"), [(10256 * MIB, True), (0, False)])
def test_huge_pages_are_told_of_nodes_that_reserve_some(pages: int, said: bool) -> None:
    """A c5.2xlarge reserves none."""
    found = cause(asking({"cpu": 200_000}), a_node(planned={"hugepages-2Mi": pages}))
    assert found.id == "more-than-a-node-has"
    assert ("huge pages" in found.said) is said


@pytest.mark.parametrize("nodes", [(), (a_node(),), (a_node(used=WHOLE),)])
def test_another_scheduler_is_the_cause_whatever_the_nodes_have(nodes: tuple[LiveNode, ...]) -> None:
    """Nobody looks at nodes for it."""
    found = cause(asking(WHOLE, schedulerName="volcano"), *nodes)
    assert (found.id, found.remedy) == ("no-such-scheduler", "remove schedulerName, or install that scheduler")
    assert found.said == (
        "the pod sets schedulerName to 'volcano', which the rehearsal does not run and no add-on of the description "
        "installs"
    )


def test_a_node_that_is_not_there_is_named_with_its_near_miss() -> None:
    """No kubelet takes the pod; of a node that is there another cause is sought."""
    found = cause(asking(WHOLE, nodeName="worker-0"), a_node())
    assert found.id == "no-such-node"
    assert "the cluster has no such node; did you mean 'workers-0'?" in found.said
    there = asking(WHOLE, nodeName="workers-0", schedulerName="default-scheduler")
    assert cause(there, a_node()).id == "scheduler-says"
    assert cause(there, a_node(1), lost=(a_node(),)).id == "node-lost"


@pytest.mark.parametrize(("gates", "said"), [("a", "gate a blocks every"), ("ab", "gates a and b block every")])
def test_gates_hold_a_pod_back(gates: str, said: str) -> None:
    """Before any node is looked at."""
    found = cause(asking(WHOLE, schedulingGates=[{"name": each} for each in gates]), a_node(used=WHOLE))
    assert found.id == "scheduling-gated"
    assert said in found.said


@pytest.mark.parametrize(
    ("words", "id_", "speaks_of"),
    [
        ("didn't match pod affinity rules", "pod-affinity", "podAffinity"),
        ("didn't match pod anti-affinity rules", "pod-anti-affinity", "the pod's podAntiAffinity"),
        ("didn't satisfy existing pods anti-affinity rules", "pod-anti-affinity", "running pods excludes the pod"),
        ("didn't match pod topology spread constraints", "topology-spread", "with the fewest matching"),
        ("didn't match pod topology spread constraints (missing required label)", "topology-spread", "use a label"),
        ("didn't have free ports for the requested pod ports", "host-port-taken", "a port of its node"),
    ],
)
def test_rules_between_pods_are_told_by_the_schedulers_words(words: str, id_: str, speaks_of: str) -> None:
    """Where a node has room; full nodes are full whatever the scheduler says of others."""
    reason = f"0/1 nodes are available: 1 node(s) {words}."
    found = cause(asking(WHOLE), a_node(), reason=reason)
    assert found.id == id_
    assert speaks_of in found.said
    assert cause(asking(WHOLE), a_node(used=WHOLE), reason=reason).id == "nodes-full"


def test_a_lost_node_is_the_cause_before_any_other() -> None:
    """It would have fitted there."""
    found = cause(asking(WHOLE), a_node(1, used=WHOLE), lost=(a_node(),))
    assert found.id == "node-lost"
    assert found.remedy == (
        "the pod waits until a new node replaces the lost one; to have a spare node, raise groups.workers.nodes to 3 "
        "(its reservation holds 1 instances; it must hold 3)"
    )


@pytest.mark.parametrize("capacity", ["on-demand", OF_TWO])
def test_nodes_with_efa_or_reserved_ones_are_not_sent_to_other_zones(capacity: object) -> None:
    """Muster's own rules refuse that: EFA does not leave a zone, and a reservation is in one."""
    edits = {"groups.workers.capacity": capacity, "groups.workers.zone": "us-west-2a"}
    found = cause(asking(WHOLE), a_node(1, used=WHOLE), lost=(a_node(),), edits=edits)
    assert "zone" not in found.remedy
    assert ("its reservation holds 2" in found.remedy) == (capacity == OF_TWO)


def test_a_spare_in_a_lost_zone_is_no_help() -> None:
    """The group with the reservation is in that zone alone; the other one has subnets in two."""
    one = cause(asking(WHOLE), a_node(1, used=WHOLE), lost=(a_node(),), lost_zone="us-west-2a")
    assert one.remedy == "the pod waits until us-west-2a recovers: group 'workers' uses only this zone"
    edits = {"groups.workers.capacity": "on-demand", "groups.workers.interfaces": "plain", "groups.workers.zone": DROP}
    two = cause(asking({GPU: 8}), a_node(1, used=WHOLE), lost=(a_node(),), lost_zone="us-west-2a", edits=edits)
    assert two.remedy == "the pod waits until group 'workers' has a node in another zone"


def test_others_may_go_to_other_zones() -> None:
    """Where the description keeps them in one."""
    edits = {
        "groups.workers.interfaces": "plain",
        "groups.workers.zone": "us-west-2a",
        "groups.workers.capacity": "on-demand",
    }
    found = cause(asking({GPU: 8}), a_node(1, used=WHOLE), lost=(a_node(),), edits=edits)
    assert found.remedy.endswith(", or remove groups.workers.zone, so that other zones can have nodes")


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


def test_a_topology_that_no_node_has() -> None:
    """Its key is named; where the nodes carry it, the rule between pods is what keeps the pod."""
    words = "0/1 nodes are available: 1 node(s) didn't match pod affinity rules."
    found = {}
    for key in ("muster/group", "example.com/rack"):
        near = {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": key}]}
        found[key] = cause(asking({GPU: 8}, affinity={"podAffinity": near}), a_node(), reason=words)
    assert [each.id for each in found.values()] == ["pod-affinity", "topology-key-missing"]
    assert "'example.com/rack'" in found["example.com/rack"].said


CLIQUE = "nvidia.com/gpu.clique"


def together(pods: int, key: str = CLIQUE, app: str = "train") -> PendingPod:
    """A pod of a job whose pods podAffinity keeps on nodes with the same label."""
    term = {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}
    near = {"requiredDuringSchedulingIgnoredDuringExecution": [term]}
    own = {"app": "train"}
    return replace(asking({GPU: 8}, pods, affinity={"podAffinity": near}), siblings=(own,) * pods, labels=own)


@pytest.mark.parametrize(
    ("of", "id_", "words"),
    [
        (
            together(3),
            "larger-than-a-domain",
            "nvidia.com/gpu.clique, but an UltraServer has room for 2",
        ),
        (together(2), "pod-affinity", "no node with room"),
        (replace(together(3), labels={"app": "reader"}), "pod-affinity", "no node with room"),
        (together(2, app="trian"), "pod-affinity", "no pod of the job has these labels; did you mean 'train'?"),
        (together(2, key="nvidia.com/gpu-clique"), "topology-key-missing", "set topologyKey to nvidia.com/gpu.clique"),
        (
            together(2, key="topology.k8s.aws/ultraserver-id"),
            "topology-key-missing",
            "set topologyKey to nvidia.com/gpu.clique, which these nodes have",
        ),
    ],
)
def test_pods_that_must_be_together(of: PendingPod, id_: str, words: str) -> None:
    """Four nodes in two domains: three pods fit in none of them."""
    nodes = [a_node(number, labels={CLIQUE: f"domain-{number // 2}"}) for number in range(4)]
    found = cause(of, *nodes, reason="0/4 nodes are available: 4 node(s) didn't match pod affinity rules.")
    assert found.id == id_
    assert words in f"{found.said}; {found.remedy}"


def test_affinity_that_excludes_no_node_is_not_the_cause() -> None:
    """All nodes with room have the same value of the label: what is missing is room."""
    nodes = [a_node(number, labels={CLIQUE: "domain-0"}, used={GPU: 8}) for number in range(2)]
    found = cause(together(3), *nodes, reason="0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
    assert (found.id, found.where) == ("nodes-full", "groups.workers.nodes")


def test_a_pod_that_names_its_nodes_needs_no_more_nodes() -> None:
    """A new node has another name."""
    nodes = [a_node(number, labels={HOST_NAME: f"workers-{number}"}, used={GPU: 8}) for number in range(2)]
    found = cause(asking({GPU: 8}, 2, nodeSelector={HOST_NAME: "workers-0"}), *nodes)
    assert (found.id, found.where, HOST_NAME in found.remedy) == ("nodes-full", "", True)


@pytest.mark.parametrize(
    ("of", "id_", "words"),
    [
        (asking({"nvidia.com/gpus": 8}), "no-such-device", "did you mean 'nvidia.com/gpu'?"),
        (
            asking(WHOLE, nodeSelector={"node.kubernetes.io/instance-type": "p4d.24xlarge"}),
            "no-node-chosen",
            "node.kubernetes.io/instance-type is p5.48xlarge",
        ),
    ],
)
def test_a_near_miss_or_what_nodes_have_instead_is_named(of: PendingPod, id_: str, words: str) -> None:
    found = cause(of, a_node())
    assert found.id == id_
    assert words in f"{found.said} {found.remedy}"

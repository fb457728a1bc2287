"""The loop of the device plugins, told of pods by a client that only pretends."""

import queue
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from muster.blueprint.node import EFA_RESOURCE, NEURON_CORES
from muster.rehearsal.kubernetes.client import Client, Event, NotFound
from muster.rehearsal.kubernetes.devices import Devices, Plugin
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.machine_limits import RehearsalError
from tests.rehearsal.clusters import GPU

GPUS, EFAS = Plugin("kube-system", "gpus", GPU), Plugin("kube-system", "efas", EFA_RESOURCE)
NEURON = "aws.amazon.com/neuron"


def a_node(name: str, devices: dict[str, dict[str, int]]) -> PlannedNode:
    manifest = {"metadata": {"name": name, "labels": {"muster/group": "workers"}}, "spec": {}}
    return PlannedNode(name, "workers", "", manifest, devices)


NODE = a_node("a", {GPU: {GPU: 8}, EFA_RESOURCE: {EFA_RESOURCE: 32}})


class Pretender(Client):
    """Hands out events as they are put in, and keeps what nodes are told."""

    def __init__(self) -> None:
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.status: dict[str, Any] = {}
        self.told: list[str] = []
        self.gone: set[str] = set()
        self.wanted = {"gpus": 0, "efas": 0}
        """DaemonSet -> how many nodes it wants, by its status."""
        self.group = {"gpus": "none", "efas": "none"}
        """DaemonSet -> the group it is for."""
        self.ready: dict[str, int] = {}
        """DaemonSet -> how many of its pods are ready, where it is not as many as it wants."""
        self.pending: list[dict[str, Any]] = []

    def offered(self) -> dict[str, int]:
        """What all nodes say that they offer."""
        total: Counter[str] = Counter()
        for status in self.status.values():
            total.update({resource: int(number) for resource, number in status["allocatable"].items()})
        return dict(total)

    def follow(self, path: str, **query: str) -> Iterator[Event]:
        assert (path, query) == ("/api/v1/namespaces/kube-system/pods", {"fieldSelector": "status.phase=Running"})
        while True:
            event = self.events.get()
            if event.type == "ERROR":
                raise RehearsalError("the server is gone")
            yield event

    def get(self, path: str, **query: str) -> Any:
        if path == "/api/v1/namespaces/kube-system/pods":
            assert query == {"fieldSelector": "status.phase=Pending,spec.nodeName="}
            return {"items": self.pending}
        name = path.rpartition("/")[2]
        number, selector = self.wanted[name], {"muster/group": self.group[name]}
        status = {
            "observedGeneration": 1,
            "desiredNumberScheduled": number,
            "numberReady": self.ready.get(name, number),
        }
        spec = {"template": {"spec": {"nodeSelector": selector}}}
        return {"metadata": {"generation": 1}, "spec": spec, "status": status}

    def patch(self, path: str, change: Any) -> Any:
        node = path.split("/")[4]
        if node in self.gone:
            raise NotFound(404, "NotFound", "no such node")
        self.status[node] = change["status"]
        self.told.append(node)


@pytest.fixture(autouse=True)
def short_lull(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here comes late."""
    monkeypatch.setattr("muster.rehearsal.kubernetes.devices._LULL", 0.1)


@pytest.fixture
def client() -> Pretender:
    return Pretender()


@pytest.fixture
def devices(client: Pretender) -> Iterator[Devices]:
    with Devices(client, [NODE], [GPUS, EFAS]) as made:
        yield made


def a_pod(plugin: Plugin, uid: str = "1", node: str = "a", *, ready: bool = True, **meta: Any) -> dict[str, Any]:
    owner = {"kind": "DaemonSet", "name": plugin.daemon_set}
    return {
        "metadata": {"namespace": plugin.namespace, "uid": uid, "ownerReferences": [owner], **meta},
        "spec": {"nodeName": node},
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True" if ready else "False"}]},
    }


def a_refused_pod(plugin: Plugin, node: str, **status: Any) -> dict[str, Any]:
    """A pod that is for a node, and that the scheduler put nowhere."""
    field = {"key": "metadata.name", "operator": "In", "values": [node]}
    required = {"nodeSelectorTerms": [{"matchFields": [field]}]}
    refused = {"type": "PodScheduled", "status": "False", "message": "Insufficient memory"}
    return {
        **a_pod(plugin, "pending"),
        "spec": {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": required}}},
        "status": {"phase": "Pending", "conditions": [refused], **status},
    }


def until(client: Pretender, devices: Devices, offered: dict[str, int]) -> None:
    """Waits until so much is offered and no node is to be told of."""
    patience = time.monotonic() + 10
    while (client.offered() != offered or not devices._quiet) and time.monotonic() < patience:
        time.sleep(0.005)
    assert client.offered() == offered


def settles(devices: Devices, patience: float = 10) -> bool:
    """Whether they do within so many seconds."""
    end = time.monotonic() + patience
    while not devices.settled():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def test_devices_come_with_the_first_pod_and_stay_until_the_last(client: Pretender, devices: Devices):
    client.wanted["gpus"] = 2
    for uid in ("1", "2"):
        client.events.put(Event("ADDED", a_pod(GPUS, uid)))
    until(client, devices, {GPU: 8})
    assert client.status["a"] == {"capacity": {GPU: "8"}, "allocatable": {GPU: "8"}}
    client.events.put(Event("DELETED", a_pod(GPUS, "1")))
    until(client, devices, {GPU: 8})
    client.events.put(Event("DELETED", a_pod(GPUS, "2")))
    until(client, devices, {GPU: 0})
    assert client.status["a"] == {"capacity": {GPU: "8"}, "allocatable": {GPU: "0"}}


def test_a_node_is_told_once_of_plugins_that_come_together(client: Pretender, devices: Devices):
    """Each time it is told costs the whole control plane."""
    client.events.put(Event("ADDED", a_pod(GPUS)))
    client.events.put(Event("ADDED", a_pod(EFAS, "2")))
    until(client, devices, {GPU: 8, EFA_RESOURCE: 32})
    assert client.told == ["a"]


def test_a_node_waits_for_its_other_plugins_only_as_long_as_any_come(
    client: Pretender, devices: Devices, monkeypatch: pytest.MonkeyPatch
):
    """Where changes never cease it is told at the latest when a kubelet would."""
    monkeypatch.setattr("muster.rehearsal.kubernetes.devices._LULL", 100.0)
    client.events.put(Event("ADDED", a_pod(GPUS)))
    time.sleep(0.1)
    assert client.offered() == {}
    assert not devices.settled()
    monkeypatch.setattr("muster.rehearsal.kubernetes.devices._LATEST", 0.05)
    devices.degrade("a", GPU, 0)  # anything that wakes it
    until(client, devices, {GPU: 8})


def test_a_node_with_one_plugin_for_all_it_has_waits_for_none(client: Pretender, monkeypatch: pytest.MonkeyPatch):
    """What no plugin serves is not waited for."""
    monkeypatch.setattr("muster.rehearsal.kubernetes.devices._LULL", 100.0)
    with Devices(client, [NODE], [GPUS]) as devices:
        client.events.put(Event("ADDED", a_pod(GPUS)))
        until(client, devices, {GPU: 8})


def test_each_plugin_serves_its_own(client: Pretender, devices: Devices):
    client.events.put(Event("ADDED", a_pod(EFAS)))
    until(client, devices, {EFA_RESOURCE: 32})
    client.events.put(Event("ADDED", a_pod(GPUS, "2")))
    until(client, devices, {EFA_RESOURCE: 32, GPU: 8})


@pytest.mark.parametrize(
    "pod",
    [
        a_pod(GPUS, ready=False),
        a_pod(GPUS, deletionTimestamp="now"),
        a_pod(Plugin("kube-system", "others", GPU)),
        a_pod(GPUS, node="unknown"),
        {**a_pod(GPUS), "spec": {}},
        {**a_pod(GPUS), "status": {"phase": "Pending"}},
    ],
)
def test_a_pod_that_does_not_run_here_serves_nothing(client: Pretender, devices: Devices, pod: dict[str, Any]):
    client.events.put(Event("MODIFIED", pod))
    client.events.put(Event("ADDED", a_pod(EFAS, "2")))
    until(client, devices, {EFA_RESOURCE: 32})


def test_what_went_unseen_is_gone_after_a_new_list(client: Pretender, devices: Devices):
    client.events.put(Event("SYNCED", {"items": [a_pod(GPUS)]}))
    until(client, devices, {GPU: 8})
    client.events.put(Event("SYNCED", {"items": []}))
    until(client, devices, {GPU: 0})


def test_broken_devices_are_not_allocatable(client: Pretender, devices: Devices):
    client.events.put(Event("ADDED", a_pod(EFAS)))
    until(client, devices, {EFA_RESOURCE: 32})
    devices.degrade("a", EFA_RESOURCE, 1)
    until(client, devices, {EFA_RESOURCE: 31})
    assert client.status["a"]["capacity"] == {EFA_RESOURCE: "32"}
    devices.degrade("a", EFA_RESOURCE, 0)
    until(client, devices, {EFA_RESOURCE: 32})


def test_a_node_that_left_is_no_fault(client: Pretender, devices: Devices):
    client.gone.add("a")
    client.wanted["gpus"] = client.wanted["efas"] = 1
    client.events.put(Event("ADDED", a_pod(GPUS)))
    client.events.put(Event("ADDED", a_pod(EFAS, "2")))
    assert settles(devices)
    assert client.offered() == {}


def test_it_is_settled_when_what_is_wanted_runs(client: Pretender, devices: Devices):
    assert devices.settled()  # no node is wanted: that nothing is served is the finding
    client.wanted["gpus"] = 1
    assert not devices.settled()
    client.events.put(Event("ADDED", a_pod(GPUS)))
    until(client, devices, {GPU: 8})
    assert devices.settled()


def test_a_node_that_joined_is_waited_for_though_the_status_is_from_before(client: Pretender, devices: Devices):
    """In the place of another that left, the DaemonSet's status says what it said before."""
    client.group["gpus"], client.wanted["gpus"] = "workers", 1
    client.events.put(Event("ADDED", a_pod(GPUS)))
    until(client, devices, {GPU: 8})
    assert settles(devices)
    devices.left(["a"])
    devices.joined([a_node("b", NODE.devices)])
    assert not settles(devices, 0.2)
    client.events.put(Event("DELETED", a_pod(GPUS)))
    client.events.put(Event("ADDED", a_pod(GPUS, "2", "b")))
    assert settles(devices)
    assert client.status["b"]["allocatable"] == {GPU: "8"}


def test_a_pod_that_the_scheduler_goes_on_to_refuse_is_not_waited_for(
    client: Pretender, devices: Devices, monkeypatch: pytest.MonkeyPatch
):
    """That it serves nothing is the finding. Once refused is not enough: its node may be new to the scheduler."""
    monkeypatch.setattr("muster.rehearsal.kubernetes.devices._REFUSED", 0.3)
    client.group["gpus"], client.wanted["gpus"] = "workers", 1
    client.ready["gpus"] = 0
    assert not settles(devices, 0.5)  # there is no pod at all
    client.pending = [a_refused_pod(GPUS, "a", nominatedNodeName="a")]
    assert not settles(devices, 1)  # it makes room for itself
    client.pending = [a_refused_pod(GPUS, "a")]
    began = time.monotonic()
    assert settles(devices)
    assert time.monotonic() - began > 0.3
    client.pending = [a_refused_pod(EFAS, "a")]
    devices.joined([])
    assert not settles(devices, 1)  # another's


def test_where_no_plugin_runs_no_device_can_break(client: Pretender, devices: Devices):
    """Else one would wait for it to be told."""
    client.events.put(Event("ADDED", a_pod(EFAS)))
    until(client, devices, {EFA_RESOURCE: 32})
    for resource in (GPU, "some/thing"):
        with pytest.raises(RehearsalError, match=f"^a offers no {resource}, so none of them can fail$"):
            devices.degrade("a", resource, 1)


def test_a_broken_neuron_device_takes_its_cores_along(client: Pretender):
    """Two cores a device; a core that broke by itself may be one of them."""
    plugin = Plugin("kube-system", "gpus", NEURON)
    with Devices(client, [a_node("a", {NEURON: {NEURON: 16, NEURON_CORES: 32}})], [plugin]) as devices:
        client.events.put(Event("ADDED", a_pod(plugin)))
        until(client, devices, {NEURON: 16, NEURON_CORES: 32})
        devices.degrade("a", NEURON, 1)
        until(client, devices, {NEURON: 15, NEURON_CORES: 30})
        devices.degrade("a", NEURON_CORES, 1)
        until(client, devices, {NEURON: 15, NEURON_CORES: 30})
        devices.degrade("a", NEURON, 0)
        until(client, devices, {NEURON: 16, NEURON_CORES: 31})


def test_a_broken_loop_is_told(client: Pretender, devices: Devices):
    client.events.put(Event("ERROR", {}))
    devices._threads.started[0].join(5)
    with pytest.raises(
        RehearsalError, match=("the rehearsal cannot watch the device plugins any longer: the server is gone")
    ):
        devices.settled()

"""The loop of the device plugins, told of pods by a client that only pretends."""

import queue
import time
from collections.abc import Iterator
from typing import Any

import pytest

from muster.fleet.node import EFA_RESOURCE
from muster.rehearsal.client import Client, Event, NotFound
from muster.rehearsal.devices import Devices, Plugin
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.nodes import PlannedNode

from .clusters import GPU

GPUS, EFAS = Plugin("kube-system", "gpus", GPU), Plugin("kube-system", "efas", EFA_RESOURCE)
NODE = PlannedNode("a", "workers", "", {}, {GPU: {GPU: 8}, EFA_RESOURCE: {EFA_RESOURCE: 32}})


class Pretender(Client):
    """Hands out events as they are put in, and keeps what nodes are told."""

    def __init__(self) -> None:
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.status: dict[str, Any] = {}
        self.told: list[str] = []
        self.gone: set[str] = set()
        self.wanted = {"gpus": 0, "efas": 0}

    def follow(self, path: str, **query: str) -> Iterator[Event]:
        assert (path, query) == ("/api/v1/namespaces/kube-system/pods", {"fieldSelector": "status.phase=Running"})
        while True:
            event = self.events.get()
            if event.type == "ERROR":
                raise RehearsalFault("the server is gone")
            yield event

    def get(self, path: str) -> Any:
        number = self.wanted[path.rpartition("/")[2]]
        status = {"observedGeneration": 1, "desiredNumberScheduled": number, "numberReady": number}
        return {"metadata": {"generation": 1}, "status": status}

    def patch(self, path: str, change: Any) -> Any:
        node = path.split("/")[4]
        if node in self.gone:
            raise NotFound(404, "NotFound", "no such node")
        self.status[node] = change["status"]
        self.told.append(node)


@pytest.fixture(autouse=True)
def short_lull(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here comes late."""
    monkeypatch.setattr("muster.rehearsal.devices._LULL", 0.1)


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


def until(devices: Devices, offered: dict[str, int]) -> None:
    """Waits until so much is offered and no node is to be told of."""
    patience = time.monotonic() + 10
    while (devices.offered() != offered or not devices._quiet) and time.monotonic() < patience:
        time.sleep(0.005)
    assert devices.offered() == offered


def test_devices_come_with_the_first_pod_and_stay_until_the_last(client: Pretender, devices: Devices):
    client.wanted["gpus"] = 2
    for uid in ("1", "2"):
        client.events.put(Event("ADDED", a_pod(GPUS, uid)))
    until(devices, {GPU: 8})
    assert client.status["a"] == {"capacity": {GPU: "8"}, "allocatable": {GPU: "8"}}
    client.events.put(Event("DELETED", a_pod(GPUS, "1")))
    until(devices, {GPU: 8})
    client.events.put(Event("DELETED", a_pod(GPUS, "2")))
    until(devices, {GPU: 0})
    assert client.status["a"] == {"capacity": {GPU: "8"}, "allocatable": {GPU: "0"}}


def test_a_node_is_told_once_of_plugins_that_come_together(client: Pretender, devices: Devices):
    """Each time it is told costs the whole control plane."""
    client.events.put(Event("ADDED", a_pod(GPUS)))
    client.events.put(Event("ADDED", a_pod(EFAS, "2")))
    until(devices, {GPU: 8, EFA_RESOURCE: 32})
    assert client.told == ["a"]


def test_a_node_waits_for_its_other_plugins_only_as_long_as_any_come(
    client: Pretender, devices: Devices, monkeypatch: pytest.MonkeyPatch
):
    """Where changes never cease it is told at the latest when a kubelet would."""
    monkeypatch.setattr("muster.rehearsal.devices._LULL", 100.0)
    client.events.put(Event("ADDED", a_pod(GPUS)))
    time.sleep(0.1)
    assert devices.offered() == {}
    assert not devices.settled()
    monkeypatch.setattr("muster.rehearsal.devices._LATEST", 0.05)
    devices.degrade("other", GPU, 0)  # anything that wakes it
    until(devices, {GPU: 8})


def test_a_node_with_one_plugin_for_all_it_has_waits_for_none(client: Pretender, monkeypatch: pytest.MonkeyPatch):
    """What no plugin serves is not waited for."""
    monkeypatch.setattr("muster.rehearsal.devices._LULL", 100.0)
    with Devices(client, [NODE], [GPUS]) as devices:
        client.events.put(Event("ADDED", a_pod(GPUS)))
        until(devices, {GPU: 8})


def test_each_plugin_serves_its_own(client: Pretender, devices: Devices):
    client.events.put(Event("ADDED", a_pod(EFAS)))
    until(devices, {EFA_RESOURCE: 32})
    client.events.put(Event("ADDED", a_pod(GPUS, "2")))
    until(devices, {EFA_RESOURCE: 32, GPU: 8})


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
    until(devices, {EFA_RESOURCE: 32})


def test_what_went_unseen_is_gone_after_a_new_list(client: Pretender, devices: Devices):
    client.events.put(Event("SYNCED", {"items": [a_pod(GPUS)]}))
    until(devices, {GPU: 8})
    client.events.put(Event("SYNCED", {"items": []}))
    until(devices, {GPU: 0})


def test_broken_devices_are_not_allocatable(client: Pretender, devices: Devices):
    client.events.put(Event("ADDED", a_pod(EFAS)))
    until(devices, {EFA_RESOURCE: 32})
    devices.degrade("a", EFA_RESOURCE, 1)
    until(devices, {EFA_RESOURCE: 31})
    assert client.status["a"]["capacity"] == {EFA_RESOURCE: "32"}
    devices.degrade("a", EFA_RESOURCE, 0)
    until(devices, {EFA_RESOURCE: 32})


def test_a_node_that_left_is_no_fault(client: Pretender, devices: Devices):
    client.gone.add("a")
    client.wanted["gpus"] = client.wanted["efas"] = 1
    client.events.put(Event("ADDED", a_pod(GPUS)))
    client.events.put(Event("ADDED", a_pod(EFAS, "2")))
    while not devices.settled():
        time.sleep(0.005)
    assert devices.offered() == {}


def test_it_is_settled_when_what_is_wanted_runs(client: Pretender, devices: Devices):
    assert devices.settled()  # no node is wanted: that nothing is served is the finding
    client.wanted["gpus"] = 1
    assert not devices.settled()
    client.events.put(Event("ADDED", a_pod(GPUS)))
    until(devices, {GPU: 8})
    assert devices.settled()


def test_a_broken_loop_is_told(client: Pretender, devices: Devices):
    client.events.put(Event("ERROR", {}))
    devices._threads[0].join(5)
    with pytest.raises(RehearsalFault, match="device plugins can no longer be followed: the server is gone"):
        devices.settled()

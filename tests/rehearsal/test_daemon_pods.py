"""The lives of DaemonSets' pods, told of by a client that only pretends."""

import queue
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from muster.rehearsal.kubernetes.client import Client, Conflict, Event, NotFound
from muster.rehearsal.kubernetes.pod_lifecycle import LABEL, DaemonPods, running
from muster.rehearsal.machine_limits import RehearsalError

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Pretender(Client):
    """Hands out events as they are put in, and keeps what pods are told."""

    def __init__(self) -> None:
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.done: list[tuple[str, Any]] = []
        self.refusals: list[Exception] = []

    def follow(self, path: str, **query: str) -> Iterator[Event]:
        assert (path, query) == ("/api/v1/pods", {"labelSelector": LABEL, "fieldSelector": "spec.nodeName!="})
        while True:
            yield self.events.get()

    def replace(self, path: str, thing: Any) -> Any:
        self._do(path, thing["metadata"]["resourceVersion"])

    def delete(self, path: str, **options: Any) -> None:
        self._do(path, options)

    def _do(self, path: str, what: Any) -> None:
        self.done.append((path, what))
        if self.refusals:
            raise self.refusals.pop()

    def until(self, number: int) -> None:
        """Waits until so much was done, and a moment for what should not be."""
        patience = time.monotonic() + 10
        while len(self.done) < number and time.monotonic() < patience:
            time.sleep(0.005)
        time.sleep(0.05)
        assert len(self.done) == number, self.done


@pytest.fixture
def client() -> Pretender:
    return Pretender()


@pytest.fixture
def pods(client: Pretender) -> Iterator[DaemonPods]:
    with DaemonPods(client) as made:
        yield made


def a_pod(version: str = "1", phase: str = "Pending", **meta: Any) -> dict[str, Any]:
    spec = {"nodeName": "n", "containers": [{"name": "plugin", "image": "i"}]}
    scheduled = {"type": "PodScheduled", "status": "True"}
    return {
        "metadata": {"namespace": "kube-system", "name": "p", "uid": "u", "resourceVersion": version, **meta},
        "spec": spec,
        "status": {"phase": phase, "qosClass": "BestEffort", "conditions": [scheduled]},
    }


PATH = "/api/v1/namespaces/kube-system/pods/p"


def test_a_pod_on_a_node_runs_and_one_that_is_deleted_goes(client: Pretender, pods: DaemonPods):
    """It starts as it was seen, and ends as the very pod that was seen."""
    client.events.put(Event("ADDED", a_pod()))
    client.until(1)
    client.events.put(Event("MODIFIED", a_pod("2", "Running")))
    client.events.put(Event("MODIFIED", a_pod("3", "Running", deletionTimestamp="now")))
    client.until(2)
    assert client.done == [
        (f"{PATH}/status", "1"),
        (PATH, {"gracePeriodSeconds": 0, "preconditions": {"uid": "u"}}),
    ]


def test_what_is_there_already_runs_too(client: Pretender, pods: DaemonPods):
    """A new list is as good as its events."""
    client.events.put(Event("SYNCED", {"items": [a_pod()]}))
    client.until(1)


@pytest.mark.parametrize("event", [Event("DELETED", a_pod()), Event("ADDED", a_pod(phase="Running"))])
def test_what_runs_or_is_gone_is_left_alone(client: Pretender, pods: DaemonPods, event: Event):
    """There is nothing to do for it."""
    client.events.put(event)
    client.until(0)


def test_a_pod_that_changed_meanwhile_is_tried_again_as_it_is_then(client: Pretender, pods: DaemonPods):
    """A refusal for being late is no fault: the watch tells of the change."""
    client.refusals = [Conflict(409, "Conflict", "changed")]
    client.events.put(Event("ADDED", a_pod()))
    client.until(1)
    client.events.put(Event("MODIFIED", a_pod("2")))
    client.until(2)
    pods.check()
    assert client.done[-1] == (f"{PATH}/status", "2")


def test_a_pod_that_is_gone_is_no_fault(client: Pretender, pods: DaemonPods):
    """Nobody waits for it."""
    client.refusals = [NotFound(404, "NotFound", "gone")]
    client.events.put(Event("ADDED", a_pod()))
    client.until(1)
    pods.check()


def test_of_a_pod_that_waits_for_its_turn_only_the_latest_counts(client: Pretender):
    """However often it changed while others had their turn, it starts once."""
    pods = DaemonPods(client)
    for version in "123":
        pods._take(Event("MODIFIED", a_pod(version)))
    with pods:
        client.until(1)
    assert client.done == [(f"{PATH}/status", "3")]


def test_a_pod_that_went_while_it_waited_for_its_turn_is_left_alone(client: Pretender):
    """Nor one that somebody else let run."""
    pods = DaemonPods(client)
    for uid, last in (
        ("1", Event("DELETED", a_pod(uid="1"))),
        ("2", Event("MODIFIED", a_pod("2", "Running", uid="2"))),
    ):
        pods._take(Event("ADDED", a_pod(uid=uid)))
        pods._take(last)
    with pods:
        client.until(0)


def test_a_broken_loop_is_told(client: Pretender, pods: DaemonPods):
    """What cannot run would else be waited for."""
    client.refusals = [RehearsalError("the server is gone")]
    client.events.put(Event("ADDED", a_pod()))
    client.until(1)
    with pytest.raises(
        RehearsalError, match=("the rehearsal cannot run pods of DaemonSets any longer: the server is gone")
    ):
        pods.check()


def test_a_running_pod_keeps_what_it_was_and_is_ready():
    """The scheduler's condition stays, readiness gates hold, every container has started."""
    kept = a_pod(labels={"app": "a"})["metadata"]
    pod = a_pod(labels={"app": "a"}, managedFields=[{"manager": "m"}])
    pod["spec"] |= {
        "readinessGates": [{"conditionType": "example.com/ready"}],
        "initContainers": [
            {"name": "once", "image": "i"},
            {"name": "beside", "image": "i", "restartPolicy": "Always"},
        ],
    }
    made = running(pod, NOW)
    status = made["status"]
    assert made["metadata"] == kept
    assert (status["phase"], status["qosClass"], status["startTime"]) == (
        "Running",
        "BestEffort",
        "2026-11-21T12:00:00Z",
    )
    assert [(each["type"], each["status"]) for each in status["conditions"]] == [
        ("PodScheduled", "True"),
        ("PodReadyToStartContainers", "True"),
        ("Initialized", "True"),
        ("ContainersReady", "True"),
        ("Ready", "True"),
        ("example.com/ready", "True"),
    ]
    assert [list(each["state"]) for each in status["containerStatuses"]] == [["running"]]
    assert [list(each["state"]) for each in status["initContainerStatuses"]] == [["terminated"], ["running"]]

"""What one test has of the control plane that all share."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any, Self

from muster.blueprint.cluster import Blueprint
from muster.rehearsal.kubernetes import nodes
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.devices import Devices, Plugin
from tests.rehearsal.clusters import a_daemon_set, a_plugin

PODS = "/api/v1/namespaces/{}/pods"


class World:
    """A namespace, nodes and plugins; gone at the end."""

    def __init__(self, plane: ControlPlane, namespace: str) -> None:
        self.plane, self.client, self.namespace = plane, plane.client, namespace
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self.client.create({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": self.namespace}})
        account = f"/api/v1/namespaces/{self.namespace}/serviceaccounts"
        self.plane.wait_until(lambda: bool(self.client.items(account)), "no service account")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        jobs = f"/apis/kubeflow.org/v1/namespaces/{self.namespace}/pytorchjobs"
        mpi_jobs = f"/apis/kubeflow.org/v2beta1/namespaces/{self.namespace}/mpijobs"
        for path in (jobs, mpi_jobs, PODS.format(self.namespace)):
            self.client.delete(path, gracePeriodSeconds=0)

    def join(self, blueprint: Blueprint, counts: Mapping[str, int] | None = None) -> tuple[nodes.PlannedNode, ...]:
        """Lets the nodes of a cluster join."""
        planned = nodes.planned_nodes(blueprint, counts)
        nodes.create_nodes(self.client, planned)
        self._stack.callback(self.client.each, self.client.delete, [f"/api/v1/nodes/{node.name}" for node in planned])
        return planned

    def serve(
        self, planned: Iterable[nodes.PlannedNode], serves: Iterable[str], patience: float = 120, **settings: Any
    ) -> tuple[Devices, list[Plugin]]:
        """Runs the plugins that serve these resources, and waits until they do."""
        plugins = [a_plugin(each, f"{self.namespace}-") for each in serves]
        devices = Devices(self.client, planned, plugins)
        for plugin in plugins:
            thing = a_daemon_set(plugin, **settings)
            self.client.create(thing)
            self._stack.callback(self._remove_plugin, plugin, self.client.path(thing))
        self.plane.wait_until(devices.settled, "the plugins did not settle", patience, why=devices.unsettled)
        return devices, plugins

    def _remove_plugin(self, plugin: Plugin, path: str) -> None:
        """Not in the background: the next test counts pods."""
        self.client.delete(path, propagationPolicy="Orphan")
        pods = PODS.format(plugin.namespace)
        self.client.delete(pods, selector=f"app={plugin.daemon_set}", gracePeriodSeconds=0)

    def offered(self, *resources: str) -> dict[str, int]:
        """Resource -> how many the nodes offer, over all that offer any."""
        total: dict[str, int] = {}
        for node in self.client.items("/api/v1/nodes"):
            for resource in resources:
                if (number := node["status"]["allocatable"].get(resource)) is not None:
                    total[resource] = total.get(resource, 0) + int(number)
        return total

    def pods(self, **query: str) -> list[dict[str, Any]]:
        """The namespace's pods."""
        return self.client.items(PODS.format(self.namespace), **query)

    def running(self) -> int:
        """How many of them run."""
        return len(self.pods(fieldSelector="status.phase=Running"))

    def why_waiting(self, name: str) -> str:
        """The scheduler's words on a pod, once it has spoken."""
        said: list[str] = []

        def spoken() -> bool:
            pod = self.client.get(f"{PODS.format(self.namespace)}/{name}")
            said[:] = [
                each["message"]
                for each in pod["status"].get("conditions", ())
                if each["type"] == "PodScheduled" and each["status"] == "False"
            ]
            return bool(said)

        self.plane.wait_until(spoken, f"the scheduler said nothing of {name}")
        return said[0]

"""A bare control plane with the nodes of a stack and as many pods: the lower limit of a rehearsal (`tools.bench`).

The same API server, scheduler, controllers and KWOK. The nodes offer their devices as they join; no controller creates
the pods.
"""

import json
import sys
import time
from pathlib import Path

from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.nodes import PlannedNode, planned_nodes
from muster.rehearsal.kubernetes.pods import is_running
from muster.stack.project import open_stack

_PODS = "/api/v1/namespaces/default/pods"


def main() -> None:
    """Prints the seconds and the memory of one run, as JSON."""
    blueprint = open_stack(Path.cwd(), sys.argv[1]).derive()
    assert blueprint.on_kubernetes
    nodes = [node for node in planned_nodes(blueprint) if node.devices]
    began = time.perf_counter()
    with ControlPlane() as plane:
        client = plane.client
        client.each(client.create, map(_with_devices, nodes))
        client.each(client.create, [_pod(node, index) for index, node in enumerate(nodes)])
        plane.wait_until(lambda: all(map(is_running, client.items(_PODS))), "the pods did not start", 600, 0.5)
        memory = plane.processes.memory_mib()
    print(json.dumps({"seconds": time.perf_counter() - began, "peakMemoryMiB": memory}))


def _devices(node: PlannedNode) -> dict[str, str]:
    return {name: str(number) for each in node.devices.values() for name, number in each.items()}


def _with_devices(node: PlannedNode) -> dict[str, object]:
    status = node.manifest["status"]
    offers = {key: {**status[key], **_devices(node)} for key in ("capacity", "allocatable")}
    return {**node.manifest, "status": {**status, **offers}}


def _pod(node: PlannedNode, index: int) -> dict[str, object]:
    """A pod that requests all devices of a node."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{index}", "namespace": "default"},
        "spec": {
            "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": "pod", "image": "none", "resources": {"limits": _devices(node)}}],
        },
    }


if __name__ == "__main__":
    main()

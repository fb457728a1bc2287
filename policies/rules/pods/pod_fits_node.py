"""CPU and memory that one pod asks for against what one node can have for pods."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, PodOwner
from muster.hardware.allocatable import kube_reserved_cpu_millicores, kube_reserved_memory_mib
from muster.hardware.catalogue import Hardware
from muster.jobs.pod_requests import PodRequests
from muster.kubernetes_quantity import CPU, MIB, format_amounts
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.pods import DEVICES, each_pod, missing_devices, nodes_for


@rule(
    "pod-fits-node",
    title="A pod asks for no more CPU and memory than one of its nodes can have",
    judges=PodOwner,
    backends=("eks", "hyperpod"),
    why="A node gives pods what the kubelet leaves of it: of 2048 GiB, 192 vCPUs never all. A pod that asks for more "
    "waits for ever, beside nodes that bill.",
    source="awslabs/amazon-eks-ami nodeadm/internal/kubelet/config.go (reservations)",
    remedy="Ask for less, or for a larger type.",
    facts=("hardware.md#R9", "pains.md#9"),
)
def pod_fits_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for template, asks, missing in each_pod(owner):
        if missing:
            yield rule.unjudged(owner.place, missing)
        nodes = nodes_for(template, fleet) if asks else ()
        devices = {resource: asks[resource] for resource in DEVICES if resource in asks}
        # Where no node has the devices, devices-within-instance reports it.
        nodes = tuple(spot for spot in nodes if not missing_devices(spot, devices, fleet)) or nodes
        judged = False
        for resource in (CPU, "memory"):
            wants = asks.get(resource, 0)
            most = {spot.machine.instance: _most(spot.machine)[resource] for spot in nodes}
            if most and all(number < wants for number in most.values()):
                judged = True
                best = max(most, key=lambda instance: most[instance])
                many, few = format_amounts(resource, wants, most[best])
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} asks {many} of {resource}; the kubelet leaves {few} of a {best}",
                    remedy=f"ask for less than {few}, which the node's daemons share",
                )
        if nodes and not judged:
            yield from _together(owner, template.path, asks, [spot.machine for spot in nodes], rule)


def _together(owner: PodOwner, path: str, asks: PodRequests, machines: list[Hardware], rule: Rule) -> Iterator[Verdict]:
    """CPU and memory of which some node has enough of each, but perhaps none of both."""
    wanted = {resource: asks.get(resource, 0) for resource in (CPU, "memory")}
    if any(all(_most(machine)[resource] >= number for resource, number in wanted.items()) for machine in machines):
        return
    best = max(machines, key=lambda machine: (machine.memory_mib, machine.vcpus))
    # Some node has enough memory, so that one has, and lacks CPU.
    wants = {resource: format_amounts(resource, number, _most(best)[resource]) for resource, number in wanted.items()}
    yield rule.finding(
        owner.place,
        got=f"{path} asks {wants[CPU][0]} of cpu and {wants['memory'][0]} of memory, which no node has together; the "
        f"kubelet leaves {wants[CPU][1]} of cpu of a {best.instance}",
        remedy=f"ask for less than {wants[CPU][1]} of cpu, or for nodes that have both",
    )


def _most(machine: Hardware) -> dict[str, int]:
    """What is there at most, whatever the hypervisor, huge pages and daemons take besides."""
    memory = machine.memory_mib - kube_reserved_memory_mib(0)
    return {CPU: machine.vcpus * 1000 - kube_reserved_cpu_millicores(machine.vcpus), "memory": memory * MIB}

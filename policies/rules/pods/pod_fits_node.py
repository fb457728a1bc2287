"""CPU and memory that one pod asks for against what one node can have for pods."""

from collections.abc import Iterator

from muster.fleet.allocatable import kube_reserved_cpu_millicores, kube_reserved_memory_mib
from muster.fleet.amounts import CPU, MIB, amounts
from muster.fleet.hardware import Hardware
from muster.fleet.resources import Fleet, PodOwner
from policies.reading.pods import each_pod, nodes_for
from policies.rule import Rule, Verdict, rule


@rule(
    "pod-fits-node",
    title="A pod asks for no more CPU and memory than one of its nodes can have",
    judges=PodOwner,
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
        for resource in (CPU, "memory"):
            asked = asks.get(resource, 0)
            most = {spot.machine.instance: _most(spot.machine)[resource] for spot in nodes}
            if most and all(number < asked for number in most.values()):
                best = max(most, key=lambda instance: most[instance])
                many, few = amounts(resource, asked, most[best])
                yield rule.finding(
                    owner.place,
                    got=f"{template.path} asks {many} of {resource}; the kubelet leaves {few} of a {best}",
                    remedy=f"ask for less than {few}, which the node's daemons share",
                )


def _most(machine: Hardware) -> dict[str, int]:
    """What is there at most, whatever the hypervisor, huge pages and daemons take besides."""
    memory = machine.memory_mib - kube_reserved_memory_mib(0)
    return {CPU: machine.vcpus * 1000 - kube_reserved_cpu_millicores(machine.vcpus), "memory": memory * MIB}

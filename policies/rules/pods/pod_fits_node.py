"""CPU and memory that one pod requests, compared with what one node can offer to pods."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.hardware.allocatable import kube_reserved_cpu_millicores, kube_reserved_memory_mib
from muster.hardware.catalogue import Hardware
from muster.jobs.pod_requests import PodRequests
from muster.kubernetes_quantity import CPU, MIB, format_amounts
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.pods import DEVICES, missing_devices, nodes_for, requests_of
from muster.unknown import if_known


def pod_fits_node(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def judge(template: PodTemplate) -> Iterator[Verdict]:
        asks = requests_of(template)
        nodes = nodes_for(template, fleet) if asks else ()
        devices = {resource: asks[resource] for resource in DEVICES if resource in asks}
        # If no node has the devices, devices-within-instance reports it.
        nodes = tuple(spot for spot in nodes if not if_known(lambda: missing_devices(spot, devices, fleet))) or nodes
        judged = False
        for resource in (CPU, "memory"):
            wants = asks.get(resource, 0)
            most = {spot.machine.instance: _most(spot.machine)[resource] for spot in nodes}
            if most and all(number < wants for number in most.values()):
                judged = True
                best = max(most, key=lambda instance: most[instance])
                many, few = format_amounts(resource, wants, most[best])
                got = f"{template.path} requests {many} of {resource}, but the kubelet leaves {few} on a {best}"
                yield rule.finding(owner, got=got, change=f"request less than {few}, which the node's daemons also use")
        if nodes and not judged:
            yield from _together(owner, template.path, asks, [spot.machine for spot in nodes], rule)

    yield from rule.each(owner.templates, judge, owner.place)


def _together(owner: PodOwner, path: str, asks: PodRequests, machines: list[Hardware], rule: Rule) -> Iterator[Verdict]:
    """Judges CPU and memory of which some nodes have enough, but perhaps no node has enough of both."""
    wanted = {resource: asks.get(resource, 0) for resource in (CPU, "memory")}
    if any(all(_most(machine)[resource] >= number for resource, number in wanted.items()) for machine in machines):
        return
    best = max(machines, key=lambda machine: (machine.memory_mib, machine.vcpus))
    # Some node has enough memory, so the largest one has, but lacks CPU.
    wants = {resource: format_amounts(resource, number, _most(best)[resource]) for resource, number in wanted.items()}
    got = f"{path} requests {wants[CPU][0]} of cpu and {wants['memory'][0]} of memory, but no node has both"
    yield rule.finding(
        owner, got=got, change=f"request less than {wants[CPU][1]} of cpu, or select nodes that have both"
    )


def _most(machine: Hardware) -> dict[str, int]:
    """The most that a node can offer, before the hypervisor, huge pages and daemons take their part."""
    memory = machine.memory_mib - kube_reserved_memory_mib(0)
    return {CPU: machine.vcpus * 1000 - kube_reserved_cpu_millicores(machine.vcpus), "memory": memory * MIB}

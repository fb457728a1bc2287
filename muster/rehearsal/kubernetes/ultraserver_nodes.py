"""The nodes of UltraServers in a rehearsal: their labels, what no source states about them, and jobs that straddle.

NVLink or NeuronLink connects only the nodes of one UltraServer. Traffic between UltraServers uses EFA. NVIDIA's GPU
feature discovery labels nodes that NVLink connects with the same `nvidia.com/gpu.clique` (EKS user guide, "Use
P6e-GB200 UltraServers with Amazon EKS"). HyperPod sets the same `topology.k8s.aws/ultraserver-id` (SageMaker guide,
"Using topology-aware scheduling in Amazon SageMaker HyperPod").
"""

from collections.abc import Iterable, Iterator, Mapping

from muster.addons.catalogue import nvidia_device_plugin
from muster.addons.context import AddonContext
from muster.addons.values import at, values_of
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.hardware.allocatable import LEAST_PODS
from muster.message_text import count_noun
from muster.rehearsal.outcome import PodReport, PodState

CLIQUE, ULTRASERVER = "nvidia.com/gpu.clique", "topology.k8s.aws/ultraserver-id"

_NVLINK = "NVLink"


def ultraserver_labels(blueprint: Blueprint, group: KubernetesGroup, index: int, digest: str) -> dict[str, str]:
    """The labels of a node that show its UltraServer.

    Args:
        blueprint: the cluster.
        group: its group.
        index: its number in the group: consecutive nodes are in the same UltraServer.
        digest: a text that is the same in every run, for ids.
    """
    of_type = group.described.ultraserver
    if of_type is None or of_type.interconnect != _NVLINK:
        return {}
    number = index // nodes_of_one(group)
    name = f"{group.name}-{number}"
    on_hyperpod = {ULTRASERVER: f"us-{digest[:8]}-{name}"} if blueprint.hyperpod is not None else {}
    return {**on_hyperpod, **({CLIQUE: f"{digest[:8]}.{name}"} if _discovers(blueprint) else {})}


def nodes_of_one(group: KubernetesGroup) -> int:
    """How many nodes of a group are in one UltraServer. A training plan may keep some of its instances as spares."""
    of_type, held = group.described.ultraserver, group.described.capacity.held
    assert of_type is not None, "the group has UltraServers"
    number = max(1, held.count // of_type.instances) if held else 1
    return -(-group.described.nodes.max // number)


def _discovers(blueprint: Blueprint) -> bool:
    """Whether GPU feature discovery runs, which comes with NVIDIA's device plugin."""
    addon = nvidia_device_plugin.ADDON
    if addon.name not in blueprint.described.addons.chosen:
        return False
    return bool(at(values_of(addon, AddonContext.of_blueprint(blueprint)), "gfd", "enabled"))


def assumption_notes(blueprint: Blueprint) -> Iterator[str]:
    """A note for each group of whose nodes no source states the number of pods, or the memory that depends on it."""
    for group in blueprint.groups:
        given, instance = group.node.allocatable, group.node.hardware.instance
        pods = f"{LEAST_PODS} pods, and " if given.pods is None else ""
        if given.memory_mib is None:
            yield (
                f"group {group.name}: no source states the network interfaces of {instance}, so the rehearsal assumes "
                f"{pods}the memory that is certain"
            )


def straddling_notes(pods: Iterable[PodReport], labels: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """A note for each role whose running pods are in several UltraServers.

    Args:
        pods: the pods of the job.
        labels: the labels of each node, by its name.
    """
    roles: dict[str, dict[str, int]] = {}
    for pod in pods:
        own = labels.get(pod.node or "", {})
        domain = own.get(ULTRASERVER) or own.get(CLIQUE)
        if pod.state is PodState.RUNNING and domain:
            found = roles.setdefault(pod.role, {})
            found[domain] = found.get(domain, 0) + 1
    for role, domains in roles.items():
        if len(domains) > 1:
            each = ", ".join(f"{count_noun(number, 'pod')} in {name}" for name, number in sorted(domains.items()))
            keys = {key for own in labels.values() for key in (ULTRASERVER, CLIQUE) if key in own}
            key = ULTRASERVER if ULTRASERVER in keys else CLIQUE
            yield (
                f"the pods of role {role} straddle {len(domains)} UltraServers ({each}): NVLink connects only the "
                "nodes of one UltraServer, and traffic between them uses EFA. To keep tensor-parallel pods in one "
                f"UltraServer, give them a podAffinity with topologyKey: {key}"
            )

"""The nodes of UltraServers in a rehearsal: their labels, what no source states about them, and jobs that straddle.

NVLink or NeuronLink connects only the nodes of one UltraServer. Traffic between UltraServers uses EFA. The Neuron
device plugin labels the nodes of a Trn2 UltraServer with its id and their numbers in it (Neuron documentation, "How to
schedule MPI jobs to run on Neuron UltraServer on EKS").
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext
from muster.addons.values import at, values_of
from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import KubernetesGroup
from muster.blueprint.labels import CLIQUE, ULTRASERVER, nodes_of_one
from muster.hardware.allocatable import LEAST_PODS
from muster.hardware.ultraservers import NVLINK
from muster.message_text import count_noun
from muster.rehearsal.outcome import PodReport, PodState

NEURON = "neuron.amazonaws.com/ultraserver-server-id-4"

_DOMAINS = (ULTRASERVER, CLIQUE, NEURON)
"""The labels that show which nodes share NVLink or NeuronLink."""

_PAIR = "neuron.amazonaws.com/ultraserver-server-id-2"


def ultraserver_labels(blueprint: Blueprint, group: KubernetesGroup, index: int, digest: str) -> dict[str, str]:
    """The labels of a node that show its UltraServer.

    Args:
        blueprint: the cluster.
        group: its group.
        index: its number in the group: consecutive nodes are in the same UltraServer.
        digest: a text that is the same in every run, for ids.
    """
    of_type = group.described.ultraserver
    if of_type is None:
        return {}
    number, within = divmod(index, nodes_of_one(group))
    name = f"{group.name}-{number}"
    if of_type.interconnect != NVLINK:
        return _of_neuron(name, within) if _has(blueprint, "neuron-device-plugin") else {}
    on_hyperpod = {ULTRASERVER: f"us-{digest[:8]}-{name}"} if blueprint.hyperpod is not None else {}
    return {**on_hyperpod, **({CLIQUE: f"{digest[:8]}.{name}"} if _discovers(blueprint) else {})}


def _of_neuron(name: str, within: int) -> dict[str, str]:
    """The labels of a node of a Trn2 UltraServer, which jobs may use as 1, 2 or 4 nodes."""
    half, number = divmod(within, 2)
    node = "neuron.amazonaws.com/ultraserver-node-id"
    ids = {_PAIR: f"{name}-{half}", NEURON: name}
    return {"neuron.amazonaws.com/ultraserver-mode": "1_2_4", **ids, f"{node}-2": str(number), f"{node}-4": str(within)}


def _discovers(blueprint: Blueprint) -> bool:
    """Whether GPU feature discovery runs, which comes with NVIDIA's device plugin."""
    addon = CATALOGUE["nvidia-device-plugin"]
    if not _has(blueprint, addon.name):
        return False
    return bool(at(values_of(addon, AddonContext.of_blueprint(blueprint)), "gfd", "enabled"))


def _has(blueprint: Blueprint, addon: str) -> bool:
    return addon in blueprint.described.addons.chosen


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


def ultraserver_of(labels: Mapping[str, str]) -> str:
    """The label of a node's UltraServer; empty if it has none."""
    return next((labels[key] for key in _DOMAINS if key in labels), "")


def straddling_notes(pods: Iterable[PodReport], labels: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """A note for each role whose running pods are in several UltraServers.

    Args:
        pods: the pods of the job.
        labels: the labels of each node, by its name.
    """
    roles: dict[str, Counter[str]] = {}
    for pod in pods:
        domain = ultraserver_of(labels.get(pod.node or "", {}))
        if pod.state is PodState.RUNNING and domain:
            roles.setdefault(pod.role, Counter())[domain] += 1
    for role, domains in roles.items():
        if len(domains) > 1:
            each = ", ".join(f"{count_noun(number, 'pod')} in {name}" for name, number in sorted(domains.items()))
            key = next(key for key in _DOMAINS if any(key in own for own in labels.values()))
            link = "NeuronLink" if key == NEURON else NVLINK
            yield (
                f"the pods of role {role} straddle {len(domains)} UltraServers ({each}): {link} connects only the "
                "nodes of one UltraServer, and traffic between them uses EFA. To keep tensor-parallel pods in one "
                f"UltraServer, give them a podAffinity with topologyKey: {key}"
            )

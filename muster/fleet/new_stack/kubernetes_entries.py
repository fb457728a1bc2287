"""A new stack on EKS, or on HyperPod."""

from muster.fleet.hardware import Accelerator, hardware
from muster.fleet.new_stack.capacity_entries import worker_entries
from muster.fleet.new_stack.choices import DOCUMENTATION_NETWORK, Backend, Choices
from muster.fleet.new_stack.entry import Entries, Entry, Flow
from muster.fleet.new_stack.kubernetes_version import kubernetes_version
from muster.fleet.new_stack.network_entries import network_entry

SYSTEM_INSTANCE = {Backend.EKS: "c5.2xlarge", Backend.HYPERPOD: "m5.2xlarge"}
"""As AWS's own examples have it: awsome-distributed-training, and the blog about HyperPod on EKS."""

_NOTHING = Flow({})
_CHARTS = "oci://registry.example.com/charts"
"""Nobody's (RFC 2606): AWS publishes no package of HyperPod's chart."""


def kubernetes_entries(choices: Choices) -> Entries:
    """What stands below `muster:cluster`."""
    version, why = kubernetes_version(choices.as_of)
    return (
        Entry("backend", choices.backend.value),
        Entry("kubernetes", version, why),
        Entry("control-plane", "create", "whoever deploys administers it; name further people under access"),
        _api(choices),
        network_entry(choices.network, choices.region),
        Entry("groups", (_system(choices), Entry("workers", (*worker_entries(choices), *_disks(choices))))),
        Entry("addons", _addons(choices)),
    )


def _api(choices: Choices) -> Entry:
    why = "" if choices.api_from else "fill in the network you deploy from; nodes use the private endpoint"
    return Entry("api", Flow({"public": list(choices.api_from or (DOCUMENTATION_NETWORK,))}), why)


def _system(choices: Choices) -> Entry:
    of_hyperpod = choices.backend is Backend.HYPERPOD
    return Entry(
        "system",
        (
            Entry("for", "system"),
            Entry("instance", SYSTEM_INSTANCE[choices.backend]),
            Entry("nodes", 2, "each holds 14 pods") if of_hyperpod else Entry("nodes", 1),
            *_system_zone(choices),
            *((Entry("hyperpod", Flow({"threads-per-core": 2, "volume": {"size": "100GiB"}})),) if of_hyperpod else ()),
        ),
        "CoreDNS, operators, job launchers",
    )


def _system_zone(choices: Choices) -> Entries:
    if not choices.system_zone:
        return ()
    why = f"the other does not offer {SYSTEM_INSTANCE[choices.backend]}"
    return (Entry("zone", choices.system_zone, why),)


def _disks(choices: Choices) -> Entries:
    machine = hardware(choices.held.instance)
    if choices.backend is Backend.HYPERPOD or not machine.nvme_gb:
        return ()
    return (Entry("local-storage", "raid0", f"its NVMe disks ({machine.nvme_disks} GB) hold images and pods' files"),)


def _addons(choices: Choices) -> Entries:
    machine = hardware(choices.held.instance)
    chosen = []
    if choices.backend is Backend.HYPERPOD:
        repository = Flow({"repository": _CHARTS})
        chosen.append(Entry("hyperpod", repository, "fill in where your package of HyperPod's chart is: AWS has none"))
    if machine.accelerator is Accelerator.GPU:
        chosen.append(Entry("nvidia-device-plugin", _NOTHING, f"{machine.accelerators} GPUs on each node"))
    if machine.accelerator is Accelerator.NEURON:
        why = f"{machine.accelerators} Neuron devices on each node"
        chosen.append(Entry("neuron-device-plugin", _NOTHING, why))
    if machine.max_efa:
        chosen.append(Entry("efa-device-plugin", _NOTHING, f"{machine.max_efa} EFA interfaces on each node"))
    if machine.accelerator is Accelerator.NEURON:
        chosen.append(Entry("volcano", _NOTHING, "starts all pods of a job, or none; TorchX runs on it"))
    else:
        chosen.append(Entry("mpi-operator", _NOTHING, "runs MPIJobs, such as `muster job nccl-tests`"))
    return tuple(chosen)

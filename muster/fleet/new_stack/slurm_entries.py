"""A new stack with Slurm, on ParallelCluster."""

from muster.fleet.description.identifiers import PLACEHOLDER
from muster.fleet.hardware import Accelerator, hardware
from muster.fleet.new_stack.capacity_entries import worker_entries
from muster.fleet.new_stack.choices import Choices
from muster.fleet.new_stack.entry import Entries, Entry
from muster.fleet.new_stack.network_entries import FOR_SLURM, network_entry
from muster.versions import PARALLELCLUSTER


def slurm_entries(choices: Choices) -> Entries:
    """What stands below `muster:cluster`."""
    return (
        Entry("backend", choices.backend.value),
        Entry("version", PARALLELCLUSTER, "for good: another one is another cluster"),
        *_software(choices),
        network_entry(choices.network, choices.region, FOR_SLURM),
        Entry("head", (Entry("login", "ssm", "sessions of AWS Systems Manager: no open port, no key"),)),
        Entry("queues", (Entry("compute", (Entry("groups", (Entry("workers", _workers(choices)),)),)),)),
    )


def _workers(choices: Choices) -> Entries:
    """ParallelCluster holds nodes back by itself until a block begins."""
    return tuple(_without_active(each) for each in worker_entries(choices))


def _without_active(entry: Entry) -> Entry:
    if not isinstance(entry.value, tuple):
        return entry
    return Entry(entry.key, tuple(_without_active(each) for each in entry.value if each.key != "active"), entry.why)


def _software(choices: Choices) -> Entries:
    """ParallelCluster's own images have NVIDIA's driver, and not Neuron's."""
    if hardware(choices.held.instance).accelerator is not Accelerator.NEURON:
        return (Entry("os", "alinux2023"),)
    how = f"fill in: ParallelCluster's images lack Neuron's driver; `muster pcluster image {choices.stack}` helps"
    return Entry("os", "ubuntu2404", "the image's"), Entry("image", f"ami-{PLACEHOLDER}", how)

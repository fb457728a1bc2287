"""What one node of a compute resource offers to jobs of Slurm.

Sources: aws-parallelcluster-cookbook, `pcluster_slurm_config_generator.py` and its `QueueRenderer`: CPUs are the type's
vCPUs, or its cores where hyper-threading is off; RealMemory is `SchedulableMemory`, or 95 of a hundred of what EC2
states; a generic resource `gpu` is there for NVIDIA's GPUs alone: of Neuron devices Slurm knows nothing.
"""

from dataclasses import dataclass

from muster.fleet.addresses import Addresses
from muster.fleet.hardware import Accelerator, Hardware
from muster.fleet.interfaces import InterfaceType, Slot
from muster.fleet.quantity import Size

MEMORY_PERCENT = 95
"""`slurm_defaults/node_attributes/realmemory_to_ec2memory_ratio` of the cookbook."""

GPUS = "gres/gpu"
"""Slurm's name of GPUs as a trackable resource."""


@dataclass(frozen=True, slots=True)
class SlurmNode:
    """One node, as Slurm's controller knows it."""

    hardware: Hardware
    """Its type, with the threads a core that its compute resource has."""
    slots: tuple[Slot, ...]
    """Its network interfaces."""
    memory: Size | None = None
    """`SchedulableMemory`, where it is said."""

    @property
    def cpus(self) -> int:
        """CPUs that Slurm counts."""
        return self.hardware.vcpus

    @property
    def memory_mib(self) -> int:
        """RealMemory: what jobs may have."""
        return self.memory.mib if self.memory else self.hardware.memory_mib * MEMORY_PERCENT // 100

    @property
    def gpus(self) -> int:
        """GPUs that Slurm counts."""
        return self.hardware.accelerators if self.hardware.accelerator is Accelerator.GPU else 0

    @property
    def efa(self) -> int:
        """EFA interfaces it has."""
        return sum(slot.is_efa for slot in self.slots)

    @property
    def addresses(self) -> Addresses:
        """What it takes of its subnet: one for each interface but efa-only ones, whatever it runs. Without EFA it has
        an interface on each network card (`queues_stack.py` of ParallelCluster)."""
        cards = 1 if self.efa else self.hardware.network_cards
        number = max(cards, sum(slot.type is not InterfaceType.EFA_ONLY for slot in self.slots))
        return Addresses(idle=number, working=number, most=number)

    @property
    def offers(self) -> dict[str, int]:
        """What a job can ask for beside CPUs and memory, or find: GPUs, Neuron devices, EFA interfaces."""
        machine = self.hardware
        gpus = {GPUS: self.gpus} if self.gpus else {}
        neuron = {"neuron": machine.accelerators} if machine.accelerator is Accelerator.NEURON else {}
        return {**gpus, **neuron, **({"efa": self.efa} if self.efa else {})}

    @property
    def allocatable_resources(self) -> dict[str, str]:
        """CPUs and memory that jobs may have."""
        return {"cpu": str(self.cpus), "memory": f"{self.memory_mib}Mi"}

"""What one node offers: to pods of Kubernetes, and to jobs of Slurm."""

from typing import NamedTuple

from muster.blueprint.gpu_sharing import GPU, GpuSharing
from muster.hardware.allocatable import Allocatable, allocatable, hyperpod_allocatable, max_pods
from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.interfaces import Addresses, InterfaceType, Slot, addresses, hyperpod_addresses
from muster.size import Size

EFA_RESOURCE = "vpc.amazonaws.com/efa"
HUGE_PAGES_RESOURCE = "hugepages-2Mi"
NEURON_CORES = "aws.amazon.com/neuroncore"
"""The resource that the Neuron device plugin offers besides the devices."""

DEVICE_CLASSES = {GPU: "gpu.nvidia.com", EFA_RESOURCE: "efa.networking.k8s.aws"}
"""Extended resource of a device plugin -> the DeviceClass of the DRA driver for the same devices
(dra-driver-nvidia-gpu 0.4.1, templates/deviceclass-gpu.yaml; aws-dranet 1.0.0, templates/deviceclass.yaml)."""


class Node(NamedTuple):
    """One node, as the scheduler will see it once the device plugins run."""

    hardware: Hardware
    slots: tuple[Slot, ...]
    huge_pages: Size
    allocatable: Allocatable
    hyperpod: bool = False
    """Whether HyperPod runs it: then only one interface is for its pods, whatever its type."""
    sharing: GpuSharing | None = None
    """How the device plugin shares its GPUs; None: it offers each once."""
    driven: frozenset[str] = frozenset()
    """The devices that DRA drivers offer, by the extended resources of their device plugins (`muster.blueprint.dra`):
    the node does not offer these resources."""
    custom_networking: bool = False
    """Whether its pods have addresses of other subnets, on all interfaces but the first."""

    @classmethod
    def of(
        cls,
        hardware: Hardware,
        slots: tuple[Slot, ...],
        huge_pages: Size,
        sharing: GpuSharing | None = None,
        driven: frozenset[str] = frozenset(),
        *,
        hyperpod: bool = False,
        custom_networking: bool = False,
    ) -> "Node":
        """A node of this type with these interfaces and this amount of huge pages. On HyperPod, the type has the number
        of threads per core that its group sets (`Hardware.with_threads`)."""
        if hyperpod:
            given = hyperpod_allocatable(hardware, huge_pages)
        else:
            given = allocatable(hardware, slots, huge_pages, custom_networking=custom_networking)
        return cls(hardware, slots, huge_pages, given, hyperpod, sharing, driven, custom_networking)

    @property
    def efa(self) -> int:
        """EFA interfaces it has."""
        return sum(slot.is_efa for slot in self.slots)

    @property
    def addresses(self) -> Addresses:
        """The addresses that it uses in its subnet.

        Raises:
            Incomplete: the catalog lacks the type's interfaces or addresses.
        """
        if self.hyperpod:
            return hyperpod_addresses(self.hardware, self.slots)
        pods = max_pods(self.hardware, self.slots) if self.allocatable.pods is None else self.allocatable.pods
        return addresses(self.hardware, self.slots, pods, custom_networking=self.custom_networking)

    @property
    def offers(self) -> dict[str, int | str]:
        """Extended resources and huge pages, as a pod would request them."""
        devices = {} if self.hardware.resource_name in self.driven else self.accelerators(self.hardware.accelerators)
        efa = {EFA_RESOURCE: self.efa} if self.efa and EFA_RESOURCE not in self.driven else {}
        pages = {HUGE_PAGES_RESOURCE: self.huge_pages.kubernetes} if self.huge_pages.mib else {}
        return {**devices, **efa, **pages}

    @property
    def claims(self) -> dict[str, int]:
        """DeviceClass -> the number of its devices that pods can claim: of DRA drivers."""
        numbers = {self.hardware.resource_name: self.hardware.accelerators, EFA_RESOURCE: self.efa}
        return {
            name: number
            for each, name in DEVICE_CLASSES.items()
            if each in self.driven and (number := numbers.get(each))
        }

    def accelerators(self, number: int) -> dict[str, int]:
        """The number of accelerators that pods can request: if GPUs are shared, all copies of each."""
        name = self.hardware.resource_name
        if name is None:
            return {}
        return {self.sharing.resource: number * self.sharing.replicas} if self.sharing else {name: number}

    @property
    def devices(self) -> dict[str, dict[str, int]]:
        """Resource that a device plugin serves -> what the node offers once that plugin runs on it."""
        machine = self.hardware
        devices: dict[str, dict[str, int]] = {}
        if machine.resource_name and machine.resource_name not in self.driven:
            devices[machine.resource_name] = self.accelerators(machine.accelerators)
        if machine.accelerator is Accelerator.NEURON:
            devices[str(machine.resource_name)][NEURON_CORES] = machine.neuron_cores_lnc2 or machine.neuron_cores
        if self.efa and EFA_RESOURCE not in self.driven:
            devices[EFA_RESOURCE] = {EFA_RESOURCE: self.efa}
        return devices

    @property
    def other_numbers(self) -> dict[str, int]:
        """Resource -> the amount that a node offers if it is configured differently from its default: Neuron cores that
        are not paired (``NEURON_LOGICAL_NC_CONFIG=1``)."""
        machine = self.hardware
        if machine.neuron_cores_lnc2 in {None, machine.neuron_cores}:
            return {}
        return {NEURON_CORES: machine.neuron_cores}

    @property
    def allocatable_resources(self) -> dict[str, str]:
        """CPU and memory that remain for pods, as Kubernetes quantities. Memory is left out if it is unknown."""
        memory = self.allocatable.memory_mib
        cpu = {"cpu": f"{self.allocatable.cpu_millicores}m"}
        return cpu if memory is None else {**cpu, "memory": f"{memory}Mi"}


# What one node of a compute resource offers to jobs of Slurm.
#
# Sources: aws-parallelcluster-cookbook, `pcluster_slurm_config_generator.py` and its `QueueRenderer`: CPUs are the
# type's vCPUs, or its cores where hyper-threading is off; RealMemory is `SchedulableMemory`, or 95 of a hundred of
# what EC2 states; only NVIDIA's GPUs are a generic resource (`gpu`): Slurm has none for Neuron devices.

MEMORY_PERCENT = 95
"""`slurm_defaults/node_attributes/realmemory_to_ec2memory_ratio` of the cookbook."""

GPUS = "gres/gpu"
"""Slurm's name of GPUs as a trackable resource."""


class SlurmNode(NamedTuple):
    """One node, with the values that Slurm's controller uses for it."""

    hardware: Hardware
    """Its type, with the number of threads per core that its compute resource sets."""
    slots: tuple[Slot, ...]
    """Its network interfaces."""
    memory: Size | None = None
    """`SchedulableMemory`, if the description sets it."""

    @property
    def cpus(self) -> int:
        """CPUs that Slurm counts."""
        return self.hardware.vcpus

    @property
    def memory_mib(self) -> int:
        """RealMemory: the memory that jobs may request."""
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
        """The number of addresses that it uses in its subnet: one for each interface that is not efa-only, whatever it
        runs. Without EFA it has an interface on each network card (`queues_stack.py` of ParallelCluster)."""
        cards = 1 if self.efa else self.hardware.network_cards
        number = max(cards, sum(slot.type is not InterfaceType.EFA_ONLY for slot in self.slots))
        return Addresses(working=number, most=number)

    @property
    def offers(self) -> dict[str, int]:
        """The devices and interfaces of a node: GPUs, Neuron devices, EFA interfaces."""
        machine = self.hardware
        gpus = {GPUS: self.gpus} if self.gpus else {}
        neuron = {"neuron": machine.accelerators} if machine.accelerator is Accelerator.NEURON else {}
        return {**gpus, **neuron, **({"efa": self.efa} if self.efa else {})}

    @property
    def allocatable_resources(self) -> dict[str, str]:
        """CPUs and memory that jobs may have."""
        return {"cpu": str(self.cpus), "memory": f"{self.memory_mib}Mi"}

"""The text of a new stack's file: a template per backend, and the values that it takes from the hardware tables."""

from dataclasses import dataclass
from datetime import date
from functools import cache

from jinja2 import Environment

from muster.addons.catalogue.nvidia_dra_driver import ONLY_COMPUTE_DOMAINS
from muster.addresses import schema_address
from muster.cli.init.capacity import Capacity, CapacityKind
from muster.cli.init.yaml_entries import yaml_flow, yaml_scalar
from muster.config.description.pcs_nodes import ClusterSize
from muster.config.identifiers import DOCUMENTATION_NETWORK, PLACEHOLDER
from muster.hardware.catalogue import Accelerator, Hardware, hardware
from muster.hardware.default_types import (
    EKS_SYSTEM_NODES,
    HYPERPOD_CONTROLLER,
    HYPERPOD_SYSTEM_NODES,
    PCS_LOGIN_NODES,
    PCS_LOGIN_NODES_ARM,
)
from muster.hardware.ultraservers import EKS_DRAINS_MINUTES_BEFORE, ends_minutes_before, has_nvlink, ultraservers_of
from muster.hardware.zones import LOCAL_ZONE, region_of
from muster.text_templates import environment
from muster.versions import ADDONS, EKS_ADDONS, EKS_CALENDAR, HYPERPOD_KUBERNETES, PARALLELCLUSTER, PCS_SLURM
from muster.whole_number import version_numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStack:
    """A cluster with one group of workers. The templates read its properties."""

    name: str
    backend: str
    capacity: Capacity
    nodes: int
    vpc: str | None = None
    """An existing VPC; None for a new one."""
    api_from: tuple[str, ...] = ()
    """The networks that may reach the Kubernetes API. Default: a placeholder."""
    as_of: date

    @property
    def region(self) -> str:
        """The Region of the capacity."""
        return region_of(self.capacity.zone)

    @property
    def machine(self) -> Hardware:
        """What one worker has.

        Raises:
            UnknownInstance: no table has the type.
        """
        return hardware(self.capacity.instance)

    @property
    def zones(self) -> tuple[str, ...]:
        """The zones of the network, the workers' first: two for EKS, whose control plane is in no Local Zone."""
        zone, region = self.capacity.zone, self.region
        if self.backend not in {"eks", "hyperpod"}:
            return (zone,)
        if LOCAL_ZONE.fullmatch(zone):
            return f"{region}a", f"{region}b", zone
        return zone, f"{region}{'b' if zone.endswith('a') else 'a'}"

    @property
    def subnets(self) -> dict[str, str]:
        """Zone -> a placeholder for its private subnet."""
        return {
            zone: f"subnet-{PLACEHOLDER}-private-{zone.removeprefix(self.region).lstrip('-')}" for zone in self.zones
        }

    @property
    def system_zone(self) -> str:
        """The zone of the system nodes, if the workers are in a Local Zone; else empty."""
        return self.zones[0] if LOCAL_ZONE.fullmatch(self.capacity.zone) else ""

    @property
    def api_networks(self) -> list[str]:
        """The networks that may reach the Kubernetes API."""
        return list(self.api_from or (DOCUMENTATION_NETWORK,))

    @property
    def trains_together(self) -> bool:
        """Whether several nodes train together, so that they need a file system. No document says that FSx is in Local
        Zones."""
        together = self.nodes > 1 and self.machine.max_efa > 0 and self.machine.accelerator is not None
        return together and not LOCAL_ZONE.fullmatch(self.capacity.zone)

    @property
    def leaves_before_eks(self) -> bool:
        """Whether the instances must end before EKS scales a managed group of a Capacity Block down."""
        minutes = ends_minutes_before(self.capacity.instance) or 0
        block = self.capacity.kind is CapacityKind.CAPACITY_BLOCK
        return block and minutes > EKS_DRAINS_MINUTES_BEFORE

    @property
    def ultraserver(self) -> str:
        """The largest UltraServer type of which a training plan holds whole ones; empty if there is none."""
        if self.capacity.kind is not CapacityKind.TRAINING_PLAN:
            return ""
        whole = [each.name for each in ultraservers_of(self.capacity.instance) if each.whole(self.capacity.count)]
        return whole[-1] if whole else ""

    @property
    def pcs_size(self) -> ClusterSize:
        """The smallest size of a PCS cluster for all nodes; the largest for more, which the description refuses."""
        return next((each for each in ClusterSize if each.nodes > self.nodes), ClusterSize.LARGE)

    @property
    def pcs_login(self) -> str:
        """The type of the login nodes, which use the workers' image."""
        return PCS_LOGIN_NODES_ARM if self.machine.architecture == "arm64" else PCS_LOGIN_NODES

    def text(self) -> str:
        """The text of the file.

        Raises:
            UnknownInstance: no table has the type of the workers.
        """
        machine = self.machine
        return (
            _environment()
            .get_template(f"{self.backend}.yaml.jinja")
            .render(
                new=self,
                capacity=self.capacity,
                machine=machine,
                gpu=machine.accelerator is Accelerator.GPU,
                neuron=machine.accelerator is Accelerator.NEURON,
                nvlink=has_nvlink(machine.instance),
                compute_domains=ONLY_COMPUTE_DOMAINS,
                kubernetes=kubernetes_version(self.as_of),
                schema=schema_address("stack"),
                eks_system=EKS_SYSTEM_NODES,
                hyperpod_system=HYPERPOD_SYSTEM_NODES,
                controller=HYPERPOD_CONTROLLER,
                parallelcluster=PARALLELCLUSTER,
                pcs_slurm=PCS_SLURM[-1],
                placeholder=PLACEHOLDER,
            )
        )


def kubernetes_version(as_of: date) -> str:
    """The newest version that EKS, HyperPod and all of Muster's add-ons support, so that a later add-on needs no other
    version; else the newest with pinned EKS add-ons."""
    ranges = [HYPERPOD_KUBERNETES, *(pin.kubernetes for pin in ADDONS.values())]
    standing = [each for each in EKS_ADDONS if as_of <= EKS_CALENDAR[each].standard_ends]
    fitting = [each for each in standing if all(_within(each, *between) for between in ranges)]
    return max(fitting or standing or EKS_ADDONS, key=version_numbers)


def _within(version: str, first: str, last: str | None) -> bool:
    return version_numbers(first) <= version_numbers(version) and (
        last is None or version_numbers(version) <= version_numbers(last)
    )


@cache
def _environment() -> Environment:
    return environment("muster.cli.init", scalar=yaml_scalar, flow=yaml_flow)

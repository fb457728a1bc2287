"""The blueprint of a cluster on SageMaker HyperPod with Slurm."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from muster.blueprint.cluster import ServiceInstances
from muster.blueprint.node import SlurmNode
from muster.blueprint.slurm import JobEnvironment, SlurmBlueprint, SlurmGroup, SlurmQueue
from muster.config.identifiers import aws_name_stem
from muster.fleet.resources import (
    CapacityBlockPurchase,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.fleet import Judged

if TYPE_CHECKING:
    from muster.config.description.group import Group as GroupDescription
    from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
    from muster.config.description.hyperpod_slurm_nodes import Controller, LoginNodes

SCRATCH = "/opt/dlami/nvme"
"""Where HyperPod's image for Slurm mounts a node's NVMe disks (awsome-distributed-training,
`LifecycleScripts/base-config/utils/install_enroot_pyxis.sh`)."""

AUTO_RESUME = "--auto-resume=1"
"""The option of `srun` with which HyperPod runs a step again after it has replaced a node (SageMaker guide, "Automatic
node recovery and auto-resume")."""

SLURM = "24.11"
"""The version of Slurm in HyperPod's images (SageMaker guide, sagemaker-hyperpod-release-ami-slurm, 2025-05-13 to
2026-01-25). They have Ubuntu 22.04 with kernel 6.8."""


@dataclass(frozen=True, slots=True)
class ServiceNodes:
    """An instance group whose nodes run no jobs: the controller, or the login nodes."""

    key: str
    """Its key in the description."""
    described: "Controller | LoginNodes"
    instance_group: InstanceGroup


@dataclass(frozen=True, slots=True)
class HyperPodSlurmGroup(SlurmGroup):
    """One instance group of compute nodes."""

    described: "GroupDescription"
    node: SlurmNode
    instance_group: InstanceGroup

    @property
    def subnets(self) -> tuple[Reference, ...]:
        """Sorted."""
        assert isinstance(self.instance_group.subnets, tuple)
        return self.instance_group.subnets

    @property
    def in_ec2(self) -> bool:
        """False: its instances belong to SageMaker."""
        return False

    @property
    def running(self) -> int:
        """All its nodes."""
        return self.described.nodes.count

    @property
    def features(self) -> frozenset[str]:
        """None (aws-samples/playground-persistent-cluster, `SIMULATE-UNHEALTHY-INSTANCE.md`: AvailableFeatures is
        null)."""
        return frozenset()

    @property
    def constraint(self) -> str:
        """None, because its nodes have no features."""
        return ""

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything of it that rules judge."""
        return (self.instance_group,)


@dataclass(frozen=True, slots=True, kw_only=True)
class HyperPodSlurmBlueprint(SlurmBlueprint):
    """One cluster on HyperPod with Slurm, derived."""

    described: "HyperPodSlurmCluster"
    groups: tuple[HyperPodSlurmGroup, ...]
    cluster: HyperPodCluster
    controller: ServiceNodes
    login: ServiceNodes | None
    nodes_security_group: SecurityGroup
    """The security group of all nodes: it allows all traffic between them, and to everywhere."""

    @property
    def name_stem(self) -> str:
        """The cluster's name, if it is valid for Muster's resources."""
        return aws_name_stem(self.cluster_name)

    @property
    def service_nodes(self) -> tuple[ServiceNodes, ...]:
        """The controller, and the login nodes if there are some."""
        return (self.controller, *((self.login,) if self.login else ()))

    @property
    def hyperpod_cluster(self) -> HyperPodCluster:
        """The cluster in SageMaker."""
        return self.cluster

    @property
    def hyperpod_groups(self) -> tuple[InstanceGroup, ...]:
        """All instance groups: the controller, the login nodes, the others by name."""
        ordered = sorted(self.groups, key=lambda group: group.name)
        return (*(each.instance_group for each in self.service_nodes), *(each.instance_group for each in ordered))

    @property
    def service_instances(self) -> tuple[ServiceInstances, ...]:
        """The controller, and the login nodes."""
        counted = ((each.described, each.instance_group.nodes_start) for each in self.service_nodes)
        return tuple(
            ServiceInstances(described.name, described.instance, count, in_ec2=False)
            for described, count in counted
            if isinstance(count, int)
        )

    @property
    def s3_addresses(self) -> Iterator[str]:
        """The addresses of lifecycle scripts."""
        for group in self.hyperpod_groups:
            if isinstance(group.lifecycle, Lifecycle) and isinstance(group.lifecycle.source, str):
                yield group.lifecycle.source

    @property
    def purchases(self) -> tuple[CapacityBlockPurchase, ...]:
        """None: HyperPod has no Capacity Blocks of EC2."""
        return ()

    @property
    def groups_below(self) -> str:
        """The key of the description."""
        return "groups"

    @property
    def environment(self) -> JobEnvironment:
        """What a batch script finds on HyperPod's nodes."""
        return JobEnvironment(
            submit_on="a login node" if self.login else "the controller",
            shared=None,
            scratch=SCRATCH,
            # Slurm's configuration of HyperPod does not limit memory (`muster.rehearsal.slurm.services`).
            counts_memory=False,
            software="your lifecycle scripts",
            has_docker=self._set_up_by_hyperpod(self.login or self.controller),
            containers_if="install Pyxis and Enroot with your lifecycle scripts",
            same_features="HyperPod's nodes have no features; give each group its own partition",
            step_options=(AUTO_RESUME,),
            # As AWS's settings of Enroot have it (awsome-distributed-training, `utils/enroot.conf`).
            enroot="~/enroot",
            # The newest images have driver 580 or later (the page of `SLURM`).
            driver_unknown="the image of your description" if self._chooses_images else "",
        )

    def has_pyxis(self, group: SlurmGroup) -> bool | None:
        """HyperPod's own setup installs Docker, Enroot and Pyxis (SageMaker guide, smcluster-getting-started-slurm-cli,
        Option A). With `OnCreate`, the scripts install what there is."""
        ours = self.group(group.name)
        own = (self.controller.instance_group, ours.instance_group)
        return True if all(_own_setup(each) for each in own) else None

    def group(self, name: str) -> HyperPodSlurmGroup:
        """The group of that name.

        Raises:
            KeyError: there is none.
        """
        return {group.name: group for group in self.groups}[name]

    @property
    def judged(self) -> tuple[Judged, ...]:
        """Everything that rules evaluate, except file systems."""
        own = (each.security_group for each in self.storage)
        groups = (self.nodes_security_group, self.network.registry_endpoints, *own)
        return (
            self.cluster,
            *self.network.counted,
            *(group for group in groups if group),
            *self.hyperpod_groups,
        )

    @property
    def _chooses_images(self) -> bool:
        """Whether some nodes do not have HyperPod's newest image."""
        described = (*(each.described for each in self.service_nodes), *(each.described for each in self.groups))
        return any(each.hyperpod.image for each in described)

    @staticmethod
    def _set_up_by_hyperpod(nodes: ServiceNodes) -> bool:
        return _own_setup(nodes.instance_group)


def _own_setup(group: InstanceGroup) -> bool:
    """Whether HyperPod itself sets up the instances of a group."""
    return not (isinstance(group.lifecycle, Lifecycle) and group.lifecycle.on_create)


def queues_of(groups: tuple[HyperPodSlurmGroup, ...], every_node: str) -> tuple[SlurmQueue, ...]:
    """The partitions: the one with all nodes, which is the default, then the others by name.

    A job has its nodes alone in the first one (ai-on-sagemaker-hyperpod, `08-gres.md`: OverSubscribe=EXCLUSIVE).
    """
    named: dict[str, list[HyperPodSlurmGroup]] = {}
    for group in groups:
        named.setdefault(group.queue, []).append(group)
    return (
        SlurmQueue(name=every_node, groups=groups, exclusive=True),
        *(
            SlurmQueue(name=name, groups=tuple(own), exclusive=False)
            for name, own in sorted(named.items())
            if name != every_node
        ),
    )

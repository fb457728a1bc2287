"""The workers of a job on Kubernetes: their group, their number, and what each requests of its node."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from muster.addons.daemon_sets import daemon_sets_on, deployments_on, used_of
from muster.blueprint import labels
from muster.blueprint.cluster import Blueprint
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.group import KubernetesGroup
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE, HUGE_PAGES_RESOURCE
from muster.hardware.allocatable import certain
from muster.hardware.catalogue import Accelerator
from muster.hardware.huge_pages import NCCL_JOB, PAGE
from muster.jobs.group_selection import HEALTHY_NODES, selector, tolerations_of
from muster.kubernetes_quantity import MIB
from muster.size import Size

MEMORY = Size(32000)
"""The request of the EKS guide's NCCL test; NCCL's buffers and those of the test need no more."""

RESERVED_FOR_OTHERS = Size(1024)
"""The part of a node's memory that stays free: for DaemonSets, and for pods of users."""

_CLAIMS = {GPU: "gpu", EFA_RESOURCE: "efa"}
"""Extended resource -> the name of the claim for such devices, on a group whose devices a DRA driver offers. A worker
has one claim for the GPUs and one for the EFA interfaces: a claim has at most 32 devices (k8s.io/api `resource/v1`,
`AllocationResultsMaxSize`), and a p5 node has 40 (EKS user guide, "Manage EFA devices" and "Use the NVIDIA DRA driver
or device plugin")."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers that fit their nodes, each of them a whole node."""

    job: str
    """The job's name, which the names of claim templates begin with."""
    group: KubernetesGroup
    count: int
    efa: int
    """EFA interfaces of a worker."""
    huge_pages: Size
    memory: Size
    pull_secrets: tuple[str, ...] = ()
    """The Secrets with which its pods pull images."""

    @property
    def devices(self) -> int:
        """Accelerators of a worker: GPUs, or Neuron devices."""
        return self.group.node.hardware.accelerators

    @property
    def gpus(self) -> int:
        """Its GPUs."""
        return self.devices if self.group.node.hardware.accelerator is Accelerator.GPU else 0

    @property
    def cores(self) -> int:
        """The Neuron cores of its devices, as processes count them."""
        machine = self.group.node.hardware
        return machine.neuron_cores_lnc2 or machine.neuron_cores or 0

    @property
    def instance_type(self) -> str:
        """The type of its node, as Kubernetes labels it."""
        return self.group.described.instance_type

    @property
    def driven(self) -> frozenset[str]:
        """The devices that DRA drivers offer."""
        return frozenset(self.group.node.driven)

    @property
    def copies_by_cuda(self) -> bool:
        """Whether NCCL's copies within a node are faster with CUDA."""
        return self.group.node.hardware.nccl_copies_by_cuda

    @property
    def claims(self) -> dict[str, tuple[str, int]]:
        """The claims for devices that DRA drivers offer: name -> device class and number."""
        wanted = {self.group.node.hardware.resource_name: self.devices, EFA_RESOURCE: self.efa}
        return {
            _CLAIMS[each]: (device_class, number)
            for each, device_class in DEVICE_CLASSES.items()
            if each in self.driven and (number := wanted.get(each))
        }

    @property
    def requests(self) -> dict[str, int | str]:
        """The requests of a container, without the devices that it claims.

        It requests no CPU, as in the EKS guide: the worker has the whole node, and a request might not fit beside the
        node's DaemonSets. (Huge pages need a request for CPU or memory beside them, and it requests memory.)
        """
        node = self.group.node
        devices = {} if node.hardware.resource_name in self.driven else node.accelerators(self.devices)
        return {
            **devices,
            # If there are no huge pages, libfabric uses ordinary pages; a request for "0Mi" has no effect.
            **({HUGE_PAGES_RESOURCE: self.huge_pages.kubernetes} if self.huge_pages.mib else {}),
            **({EFA_RESOURCE: self.efa} if self.efa and EFA_RESOURCE not in self.driven else {}),
            "memory": self.memory.kubernetes,
        }

    @property
    def resources(self) -> dict[str, Any]:
        """A container's `resources`: requests and limits are equal. Claims come first."""
        claims = {"claims": [{"name": name} for name in self.claims]} if self.claims else {}
        return {**claims, "limits": self.requests, "requests": self.requests}

    @property
    def shared_memory(self) -> dict[str, Any]:
        """A volume for /dev/shm in the worker's memory: half of it, which is the default of tmpfs.

        Documents mount the node's own /dev/shm (hostPath). A memory-backed emptyDir does the same for NCCL, needs no
        host access (Pod Security "baseline" refuses hostPath), and leaves no segments of a killed run behind.
        """
        return {"name": "shmem", "emptyDir": {"medium": "Memory", "sizeLimit": Size(self.memory.mib // 2).kubernetes}}

    @property
    def healthy_nodes_of_group(self) -> dict[str, str]:
        """The labels of the group's nodes; on HyperPod, only healthy nodes. Two groups may have the same type."""
        return {**selector(self.group, labels.GROUP), **(HEALTHY_NODES if self.group.node.hyperpod else {})}

    @property
    def nodes(self) -> dict[str, Any]:
        """The nodes of a worker in its pod spec: those of this group, with its taints tolerated."""
        selected = {labels.INSTANCE_TYPE: self.instance_type, **self.healthy_nodes_of_group}
        return {"nodeSelector": selected, **tolerations_of(self.group)}

    @property
    def placement(self) -> dict[str, Any]:
        """The same, with its claims for devices and the Secrets for its images."""
        claims = [{"name": name, "resourceClaimTemplateName": self.template(name)} for name in self.claims]
        return {**self.nodes, **({"resourceClaims": claims} if claims else {}), **pulling(self.pull_secrets)}

    def template(self, claim: str) -> str:
        """The name of a claim's template."""
        return f"{self.job}-{claim}"


def workers_of(
    blueprint: Blueprint,
    group: KubernetesGroup,
    job: str,
    count: int,
    *,
    efa: bool,
    huge_pages: bool,
    all_memory: bool,
) -> Workers:
    """The workers of a job, sized to the nodes of a group.

    Args:
        blueprint: the cluster.
        group: one of its groups.
        job: the job's name.
        count: the number of workers.
        efa: whether they use EFA.
        huge_pages: whether they use huge pages: the guide's 5120Mi, or less if a node has less.
        all_memory: whether they use all memory that others leave, or `MEMORY`.
    """
    left = _memory_left(blueprint, group)
    pages = Size(group.node.huge_pages.mib // PAGE.mib * PAGE.mib)
    return Workers(
        job=job,
        group=group,
        count=count,
        efa=group.node.efa if efa else 0,
        huge_pages=min(NCCL_JOB, pages) if huge_pages else Size(0),
        memory=left if all_memory else min(MEMORY, left),
        pull_secrets=blueprint.described.image_pull_secrets,
    )


def pulling(secrets: Iterable[str]) -> dict[str, Any]:
    """The field of a pod's spec with the Secrets for its images; none without them."""
    named = [{"name": each} for each in secrets]
    return {"imagePullSecrets": named} if named else {}


def sharing_faults(group: KubernetesGroup) -> Iterator[str]:
    """Why a pod cannot request every GPU of a node."""
    sharing = group.node.sharing
    if sharing and sharing.one_only and group.node.hardware.accelerators > 1:
        yield (
            f"the device plugin rejects pods that request more than one GPU ({sharing.how}); remove sharing from "
            f"its configuration for the nodes of group '{group.name}'"
        )


def _memory_left(blueprint: Blueprint, group: KubernetesGroup) -> Size:
    """The memory of a node that its DaemonSets leave, and at least `RESERVED_FOR_OTHERS` less than all of it; all is
    the memory that is certain, if no source states the node's number of pods. On HyperPod no taint keeps operators off
    accelerators: an operator that restarts may use memory of any node, and a job that needs this memory would wait."""
    memory = certain(group.node.hardware, group.node.allocatable).memory_mib
    assert memory is not None, "the memory that is certain is known"
    beside = _mib(used_of(daemon_sets_on(blueprint, group), "memory"))
    visiting = _mib(used_of(deployments_on(blueprint, group), "memory"))
    return Size(max(1, memory - max(beside, RESERVED_FOR_OTHERS.mib) - visiting))


def _mib(amount: int) -> int:
    return -(-amount // MIB)

"""A group of equal nodes, on any backend: each key once. `eks_cluster.py` and the other modules of backends have what
differs there beside the keys."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, StrictBool, model_validator

from muster.config.description.base import (
    EKS,
    HYPERPOD,
    HYPERPOD_SLURM,
    INSTANCE_GROUP,
    NO_BOOL_OR_FLOAT,
    PARALLELCLUSTER,
    PCS,
    Change,
    Nothing,
    StrictModel,
    key,
    optional,
    unique_items,
)
from muster.config.description.capacity import Capacity
from muster.config.description.iam import POLICIES, Policies
from muster.config.description.instance_group import InstanceSettings, Interface
from muster.config.description.node_boot import Containerd, Kubelet, Scripts
from muster.config.description.node_group import (
    Effect,
    GroupSubnets,
    HugePages,
    InstanceType,
    LocalStorage,
    PartitionName,
    Provisioner,
    Purpose,
    SecurityGroups,
    Session,
    Tier,
    Updates,
)
from muster.config.description.node_settings import ExtraVolume, Image, Nodes, Volume, one_of_each_device
from muster.config.identifiers import GroupName, LabelKey, LabelValue, NodeLabelKey, RoleArn, SubnetList
from muster.hardware.ami import Family
from muster.hardware.catalogue import hardware
from muster.hardware.hyperpod_types import ML
from muster.hardware.interfaces import Layout
from muster.hardware.ultraservers import UltraServer, ultraservers, ultraservers_of
from muster.hardware.zones import ZoneName
from muster.size import Size

_ON_HYPERPOD = {HYPERPOD: Change.REFUSED, HYPERPOD_SLURM: Change.REFUSED}
"""According to AWS's guide, UpdateCluster cannot change the type and the threads of an existing group ("Updating
SageMaker HyperPod cluster configuration"), its keys ("Customer managed AWS KMS key encryption") or its network. It can
change the numbers, the lifecycle scripts, the deep health checks, the training plan, labels and taints."""

_SUBNETS = "Ids of the subnets of the nodes, from `network.existing`. Default: the first subnet of the zone."


class Group(StrictModel):
    """A group of nodes of one instance type, from one source of capacity."""

    purpose: Purpose = key(
        "Purpose of the nodes: training, inference or system (CPU nodes).",
        {
            EKS: Change.DRAINS,
            HYPERPOD: Change.IN_PLACE,
            HYPERPOD_SLURM: Change.IN_PLACE,
            PARALLELCLUSTER: Change.FLEET_STOP,
            PCS: Change.NEXT_LAUNCH,
        },
        alias="for",
    )
    instance: InstanceType = key(
        "EC2 instance type, as in p5.48xlarge, also on HyperPod (without `ml.`). On EKS, a type with another "
        "kind of accelerator replaces the group.",
        _ON_HYPERPOD | {EKS: Change.DRAINS, PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.REFUSED},
    )
    alternatives: Annotated[tuple[InstanceType, ...], AfterValidator(unique_items)] = key(
        "Other instance types that EC2 may launch instead of `instance` (`Instances`), with as many vCPUs and "
        "accelerators. `queues.*.allocation` is how it chooses. Costs are those of `instance`. Default: none.",
        {PARALLELCLUSTER: Change.FLEET_STOP},
        default=(),
    )
    nodes: Nodes = key(
        "Number of nodes, or a block: {min, start, max} on EKS, {count, minimum} on HyperPod, {min, max} with "
        "ParallelCluster and PCS. With `provisioned-by: karpenter` or `auto-mode`, the highest number of "
        "nodes.",
        {
            EKS: Change.IN_PLACE,
            HYPERPOD: Change.IN_PLACE,
            HYPERPOD_SLURM: Change.IN_PLACE,
            PARALLELCLUSTER: Change.FLEET_STOP,
            PCS: Change.IN_PLACE,
        },
    )
    partition: PartitionName = key(
        "Slurm partition of the nodes (`PartitionNames`). Several groups can share one. All nodes are also in "
        "partition dev, the default.",
        {HYPERPOD_SLURM: Change.IN_PLACE},
        instead="queues",
    )
    capacity: Capacity = key(
        "Source of the instances, as in on-demand or {capacity-block: ...}. All groups of a queue of "
        "ParallelCluster use one kind. Default: on-demand.",
        _ON_HYPERPOD | {EKS: Change.DRAINS, PARALLELCLUSTER: Change.DRAINS, PCS: Change.NEXT_LAUNCH},
        default=Capacity.model_construct(on_demand=Nothing()),
    )
    zone: ZoneName | None = optional(
        "The one zone of its nodes. Default: the zone of its capacity; otherwise the first two zones that "
        "have a subnet (EKS, HyperPod), the zone of the cluster (HyperPod with Slurm), or the first with a "
        "private subnet (PCS).",
        _ON_HYPERPOD | {EKS: Change.REPLACES, PCS: Change.NEXT_LAUNCH},
        instead="queues.*.zones",
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach to every network interface, in addition to Muster's. Default: none.",
        _ON_HYPERPOD | {EKS: Change.DRAINS, PCS: Change.NEXT_LAUNCH},
        instead="queues.*.security-groups",
        default=(),
    )
    huge_pages: HugePages | None = optional(
        "Memory of each node to allocate as 2 MiB huge pages, in MiB or GiB. Your own lifecycle scripts on "
        "HyperPod must allocate it themselves. Default: 10256MiB with EFA (and Muster's lifecycle scripts), "
        "none otherwise.",
        {EKS: Change.DRAINS, HYPERPOD: Change.NEXT_LAUNCH},
        instead=("hyperpod.lifecycle", "post-install"),
    )
    labels: dict[NodeLabelKey, LabelValue] = key(
        "Kubernetes labels of the nodes, in addition to those that Muster (and HyperPod) derive. Default: none.",
        {EKS: Change.IN_PLACE, HYPERPOD: Change.IN_PLACE},
        default={},
        sent={EKS: "eks.CreateNodegroup.labels.value", HYPERPOD: f"{INSTANCE_GROUP}.KubernetesConfig.Labels.value"},
        keys_sent={
            EKS: ("eks.CreateNodegroup.labels.key", "autoscaling.CreateAutoScalingGroup.Tags[].Key"),
            HYPERPOD: f"{INSTANCE_GROUP}.KubernetesConfig.Labels.key",
        },
    )
    taints: dict[LabelKey, Effect] = key(
        "Taints of the nodes: map of key to effect. On EKS, in addition to the one that Muster derives. Default: none.",
        {EKS: Change.IN_PLACE, HYPERPOD: Change.IN_PLACE},
        default={},
        keys_sent={
            EKS: ("eks.CreateNodegroup.taints[].key", "autoscaling.CreateAutoScalingGroup.Tags[].Key"),
            HYPERPOD: f"{INSTANCE_GROUP}.KubernetesConfig.Taints[].Key",
        },
    )
    was: GroupName | None = optional(
        "Name under which the group was created, if you have renamed it. Its AWS resources keep this old name, and "
        "its nodes stay. Keep this key as long as the group exists. Only the label muster/group changes. Default: "
        "the name of the group.",
        {EKS: Change.REPLACES},
    )
    provisioned_by: Provisioner = key(
        "What creates the nodes: node-group (EKS, or an Auto Scaling group with `self-managed`), karpenter or "
        "auto-mode. Karpenter creates a node when pods wait for it, and removes it 10 minutes after its last pod. "
        "karpenter needs the add-on `karpenter`. auto-mode turns on EKS Auto Mode, which runs Karpenter, chooses the "
        "image, includes the device plugins and replaces each node within 21 days. A change applies to nodes that "
        "are created later. Default: node-group.",
        {EKS: Change.REPLACES},
        default=Provisioner.NODE_GROUP,
    )
    self_managed: StrictBool = key(
        "Whether Muster creates a self-managed Auto Scaling group instead of an EKS managed node group, for "
        "settings that managed node groups do not support. Nothing drains or updates its nodes: a change applies to "
        "nodes launched after it. Default: false.",
        {EKS: Change.REPLACES},
        default=False,
    )
    image: Image = key(
        "Image of the nodes: al2023, bottlerocket or {custom: ...}. Default: al2023.",
        {EKS: Change.REPLACES},
        instead=("hyperpod.image", "image"),
        default=Image.model_construct(al2023=Nothing()),
    )
    subnets: GroupSubnets = key(
        "Subnets of the nodes: private, public, or a list of ids from `network.existing`. A word uses the first subnet "
        "of each zone. Default: private.",
        _ON_HYPERPOD | {EKS: Change.REPLACES, PCS: Change.NEXT_LAUNCH},
        here={each: {"doc": _SUBNETS, "form": SubnetList} for each in (HYPERPOD, HYPERPOD_SLURM, PCS)},
        instead="queues.*.subnets",
        default=Tier.PRIVATE,
    )
    interfaces: Layout | None = optional(
        "Network interfaces: aws (AWS's current layout), classic (EFA on the primary interface, which allows more "
        "pods) or plain (no EFA). Default: aws for training groups, plain for others.",
        {EKS: Change.DRAINS},
        instead=("efa", "hyperpod.interface"),
    )
    efa: StrictBool | None = optional(
        "Whether the nodes have EFA. Default: true for training on instance types with EFA, false otherwise.",
        {PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.NEXT_LAUNCH},
        instead=("interfaces", "hyperpod.interface"),
    )
    threads_per_core: Annotated[Literal[1, 2], NO_BOOL_OR_FLOAT] = key(
        "Threads per CPU core: 1 (turns hyper-threading off) or 2. Default: 2.",
        {PARALLELCLUSTER: Change.FLEET_STOP},
        instead="hyperpod.threads-per-core",
        default=2,
    )
    memory: Size | None = optional(
        "Memory of a node that jobs may use, in MiB or GiB (`SchedulableMemory` of ParallelCluster, "
        "`RealMemory` on PCS). Default: 95% of the memory of the instance type on ParallelCluster; the value "
        "that AWS sets on PCS.",
        {PARALLELCLUSTER: Change.DRAINS, PCS: Change.IN_PLACE},
    )
    local_storage: LocalStorage = key(
        "Use of the NVMe disks: raid0 or none. Default: none.", {EKS: Change.DRAINS}, default=LocalStorage.NONE
    )
    volume: Volume = key(
        "Root volume of each node. Default: 100GiB, gp3.",
        {EKS: Change.DRAINS},
        instead=("hyperpod.volume", "queues.*.root"),
        default=Volume.model_construct(),
    )
    volumes: Annotated[tuple[ExtraVolume, ...], AfterValidator(one_of_each_device)] = key(
        "More EBS volumes of each node. Nothing formats or mounts them: `scripts` do. Default: none.",
        {EKS: Change.DRAINS},
        default=(),
    )
    scripts: Scripts = key(
        "Your own scripts on each new node. Default: none.",
        {EKS: Change.DRAINS, PCS: Change.NEXT_LAUNCH},
        instead=("hyperpod.lifecycle", "controller.lifecycle", "post-install"),
        default=Scripts.model_construct(),
    )
    kubelet: Kubelet = key(
        "Fields of the kubelet's configuration (KubeletConfiguration), as in {systemReserved: {memory: 2Gi}}. On "
        "Bottlerocket, those that it has as settings.kubernetes. Default: those of the image.",
        {EKS: Change.DRAINS},
        default={},
    )
    containerd: Containerd = key(
        "Settings of containerd. Default: those of the image.",
        {EKS: Change.DRAINS},
        default=Containerd.model_construct(),
    )
    updates: Updates = key(
        "How many nodes an update replaces at a time. Default: 1.",
        {EKS: Change.IN_PLACE},
        instead=("hyperpod.updates", "slurm.on-update"),
        default=Updates.model_construct(),
    )
    session: Session | None = optional(
        "Shell access to the nodes: ssm, or {key-pair: NAME}. Default: none.", {EKS: Change.DRAINS}
    )
    role: RoleArn | None = optional(
        "ARN of the existing role of the nodes. It trusts ec2.amazonaws.com, and has AmazonEKSWorkerNodePolicy and "
        "AmazonEC2ContainerRegistryPullOnly. Default: `iam.roles.nodes`; otherwise Muster creates one.",
        {EKS: Change.REPLACES},
        instead=("iam.roles.nodes", "hyperpod.execution-role"),
    )
    policies: Policies = key(
        POLICIES, {EKS: Change.IN_PLACE}, instead=("queues.*.policies", "iam.node-policies"), default=()
    )
    node_repair: StrictBool | None = optional(
        "Whether EKS replaces or reboots nodes that are not Ready. It detects GPU faults only with its node "
        "monitoring agent. Default: true for groups with accelerators, false for others.",
        {EKS: Change.IN_PLACE},
        instead="hyperpod.node-recovery",
    )
    hyperpod: InstanceSettings = key(
        "Settings that only HyperPod has.", _ON_HYPERPOD, default=InstanceSettings.model_construct()
    )

    @model_validator(mode="after")
    def _interface_is_efa(self) -> Self:
        if self.hyperpod.interface and not hardware(self.instance).max_efa:
            raise ValueError(f"{self.instance} has no EFA; remove hyperpod.interface")
        return self

    @property
    def types(self) -> tuple[str, ...]:
        """Every instance type that its nodes may have."""
        return (self.instance, *self.alternatives)

    @property
    def only_zone(self) -> ZoneName | None:
        """The one zone of its nodes: `zone`, or the zone of its capacity."""
        return self.zone or (self.capacity.held.zone if self.capacity.held else None)

    @property
    def names_subnets(self) -> bool:
        """Whether it names its subnets, instead of a tier."""
        return not isinstance(self.subnets, Tier)

    @property
    def ultraserver(self) -> UltraServer | None:
        """The type of the UltraServers that its nodes are in: the one that its training plan states, or the one that
        has as many instances as its Capacity Block. None if it has none, or its capacity does not determine it."""
        plan, block = self.capacity.training_plan, self.capacity.capacity_block
        possible = ultraservers_of(self.instance)
        if plan:
            if plan.ultraserver:
                return ultraservers()[plan.ultraserver]
            return possible[0] if len(possible) == 1 else None
        return next((each for each in possible if block and each.instances == block.count), None)

    @property
    def instance_type(self) -> str:
        """The type as its service names it, and the label of the nodes: ``ml.p5.48xlarge`` on HyperPod."""
        return f"{ML}{self.instance}" if "hyperpod" in type(self).model_fields else self.instance

    @property
    def nodes_now(self) -> Nodes:
        """The numbers that Muster sends to AWS."""
        return self.nodes

    @property
    def has_efa(self) -> bool:
        """Whether its nodes have EFA."""
        return self.layout is not Layout.PLAIN and hardware(self.instance).max_efa > 0

    @property
    def layout(self) -> Layout:
        """The layout of its network interfaces. HyperPod attaches EFA to every type that supports it, also on the
        primary interface unless `efa-only` is set."""
        return Layout.AWS if self.hyperpod.interface is Interface.EFA_ONLY else Layout.CLASSIC

    @property
    def family(self) -> Family:
        """The operating system of its nodes. HyperPod's images for EKS are based on Amazon Linux."""
        return self.image.family

    @property
    def by_karpenter(self) -> bool:
        """Whether Karpenter creates its nodes: the add-on, or the Karpenter of EKS Auto Mode."""
        return self.provisioned_by is not Provisioner.NODE_GROUP

    @property
    def by_auto_mode(self) -> bool:
        """Whether EKS Auto Mode creates its nodes."""
        return self.provisioned_by is Provisioner.AUTO_MODE

    @property
    def node_creator(self) -> str:
        """What creates its nodes, as users know it."""
        return "HyperPod"

    @property
    def changes_at_launch(self) -> bool:
        """Whether a change applies only to nodes that are launched later: nothing drains or updates its nodes."""
        return self.self_managed or self.by_karpenter

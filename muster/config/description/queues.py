"""Queues of clusters with Slurm, which are partitions, and pools of login nodes."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, StrictBool, StrictInt

from muster.config.description.base import PARALLELCLUSTER, PCS, Change, StrictModel, key, optional, unique_items
from muster.config.description.ebs import RootVolume
from muster.config.description.group import Group
from muster.config.description.iam import POLICIES, Policies
from muster.config.description.node_group import InstanceType, SecurityGroups, Tier
from muster.config.description.node_settings import MOST_NODES, MOST_OF_PCS
from muster.config.description.parallelcluster_nodes import HeadType, LoginPostInstall, PostInstall
from muster.config.description.pcs_nodes import PcsName
from muster.config.identifiers import AnyCidr, KeyPairName, QueueName, SubnetList
from muster.hardware.zones import ZoneName

MOST_LOGIN_POOLS = 10
"""The maximum for one cluster (`MAX_NUMBER_OF_LOGIN_NODE_POOLS` of 3.16.1)."""
MOST_RESOURCES = 50
"""The maximum for one queue, and for the cluster (`MAX_COMPUTE_RESOURCES_PER_QUEUE` and `..._PER_CLUSTER` of
3.16.1)."""


class Allocation(StrEnum):
    """How EC2 chooses among instance types and zones (`AllocationStrategy` of 3.16.1)."""

    LOWEST_PRICE = "lowest-price"
    PRIORITIZED = "prioritized"
    CAPACITY_OPTIMIZED = "capacity-optimized"
    PRICE_CAPACITY_OPTIMIZED = "price-capacity-optimized"
    CAPACITY_OPTIMIZED_PRIORITIZED = "capacity-optimized-prioritized"


class Queue(StrictModel):
    """One queue, which is a partition of Slurm, and its groups of nodes in private subnets."""

    zones: Annotated[tuple[ZoneName, ...], AfterValidator(unique_items), Field(max_length=16)] = key(
        "Zones of the nodes, as a list. With several, nodes have no EFA and no reservation that is set by its id. "
        "Default: the zone of its capacity; otherwise the first with a private subnet.",
        {PARALLELCLUSTER: Change.FLEET_STOP},
        instead="groups.*.zone",
        default=(),
    )
    subnets: SubnetList = key(
        "Ids of the subnets of the nodes, from `network.existing`, instead of `zones`. Default: by zone.",
        {PARALLELCLUSTER: Change.DRAINS},
        instead="groups.*.subnets",
        default=(),
    )
    allocation: Allocation | None = optional(
        "How EC2 chooses the instance type and the zone of a node (`AllocationStrategy`): lowest-price or prioritized; "
        "for spot, lowest-price, capacity-optimized, price-capacity-optimized or capacity-optimized-prioritized. "
        "prioritized follows the order of `alternatives`. Default: lowest-price; none on a Capacity Block.",
        {PARALLELCLUSTER: Change.DRAINS},
    )
    exclusive: StrictBool = key(
        "Whether a job has exclusive use of its nodes (`JobExclusiveAllocation` of ParallelCluster, "
        "`OverSubscribe=EXCLUSIVE` on PCS). Default: true.",
        {PARALLELCLUSTER: Change.IN_PLACE, PCS: Change.IN_PLACE},
        default=True,
    )
    root: RootVolume = key(
        "Root volume of each node: its size in whole GiB, or {size, iops, throughput}. Default: 200GiB.",
        {PARALLELCLUSTER: Change.DRAINS},
        default=RootVolume.model_construct(),
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach, in addition to those of ParallelCluster and Muster. Default: none.",
        {PARALLELCLUSTER: Change.IN_PLACE},
        instead="groups.*.security-groups",
        default=(),
    )
    policies: Policies = key(POLICIES, {PARALLELCLUSTER: Change.IN_PLACE}, instead="iam.node-policies", default=())
    post_install: PostInstall | None = optional(
        "Software and scripts to run on the nodes. Default: `post-install` of the cluster.",
        {PARALLELCLUSTER: Change.DRAINS},
        instead="image",
    )
    groups: dict[str, Group] = key(
        "Groups of nodes by name. Each name must be unique in the cluster. If you rename a group, Muster "
        "creates a new one.",
        {PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.REPLACES},
        here={
            PARALLELCLUSTER: {"form": dict[QueueName, Group], "max_length": MOST_RESOURCES},
            PCS: {
                "form": dict[PcsName, Group],
            },
        },
        min_length=1,
    )


class LoginPool(StrictModel):
    """A pool of login nodes: users log in there and submit jobs.

    On ParallelCluster, users log in through a Network Load Balancer, instead of on the head node. Login nodes have the
    key pair of the head node, and mount the same directories. ParallelCluster gives them no S3 permissions. To remove a
    pool, set its `nodes` to 0 and run `pulumi up` first. On PCS, a pool is a compute node group that is in no queue.
    """

    instance: str = key(
        "EC2 instance type, as in p5.48xlarge. Its architecture is that of the head node, or of `image` on PCS.",
        {PARALLELCLUSTER: Change.LOGIN_STOP, PCS: Change.REFUSED},
        here={
            PARALLELCLUSTER: {"form": HeadType},
            PCS: {"form": InstanceType},
        },
    )
    nodes: StrictInt = key(
        "Number of login nodes. On ParallelCluster, 0 stops them. Default: 1.",
        {PARALLELCLUSTER: Change.IN_PLACE, PCS: Change.IN_PLACE},
        here={PCS: {"ge": 1, "le": MOST_OF_PCS}},
        default=1,
        ge=0,
        le=MOST_NODES,
    )
    subnets: Tier = key(
        "Subnet of the login nodes: private or public. On ParallelCluster, the load balancer in a public subnet has a "
        "public address. Default: private.",
        {PARALLELCLUSTER: Change.LOGIN_STOP, PCS: Change.NEXT_LAUNCH},
        default=Tier.PRIVATE,
    )
    zone: ZoneName | None = optional(
        "Zone of the login nodes. Default: the zone of the head node, or of the controller of PCS.",
        {PARALLELCLUSTER: Change.LOGIN_STOP, PCS: Change.NEXT_LAUNCH},
    )
    key_pair: KeyPairName | None = optional(
        "Name of an existing EC2 key pair for SSH. Sessions of Systems Manager always work. To allow SSH, attach a "
        "security group that does. Default: none.",
        {PCS: Change.NEXT_LAUNCH},
        instead="head.login",
    )
    ssh_from: AnyCidr | None = optional(
        "Network (IPv4 CIDR block) from which SSH is allowed. Required with a key in `head.login`, and only allowed "
        "then.",
        {PARALLELCLUSTER: Change.LOGIN_STOP},
        instead="security-groups",
    )
    grace_minutes: StrictInt = key(
        "Minutes between the message to users that a login node stops and its stop (`GracetimePeriod`), 3 to 120. "
        "Default: 10.",
        {PARALLELCLUSTER: Change.IN_PLACE},
        default=10,
        ge=3,
        le=120,
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach, in addition to those of Muster (and ParallelCluster), as for SSH. "
        "Default: none.",
        {PARALLELCLUSTER: Change.LOGIN_STOP, PCS: Change.NEXT_LAUNCH},
        default=(),
    )
    policies: Policies = key(POLICIES, {PARALLELCLUSTER: Change.LOGIN_STOP}, instead="iam.node-policies", default=())
    post_install: LoginPostInstall | None = optional(
        "Software and scripts to run on the login nodes. Default: none; `post-install` of the "
        "cluster does not apply to them.",
        {PARALLELCLUSTER: Change.REFUSED},
        instead="image",
    )

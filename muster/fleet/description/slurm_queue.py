"""A queue of Slurm: a partition, and the compute resources in it."""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, StrictBool, model_validator

from muster.fleet.description.compute_resource import ComputeResource
from muster.fleet.description.group_core import SecurityGroups
from muster.fleet.description.head_node import RootSize
from muster.fleet.description.identifiers import QueueName
from muster.fleet.description.once import each_once
from muster.fleet.description.part import Change, Part, field
from muster.fleet.description.post_install import PostInstall
from muster.fleet.quantity import Size
from muster.fleet.zones import ZoneName

MOST_RESOURCES = 50
"""Of one queue, and of the cluster (`MAX_COMPUTE_RESOURCES_PER_QUEUE` and `..._PER_CLUSTER` of 3.16.1)."""


class SlurmQueue(Part):
    """One queue. Its nodes are in private subnets. Their NVMe disks are one volume at /local_scratch."""

    @model_validator(mode="after")
    def _one_market(self) -> Self:
        markets = {
            name: "a Capacity Block"
            if group.capacity.capacity_block
            else "spot"
            if group.capacity.spot
            else "on-demand"
            for name, group in self.groups.items()
        }
        if len(set(markets.values())) > 1:
            listed = ", ".join(f"{name} is on {market}" for name, market in markets.items())
            raise ValueError(f"{listed}; a queue has one kind of capacity: put them into queues of their own")
        return self

    zones: Annotated[tuple[ZoneName, ...], AfterValidator(each_once), Field(max_length=16)] = field(
        "The zone of its nodes, in a list of one: ParallelCluster takes no more where groups name their type, as all "
        "do here. Without it: where its capacity is, or the first with a private subnet.",
        Change.DRAINS,
        default=(),
    )
    exclusive: StrictBool = field(
        "Whether a job has its nodes alone (`JobExclusiveAllocation`).", Change.IN_PLACE, default=True
    )
    root: RootSize = field("Each node's root volume.", Change.DRAINS, default=Size(200 * 1024))
    security_groups: SecurityGroups = field(
        "Existing security groups to attach beside ParallelCluster's and Muster's.", Change.IN_PLACE, default=()
    )
    post_install: PostInstall | None = field(
        "What is installed on its nodes; the cluster's without it.", Change.DRAINS, default=None
    )
    groups: Annotated[dict[QueueName, ComputeResource], Field(min_length=1, max_length=MOST_RESOURCES)] = field(
        "Compute resources by name, each name once in the cluster.", Change.FLEET_STOP
    )

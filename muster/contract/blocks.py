"""Blocks of the outputs that every backend's stacks have: capacity, counts, networks, file systems."""

from typing import Literal

from pydantic import Field

from muster.contract.base import Output


class CapacityOutput(Output):
    """Where the group's instances come from."""

    kind: Literal["on-demand", "spot", "reservation", "reservation-group", "capacity-block", "training-plan"] = Field(
        description="What was chosen"
    )
    reservation: str | None = Field(default=None, description="The reservation's or Capacity Block's id")
    reservation_group: str | None = Field(default=None, description="The resource group's ARN")
    training_plan: str | None = Field(default=None, description="The ARN of HyperPod's training plan")
    zone: str | None = Field(default=None, description="The zone in which the instances are held")
    count: int | None = Field(default=None, description="How many instances are held")
    starts: str | None = Field(default=None, description='The day a Capacity Block starts, as in "2026-12-01"')
    ends: str | None = Field(default=None, description="The day a Capacity Block ends, at 11:30 UTC")
    placement_group: str | None = Field(default=None, description="The placement group's name")


class CountOutput(Output):
    """How many nodes: the bounds; how many there are, the live cluster knows."""

    min: int = Field(description="At least")
    start: int = Field(description="At first")
    max: int = Field(description="At most")


class NetworkCore(Output):
    """Where the cluster stands, whatever its backend."""

    vpc: str = Field(description="The VPC's id")
    private_subnets: dict[str, str] = Field(description="Zone name -> subnet id; the nodes are here")
    public_subnets: dict[str, str] = Field(description="Zone name -> subnet id")
    cidr: str | None = Field(default=None, description="The VPC's addresses, where Muster made it")
    zone_ids: dict[str, str] = Field(
        default={}, description="Zone name -> zone id, as far as known: names differ between accounts, ids do not"
    )
    private_route_tables: dict[str, str] = Field(
        default={}, description="Zone name -> route table id, where Muster made them: for peerings and endpoints"
    )
    nat_addresses: dict[str, str] = Field(
        default={}, description="Zone name -> the NAT gateway's public address, where Muster made it: for allow lists"
    )


class StorageOutput(Output):
    """A shared file system: FSx for Lustre. Of one that existed before, what Muster was told."""

    file_system: str = Field(description="Its id")
    dns_name: str = Field(description="Resolves inside the VPC; a client mounts DNSNAME@tcp:/MOUNTNAME")
    mount_name: str = Field(description="The second half of what a client mounts")
    claim: str | None = Field(
        default=None, description="The Kubernetes claim that pods mount. None: this stack makes none"
    )
    capacity: str | None = Field(default=None, description='As Kubernetes counts, "4800Gi"')
    claim_namespace: str | None = Field(default=None, description="The namespace that the claim is in")
    type: str | None = Field(default=None, description="PERSISTENT_2, PERSISTENT_1, SCRATCH_2 or SCRATCH_1")
    disk: str | None = Field(default=None, description="SSD or HDD")
    throughput: int | None = Field(default=None, description="MB/s for each TiB")
    version: str | None = Field(default=None, description='Lustre\'s, as in "2.15"')
    zone: str | None = Field(default=None, description="The zone it is in, by name")
    security_group: str | None = Field(default=None, description="Its security group, where Muster made it")
    efa: bool | None = Field(default=None, description="Whether it takes EFA traffic too")
    mount_directory: str | None = Field(
        default=None, description="Where it is mounted on every node, on ParallelCluster"
    )

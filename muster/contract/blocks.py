"""What the outputs of every backend share: reading and its errors, capacity, counts, networks, file systems."""

import reprlib
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

CONTRACT = 1

SECRETS = frozenset({"kubeconfig"})
"""Outputs that are exported as secrets."""


class NotTheContract(ValueError):
    """Outputs are not of this contract; the message says whose, and what is missing or of another form."""


class Output(BaseModel):
    """The base of every block: unknown keys of a newer writer are passed over."""

    model_config = ConfigDict(
        defer_build=True,  # most blocks are not in a file
        frozen=True,
        extra="ignore",
        alias_generator=to_camel,
        validate_by_name=True,
        serialize_by_alias=True,
    )


class Stack(Output):
    """What a stack with a cluster exports, whichever service runs it."""

    other_backends: ClassVar[Mapping[str, str]]
    """Backends of other forms -> what such a stack is, and what reads it."""

    @classmethod
    def read(cls, outputs: Mapping[str, Any], stack: str = "") -> Self:
        """Reads a stack's outputs, with or without the kubeconfig.

        Args:
            outputs: name -> value, as `pulumi stack output --json` prints them.
            stack: what errors call the stack.

        Raises:
            NotTheContract: they are not of this contract; the message names everything missing or of another form.
        """
        whose = f"stack '{stack}'" if stack else "the stack"
        given = {name: value for name, value in outputs.items() if value is not None}
        if not given:
            raise NotTheContract(f"{whose} has no outputs: it is not deployed yet, or was destroyed")
        if "addonsOf" in given:
            raise NotTheContract(f"{whose} has no cluster, only add-ons for one: read stack '{given['addonsOf']}'")
        if "contract" not in given:
            raise NotTheContract(f"{whose} has no output 'contract': it is no stack of Muster's")
        if given["contract"] != CONTRACT:
            number = given["contract"]
            raise NotTheContract(
                # Numbers come as floats from the engine.
                f"{whose} exports contract {f'{number:g}' if isinstance(number, float) else repr(number)}; "
                f"this reader knows contract {CONTRACT}: "
                "use the muster package of the version that deployed it"
            )
        if given.get("backend") in cls.other_backends:
            raise NotTheContract(f"{whose} {cls.other_backends[given['backend']]}")
        try:
            return cls.model_validate(given)
        except ValidationError as fault:
            raise NotTheContract("\n".join((f"{whose} does not export contract {CONTRACT}:", *_words(fault)))) from None


def _words(fault: ValidationError) -> Iterator[str]:
    """A line for each output that is missing or of another form, by its path."""
    for each in fault.errors(include_url=False):
        path = ".".join(str(step) for step in each["loc"])
        if each["type"] == "missing":
            yield f"  {path} is missing"
        elif each["loc"][0] in SECRETS:
            yield f"  {path} is of another form"
        else:
            yield f"  {path} is {reprlib.repr(each['input'])}: {each['msg'][:1].lower()}{each['msg'][1:]}"


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

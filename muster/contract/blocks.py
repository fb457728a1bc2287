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
    """Outputs do not match this contract; the message names the stack, and what is missing or invalid."""


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

    @classmethod
    def written(cls, *of: object, **values: Any) -> dict[str, Any]:
        """The block as a stack exports it. Its values may be known only after a deployment, so none is validated.

        Args:
            of: what has fields of this block as attributes of the same names; the first that has one counts.
            values: by field; they count before attributes.

        Raises:
            TypeError: a value is of no field, or a field that every stack has is missing.
        """
        fields = cls.model_fields
        found = {name: getattr(each, name) for each in reversed(of) for name in fields if hasattr(each, name)} | values
        required = {name for name, info in fields.items() if info.is_required()}
        if wrong := (found.keys() - fields.keys()) | (required - found.keys()):
            raise TypeError(f"{cls.__name__} has no such fields, or lacks them: {', '.join(sorted(wrong))}")
        ordered = sorted(fields, key=lambda name: name != "id")
        return {to_camel(name): found[name] for name in ordered if name in found}


class Stack(Output):
    """What a stack with a cluster exports, whichever service runs it."""

    backends: ClassVar[frozenset[str]]
    noun: ClassVar[str]
    """What such a stack has."""
    reader: ClassVar[str]
    """The function that reads it by reference."""

    contract: Literal[1] = Field(description="Version of the contract; another version has another format")
    backend: str = Field(description="Backend of the cluster")
    region: str = Field(description="AWS Region")

    @classmethod
    def read(cls, outputs: Mapping[str, Any], stack: str = "") -> Self:
        """Reads a stack's outputs, with or without the kubeconfig.

        Args:
            outputs: name -> value, as `pulumi stack output --json` prints them.
            stack: what errors call the stack.

        Raises:
            NotTheContract: they do not match this contract; the message names all that is missing or invalid.
        """
        whose = f"stack '{stack}'" if stack else "the stack"
        given = {name: value for name, value in outputs.items() if value is not None}
        if not given:
            raise NotTheContract(f"{whose} has no outputs: it is not deployed yet, or was destroyed")
        if "addonsOf" in given:
            raise NotTheContract(f"{whose} has only add-ons for a cluster: read stack '{given['addonsOf']}'")
        if "contract" not in given:
            raise NotTheContract(f"{whose} has no output 'contract': it is not a stack of Muster")
        if given["contract"] != CONTRACT:
            number = given["contract"]
            raise NotTheContract(
                # Numbers come as floats from the engine.
                f"{whose} exports contract {f'{number:g}' if isinstance(number, float) else repr(number)}; "
                f"this reader supports contract {CONTRACT}: "
                "use the version of the muster package that deployed it"
            )
        if other := cls.other_form(given.get("backend")):
            raise NotTheContract(f"{whose} {other}")
        try:
            return cls.model_validate(given)
        except ValidationError as fault:
            raise NotTheContract("\n".join((f"{whose} does not export contract {CONTRACT}:", *_words(fault)))) from None

    @classmethod
    def other_form(cls, backend: Any) -> str:
        """What a stack of another backend has, and what reads it; empty for this form's own, and for no backend."""
        others = (each for each in Stack.__subclasses__() if each is not cls and backend in each.backends)
        words = (f"has {each.noun}: read it with `{each.reader}`, or `{each.__name__}.read`" for each in others)
        return next(words, "")


def _words(fault: ValidationError) -> Iterator[str]:
    """A line for each output that is missing or invalid, with its path."""
    for each in fault.errors(include_url=False):
        path = ".".join(str(step) for step in each["loc"])
        if each["type"] == "missing":
            yield f"  {path} is missing"
        elif each["loc"][0] in SECRETS:
            yield f"  {path} is invalid"
        else:
            yield f"  {path} is {reprlib.repr(each['input'])}: {each['msg'][:1].lower()}{each['msg'][1:]}"


class CapacityOutput(Output):
    """Where the group's instances come from."""

    kind: Literal["on-demand", "spot", "reservation", "reservation-group", "capacity-block", "training-plan"] = Field(
        description="Kind of capacity"
    )
    reservation: str | None = Field(default=None, description="Id of the reservation or Capacity Block")
    reservation_group: str | None = Field(default=None, description="ARN of the resource group")
    training_plan: str | None = Field(default=None, description="ARN of the training plan, on HyperPod")
    zone: str | None = Field(default=None, description="Zone of the held instances")
    count: int | None = Field(default=None, description="Number of held instances")
    starts: str | None = Field(default=None, description='First day of the Capacity Block, as in "2026-12-01"')
    ends: str | None = Field(default=None, description="Last day of the Capacity Block; it ends at 11:30 UTC")
    placement_group: str | None = Field(default=None, description="Name of the placement group")

    @property
    def held(self) -> bool:
        """Whether they run in a reservation, a Capacity Block or a training plan."""
        return self.kind not in {"on-demand", "spot"}


class CountOutput(Output):
    """Number of nodes: the limits. The live cluster has the current number."""

    min: int = Field(description="Minimum number of nodes")
    start: int = Field(description="Number of nodes at creation")
    max: int = Field(description="Maximum number of nodes")


class NetworkCore(Output):
    """The network of the cluster, on any backend."""

    vpc: str = Field(description="Id of the VPC")
    private_subnets: dict[str, str] = Field(description="Private subnets, with the nodes: zone name -> subnet id")
    public_subnets: dict[str, str] = Field(description="Public subnets: zone name -> subnet id")
    cidr: str | None = Field(default=None, description="CIDR block of the VPC, if Muster created it")
    zone_ids: dict[str, str] = Field(
        default={}, description="Zone name -> zone id, as far as known. Names differ between accounts, ids do not"
    )
    private_route_tables: dict[str, str] = Field(
        default={}, description="Zone name -> route table id, if Muster created them; for peerings and endpoints"
    )
    nat_addresses: dict[str, str] = Field(
        default={}, description="Zone name -> public address of the NAT gateway, if Muster created it; for allow lists"
    )


class StorageOutput(Output):
    """A shared file system, or a bucket that pods mount. For an existing one, what the description sets."""

    kind: Literal["lustre", "efs", "openzfs", "s3"] = Field(
        default="lustre", description="What it is: FSx for Lustre, EFS, FSx for OpenZFS, or an S3 bucket"
    )
    file_system: str = Field(description="Its id; of a bucket, the name")
    dns_name: str = Field(
        description="DNS name, which resolves inside the VPC; a client mounts DNSNAME@tcp:/MOUNTNAME of Lustre, and "
        "DNSNAME:/MOUNTNAME of EFS and OpenZFS. Empty for a bucket"
    )
    mount_name: str = Field(description="Mount name: the second part of what a client mounts. Of a bucket, the prefix")
    volume: str | None = Field(default=None, description="Id of the root volume, of FSx for OpenZFS")
    write: bool | None = Field(default=None, description="Of a bucket: whether pods may write")
    claim: str | None = Field(
        default=None, description="PersistentVolumeClaim that pods mount; none if this stack creates none"
    )
    capacity: str | None = Field(default=None, description='Size as a Kubernetes quantity, as in "4800Gi"')
    claim_namespace: str | None = Field(default=None, description="Namespace of the claim")
    type: str | None = Field(default=None, description="Deployment type of FSx: PERSISTENT_2, SINGLE_AZ_1")
    disk: str | None = Field(default=None, description="SSD or HDD")
    throughput: int | None = Field(
        default=None, description="Throughput: of Lustre in MB/s for each TiB, of OpenZFS in MB/s"
    )
    version: str | None = Field(default=None, description='Version of Lustre, as in "2.15"')
    zone: str | None = Field(default=None, description="Name of its zone")
    security_group: str | None = Field(default=None, description="Id of its security group, if Muster created it")
    efa: bool | None = Field(default=None, description="Whether it also supports EFA traffic")
    mount_directory: str | None = Field(default=None, description="Mount point on every node, on ParallelCluster")

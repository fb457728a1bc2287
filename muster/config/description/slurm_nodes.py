"""The nodes of a Slurm cluster: head node, queues with their compute resources, and what is installed on them."""

import re
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt, model_validator
from pydantic_core import PydanticCustomError

from muster.config.description.base import NO_BOOL_OR_FLOAT, Change, Choice, Nothing, StrictModel, field, unique_items
from muster.config.description.capacity import Capacity
from muster.config.description.node_group import BaseGroup, InstanceType, Purpose, SecurityGroups, Tier, linux_type
from muster.config.identifiers import AnyCidr, KeyPairName, QueueName
from muster.config.script_address import address_fault
from muster.hardware.catalogue import hardware, instance_types, sizes_of
from muster.hardware.default_types import HEAD_NODE
from muster.hardware.interfaces import Layout
from muster.hardware.other_types import types_without_hardware
from muster.hardware.type_names import is_type_name, nearest_type
from muster.hardware.zones import ZoneName
from muster.size import Size, whole_gib

MOST_NODES = 5000


class NodeRange(StrictModel):
    """How many nodes: always, and at most. A single number keeps that many running."""

    min: StrictInt = field(
        "Nodes that run always (static). More start in place; fewer want the fleet stopped, or `on-update: terminate`.",
        Change.FLEET_STOP,
        ge=0,
        le=MOST_NODES,
    )
    max: StrictInt = field(
        "Nodes at most: those beyond `min` start for jobs and go when idle (dynamic). Fewer cost what fewer `min` do.",
        Change.FLEET_STOP,
        ge=1,
        le=MOST_NODES,
    )

    @model_validator(mode="after")
    def _ordered(self) -> "NodeRange":
        if self.min > self.max:
            raise ValueError(
                f"min is {self.min} and max {self.max}; raise max to {self.min}, or lower min to {self.max}"
            )
        return self

    @property
    def start(self) -> int:
        """How many run at first."""
        return self.min

    @property
    def fixed(self) -> bool:
        """Whether the number is one for good."""
        return self.min == self.max


def node_range(value: Any) -> Any:
    """A single number as the block it stands for."""
    if isinstance(value, dict | NodeRange):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_NODES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of nodes; write one from 1 to {most}, as in 4, or {form}",
            {
                "found": value if not isinstance(value, bool) else str(value).lower(),
                "most": MOST_NODES,
                "form": "{min, max}",
            },
        )
    return {"min": value, "max": value}


class ComputeResource(BaseGroup):
    """One compute resource: nodes of one type, from one kind of capacity."""

    self_managed: ClassVar[bool] = False

    purpose: Purpose = field(
        "training, inference or system (CPU nodes). Training nodes have EFA and a placement group.",
        Change.FLEET_STOP,
        alias="for",
    )
    instance: InstanceType = field("An EC2 instance type.", Change.FLEET_STOP)
    nodes: Annotated[
        NodeRange,
        BeforeValidator(node_range, json_schema_input_type=NodeRange | Annotated[int, Field(ge=1, le=MOST_NODES)]),
    ] = field("A number, or {min, max}.", Change.FLEET_STOP)
    capacity: Capacity = field(
        "Where instances come from; on-demand without it. One kind in a queue.",
        Change.DRAINS,
        default=Capacity(**{"on-demand": Nothing()}),
    )
    efa: StrictBool | None = field(
        "Whether its nodes have EFA. Without it: on for training, on types that have it.",
        Change.FLEET_STOP,
        default=None,
    )
    threads_per_core: Annotated[Literal[1, 2], NO_BOOL_OR_FLOAT] = field(
        "1 turns hyper-threading off.", Change.FLEET_STOP, default=2
    )
    memory: Size | None = field(
        "Memory that jobs may have on a node (`SchedulableMemory`); 95 of a hundred of the type's without it.",
        Change.DRAINS,
        default=None,
    )

    @property
    def instance_type(self) -> str:
        """Its type."""
        return self.instance

    @property
    def nodes_now(self) -> NodeRange:
        """The numbers as AWS is told them. A Capacity Block that has not begun keeps its nodes: ParallelCluster holds
        them back by a reservation of Slurm's until it begins."""
        return self.nodes

    @property
    def has_efa(self) -> bool:
        """Whether its nodes have EFA: what was said, or whether it trains on a type that has it."""
        if self.efa is not None:
            return self.efa
        return self.purpose is Purpose.TRAINING and hardware(self.instance).max_efa > 0

    @property
    def layout(self) -> Layout:
        """ParallelCluster's layout of network interfaces."""
        return Layout.AWS if self.has_efa else Layout.PLAIN


_SCRIPT = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/[^\s]+|https://[^\s/]+/[^\s]+")


def _address(value: str) -> str:
    if not _SCRIPT.fullmatch(value):
        raise ValueError(f"'{value}' is not a script's address; write s3://BUCKET/KEY or https://HOST/PATH")
    if found := address_fault(value):
        fault, remedy = found
        raise ValueError(f"'{value}' is {fault}; {remedy}")
    return value


ScriptAddress = Annotated[str, AfterValidator(_address), Field(json_schema_extra={"pattern": f"^({_SCRIPT.pattern})$"})]


DEFAULT_TIMEOUT_MINUTES = 35
"""`NODE_BOOTSTRAP_TIMEOUT` of 3.16.1."""


class Software(StrEnum):
    """What AWS's own post-install scripts install (aws-samples/aws-parallelcluster-post-install-scripts)."""

    DOCKER = "docker"
    PYXIS = "pyxis"
    """Pyxis and Enroot: containers as `srun --container-image` runs them."""


class OwnScript(StrictModel):
    """A script of your own."""

    at: ScriptAddress = field(
        "Where it is: s3://BUCKET/KEY (nodes then may read that key) or https://...", Change.DRAINS
    )
    arguments: tuple[str, ...] = field("Its arguments.", Change.DRAINS, default=())


class PostInstall(StrictModel):
    """Scripts that run on a node when it has started and ParallelCluster has configured it; AWS's first, then yours.

    On the head node they run once, at creation: ParallelCluster refuses others later.
    """

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.install and not self.scripts:
            raise ValueError("neither install nor scripts is given; add one, or remove post-install")
        return self

    install: Annotated[tuple[Software, ...], AfterValidator(unique_items)] = field(
        "docker, pyxis (with Enroot): by AWS's own scripts.", Change.DRAINS, default=()
    )
    scripts: tuple[OwnScript, ...] = field("Scripts of your own, in this order.", Change.DRAINS, default=())
    timeout_minutes: StrictInt = field(
        "How long a node may take until it is ready, scripts included; ParallelCluster's own 35 without it. The "
        "longest of all queues holds for each of them.",
        Change.IN_PLACE,
        default=DEFAULT_TIMEOUT_MINUTES,
        ge=1,
        le=12 * 60,
    )


_PUBLIC_KEY = re.compile(r"(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/]+={0,3}( [^\n]*)?")
"""The kinds that EC2 imports (ImportKeyPair): ED25519 and RSA."""


def _public_key(value: str) -> str:
    if "PRIVATE KEY" in value:
        raise ValueError("a private key stands here; take it out of the file, and write its .pub half")
    if not _PUBLIC_KEY.fullmatch(value.strip()):
        raise ValueError("this is no public key that EC2 takes; write the line of a .pub file: ssh-ed25519 AAAA...")
    return value.strip()


PublicKey = Annotated[str, AfterValidator(_public_key)]


class Login(Choice):
    """How people get a shell on the head node. Muster never has a private key."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"ssm"})

    ssm: Nothing | None = field(
        "AWS Systems Manager sessions alone: no open port, no key.", Change.REFUSED, default=None
    )
    key_pair: KeyPairName | None = field("SSH, with an EC2 key pair that exists.", Change.REFUSED, default=None)
    public_key: PublicKey | None = field(
        "SSH, with this public key (the line of a .pub file): Muster makes the key pair.", Change.REFUSED, default=None
    )


def _head_type(instance: str) -> str:
    """A type without hardware in the catalogue is accepted, and so is a newer one: the head node runs no jobs."""
    is_newer = is_type_name(instance) and not sizes_of(instance.partition(".")[0])
    is_newer = is_newer and nearest_type(instance, instance_types()) is None
    return instance if instance in types_without_hardware() or is_newer else linux_type(instance)


HeadType = Annotated[str, AfterValidator(_head_type)]

_LARGEST_VOLUME = Size(16 * 1024 * 1024)
_SMALLEST_ROOT = Size(40 * 1024)
"""ParallelCluster's images have 40 GiB by now (`get_default_volume_size`: the image's own is the least)."""


_SMALLEST_VOLUME = Size(6 * 1024)
"""ParallelCluster asks 3000 IOPS of any gp3 volume, and refuses more than 500 a GiB (`EbsVolumeIopsValidator`)."""


def _volume(size: Size) -> Size:
    if not _SMALLEST_VOLUME <= size <= _LARGEST_VOLUME:
        raise ValueError(f"{size} is not a volume; give {_SMALLEST_VOLUME} to {_LARGEST_VOLUME}")
    return size


def _root(size: Size) -> Size:
    if not _SMALLEST_ROOT <= size <= _LARGEST_VOLUME:
        raise ValueError(f"{size} is not a root volume; give {_SMALLEST_ROOT} to {_LARGEST_VOLUME}")
    return size


VolumeSize = Annotated[Size, AfterValidator(whole_gib), AfterValidator(_volume)]
RootSize = Annotated[Size, AfterValidator(whole_gib), AfterValidator(_root)]


class HeadNode(StrictModel):
    """The head node. It exports /home, which is on its root volume, and /apps to all nodes."""

    instance: HeadType = field("An EC2 instance type.", Change.REFUSED, default=HEAD_NODE)
    subnets: Tier = field("private or public subnet.", Change.REFUSED, default=Tier.PRIVATE)
    zone: ZoneName | None = field(
        "The zone it is in. Without it: that of the first queue.", Change.REFUSED, default=None
    )
    root: RootSize = field("Its root volume, /home included.", Change.REFUSED, default=Size(200 * 1024))
    apps: VolumeSize = field("The volume shared at /apps.", Change.REFUSED, default=Size(200 * 1024))
    login: Login = field(
        "ssm, {key-pair: NAME} or {public-key: ...}. Sessions work in any case.",
        Change.REFUSED,
        default=Login(ssm=Nothing()),
    )
    ssh_from: AnyCidr | None = field(
        "The network that SSH is let in from: with a key, and only then.", Change.IN_PLACE, default=None
    )
    security_groups: SecurityGroups = field(
        "Existing security groups to attach beside ParallelCluster's and Muster's.", Change.IN_PLACE, default=()
    )
    post_install: PostInstall | None = field(
        "What is installed on it; the cluster's without it.", Change.REFUSED, default=None
    )

    def is_refused_below(self, name: str) -> bool:
        """What it installs, it installs once (`HeadNodeCustomActionsSchema`)."""
        return name == "post_install"


MOST_RESOURCES = 50
"""Of one queue, and of the cluster (`MAX_COMPUTE_RESOURCES_PER_QUEUE` and `..._PER_CLUSTER` of 3.16.1)."""


class SlurmQueue(StrictModel):
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

    zones: Annotated[tuple[ZoneName, ...], AfterValidator(unique_items), Field(max_length=16)] = field(
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

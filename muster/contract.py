"""The outputs contract, version 1: what other teams' projects may read of a Muster stack.

One model is both writer and reader. Other projects import this module and nothing else of Muster::

    from muster.contract import Cluster
    cluster = Cluster.read(pulumi.StackReference("org/muster/p5-odcr").outputs)   # inside an apply

Keys are camelCase, so that TypeScript, Go and YAML programs read them as their own. Fields may be added, never renamed.
"""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

CONTRACT = 1


class _Output(BaseModel):
    """The base of every block: unknown keys of a newer writer are passed over."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, validate_by_name=True, serialize_by_alias=True
    )


class ClusterIdentity(_Output):
    """The EKS cluster."""

    name: str
    arn: str
    version: str = Field(description='Kubernetes, as in "1.35"')
    endpoint: str
    endpoint_mode: Literal["private", "public-and-private"]
    certificate_authority: str = Field(description="PEM in base64")
    oidc_issuer: str
    oidc_provider_arn: str | None = Field(default=None, description="None: Pod Identity is used, no provider exists")


class TaintOutput(_Output):
    """A taint, in Kubernetes' words."""

    key: str
    value: str
    effect: str


class CapacityOutput(_Output):
    """Where the group's instances come from."""

    kind: Literal["on-demand", "spot", "reservation", "reservation-group", "capacity-block"]
    reservation: str | None = Field(default=None, description="Its id")
    placement_group: str | None = Field(default=None, description="Its name")


class CountOutput(_Output):
    """How many nodes: the bounds; how many there are, the live cluster knows."""

    min: int
    start: int
    max: int


class NodeGroupOutput(_Output):
    """One node group and what each of its nodes offers."""

    purpose: str
    instance_type: str
    zones: tuple[str, ...]
    count: CountOutput
    offers: dict[str, int | str] = Field(description='"nvidia.com/gpu": 8, "hugepages-2Mi": "10256Mi"')
    allocatable: dict[str, str] = Field(description='"cpu": "191450m", "memory": "1928154Mi"')
    pods: int
    labels: dict[str, str]
    taints: tuple[TaintOutput, ...]
    role_arn: str
    capacity: CapacityOutput


class SecurityGroups(_Output):
    """Security groups to attach other things to."""

    cluster: str
    efa: str | None


class NetworkOutput(_Output):
    """Where the cluster stands."""

    vpc: str
    private_subnets: dict[str, str] = Field(description="By zone name")
    public_subnets: dict[str, str]
    security_groups: SecurityGroups


class StorageOutput(_Output):
    """A shared file system."""

    file_system: str
    dns_name: str
    mount_name: str
    claim: str | None = None


class AddonOutput(_Output):
    """An installed add-on."""

    version: str
    namespace: str


class Cluster(_Output):
    """Everything a stack exports. `kubeconfig` is the only secret."""

    contract: Literal[1] = 1
    backend: str
    region: str
    cluster: ClusterIdentity
    kubeconfig: str = Field(description="JSON; gets its tokens from `aws eks get-token`")
    node_groups: dict[str, NodeGroupOutput]
    network: NetworkOutput
    storage: dict[str, StorageOutput] = {}
    addons: dict[str, AddonOutput] = {}
    registry: str | None = None
    buckets: dict[str, str] = {}
    log_groups: dict[str, str] = {}
    queues: dict[str, str] = {}

    @classmethod
    def read(cls, outputs: Mapping[str, Any]) -> Self:
        """Reads a stack's outputs.

        Raises:
            ValueError: they are not of this contract; the message names what is missing or of another form.
        """
        version = outputs.get("contract")
        if version != CONTRACT:
            raise ValueError(f"these outputs are of contract {version!r}; this reader knows contract {CONTRACT}")
        return cls.model_validate(dict(outputs))


SECRETS = frozenset({"kubeconfig"})
"""Outputs that are exported as secrets."""

"""The description of a cluster on SageMaker HyperPod, orchestrated by Slurm."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictInt

from muster.config.description.base import HYPERPOD_SLURM, Change, StrictModel, key
from muster.config.description.cluster import AnyCluster, Suppression
from muster.config.description.group import Group
from muster.config.description.hyperpod_settings import HyperPod
from muster.config.description.hyperpod_slurm_nodes import Controller, LoginNodes
from muster.config.description.kubernetes_cluster import MOST_TAGS
from muster.config.description.network import Network
from muster.config.description.of_backend import model_on
from muster.config.description.storage import Registry, Storage
from muster.config.identifiers import (
    DnsName,
    FileSystemId,
    GroupName,
    HyperPodName,
    SecretArn,
    StorageName,
    TagKey,
    TagValue,
)
from muster.hardware.zones import ZoneName

_ENDPOINT = r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?"
_DATABASE = r"[0-9A-Za-z_]{1,64}"
MYSQL = 3306


def _endpoint(value: str) -> str:
    if not re.fullmatch(_ENDPOINT, value):
        raise ValueError(
            f"'{value}' is not the address of a database server; write its DNS name, and set port if needed"
        )
    return value


def _database(value: str) -> str:
    if not re.fullmatch(_DATABASE, value):
        raise ValueError(
            f"'{value}' is not a valid name of a database; use letters, digits and _, at most 64 characters"
        )
    return value


class AccountingDatabase(StrictModel):
    """An existing MySQL-compatible database for the accounting of Slurm (`AccountingDatabase`). Muster does not create
    one. It must allow traffic from security group `nodes` of the stack's outputs."""

    endpoint: Annotated[str, AfterValidator(_endpoint), Field(json_schema_extra={"pattern": f"^{_ENDPOINT}$"})] = key(
        "DNS name of the database server.", Change.IN_PLACE
    )
    port: StrictInt = key(
        f"Port of the database server. Default: {MYSQL}.", Change.IN_PLACE, default=MYSQL, ge=1, le=65535
    )
    secret: SecretArn = key(
        "ARN of the secret in Secrets Manager with the user name and the password.", Change.IN_PLACE
    )
    database: (
        Annotated[str, AfterValidator(_database), Field(json_schema_extra={"pattern": f"^{_DATABASE}$"})] | None
    ) = key("Name of the database. Default: a name with the id of the cluster.", Change.IN_PLACE, default=None)


class OpenZfsHome(StrictModel):
    """An existing FSx for OpenZFS file system with the home directories. Muster changes nothing in it. Its security
    group must allow NFS (TCP 2049) from the nodes."""

    id: FileSystemId = key("Id of the file system, as in fs-0123456789abcdef0.", Change.NEXT_LAUNCH)
    dns_name: DnsName | None = key(
        "DNS name of the file system. Default: the name that its id and the Region determine.",
        Change.NEXT_LAUNCH,
        default=None,
    )


MOST_GROUPS = 98
"""The API allows 100 instance groups; two are those of the controller and of login nodes."""


@model_on(HYPERPOD_SLURM)
class HyperPodSlurmCluster(AnyCluster):
    """A training cluster on SageMaker HyperPod with Slurm: `muster:cluster` with `backend: hyperpod-slurm`."""

    backend: Literal["hyperpod-slurm"] = key("Service that runs the cluster: hyperpod-slurm.", Change.REPLACES)
    name: HyperPodName | None = key(
        "Name of the HyperPod cluster. Default: the name of the stack.", Change.REPLACES, default=None
    )
    network: Network = key("Network of the cluster: {existing: ...} or {create: ...}.", Change.REPLACES)
    zone: ZoneName | None = key(
        "Zone of the controller, the login nodes and all groups that set no other zone. Another zone replaces the "
        "cluster. Default: the zone of the first training group that sets one; otherwise the first zone with a "
        "private subnet.",
        Change.REPLACES,
        default=None,
    )
    controller: Controller = key("The controller.", Change.IN_PLACE, default=Controller())
    login: LoginNodes | None = key(
        "Login nodes. Default: none; users then log in to the controller.", Change.IN_PLACE, default=None
    )
    groups: Annotated[dict[GroupName, Group], Field(min_length=1, max_length=MOST_GROUPS)] = key(
        "Groups of compute nodes by name. If you rename a group, Muster creates a new one.", Change.REPLACES
    )
    hyperpod: HyperPod = key("Settings of the HyperPod cluster itself.", Change.IN_PLACE, default=HyperPod())
    accounting: AccountingDatabase | None = key(
        "An existing database for the accounting of Slurm. Only with `provisioning: continuous`. Default: a database "
        "on the controller.",
        Change.IN_PLACE,
        default=None,
    )
    home: OpenZfsHome | None = key(
        "An existing FSx for OpenZFS file system, mounted on every node at /home. Default: none.",
        Change.NEXT_LAUNCH,
        default=None,
    )
    storage: Annotated[dict[StorageName, Storage], Field(max_length=1)] = key(
        "One shared file system by name, mounted on every node at /NAME. Nodes mount it when they start. Default: "
        "none.",
        Change.NEXT_LAUNCH,
        default={},
    )
    registry: Registry | None = key(
        "Container registry (ECR) for training images. Default: none.", Change.IN_PLACE, default=None
    )
    tags: dict[TagKey, TagValue] = key(
        "AWS tags on every resource that supports tags. Default: none.",
        Change.IN_PLACE,
        default={},
        max_length=MOST_TAGS,
    )
    suppress: tuple[Suppression, ...] = key(
        "Findings that you accept, each with a reason and an end date. Default: none.", Change.NOTHING, default=()
    )

    @property
    def service_nodes(self) -> Mapping[str, Controller | LoginNodes]:
        """The nodes that run no jobs, by the key of the description."""
        return {"controller": self.controller, **({"login": self.login} if self.login else {})}

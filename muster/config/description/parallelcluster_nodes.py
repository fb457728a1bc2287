"""The nodes of a Slurm cluster: head node, queues with their compute resources, and post-install scripts."""

import re
from enum import StrEnum
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, StrictBool, StrictInt, model_validator

from muster.config.description.base import Change, Choice, Nothing, StrictModel, key, optional, unique_items
from muster.config.description.ebs import RootVolume, SharedVolume
from muster.config.description.iam import POLICIES, Policies
from muster.config.description.node_group import SecurityGroups, Tier, linux_type
from muster.config.identifiers import AnyCidr, KeyPairName
from muster.hardware.catalogue import instance_types, sizes_of
from muster.hardware.default_types import HEAD_NODE
from muster.hardware.other_types import types_without_hardware
from muster.hardware.type_names import is_type_name, nearest_type
from muster.hardware.zones import ZoneName

_SCHEMES = ("s3://", "https://")
_GITHUB_PAGE = re.compile(r"https://(?:www\.)?github\.com/(?P<repository>[^/]+/[^/]+)/blob/(?P<path>[^?#]+)")
_GITLAB_PAGE = re.compile(r"(?P<project>https://[^/]+/[^?#]+/-)/blob/(?P<path>[^?#]+)")
_RAW = frozenset({"raw=true", "raw=1"})
"""GitHub returns the file itself for an address with such a parameter."""


def address_fault(at: str) -> tuple[str, str] | None:
    """Why there is no script at an address, and what to write; None if there may be one.

    `blob` of GitHub and of GitLab is an HTML page about a file. A node would run that page.
    """
    if not at.startswith(_SCHEMES):
        return "not an address of S3 or HTTPS", "write s3://BUCKET/KEY or https://HOST/PATH"
    if at.startswith("s3://") and at.endswith("/"):
        return "a folder, not an object", f"write the key of the script, as in {at}setup.sh"
    page = _GITHUB_PAGE.match(at)
    if page and _RAW.isdisjoint(at.partition("#")[0].partition("?")[2].split("&")):
        raw = f"https://raw.githubusercontent.com/{page['repository']}/{page['path']}"
        return "an HTML page about the file", f"write the file's own address, {raw}"
    if page := _GITLAB_PAGE.match(at):
        return "an HTML page about the file", f"write the file's own address, {page['project']}/raw/{page['path']}"
    return None


_SCRIPT = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/[^\s?]+|https://[^\s/?@]+/[^\s?]+")


def _address(value: str) -> str:
    if not _SCRIPT.fullmatch(value):
        raise ValueError(
            f"'{value}' is not the address of a script; write s3://BUCKET/KEY or https://HOST/PATH, without user and "
            "query"
        )
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
    """A script that you provide."""

    at: ScriptAddress = key(
        "Address of the script: s3://BUCKET/KEY (Muster then allows nodes to read that key) or https://...",
        Change.DRAINS,
    )
    arguments: tuple[str, ...] = key("Arguments of the script. Default: none.", Change.DRAINS, default=())
    at_start: StrictBool = key(
        "Whether the script runs when the node starts (`OnNodeStart`), before ParallelCluster configures the node and "
        "mounts its disks. Default: false, which is after that (`OnNodeConfigured`).",
        Change.DRAINS,
        default=False,
    )


class UpdateScript(StrictModel):
    """A script that you provide, for the head node after an update."""

    at: ScriptAddress = key(
        "Address of the script: s3://BUCKET/KEY (Muster then allows the head node to read that key) or https://...",
        Change.IN_PLACE,
    )
    arguments: tuple[str, ...] = key("Arguments of the script. Default: none.", Change.IN_PLACE, default=())


class PostInstall(StrictModel):
    """Scripts that run on a node, after ParallelCluster has configured it: AWS's first, then yours.

    On the head node they run once, at creation: ParallelCluster refuses other scripts later.
    """

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.install and not self.scripts:
            raise ValueError("neither install nor scripts is set; set one of them, or remove post-install")
        return self

    install: Annotated[tuple[Software, ...], AfterValidator(unique_items)] = key(
        "Software that scripts of AWS install: docker, pyxis (with Enroot). Default: none.", Change.DRAINS, default=()
    )
    scripts: tuple[OwnScript, ...] = key(
        "Your own scripts, which run in this order: those with at-start first. Default: none.",
        Change.DRAINS,
        default=(),
    )
    timeout_minutes: StrictInt = key(
        "Minutes until a node must be ready, including its scripts. The longest value of all queues and pools "
        "of login nodes applies to all of them. Default: 35, as in ParallelCluster.",
        Change.IN_PLACE,
        default=DEFAULT_TIMEOUT_MINUTES,
        ge=1,
        le=12 * 60,
    )


_PUBLIC_KEY = re.compile(r"(ssh-ed25519|ssh-rsa) [A-Za-z0-9+/]+={0,3}( [^\n]*)?")
"""The types that EC2 imports (ImportKeyPair): ED25519 and RSA."""


def _public_key(value: str) -> str:
    if "PRIVATE KEY" in value:
        raise ValueError("this is a private key; remove it from the file, and write the public key from its .pub file")
    if not _PUBLIC_KEY.fullmatch(value.strip()):
        raise ValueError(
            "this is not a public key that EC2 accepts; write the line of a .pub file: ssh-ed25519 AAAA..."
        )
    return value.strip()


PublicKey = Annotated[str, AfterValidator(_public_key)]


class Login(Choice):
    """How users get a shell on the head node. Muster never has a private key."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"ssm"})

    ssm: Nothing | None = optional(
        "Only sessions of AWS Systems Manager. They need no open port and no key.", Change.REFUSED
    )
    key_pair: KeyPairName | None = optional("SSH, with this existing EC2 key pair.", Change.REFUSED)
    public_key: PublicKey | None = optional(
        "SSH, with this public key (the line of a .pub file). Muster creates the key pair.", Change.REFUSED
    )


def _head_type(instance: str) -> str:
    """A type without hardware data in the catalog is accepted, and so is a newer type: the head node runs no jobs."""
    is_newer = is_type_name(instance) and not sizes_of(instance.partition(".")[0])
    is_newer = is_newer and nearest_type(instance, instance_types()) is None
    return instance if instance in types_without_hardware() or is_newer else linux_type(instance)


HeadType = Annotated[str, AfterValidator(_head_type)]


class HeadNode(StrictModel):
    """The head node. It exports /home, which is on its root volume, and /apps to all nodes."""

    instance: HeadType = key("EC2 instance type, as in p5.48xlarge.", Change.REFUSED, default=HEAD_NODE)
    subnets: Tier = key(
        "Subnet of the head node: private or public. Default: private.", Change.REFUSED, default=Tier.PRIVATE
    )
    zone: ZoneName | None = optional("Zone of the head node. Default: the zone of the first queue.", Change.REFUSED)
    root: RootVolume = key(
        "Root volume, which includes /home: its size in whole GiB, or {size, iops, throughput}. Default: 200GiB.",
        Change.REFUSED,
        default=RootVolume.model_construct(),
    )
    apps: SharedVolume = key(
        "Volume that all nodes share at /apps: its size in whole GiB, or {size, iops, throughput}. Default: 200GiB.",
        Change.REFUSED,
        default=SharedVolume.model_construct(),
    )
    login: Login = key(
        "Login to the head node: ssm, {key-pair: NAME} or {public-key: ...}. Sessions of Systems Manager always "
        "work. Default: ssm.",
        Change.REFUSED,
        default=Login.model_construct(ssm=Nothing()),
    )
    ssh_from: AnyCidr | None = optional(
        "Network (IPv4 CIDR block) from which SSH is allowed. Required with a key in `login`, and only allowed then.",
        Change.IN_PLACE,
    )
    metadata_for_all_users: StrictBool = key(
        "Whether every user of the head node can use its role, from the instance metadata (`Imds.Secured: false`). "
        "Default: false, only administrators can.",
        Change.REFUSED,
        default=False,
    )
    security_groups: SecurityGroups = key(
        "Existing security groups to attach, in addition to those of ParallelCluster and Muster. Default: none.",
        Change.IN_PLACE,
        default=(),
    )
    policies: Policies = key(POLICIES, Change.IN_PLACE, default=())
    post_install: PostInstall | None = optional(
        "Software and scripts to run on the head node. Default: `post-install` of the cluster.", Change.REFUSED
    )
    update_scripts: tuple[UpdateScript, ...] = key(
        "Your own scripts, which run on the head node in this order after each update of the cluster "
        "(`OnNodeUpdated`). Default: none.",
        Change.IN_PLACE,
        default=(),
    )

    def is_refused_below(self, name: str) -> bool:
        """The head node runs `post-install` only once (`HeadNodeCustomActionsSchema`), and keeps its root volume
        (`HeadNodeRootVolumeSchema`)."""
        return name in ("post_install", "root")


class LoginPostInstall(PostInstall):
    """Scripts that run on login nodes, after ParallelCluster has configured them: AWS's first, then yours.

    Login nodes have no S3 permissions, so your scripts have https addresses. ParallelCluster refuses other scripts
    later: remove the pool, and add one with another name.
    """

    install: Annotated[tuple[Software, ...], AfterValidator(unique_items)] = key(
        "Software that scripts of AWS install: docker, pyxis (with Enroot). Default: none.", Change.REFUSED, default=()
    )
    scripts: tuple[OwnScript, ...] = key(
        "Your own scripts, which run in this order: those with at-start first. Default: none.",
        Change.REFUSED,
        default=(),
    )

    def is_refused_below(self, name: str) -> bool:
        """ParallelCluster does not change the scripts of a pool (`LoginNodesCustomActionsSchema`)."""
        return name == "scripts"

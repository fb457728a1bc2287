"""What a description has of a ParallelCluster configuration beside its nodes and networks, which come from the fleet.
`Block.kept` notes the values, so that `init` names the others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Any

from muster.blueprint.iam import parallelcluster_policies
from muster.blueprint.parallelcluster.configuration import APPS, SCRATCH
from muster.blueprint.parallelcluster.keys import (
    DELETION,
    EBS_VOLUME,
    GENERAL,
    GROUP,
    HEAD,
    MONITORING,
    QUEUE,
    SCHEDULING,
    Key,
    Keys,
    always,
    below,
    put,
    words,
)
from muster.config.document import value_at
from muster.config.placeholders import DOCUMENTATION_NETWORK, PLACEHOLDER
from muster.finding import KeyPath
from muster.fleet.resources.parallelcluster import CONFIGURED, START, UPDATED
from muster.plain_data import as_list, mappings_at
from muster.sources.left_out import plain_name
from muster.unknown import UNKNOWN

Kept = list[KeyPath]
"""Ways to values that the description has."""
Assumed = Callable[[str, Any], Any]
"""Notes the path of a placeholder, and returns it."""


@dataclass(frozen=True)
class Block:
    """A block of the configuration."""

    root: Any
    path: KeyPath = ()
    kept: Kept = field(default_factory=list)

    def at(self, *path: str | int) -> "Block":
        """A block below it."""
        return Block(self.root, (*self.path, *path), self.kept)

    def blocks(self, path: str) -> list["Block"]:
        """The blocks of a list, or the only one."""
        found, here = self.get(path), self.at(*path.split("."))
        if isinstance(found, list):
            return [here.at(index) for index in range(len(found))]
        return [here] if isinstance(found, Mapping) else []

    def get(self, path: str) -> Any:
        """The value at a path."""
        return value_at(self.root, (*self.path, *path.split(".")))

    def take(self, path: str, read: Callable[[Any], Any] = lambda value: value) -> Any:
        """What a description has for the value at a path."""
        value = self.get(path)
        found = None if value is None or value is UNKNOWN else read(value)
        if found is not None:
            self.kept.append((*self.path, *path.split(".")))
        return found

    def described(self, keys: Keys) -> dict[str, Any]:
        """The keys of a description."""
        made: dict[str, Any] = {}
        for path, key in keys.items():
            value = self.take(path, key.read)
            if key.name and value not in (None, [], {}):
                put(made, key.name, value)
        return made


def _network(value: Any) -> Any:
    """A network; a prefix list has no place in a description."""
    try:
        return str(IPv4Network(str(value)))
    except ValueError:
        return None


_OWN = {each.rpartition("/")[2] for each in parallelcluster_policies("", None, ())}
"""The policies that nodes of Muster always have."""


def _policies(listed: Any) -> list[Any]:
    arns = [each.get("Policy") for each in mappings_at(listed)]
    return [each for each in arns if str(each).rpartition("/")[2] not in _OWN]


def _scripts(name: str, event: str) -> Keys:
    early = {"at-start": True} if event == START else {}

    def read(action: Any) -> list[dict[str, Any]] | None:
        listed = mappings_at(action, "Sequence") or mappings_at([action])
        scripts = [(each.get("Script"), as_list(each.get("Args"))) for each in listed]
        if any(UNKNOWN in (at, *given) for at, given in scripts):
            return None
        return [{"at": at, **({"arguments": [*map(str, given)]} if given else {}), **early} for at, given in scripts]

    return {f"CustomActions.{event}": Key(name, read=read)}


_PLACEMENT = "Networking.PlacementGroup.Enabled"
_TAGS = Key("tags", read=lambda tags: {str(each.get("Key")): each.get("Value") for each in mappings_at(tags)})
_NODE: Keys = {
    "Networking.AdditionalSecurityGroups": Key("security-groups"),
    "Iam.AdditionalIamPolicies": Key("policies", read=_policies),
}
_SSH_FROM = {"Ssh.AllowedIps": Key("ssh-from", read=_network)}
_DISKS = {"RootVolume.DeleteOnTermination": always(True), "EphemeralVolume.MountDir": always(SCRATCH)}
_HEAD: Keys = {
    "Ssh.KeyName": Key("login.key-pair"),
    "Networking.ElasticIp": Key("subnets", read=lambda address: "public" if address is True else None),
    **_scripts("update-scripts", UPDATED),
    **HEAD,
    **below("LocalStorage", "", _DISKS),
    **_SSH_FROM,
    **_NODE,
}
_QUEUE: Keys = {
    "AllocationStrategy": Key("allocation"),
    **QUEUE,
    **below("ComputeSettings.LocalStorage", "", _DISKS),
    **_NODE,
}
_GROUP: Keys = {
    "DisableSimultaneousMultithreading": Key("threads-per-core", read=lambda off: 1 if off else 2),
    **GROUP,
}
_LOGIN: Keys = {
    "InstanceType": Key("instance"),
    "Count": Key("nodes"),
    "GracetimePeriod": Key("grace-minutes"),
    **_SSH_FROM,
    **_NODE,
}
_STORAGE: Keys = {
    **below("EbsSettings", "ebs", EBS_VOLUME),
    "EbsSettings.VolumeId": Key("existing-ebs.id"),
    "FsxLustreSettings.FileSystemId": Key("existing-lustre.id"),
    "EfsSettings.Encrypted": always(True),
    "EfsSettings.PerformanceMode": always("generalPurpose"),
    "EfsSettings.ThroughputMode": always("elastic"),
    "EfsSettings.KmsKeyId": Key("efs.key"),
    "EfsSettings.DeletionPolicy": DELETION._replace(name="efs.on-destroy"),
    "EfsSettings.FileSystemId": Key("existing-efs.id"),
    "FsxOpenZfsSettings.VolumeId": Key("existing-openzfs.volume"),
}
_NAMED_BY_KIND = {"Ebs": "ebs", "Efs": "efs"}
_LUSTRE: Keys = {
    "FsxLustreSettings.DeletionPolicy": DELETION,
    "FsxLustreSettings.DriveCacheType": words("drive-cache", read="READ", none="NONE"),
    "FsxLustreSettings.KmsKeyId": Key("key"),
}


def complete(
    cluster: dict[str, Any],
    configuration: Block,
    places: Mapping[str, KeyPath],
    zones: Mapping[str, str],
    assumed: Assumed,
) -> None:
    """Adds the values to a description.

    Args:
        cluster: the description so far, with its queues, groups and file systems.
        configuration: the configuration.
        places: where each of those is in it: ``queues.train`` -> the way.
        zones: subnet -> zone.
        assumed: notes a placeholder.
    """
    at = {name: configuration.at(*inside) for name, inside in places.items()}
    cluster |= configuration.described({**GENERAL, **MONITORING, **SCHEDULING, "Tags": _TAGS})
    head, described, queues = configuration.at("HeadNode"), cluster["head"], cluster["queues"]
    described |= head.described(_HEAD) | _post_install(head)
    zone = head.take("Networking.SubnetId", lambda subnet: zones.get(subnet) if isinstance(subnet, str) else None)
    first = [each.get("zones", [None])[0] for each in queues.values()][:1]  # the default
    described["zone"] = None if first == [zone] else zone
    if "login" in described:
        described["ssh-from"] = described.get("ssh-from") or assumed("head.ssh-from", DOCUMENTATION_NETWORK)
    for name, queue in queues.items():
        block = at[f"queues.{name}"]
        queue.update({"exclusive": False} | block.described(_QUEUE) | _post_install(block))
        close = {own: group["efa"] is True and "capacity" not in group for own, group in queue["groups"].items()}
        block.take(_PLACEMENT, always(all(close.values())).read)
        for own, group in queue["groups"].items():
            group.update(at[f"queues.{name}.groups.{own}"].described({**_GROUP, _PLACEMENT: always(close[own])}))
    for node, path in ((described, "HeadNode"), *((queue, "ComputeNode") for queue in queues.values())):
        if "post-install" in node:
            seconds = configuration.take(f"DevSettings.Timeouts.{path}BootstrapTimeout")
            node["post-install"] |= {"timeout-minutes": seconds // 60} if isinstance(seconds, int) else {}
    pools: dict[str, Any] = {}
    blocks = configuration.blocks("LoginNodes.Pools")
    for each in blocks:
        pool = {"ssh-from": described.get("ssh-from")} | each.described(_LOGIN) | _post_install(each)
        pool["zone"] = each.take("Networking.SubnetIds", lambda ids: zones.get(str([*as_list(ids), ""][0])))
        if [head.get("Networking.SubnetId")] == each.get("Networking.SubnetIds"):
            pool["subnets"] = described.get("subnets")
        pools[plain_name(str(each.take("Name")), pools, 25)] = pool
        each.take("Ssh.KeyName", always(head.get("Ssh.KeyName")).read)
    cluster["login-nodes"] = pools or None
    of_queues = [at[f"queues.{name}"] for name in queues]
    cluster["s3"] = {place: right for each in (head, *of_queues, *blocks) for place, right in _s3(each)} or None
    if len(queues) > 1:
        cluster.setdefault("slurm", {})["default-queue"] = next(iter(queues))
    _roles(cluster, head, of_queues, assumed)
    cluster["storage"] = dict(_storage(configuration, cluster, places, assumed))


def _roles(cluster: dict[str, Any], head: Block, queues: list[Block], assumed: Assumed) -> None:
    """Adds existing roles or instance profiles: that of the head node, and the one of all queues."""
    roles: dict[str, Any] = {}
    for path in ("Iam.InstanceRole", "Iam.InstanceProfile"):
        roles["head"] = head.take(path) or roles.get("head")
        if len({str(each.get(path)) for each in queues}) == 1:
            roles["nodes"] = [each.take(path) for each in queues].pop() or roles.get("nodes")
    iam = cluster.get("iam", {})
    if not str(iam.get("path", "/parallelcluster/")).startswith("/parallelcluster/"):
        roles["provider"] = assumed("iam.roles.provider", f"arn:aws:iam::111122223333:role/{PLACEHOLDER}")
    if any(roles.values()):
        cluster["iam"] = iam | {"roles": iam.get("roles", {}) | roles}


def _post_install(node: Block) -> dict[str, Any]:
    found = node.described({**_scripts("start", START), **_scripts("configured", CONFIGURED)})
    return {"post-install": {"scripts": [*found.get("start", ()), *found.get("configured", ())]}} if found else {}


def _s3(node: Block) -> Iterator[tuple[str, str]]:
    """The buckets and prefixes; not the key of a script, which Muster derives."""
    scripts = str(node.get("CustomActions"))
    for each in node.blocks("Iam.S3Access"):
        bucket, key = each.get("BucketName"), each.get("KeyName")
        place = f"s3://{bucket}/{'*' if key is None else key}"
        if UNKNOWN not in (bucket, key) and (place.endswith("*") or place in scripts):
            _, _, writes = (each.take(name) for name in ("BucketName", "KeyName", "EnableWriteAccess"))
            yield from [(place.rstrip("*/"), "write" if writes is True else "read")] if place.endswith("*") else ()


def _storage(
    configuration: Block, cluster: Mapping[str, Any], places: Mapping[str, KeyPath], assumed: Assumed
) -> Iterator[tuple[str, Any]]:
    """Shared storage, named by its mount point: a description mounts each at its name."""
    names = {inside: name.partition(".")[2] for name, inside in places.items() if name.startswith("storage.")}
    for each in configuration.blocks("SharedStorage"):
        mount, own = str(each.get("MountDir")), str(each.get("Name"))
        name = plain_name(mount.strip("/") if "/" not in mount.strip("/") else own, (), 20)
        each.take("MountDir", always(name, f"/{name}").read)
        made = each.described(_STORAGE)
        made = {kind: block for kind, block in made.items() if kind.startswith("existing")} or made
        if lustre := cluster["storage"].get(names.get(each.path)):
            made = {"lustre": lustre["lustre"] | each.described(_LUSTRE)}
        elif "existing-lustre" in made:
            path = f"storage.{name}.existing-lustre.mount-name"
            made["existing-lustre"]["mount-name"] = assumed(path, "fsx")
        elif "existing-openzfs" in made:
            path = f"storage.{name}.existing-openzfs.id"
            made["existing-openzfs"]["id"] = assumed(path, f"fs-{PLACEHOLDER}")
        elif not made and (kind := _NAMED_BY_KIND.get(str(each.take("StorageType")))):
            made = {kind: {}}
        if name == APPS and "raid" not in made.get("ebs", {"raid": {}}):
            made["ebs"].pop("on-destroy", None)
            cluster["head"]["apps"] = made["ebs"]
        elif made:
            yield name, made

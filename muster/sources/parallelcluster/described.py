"""What a description has of a ParallelCluster configuration beside its nodes and networks, which come from the fleet:
the values as they are written, at the description's keys. `Block.kept` notes them, so that `init` names the others."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from typing import Any

from muster.blueprint.iam import parallelcluster_policies
from muster.blueprint.parallelcluster.configuration import APPS, SCRATCH
from muster.config.placeholders import DOCUMENTATION_NETWORK, PLACEHOLDER
from muster.finding import KeyPath
from muster.fleet.resources.parallelcluster import CONFIGURED, START, UPDATED
from muster.plain_data import as_list, mappings_at, value_at
from muster.sources.left_out import plain_name
from muster.unknown import UNKNOWN

Kept = list[KeyPath]
"""Ways to values that the description has."""
Assumed = Callable[[str, Any], Any]
"""Notes the path of a placeholder, and returns it."""
Rows = Mapping[str, str | tuple[str, Callable[[Any], Any]]]
"""Key of the description -> where the configuration has its value, and what becomes of it (None: it has no such)."""


@dataclass(frozen=True)
class Block:
    """A block of the configuration."""

    values: Any
    path: KeyPath = ()
    kept: Kept = field(default_factory=list)

    def take(self, path: str, made: Callable[[Any], Any] = lambda value: value) -> Any:
        """What a description has for the value at a path."""
        value = value_at(self.values, *path.split("."))
        found = None if value is None or value is UNKNOWN else made(value)
        if found is not None:
            self.kept.append((*self.path, *path.split(".")))
        return found

    def blocks(self, path: str) -> Iterator["Block"]:
        """The blocks of a list, or the only one."""
        found = value_at(self.values, *path.split("."))
        for index, each in enumerate(as_list(found)):
            step = (index,) if isinstance(found, list) else ()
            yield Block(each, (*self.path, *path.split("."), *step), self.kept)

    def at(self, path: KeyPath) -> "Block":
        """The block at a way that may have places of lists."""
        values: Any = self.values
        for step in path:
            values = dict(enumerate(values)) if isinstance(values, list) else values
            values = values.get(step) if isinstance(values, Mapping) else None
        return Block(values, (*self.path, *path), self.kept)

    def described(self, rows: Rows) -> dict[str, Any]:
        """The keys of a description."""
        made: dict[str, Any] = {}
        for key, row in rows.items():
            value = self.take(row) if isinstance(row, str) else self.take(*row)
            if value in (None, [], {}):
                continue
            *blocks, last = key.split(".")
            at = made
            for name in blocks:
                at = at.setdefault(name, {})
            at[last] = value
        return made


def _same(*own: Any) -> Callable[[Any], Any]:
    """A value that Muster sets itself."""
    return lambda value: value if value in own else None


def _word(**words: str) -> Callable[[Any], Any]:
    return lambda value: words.get(str(value))


def _network(value: Any) -> Any:
    """A network; a prefix list has no place in a description."""
    try:
        return str(IPv4Network(str(value)))
    except ValueError:
        return None


def _volume(key: str, path: str) -> Rows:
    names = {"type": "VolumeType", "iops": "Iops", "throughput": "Throughput"}
    size = {f"{key}.size": (f"{path}.Size", lambda value: f"{value}GiB")}
    return {**size, **{f"{key}.{name}": f"{path}.{theirs}" for name, theirs in names.items()}}


def _scripts(event: str) -> tuple[str, Callable[[Any], Any]]:
    early = {"at-start": True} if event == START else {}

    def made(action: Any) -> list[dict[str, Any]] | None:
        listed = mappings_at(action, "Sequence") or mappings_at([action])
        scripts = [(each.get("Script"), as_list(each.get("Args"))) for each in listed]
        if any(UNKNOWN in (at, *given) for at, given in scripts):
            return None
        return [{"at": at, **({"arguments": [*map(str, given)]} if given else {}), **early} for at, given in scripts]

    return f"CustomActions.{event}", made


_OWN = frozenset(each.rpartition("/")[2] for each in parallelcluster_policies("", None, ()))
"""The policies that nodes of Muster always have."""


def _policy(listed: Any) -> str:
    return str(value_at(listed, "Policy"))


def _is_no_own(policy: str) -> bool:
    return policy.rpartition("/")[2] not in _OWN


_DELETION = _word(Retain="keep", Delete="delete")
_PLACEMENT = "Networking.PlacementGroup.Enabled"
_SLURM, _LOGS = "Scheduling.SlurmSettings", "Monitoring.Logs.CloudWatch"
_CLUSTER: Rows = {
    "monitoring.detailed": "Monitoring.DetailedMonitoring",
    "monitoring.dashboard": "Monitoring.Dashboards.CloudWatch.Enabled",
    "logs.retention-days": f"{_LOGS}.RetentionInDays",
    "logs.on-destroy": (f"{_LOGS}.DeletionPolicy", _DELETION),
    "slurm.scaling": "Scheduling.ScalingStrategy",
    "slurm.idle-minutes": f"{_SLURM}.ScaledownIdletime",
    "slurm.memory-scheduling": f"{_SLURM}.EnableMemoryBasedScheduling",
    "slurm.on-update": (f"{_SLURM}.QueueUpdateStrategy", _word(DRAIN="drain", TERMINATE="terminate")),
    "slurm.settings": (
        f"{_SLURM}.CustomSlurmSettings",
        lambda listed: {key: value for each in mappings_at(listed) for key, value in each.items()},
    ),
    "accounting.server": f"{_SLURM}.Database.Uri",
    "accounting.user": f"{_SLURM}.Database.UserName",
    "accounting.password-secret": f"{_SLURM}.Database.PasswordSecretArn",
    "accounting.database": f"{_SLURM}.Database.DatabaseName",
    "s3-bucket": "CustomS3Bucket",
    "iam.permissions-boundary": "Iam.PermissionsBoundary",
    "iam.path": "Iam.ResourcePrefix",
    "iam.roles.lambda-functions": "Iam.Roles.LambdaFunctionsRole",
    "tags": ("Tags", lambda tags: {str(each.get("Key")): each.get("Value") for each in mappings_at(tags)}),
}
_NODE: Rows = {
    "security-groups": "Networking.AdditionalSecurityGroups",
    "policies": ("Iam.AdditionalIamPolicies", lambda listed: [*filter(_is_no_own, map(_policy, as_list(listed)))]),
}
_HEAD: Rows = {
    "login.key-pair": "Ssh.KeyName",
    "subnets": ("Networking.ElasticIp", lambda address: "public" if address is True else None),
    "ssh-from": ("Ssh.AllowedIps", _network),
    "metadata-for-all-users": ("Imds.Secured", lambda secured: not secured),
    "update-scripts": _scripts(UPDATED),
    **_volume("root", "LocalStorage.RootVolume"),
    **_NODE,
}
_QUEUE: Rows = {
    "allocation": "AllocationStrategy",
    "exclusive": "JobExclusiveAllocation",
    **_volume("root", "ComputeSettings.LocalStorage.RootVolume"),
    **_NODE,
}
_GROUP: Rows = {
    "threads-per-core": ("DisableSimultaneousMultithreading", lambda off: 1 if off else 2),
    "memory": ("SchedulableMemory", lambda mib: f"{mib}MiB"),
}
_LOGIN: Rows = {
    "instance": "InstanceType",
    "nodes": "Count",
    "grace-minutes": "GracetimePeriod",
    "ssh-from": ("Ssh.AllowedIps", _network),
    **_NODE,
}
_STORAGE: Rows = {
    **_volume("ebs", "EbsSettings"),
    "ebs.raid.level": "EbsSettings.Raid.Type",
    "ebs.raid.volumes": "EbsSettings.Raid.NumberOfVolumes",
    "ebs.on-destroy": ("EbsSettings.DeletionPolicy", _DELETION),
    "existing-ebs.id": "EbsSettings.VolumeId",
    "existing-lustre.id": "FsxLustreSettings.FileSystemId",
    "efs.throughput": ("EfsSettings.ThroughputMode", _word(bursting="bursting", elastic="elastic")),
    "efs.throughput.provisioned": "EfsSettings.ProvisionedThroughput",
    "efs.key": "EfsSettings.KmsKeyId",
    "efs.on-destroy": ("EfsSettings.DeletionPolicy", _DELETION),
    "existing-efs.id": "EfsSettings.FileSystemId",
    "existing-openzfs.volume": "FsxOpenZfsSettings.VolumeId",
}
_SET_BY_MUSTER = {
    "EbsSettings.Encrypted": True,
    "EfsSettings.Encrypted": True,
    "EfsSettings.PerformanceMode": "generalPurpose",
    "EfsSettings.ThroughputMode": "provisioned",
}
_NAMED_BY_KIND = {"Ebs": "ebs", "Efs": "efs"}
_LUSTRE: Rows = {
    "on-destroy": ("FsxLustreSettings.DeletionPolicy", _DELETION),
    "drive-cache": ("FsxLustreSettings.DriveCacheType", _word(READ="read", NONE="none")),
    "key": "FsxLustreSettings.KmsKeyId",
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
    at = {name: configuration.at(inside) for name, inside in places.items()}
    (head, *_) = [*configuration.blocks("HeadNode"), Block({})]
    nodes = [head]
    cluster |= configuration.described(_CLUSTER)
    described = cluster["head"]
    described |= head.described(_HEAD) | _post_install(head)
    if "login" in described:
        described["ssh-from"] = described.get("ssh-from") or assumed("head.ssh-from", DOCUMENTATION_NETWORK)
    for name, queue in cluster["queues"].items():
        nodes.append(block := at[f"queues.{name}"])
        queue.update({"exclusive": False} | block.described(_QUEUE) | _post_install(block))
        close = {own: group["efa"] is True and "capacity" not in group for own, group in queue["groups"].items()}
        block.take(_PLACEMENT, _same(all(close.values())))
        for own, group in queue["groups"].items():
            at[f"queues.{name}.groups.{own}"].take(_PLACEMENT, _same(close[own]))
            group.update(at[f"queues.{name}.groups.{own}"].described(_GROUP))
    for node, path in ((described, "HeadNode"), *((queue, "ComputeNode") for queue in cluster["queues"].values())):
        if "post-install" in node:
            seconds = configuration.take(f"DevSettings.Timeouts.{path}BootstrapTimeout")
            node["post-install"] |= {"timeout-minutes": seconds // 60} if isinstance(seconds, int) else {}
    cluster["s3"] = {place: right for each in nodes for place, right in _s3(each)} or None
    pools: dict[str, Any] = {}
    for each in configuration.blocks("LoginNodes.Pools"):
        nodes.append(each)
        pool = {"ssh-from": described.get("ssh-from")} | each.described(_LOGIN) | _post_install(each)
        pool["zone"] = each.take("Networking.SubnetIds", lambda ids: zones.get(str([*as_list(ids), ""][0])))
        if [value_at(head.values, "Networking", "SubnetId")] == value_at(each.values, "Networking", "SubnetIds"):
            pool["subnets"] = described.get("subnets")
        pools[plain_name(str(each.take("Name")), pools, 25)] = pool
        each.take("Ssh.KeyName", _same(value_at(head.values, "Ssh", "KeyName")))
    cluster["login-nodes"] = pools or None
    if len(cluster["queues"]) > 1:
        cluster.setdefault("slurm", {})["default-queue"] = next(iter(cluster["queues"]))
    _roles(cluster, head, [at[f"queues.{name}"] for name in cluster["queues"]])
    if not str(value_at(cluster, "iam", "path") or "/parallelcluster/").startswith("/parallelcluster/"):
        role = assumed("iam.roles.provider", f"arn:aws:iam::111122223333:role/{PLACEHOLDER}")
        cluster["iam"].setdefault("roles", {})["provider"] = role
    _take_own(configuration, nodes)
    cluster["storage"] = dict(_storage(configuration, cluster, places, assumed))


def _roles(cluster: dict[str, Any], head: Block, queues: list[Block]) -> None:
    """Adds existing roles or instance profiles: that of the head node, and the one of all queues."""
    for theirs in ("Iam.InstanceRole", "Iam.InstanceProfile"):
        of_queues = [value_at(each.values, *theirs.split(".")) for each in queues]
        alike = [each.take(theirs, _same(of_queues[0])) for each in queues] if len(set(of_queues)) == 1 else [None]
        found = {key: value for key, value in (("head", head.take(theirs)), ("nodes", alike[0])) if value}
        if found:
            cluster.setdefault("iam", {}).setdefault("roles", {}).update(found)


def _take_own(configuration: Block, nodes: list[Block]) -> None:
    """Notes what Muster always sets."""
    configuration.take("Imds.ImdsSupport", _same("v2.0"))
    configuration.take(f"{_LOGS}.Enabled", _same(True))
    for node in nodes:
        for storage in ("LocalStorage", "ComputeSettings.LocalStorage"):
            node.take(f"{storage}.EphemeralVolume.MountDir", _same(SCRATCH))
            node.take(f"{storage}.RootVolume.Encrypted", _same(True))
            node.take(f"{storage}.RootVolume.DeleteOnTermination", _same(True))


def _post_install(node: Block) -> dict[str, Any]:
    found = node.described({"start": _scripts(START), "configured": _scripts(CONFIGURED)})
    return {"post-install": {"scripts": [*found.get("start", ()), *found.get("configured", ())]}} if found else {}


def _s3(node: Block) -> Iterator[tuple[str, str]]:
    """The buckets and prefixes; not the key of a script, which Muster derives."""
    scripts = str(value_at(node.values, "CustomActions"))
    for each in node.blocks("Iam.S3Access"):
        bucket, key = (value_at(each.values, name) for name in ("BucketName", "KeyName"))
        place = f"s3://{bucket}/{'*' if key is None else key}"
        if UNKNOWN in (bucket, key):
            continue
        if place.endswith("*") or place in scripts:
            _, _, writes = (each.take(name) for name in ("BucketName", "KeyName", "EnableWriteAccess"))
            yield from [(place.rstrip("*/"), "write" if writes is True else "read")] if place.endswith("*") else ()


def _storage(
    configuration: Block, cluster: Mapping[str, Any], places: Mapping[str, KeyPath], assumed: Assumed
) -> Iterator[tuple[str, Any]]:
    """Shared storage, named by its mount point: a description mounts each at its name."""
    names = {inside: name.partition(".")[2] for name, inside in places.items() if name.startswith("storage.")}
    for index, each in enumerate(configuration.blocks("SharedStorage")):
        mount, own = (str(value_at(each.values, key)) for key in ("MountDir", "Name"))
        name = plain_name(mount.strip("/") if "/" not in mount.strip("/") else own, (), 20)
        each.take("MountDir", _same(name, f"/{name}"))
        for path, value in _SET_BY_MUSTER.items():
            each.take(path, _same(value))
        made = each.described(_STORAGE)
        made = {kind: block for kind, block in made.items() if kind.startswith("existing")} or made
        if lustre := cluster["storage"].get(names.get(("SharedStorage", index))):
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

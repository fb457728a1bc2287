"""The field of the description that each key of the configuration comes from.

One table for two uses: a message about the configuration gets the position of the user's field, and a test compares the
cost of changing a field with ParallelCluster's update policy of its keys. A key that is not in the table belongs to the
block around it. Names of queues and of other blocks are ``*`` in a field, ``[]`` in a key.
"""

from collections.abc import Mapping
from typing import Any

from muster.config.description.slurm_cluster import SlurmCluster

_QUEUE, _GROUP = "Scheduling.SlurmQueues[]", "Scheduling.SlurmQueues[].ComputeResources[]"
_IN_QUEUE, _IN_GROUP = "queues.*", "queues.*.groups.*"
_POOL, _IN_POOL = "LoginNodes.Pools[]", "login-nodes.*"
_SLURM = "Scheduling.SlurmSettings"
_CAPACITY = f"{_IN_GROUP}.capacity"

FIELDS: Mapping[str, tuple[str, ...]] = {
    "": ("",),
    "Image.Os": ("os",),
    "Image.CustomAmi": ("image",),
    "HeadNode": ("head",),
    "HeadNode.InstanceType": ("head.instance",),
    "HeadNode.Networking.ElasticIp": ("head.subnets",),
    "HeadNode.Networking.SubnetId": ("head.subnets", "head.zone", "network"),
    "HeadNode.Networking.AdditionalSecurityGroups[]": ("head.security-groups",),
    "HeadNode.Ssh.KeyName": ("head.login", "head.login.ssm", "head.login.key-pair", "head.login.public-key"),
    "HeadNode.Ssh.AllowedIps": ("head.ssh-from",),
    "HeadNode.LocalStorage.RootVolume.Size": ("head.root",),
    "HeadNode.Imds.Secured": ("head.metadata-for-all-users",),
    "HeadNode.CustomActions.OnNodeStart": ("head.post-install.scripts", "post-install.scripts"),
    "HeadNode.CustomActions.OnNodeConfigured": ("head.post-install", "post-install"),
    "HeadNode.Iam.S3Access[]": ("head.post-install.scripts", "post-install.scripts", "s3"),
    _POOL: (_IN_POOL, "login-nodes"),
    f"{_POOL}.InstanceType": (f"{_IN_POOL}.instance",),
    f"{_POOL}.Count": (f"{_IN_POOL}.nodes",),
    f"{_POOL}.GracetimePeriod": (f"{_IN_POOL}.grace-minutes",),
    f"{_POOL}.Networking.SubnetIds[]": (f"{_IN_POOL}.subnets", f"{_IN_POOL}.zone"),
    f"{_POOL}.Networking.AdditionalSecurityGroups[]": (f"{_IN_POOL}.security-groups",),
    f"{_POOL}.Ssh.AllowedIps": (f"{_IN_POOL}.ssh-from",),
    f"{_POOL}.CustomActions.OnNodeStart": (f"{_IN_POOL}.post-install.scripts",),
    f"{_POOL}.CustomActions.OnNodeConfigured": (f"{_IN_POOL}.post-install",),
    "Scheduling.ScalingStrategy": ("slurm.scaling",),
    _SLURM: ("slurm",),
    f"{_SLURM}.ScaledownIdletime": ("slurm.idle-minutes",),
    f"{_SLURM}.QueueUpdateStrategy": ("slurm.on-update",),
    f"{_SLURM}.EnableMemoryBasedScheduling": ("slurm.memory-scheduling",),
    f"{_SLURM}.CustomSlurmSettings[]": ("slurm.settings",),
    f"{_SLURM}.Database": ("accounting",),
    f"{_SLURM}.Database.Uri": ("accounting.server",),
    f"{_SLURM}.Database.UserName": ("accounting.user",),
    f"{_SLURM}.Database.PasswordSecretArn": ("accounting.password-secret",),
    f"{_SLURM}.Database.DatabaseName": ("accounting.database",),
    _QUEUE: (_IN_QUEUE, "queues"),
    f"{_QUEUE}.CapacityType": (_IN_QUEUE, f"{_CAPACITY}.on-demand", f"{_CAPACITY}.spot", f"{_CAPACITY}.capacity-block"),
    f"{_QUEUE}.Networking.SubnetIds[]": (
        f"{_IN_QUEUE}.zones",
        f"{_CAPACITY}.reservation.zone",
        f"{_CAPACITY}.reservation-group.zone",
        f"{_CAPACITY}.capacity-block.zone",
    ),
    f"{_QUEUE}.Networking.AdditionalSecurityGroups[]": (f"{_IN_QUEUE}.security-groups",),
    f"{_QUEUE}.ComputeSettings.LocalStorage.RootVolume.Size": (f"{_IN_QUEUE}.root",),
    f"{_QUEUE}.JobExclusiveAllocation": (f"{_IN_QUEUE}.exclusive",),
    f"{_QUEUE}.CustomActions.OnNodeStart": (f"{_IN_QUEUE}.post-install.scripts", "post-install.scripts"),
    f"{_QUEUE}.CustomActions.OnNodeConfigured": (f"{_IN_QUEUE}.post-install", "post-install"),
    f"{_QUEUE}.Iam.S3Access[]": (f"{_IN_QUEUE}.post-install.scripts", "post-install.scripts", "s3"),
    _GROUP: (_IN_GROUP, f"{_IN_QUEUE}.groups"),
    f"{_GROUP}.InstanceType": (f"{_IN_GROUP}.instance",),
    f"{_GROUP}.MinCount": (f"{_IN_GROUP}.nodes", f"{_IN_GROUP}.nodes.min"),
    f"{_GROUP}.MaxCount": (f"{_IN_GROUP}.nodes", f"{_IN_GROUP}.nodes.max"),
    f"{_GROUP}.DisableSimultaneousMultithreading": (f"{_IN_GROUP}.threads-per-core",),
    f"{_GROUP}.SchedulableMemory": (f"{_IN_GROUP}.memory",),
    f"{_GROUP}.Efa.Enabled": (f"{_IN_GROUP}.efa", f"{_IN_GROUP}.for"),
    f"{_GROUP}.CapacityReservationTarget": (_CAPACITY,),
    f"{_GROUP}.CapacityReservationTarget.CapacityReservationId": (
        _CAPACITY,
        f"{_CAPACITY}.reservation",
        f"{_CAPACITY}.reservation.id",
        f"{_CAPACITY}.capacity-block.id",
    ),
    f"{_GROUP}.CapacityReservationTarget.CapacityReservationResourceGroupArn": (
        _CAPACITY,
        f"{_CAPACITY}.reservation-group",
        f"{_CAPACITY}.reservation-group.arn",
    ),
    f"{_GROUP}.Networking.PlacementGroup": (_CAPACITY,),
    f"{_GROUP}.Networking.PlacementGroup.Enabled": (
        _CAPACITY,
        f"{_CAPACITY}.reservation.provided-by",
        f"{_CAPACITY}.reservation-group.provided-by",
        f"{_IN_GROUP}.for",
        f"{_IN_GROUP}.efa",
    ),
    f"{_GROUP}.Networking.PlacementGroup.Name": (
        _CAPACITY,
        f"{_CAPACITY}.reservation.placement-group",
        f"{_CAPACITY}.reservation-group.placement-group",
    ),
    "SharedStorage[]": ("storage",),
    "SharedStorage[].EbsSettings.Size": ("head.apps",),
    "SharedStorage[].FsxLustreSettings.FileSystemId": ("storage.*.lustre", "storage.*.existing-lustre"),
    "Monitoring": ("monitoring",),
    "Monitoring.DetailedMonitoring": ("monitoring.detailed",),
    "Monitoring.Logs.CloudWatch.RetentionInDays": ("logs.retention-days",),
    "Monitoring.Logs.CloudWatch.DeletionPolicy": ("logs.on-destroy",),
    "Monitoring.Dashboards.CloudWatch.Enabled": ("monitoring.dashboard",),
    "Tags[]": ("tags",),
    "DevSettings.Timeouts.HeadNodeBootstrapTimeout": (
        "head.post-install.timeout-minutes",
        "post-install.timeout-minutes",
    ),
    "DevSettings.Timeouts.ComputeNodeBootstrapTimeout": (
        f"{_IN_QUEUE}.post-install.timeout-minutes",
        "post-install.timeout-minutes",
        f"{_IN_POOL}.post-install.timeout-minutes",
    ),
}
"""Key -> the fields that decide it. A finding is located at the first of those that the description gives, or at the
first."""

Path = tuple[str | int, ...]


def field_of(path: Path, configuration: Mapping[str, Any], described: SlurmCluster) -> str:
    """The field that a place of a configuration comes from: ``queues.gpu.groups.workers.nodes``.

    Args:
        path: keys and indices, as the configuration has them. An unknown key belongs to the block around it.
        configuration: whose queues, groups and storage have names.
        described: what it was made of.
    """
    names: list[str] = []
    value: Any = configuration
    pattern, known = "", ""
    at: list[str] = []
    for step in path:
        value = value[step] if _holds(value, step) else None
        pattern = f"{pattern}[]" if isinstance(step, int) else f"{pattern}.{step}".removeprefix(".")
        if isinstance(step, int) and isinstance(value, Mapping) and "Name" in value:
            names.append(str(value["Name"]))
        if pattern in FIELDS or f"{pattern}[]" in FIELDS:
            known, at = (pattern if pattern in FIELDS else f"{pattern}[]"), list(names)
    return _named(known, at, described)


def _named(key: str, names: list[str], described: SlurmCluster) -> str:
    if key.startswith("SharedStorage[]") and names:
        return "head.apps" if names[0] == APPS else f"storage.{names[0]}"
    first = FIELDS[key][0]
    # Where the file lacks the first, the finding is located at a block around it.
    others = (each for each in FIELDS[key] if not first.startswith(f"{each}."))
    named = [_filled(each, names) for each in others if each.count("*") <= len(names)]
    otherwise = first.partition(".*")[0] if first.count("*") > len(names) else _filled(first, names)
    return next((each for each in named if _is_given(each, described)), otherwise)


def _filled(field: str, names: list[str]) -> str:
    for name in names[: field.count("*")]:
        field = field.replace("*", name, 1)
    return field


def _is_given(field: str, described: SlurmCluster) -> bool:
    """Whether the file sets the value. A default does not count."""
    value: Any = described
    for key in filter(None, field.split(".")):
        if isinstance(value, Mapping):
            value = value.get(key)
        else:
            name = key.replace("-", "_")
            value = getattr(value, name) if name in getattr(value, "model_fields_set", ()) else None
    return value is not None


APPS = "apps"
"""The shared storage on the head node's volume."""


def _holds(value: Any, step: str | int) -> bool:
    if isinstance(step, int):
        return isinstance(value, list) and step < len(value)
    return isinstance(value, Mapping) and step in value

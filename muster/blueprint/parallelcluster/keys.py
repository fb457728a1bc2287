"""Where a configuration of ParallelCluster has the keys of a description: one table for both directions, for what
Muster writes and for what `init` brings over."""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import reduce
from typing import Any, NamedTuple

from muster.plain_data import mappings_at


def _as_it_is(value: Any) -> Any:
    return value


class Key(NamedTuple):
    """A key of a description, with its value in a configuration."""

    name: str
    """From its block on, as users write it: ``on-destroy``. Empty for a value that Muster always sets."""
    write: Callable[[Any], Any] = _as_it_is
    """The value in a configuration; None for none."""
    read: Callable[[Any], Any] = _as_it_is
    """The value of a description; None if it cannot have this one."""


Keys = Mapping[str, Key]
"""By the way from a block of the configuration on: ``Raid.Type``."""


def always(*values: Any) -> Key:
    """The first value is what Muster sets; the others mean the same."""
    return Key("", lambda _: values[0], lambda found: found if found in values else None)


def words(name: str, **theirs: str) -> Key:
    """A choice, by the description's words."""
    ours = {their: our for our, their in theirs.items()}
    return Key(name, theirs.__getitem__, lambda found: ours.get(str(found)))


def unless(name: str, default: str) -> Key:
    """A value that is written where it is not the default."""
    return Key(name, lambda value: None if value == default else value)


def below(path: str, name: str, keys: Keys) -> Keys:
    """The keys of a block, from the one around it. Without a name, the description has no such block."""
    within = f"{name}." if name else ""
    return {f"{path}.{at}": key._replace(name=key.name and f"{within}{key.name}") for at, key in keys.items()}


def put(values: dict[str, Any], path: str, value: Any) -> None:
    """Sets the value at a dotted path."""
    *blocks, last = path.split(".")
    for step in blocks:
        if not isinstance(values.get(step), dict):
            values[step] = {}
        values = values[step]
    values[last] = value


def block(values: Mapping[str, Any]) -> dict[str, Any]:
    """A block with the values at dotted paths; without those that are None."""
    made: dict[str, Any] = {}
    for path, value in values.items():
        if value is not None:
            put(made, path, value)
    return made


def written(described: Any, keys: Keys) -> dict[str, Any]:
    """The values of a configuration, by dotted paths, from a block of the description."""
    return {path: key.write(_value(described, key)) for path, key in keys.items() if _value(described, key) is not None}


def _value(described: Any, key: Key) -> Any:
    steps = key.name.replace("-", "_").split(".") if key.name else ()
    value = reduce(lambda block, step: getattr(block, step, None), steps, described)
    return value.value if isinstance(value, Enum) else value


DELETION = words("on-destroy", keep="Retain", delete="Delete")
SHARED_VOLUME: Keys = {
    "VolumeType": Key("type"),
    "Size": Key("size", lambda size: size.gib, lambda gib: f"{gib}GiB"),
    "Iops": Key("iops"),
    "Throughput": Key("throughput"),
    "Encrypted": always(True),
}
ROOT_VOLUME: Keys = {**SHARED_VOLUME, "VolumeType": unless("type", "gp3")}
EBS_VOLUME: Keys = {
    **SHARED_VOLUME,
    "Raid.Type": Key("raid.level"),
    "Raid.NumberOfVolumes": Key("raid.volumes"),
    "DeletionPolicy": DELETION,
}
HEAD: Keys = {
    **below("LocalStorage.RootVolume", "root", ROOT_VOLUME),
    "Imds.Secured": Key("metadata-for-all-users", lambda everyone: False if everyone else None, lambda only: not only),
}
QUEUE: Keys = {
    **below("ComputeSettings.LocalStorage.RootVolume", "root", ROOT_VOLUME),
    "JobExclusiveAllocation": Key("exclusive"),
}
GROUP: Keys = {"SchedulableMemory": Key("memory", lambda size: size.mib, lambda mib: f"{mib}MiB")}
GENERAL: Keys = {
    "CustomS3Bucket": Key("s3-bucket"),
    "Imds.ImdsSupport": always("v2.0"),
    "Iam.PermissionsBoundary": Key("iam.permissions-boundary"),
    "Iam.ResourcePrefix": Key("iam.path"),
    "Iam.Roles.LambdaFunctionsRole": Key("iam.roles.lambda-functions"),
}
SCHEDULING: Keys = {
    "Scheduling.ScalingStrategy": unless("slurm.scaling", "all-or-nothing"),
    "Scheduling.SlurmSettings.ScaledownIdletime": Key("slurm.idle-minutes"),
    "Scheduling.SlurmSettings.QueueUpdateStrategy": words("slurm.on-update", drain="DRAIN", terminate="TERMINATE"),
    "Scheduling.SlurmSettings.EnableMemoryBasedScheduling": Key("slurm.memory-scheduling"),
    "Scheduling.SlurmSettings.Database.Uri": Key("accounting.server"),
    "Scheduling.SlurmSettings.Database.UserName": Key("accounting.user"),
    "Scheduling.SlurmSettings.Database.PasswordSecretArn": Key("accounting.password-secret"),
    "Scheduling.SlurmSettings.Database.DatabaseName": Key("accounting.database"),
    "Scheduling.SlurmSettings.CustomSlurmSettings": Key(
        "slurm.settings",
        lambda settings: [{key: value} for key, value in sorted(settings.items())] or None,
        lambda listed: {key: value for each in mappings_at(listed) for key, value in each.items()},
    ),
}
MONITORING: Keys = {
    "Monitoring.DetailedMonitoring": Key("monitoring.detailed"),
    "Monitoring.Logs.CloudWatch.Enabled": always(True),
    "Monitoring.Logs.CloudWatch.RetentionInDays": Key("logs.retention-days"),
    "Monitoring.Logs.CloudWatch.DeletionPolicy": DELETION._replace(name="logs.on-destroy"),
    "Monitoring.Dashboards.CloudWatch.Enabled": Key("monitoring.dashboard"),
}

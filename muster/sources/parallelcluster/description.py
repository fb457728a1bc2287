"""The description that makes the cluster of a ParallelCluster configuration.

Where ParallelCluster's default differs from a description's, the description has ParallelCluster's: the default values
are those of aws-parallelcluster 3.16.1, `config/cluster_config.py` and `constants.py`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.blueprint.iam import parallelcluster_policies
from muster.config.description.slurm_cluster import ENDED, Os, Scaling
from muster.config.identifiers import PLACEHOLDER, ImageId
from muster.config.stack_checks import region_problem
from muster.finding import KeyPath
from muster.sources.described_parts import add_tags
from muster.sources.draft import Draft, known, text
from muster.sources.parallelcluster.described_network import Network
from muster.sources.parallelcluster.described_nodes import add_head, add_login_pools, add_queues
from muster.sources.parallelcluster.described_scripts import add_scripts
from muster.sources.parallelcluster.described_storage import add_storage
from muster.sources.parallelcluster.form import check_form, document_of, has_other_scheduler
from muster.sources.parallelcluster.reasons import reason
from muster.sources.placeholders import without_placeholders
from muster.sources.source import DEFAULT_REGION, ImportedDescription, InputFile
from muster.unknown import UNKNOWN
from muster.versions import PARALLELCLUSTER

BACKEND = "parallelcluster"
_IDLE_MINUTES, _LOG_DAYS = 10, 180
"""ParallelCluster's defaults (`SlurmSettings.scaledown_idletime`, `CW_LOGS_RETENTION_DAYS_DEFAULT`)."""


def describe(file: InputFile, region: str | None = None) -> ImportedDescription:
    """The description of the file's cluster.

    Args:
        file: the file.
        region: its Region, instead of the one that the file has.

    Raises:
        InvalidFile: the file has errors, or its scheduler is not Slurm, or no part of it can be described.
    """
    raw = document_of(file)
    document = without_placeholders(raw)
    check_form(file, document)
    if has_other_scheduler(document):
        path = ("Scheduling", "Scheduler")
        raise file.fault(
            path, "the scheduler is not slurm", "describe a cluster with Slurm: a description has no other"
        )
    own = text(document.get("Region"))
    region = region or (own if own and not region_problem(own) else None)
    draft = Draft(file)
    draft.take(("Region",), ("Scheduling", "Scheduler"))
    network = Network(draft, raw, document, region or DEFAULT_REGION)
    draft.cluster |= {"backend": BACKEND, "version": PARALLELCLUSTER}
    _software(draft, document)
    draft.cluster["network"] = {}
    add_head(draft, document, network)
    add_queues(draft, document, network)
    add_login_pools(draft, document, network)
    _s3(draft, document, region or DEFAULT_REGION)
    add_scripts(draft, document)
    _slurm(draft, document, region or DEFAULT_REGION)
    add_storage(draft, document)
    _monitoring(draft, document)
    add_tags(draft, document, without={})
    draft.cluster["network"] = {"existing": network.described()}
    return draft.finished(BACKEND, region, document, reason)


def _block(values: Any, *names: str) -> Mapping[str, Any]:
    for name in names:
        values = values.get(name) if isinstance(values, Mapping) else None
    return values if isinstance(values, Mapping) else {}


def _software(draft: Draft, document: Mapping[str, Any]) -> None:
    image, imds = _block(document, "Image"), _block(document, "Imds")
    os = text(image.get("Os"))
    if os in [*Os]:
        draft.cluster["os"] = os
        draft.take(("Image", "Os"))
    elif os is not None:
        instead = ENDED.get(os)
        if instead:
            draft.cluster["os"] = instead.value
            draft.leave(("Image", "Os"), f"ParallelCluster {PARALLELCLUSTER} has no {os}; {instead} replaces it")
        else:
            draft.leave(("Image", "Os"), f"ParallelCluster {PARALLELCLUSTER} has no {os}")
    if image.get("CustomAmi") is not None:
        given = image.get("CustomAmi")
        good = draft.accepted(ImageId, given, ("Image", "CustomAmi"))
        draft.cluster["image"] = given if good else f"ami-{PLACEHOLDER}"
        draft.origin(("image",), ("Image", "CustomAmi"))
        draft.take(("Image", "CustomAmi"))
        if not good:
            draft.placeholder("image")
    if imds.get("ImdsSupport") == "v2.0":
        draft.take(("Imds", "ImdsSupport"))


def _slurm(draft: Draft, document: Mapping[str, Any], region: str) -> None:
    at: KeyPath = ("Scheduling", "SlurmSettings")
    settings = _block(document, *map(str, at))
    queues = list(draft.cluster["queues"])
    made: dict[str, Any] = {"default-queue": queues[0]} if len(queues) > 1 else {}
    idle = settings.get("ScaledownIdletime", _IDLE_MINUTES)
    made["idle-minutes"] = idle if isinstance(idle, int) else _IDLE_MINUTES
    draft.take((*at, "ScaledownIdletime"))
    strategy = settings.get("QueueUpdateStrategy")
    if strategy in ("DRAIN", "TERMINATE"):
        made["on-update"] = str(strategy).lower()
        draft.take((*at, "QueueUpdateStrategy"))
    elif strategy is not None:
        draft.leave((*at, "QueueUpdateStrategy"), "Muster replaces nodes (drain or terminate) when their queue changes")
    scaling = _block(document, "Scheduling").get("ScalingStrategy")
    if scaling in [*Scaling]:
        made["scaling"] = scaling
        draft.take(("Scheduling", "ScalingStrategy"))
    if isinstance(memory := settings.get("EnableMemoryBasedScheduling"), bool):
        made["memory-scheduling"] = memory
        draft.take((*at, "EnableMemoryBasedScheduling"))
    if own := _own_settings(draft, settings, at):
        made["settings"] = own
    draft.cluster["slurm"] = made
    _accounting(draft, settings, at, region)


def _own_settings(draft: Draft, settings: Mapping[str, Any], at: KeyPath) -> dict[str, Any]:
    """The lines of slurm.conf. An entry with several keys defines nodes or a partition."""
    made: dict[str, Any] = {}
    listed = settings.get("CustomSlurmSettings")
    for index, entry in enumerate(listed if isinstance(listed, list) else []):
        path = (*at, "CustomSlurmSettings", index)
        if not isinstance(entry, Mapping) or len(entry) != 1:
            draft.leave(path, "Muster writes nodes and partitions from the queues")
            continue
        key, value = next(iter(entry.items()))
        if value is UNKNOWN or not isinstance(value, str | int) or isinstance(value, bool):
            draft.leave(path, "a setting is a whole number, or text of one line")
        else:
            made[str(key)] = value
            draft.origin(("slurm", "settings", str(key)), path)
            draft.take(path)
    return made


def _accounting(draft: Draft, settings: Mapping[str, Any], at: KeyPath, region: str) -> None:
    database = _block(settings, "Database")
    if not database:
        return
    keys = {"Uri": "server", "UserName": "user", "PasswordSecretArn": "password-secret", "DatabaseName": "database"}
    instead = {
        "server": f"{PLACEHOLDER}.example.com",
        "user": PLACEHOLDER,
        "password-secret": f"arn:aws:secretsmanager:{region}:111122223333:secret:{PLACEHOLDER}",
    }
    made = {}
    for name, key in keys.items():
        value = text(known(database.get(name)))
        if value is not None:
            made[key] = value
        elif key in instead:
            made[key] = instead[key]
            draft.placeholder("accounting", key)
        draft.origin(("accounting", key), (*at, "Database", name))
        draft.take((*at, "Database", name))
    draft.cluster["accounting"] = made
    draft.origin(("accounting",), (*at, "Database"))


def _monitoring(draft: Draft, document: Mapping[str, Any]) -> None:
    at: KeyPath = ("Monitoring",)
    monitoring = _block(document, "Monitoring")
    logs = _block(monitoring, "Logs", "CloudWatch")
    days = logs.get("RetentionInDays", _LOG_DAYS)
    made_logs: dict[str, Any] = {"retention-days": days if isinstance(days, int) else _LOG_DAYS}
    draft.origin(("logs", "retention-days"), (*at, "Logs", "CloudWatch", "RetentionInDays"))
    draft.take((*at, "Logs", "CloudWatch", "RetentionInDays"))
    if logs.get("DeletionPolicy") in ("Retain", "Delete"):
        made_logs["on-destroy"] = "keep" if logs["DeletionPolicy"] == "Retain" else "delete"
        draft.take((*at, "Logs", "CloudWatch", "DeletionPolicy"))
    if logs.get("Enabled") is not False:
        draft.take((*at, "Logs", "CloudWatch", "Enabled"))
    else:
        draft.leave((*at, "Logs", "CloudWatch", "Enabled"), "Muster always keeps the logs of nodes in CloudWatch")
    made = {"detailed": monitoring.get("DetailedMonitoring") is True}
    draft.take((*at, "DetailedMonitoring"))
    dashboard = _block(monitoring, "Dashboards", "CloudWatch").get("Enabled")
    if isinstance(dashboard, bool):
        made["dashboard"] = dashboard
        draft.take((*at, "Dashboards", "CloudWatch", "Enabled"))
    draft.cluster["logs"] = made_logs
    draft.cluster["monitoring"] = made


def _s3(draft: Draft, document: Mapping[str, Any], region: str) -> None:
    """The S3 permissions of the head node and the compute nodes. A description gives them to all of these alike, and
    they can always read their scripts."""
    ours = {each.rpartition("/")[2] for each in parallelcluster_policies(region)}
    made: dict[str, str] = {}
    nodes = dict(_nodes(document))
    everywhere = [_places(node) for node in nodes.values()]
    for path, node in nodes.items():
        scripts = set(_script_places(node))
        for index, entry in enumerate(_list(_block(node, "Iam").get("S3Access"))):
            at = (*path, "Iam", "S3Access", index)
            place = _place(entry)
            if (entry.get("BucketName"), entry.get("KeyName")) in scripts:
                draft.take(at)
            elif place is None:
                draft.leave(at, "s3 takes a bucket, or all objects below a prefix")
            elif all(place in each for each in everywhere):
                made[place] = (
                    "write" if entry.get("EnableWriteAccess") is True or made.get(place) == "write" else "read"
                )
                draft.origin(("s3", place), at)
                draft.take(at)
            else:
                draft.leave(at, "s3 gives the same permissions to all nodes, and here only some have them")
    for path, node in (*nodes.items(), *_pools(document)):
        for index, entry in enumerate(_list(_block(node, "Iam").get("AdditionalIamPolicies"))):
            if str(entry.get("Policy")).rpartition("/")[2] in ours:
                draft.take((*path, "Iam", "AdditionalIamPolicies", index))
    if made:
        draft.cluster["s3"] = made


def _nodes(document: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    yield ("HeadNode",), _block(document, "HeadNode")
    for index, queue in enumerate(_list(_block(document, "Scheduling").get("SlurmQueues"))):
        yield ("Scheduling", "SlurmQueues", index), queue


def _pools(document: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    for index, pool in enumerate(_list(_block(document, "LoginNodes").get("Pools"))):
        yield ("LoginNodes", "Pools", index), pool


def _list(value: Any) -> list[Mapping[str, Any]]:
    return [each if isinstance(each, Mapping) else {} for each in value] if isinstance(value, list) else []


def _places(node: Mapping[str, Any]) -> set[str | None]:
    return {_place(each) for each in _list(_block(node, "Iam").get("S3Access"))}


def _place(entry: Mapping[str, Any]) -> str | None:
    """The key of `s3` for an entry of `S3Access`; None if there is none."""
    bucket, key = entry.get("BucketName"), entry.get("KeyName")
    if not isinstance(bucket, str) or "*" in bucket:
        return None
    if key is None or key == "*":
        return f"s3://{bucket}"
    if isinstance(key, str) and key.endswith("/*") and "*" not in key[:-1]:
        return f"s3://{bucket}/{key[:-2]}"
    return None


def _script_places(node: Mapping[str, Any]) -> Iterator[tuple[Any, Any]]:
    """The buckets and keys of the scripts that a description runs."""
    actions = [_block(node, "CustomActions", moment) for moment in ("OnNodeStart", "OnNodeConfigured")]
    listed = [each for action in actions for each in (_list(action.get("Sequence")) or [action])]
    for each in listed:
        at = each.get("Script")
        if isinstance(at, str) and at.startswith("s3://"):
            bucket, _, key = at.removeprefix("s3://").partition("/")
            yield bucket, key

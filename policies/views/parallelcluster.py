"""Clusters on AWS ParallelCluster, in the CloudFormation stacks that a program registers, as judged things.

A cluster itself, its head node, each pool of login nodes, each queue, each compute resource, and the Lustre file
systems that it creates. All of them are in one Pulumi resource: the stack.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.cloudformation.template import Template
from muster.cloudformation.values import TooMany
from muster.fleet.registration import Registration
from muster.fleet.resources import (
    ClosedTemplate,
    LustreFileSystem,
    Mount,
    ParallelCluster,
    Place,
    Ref,
    Reference,
)
from muster.fleet.resources.parallelcluster import STORAGE_GROUP, TEMPLATE
from muster.fleet.resources.ref import EFS, KEY_PAIR, LUSTRE, OPENZFS, SUBNET
from muster.hardware.lustre import SSD
from muster.plain_data import as_list
from muster.policies.views.cloudformation import OBJECTS, STACKS, template_of
from muster.policies.views.lustre import not_set
from muster.policies.views.parallelcluster_configuration import (
    POOLS,
    QUEUES,
    ClusterConfiguration,
    Names,
    configurations_in,
    may_hold_one,
)
from muster.policies.views.parallelcluster_nodes import head_node, login_pool, queue
from muster.policies.views.references import References
from muster.policies.views.view import Properties, Reader, View, one
from muster.unknown import UNKNOWN, UnknownType, if_known, known
from muster.versions import LUSTRE as LUSTRE_VERSION

_IDS = {
    "Ebs": "EbsSettings.VolumeId",
    "Efs": "EfsSettings.FileSystemId",
    "FsxLustre": "FsxLustreSettings.FileSystemId",
    "FsxOpenZfs": "FsxOpenZfsSettings.VolumeId",
    "FsxOntap": "FsxOntapSettings.VolumeId",
    "FileCache": "FileCacheSettings.FileCacheId",
}
"""Kind of storage -> the id of existing storage, in the settings of that kind."""

_MOUNTS = {
    kind: View(
        Mount,
        name="Name",
        kind="StorageType",
        file_system=one(path, LUSTRE, EFS, OPENZFS),
        deletion=f"{path.partition('.')[0]}.DeletionPolicy",
    )
    for kind, path in _IDS.items()
}
_MOUNT = View(Mount, name="Name", kind="StorageType")


def _mounts(of: Properties) -> tuple[Mount[UnknownType], ...]:
    """Everything that is mounted, in its order."""
    return tuple(
        _MOUNTS.get(str(each.raw("StorageType")), _MOUNT)(each, inside=("SharedStorage", index))
        for index, each in enumerate(of.blocks("SharedStorage"))
    )


_OF_BACKUP = {
    "size": "StorageCapacity",
    "deployment": "DeploymentType",
    "disk": "StorageType",
    "throughput": "PerUnitStorageThroughput",
    "backup_days": "AutomaticBackupRetentionDays",
    "compression": "DataCompressionType",
}
_DEFAULTS = {"deployment": "SCRATCH_2", "disk": SSD}
"""ParallelCluster's own (`SharedFsxLustre`, cluster_config.py 3.16.1)."""
_file_system = View(LustreFileSystem, **_OF_BACKUP)


def _file_systems(of: Properties) -> Iterator[LustreFileSystem[UnknownType]]:
    """The Lustre file systems that the cluster creates."""
    subnets = if_known(lambda: _subnets(of), UNKNOWN)
    for index, each in enumerate(of.known_blocks("SharedStorage")):
        settings = each.block("FsxLustreSettings")
        if each.raw("StorageType") == "FsxLustre" and settings.raw("FileSystemId") is None:
            name = each.raw("Name")
            called = name if isinstance(name, str) else f"SharedStorage[{index}]"
            yield _file_system(
                settings,
                ref=Ref(LUSTRE, f"{of.resource.name}.{called}"),
                subnets=subnets,
                security_groups=(STORAGE_GROUP,),
                place=Place(of.resource.urn, f"shared storage {called}", ("SharedStorage", index)),
                version=LUSTRE_VERSION if settings.raw("BackupId") is None else UNKNOWN,
                **not_set(settings, _OF_BACKUP, _DEFAULTS, "BackupId"),
            )


def _subnets(of: Properties) -> tuple[Reference, ...]:
    """The subnets of the file systems that ParallelCluster creates: the subnet of its queues. It refuses to create any
    if they have several (`ManagedFsxMultiAzValidator`), as FSx does."""
    every = [subnet for each in of.blocks(QUEUES) for subnet in as_list(each.get("Networking.SubnetIds"))]
    return of.resources([*{str(subnet): subnet for subnet in every}.values()], QUEUES, SUBNET)


MOST_BYTES = 51_200
"""The limit of a template that is part of the request (CloudFormation's quotas)."""

_SPLIT = "split it, or write the values out instead of computing them with the template's functions"


def parallelcluster(of: Properties) -> tuple[Any, ...]:
    """Reads the clusters of a stack's template; empty for a template without clusters."""
    stack, references, listed = of.resource, of.references, of.beside
    template = template_of(stack, references, listed)
    if template is UNKNOWN or template is None:
        return _unread_template(stack, references, known=template is None)
    try:
        found = configurations_in(stack, template, references)
    except TooMany as why:
        fault = f"{why}, counted over all templates of the program"
        return (_closed(stack, references, fault=fault, remedy=_SPLIT),)
    if not found:
        return ()
    names = references.once("names", listed[0], lambda: _names(listed, references))
    parts = [each for one in found for each in _cluster(one, names)]
    return (*parts, *_too_long(stack, references))


# templates that cannot be read


def _closed(stack: Registration, references: References, **why: str) -> ClosedTemplate:
    return ClosedTemplate(Ref(TEMPLATE, references.ref(stack).name), Place(stack.urn), **why)


def _unread_template(stack: Registration, references: References, *, known: bool) -> tuple[ClosedTemplate, ...]:
    body = stack.inputs.get("templateBody")
    if not known:
        what = "its template: it may create a cluster on ParallelCluster"
        return (_closed(stack, references, missing=what),)
    if body is None or not may_hold_one(body):
        return ()
    fault = "the template of a cluster is neither JSON nor YAML with Resources"
    return (_closed(stack, references, fault=fault, remedy="write it as JSON or YAML"),)


def _too_long(stack: Registration, references: References) -> Iterator[ClosedTemplate]:
    body = stack.inputs.get("templateBody")
    count = len(body.encode()) if isinstance(body, str) else 0
    if count > MOST_BYTES:
        fault = f"templateBody has {count} bytes, but CloudFormation accepts at most {MOST_BYTES}"
        yield _closed(stack, references, fault=fault, remedy="put the template into a bucket, and set templateUrl")


def _names(listed: list[Registration], references: References) -> Names:
    queues, resources, pools = Counter[str](), Counter[str](), Counter[str]()
    clusters = 0
    for stack in listed:
        template = template_of(stack, references, listed) if stack.type in STACKS else None
        if not isinstance(template, Template):
            continue
        try:
            found = configurations_in(stack, template, references)
        except TooMany:
            continue  # a finding of its own
        clusters += len(found)
        for values in (each.values for each in found):
            entries = values.known_blocks(QUEUES)
            queues.update(_named(entries))
            pools.update(_named(values.known_blocks(POOLS)))
            resources.update(_named(part for each in entries for part in each.known_blocks("ComputeResources")))
    return Names(queues, resources, pools, clusters)


def _named(entries: Iterable[Properties]) -> Iterator[str]:
    """The names of entries, as far as they are known."""
    return (name for each in entries if isinstance(name := each.raw("Name"), str))


# the cluster


def _setting_names(of: Properties) -> frozenset[str]:
    """The names in entries of one setting. An entry of several defines nodes or partitions."""
    listed = of.blocks("Scheduling.SlurmSettings.CustomSlurmSettings")
    return frozenset(str(key) for each in listed if len(each.values) == 1 for key in each.values)


_parallelcluster = View(
    ParallelCluster,
    os="Image.Os",
    image="Image.CustomAmi",
    bucket="CustomS3Bucket",
    mounts=_mounts,
    setting_names=_setting_names,
    database=lambda of: of.get("Scheduling.SlurmSettings.Database") is not None,
    boundary="Iam.PermissionsBoundary",
    prefix="Iam.ResourcePrefix",
    functions_role="Iam.Roles.LambdaFunctionsRole",
)


def _cluster(one: ClusterConfiguration, names: Names) -> Iterator[Any]:
    values, ref = one.values, one.own.ref
    ref = ref if one.alone else Ref(ref.type, f"{ref.name}.{one.logical}")
    place = Place(one.own.resource.urn)
    unread = one.configuration is None or one.configuration is UNKNOWN
    if unread or not known(lambda: values.blocks(QUEUES)):
        yield _unread(one, ref, place)
    name = if_known(lambda: one.own.text("ClusterName"), UNKNOWN)
    cluster = _parallelcluster(values, ref=ref, place=place, name=name, version=one.version)
    yield cluster
    if unread:
        return
    yield head_node(values, cluster, names)
    for index, each in enumerate(values.known_blocks(POOLS)):
        yield login_pool(each, index, cluster, names)
    for index, each in enumerate(values.known_blocks(QUEUES)):
        yield from queue(each, index, cluster, names)
    yield from _file_systems(values)


def _unread(one: ClusterConfiguration, ref: Ref, place: Place) -> ClosedTemplate:
    """A configuration that cannot be read, or whose queues are unknown."""
    closed = Ref(TEMPLATE, ref.name)
    if one.configuration is None:
        fault = f"{one.logical} has no ClusterConfiguration that is a mapping"
        return ClosedTemplate(closed, place, fault=fault, remedy="give it as keys and values, not as text")
    what = "ClusterConfiguration" if one.configuration is UNKNOWN else "SlurmQueues"
    return ClosedTemplate(closed, place, missing=f"{what} of {one.logical}")


VIEWS: Mapping[str, Reader] = dict.fromkeys(STACKS, parallelcluster)
BESIDE = dict.fromkeys(STACKS, dict.fromkeys((*STACKS, *OBJECTS, KEY_PAIR), ""))
"""Objects with templates, other stacks with equal names, key pairs."""

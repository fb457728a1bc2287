"""Clusters on AWS ParallelCluster, in the CloudFormation stacks that a program registers, as judged things.

A cluster itself, its head node, each pool of login nodes, each queue, each compute resource, and the Lustre file
systems that it creates. All of them are in one Pulumi resource: the stack.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from muster.cloudformation.budget import TooMany
from muster.cloudformation.template import Template
from muster.fleet.registration import Registration
from muster.fleet.resources import (
    ClosedTemplate,
    LustreFileSystem,
    Mount,
    ParallelCluster,
    Place,
    Ref,
)
from muster.fleet.resources.parallelcluster import STORAGE_GROUP, TEMPLATE
from muster.fleet.resources.ref import KEY_PAIR, LUSTRE, SUBNET
from muster.hardware.lustre import SSD
from muster.object_cache import cached_by_identity
from muster.policies.views.cloudformation import OBJECTS, STACKS, template_of
from muster.policies.views.parallelcluster_configuration import (
    ClusterConfiguration,
    Names,
    configuration_of,
    configurations_in,
    may_hold_one,
    names_of,
    pools_of,
    queues_of,
)
from muster.policies.views.parallelcluster_nodes import head_node, login_pool, queue
from muster.policies.views.references import (
    References,
    block,
    blocks,
    first_set,
    integer,
    known_items,
    text_value,
)
from muster.unknown import UNKNOWN, UnknownType
from muster.versions import LUSTRE as LUSTRE_VERSION

_SETTINGS = {
    "Ebs": ("EbsSettings", ("VolumeId",)),
    "Efs": ("EfsSettings", ("FileSystemId",)),
    "FsxLustre": ("FsxLustreSettings", ("FileSystemId",)),
    "FsxOpenZfs": ("FsxOpenZfsSettings", ("VolumeId",)),
    "FsxOntap": ("FsxOntapSettings", ("VolumeId",)),
    "FileCache": ("FileCacheSettings", ("FileCacheId",)),
}
"""Kind of storage -> the key of its settings, and the keys in them with the id of existing storage."""

_LUSTRE, _DEFAULT = "FsxLustre", "SCRATCH_2"
"""ParallelCluster's own choice of a deployment type (`SharedFsxLustre`, cluster_config.py 3.16.1)."""


def mounts(configuration: Mapping[str, Any], one: ClusterConfiguration) -> tuple[Mount[UnknownType], ...] | UnknownType:
    """Everything that is mounted, in its order."""
    listed = blocks(configuration.get("SharedStorage"))
    return UNKNOWN if listed is UNKNOWN else tuple(_mount(each, index, one) for index, each in enumerate(listed))


def _mount(values: Mapping[str, Any], index: int, one: ClusterConfiguration) -> Mount[UnknownType]:
    kind = text_value(values.get("StorageType"))
    key, ids = _SETTINGS.get(str(kind), ("", ()))
    settings = block(values, key)
    return Mount(
        name=text_value(values.get("Name")),
        kind=kind,
        file_system=one.one(first_set(settings, *ids), LUSTRE) if ids else None,
        deletion=text_value(settings.get("DeletionPolicy")),
        inside=("SharedStorage", index),
    )


def file_systems(
    configuration: Mapping[str, Any], one: ClusterConfiguration
) -> Iterator[LustreFileSystem[UnknownType]]:
    """The Lustre file systems that the cluster creates."""
    subnets = _subnets(configuration, one)
    for index, each in enumerate(known_items(blocks(configuration.get("SharedStorage")))):
        settings = block(each, "FsxLustreSettings")
        if each.get("StorageType") == _LUSTRE and settings.get("FileSystemId") is None:
            name = each.get("Name")
            called = name if isinstance(name, str) else f"SharedStorage[{index}]"
            place = Place(one.stack.urn, f"shared storage {called}", ("SharedStorage", index))
            yield _file_system(settings, called, subnets, one, place)


def _file_system(
    settings: Mapping[str, Any], name: str, subnets: Any, one: ClusterConfiguration, place: Place
) -> LustreFileSystem[UnknownType]:
    """A file system, with ParallelCluster's defaults. One that is restored from a backup has the settings of the
    backup."""
    restored = settings.get("BackupId") is not None

    def values(key: str, default: Any) -> Any:
        value = settings.get(key)
        return value if value is not None else UNKNOWN if restored else default

    return LustreFileSystem(
        ref=Ref(LUSTRE, f"{one.stack.name}.{name}"),
        size=integer(values("StorageCapacity", None)),
        deployment=_known(text_value(values("DeploymentType", _DEFAULT))),
        disk=_known(text_value(values("StorageType", SSD))),
        throughput=integer(values("PerUnitStorageThroughput", None)),
        subnets=subnets,
        security_groups=(STORAGE_GROUP,),
        place=place,
        version=UNKNOWN if restored else LUSTRE_VERSION,
        backup_days=integer(values("AutomaticBackupRetentionDays", 0)),
        compression=_known(text_value(values("DataCompressionType", "NONE"))),
    )


def _known(value: str | None | UnknownType) -> str | UnknownType:
    return UNKNOWN if value is None else value


def _subnets(configuration: Mapping[str, Any], one: ClusterConfiguration) -> Any:
    """The subnets of the file systems that ParallelCluster creates: the subnet of its queues. It refuses to create any
    if they have several (`ManagedFsxMultiAzValidator`), as FSx does."""
    queues = blocks(block(configuration, "Scheduling").get("SlurmQueues"))
    listed = [block(each, "Networking").get("SubnetIds") for each in known_items(queues)]
    if queues is UNKNOWN or any(each is UNKNOWN for each in listed):
        return UNKNOWN
    every = [subnet for each in listed for subnet in (each if isinstance(each, list) else [each])]
    return one.several([*{str(subnet): subnet for subnet in every}.values()], SUBNET)


OTHERS = STACKS | OBJECTS | {KEY_PAIR}
"""Other types that the view reads: objects with templates, other stacks with equal names, key pairs."""

MOST_BYTES = 51_200
"""The limit of a template that is part of the request (CloudFormation's quotas)."""

_SPLIT = "split it, or write the values out instead of computing them with the template's functions"


def parallelcluster(stack: Registration, references: References, listed: list[Registration]) -> tuple[Any, ...]:
    """Reads the clusters of a stack's template; empty for a template without clusters."""
    template = template_of(stack, references, listed)
    if template is UNKNOWN or template is None:
        closed = _closed(stack, references, known=template is None)
        return (closed,) if closed else ()
    try:
        found = configurations_in(stack, template, references)
    except TooMany as why:
        fault = f"{why}, counted over all templates of the program"
        return (ClosedTemplate(_template_ref(stack, references), Place(stack.urn), fault=fault, remedy=_SPLIT),)
    if not found:
        return ()
    known = _known_names(listed)
    if not known:
        known.append(_names(listed, references))
    parts = [each for one in found for each in _cluster(one, known[0])]
    return (*parts, *_too_long(stack, references))


# templates that cannot be read


def _closed(stack: Registration, references: References, *, known: bool) -> ClosedTemplate | None:
    body = stack.inputs.get("templateBody")
    if not known:
        what = "its template (known only after `pulumi up`): it may create a cluster on ParallelCluster"
        return ClosedTemplate(_template_ref(stack, references), Place(stack.urn), missing=what)
    if body is None or not may_hold_one(body):
        return None
    fault = "the template of a cluster is neither JSON nor YAML with Resources"
    return ClosedTemplate(
        _template_ref(stack, references), Place(stack.urn), fault=fault, remedy="write it as JSON or YAML"
    )


def _too_long(stack: Registration, references: References) -> Iterator[ClosedTemplate]:
    body = stack.inputs.get("templateBody")
    count = len(body.encode()) if isinstance(body, str) else 0
    if count > MOST_BYTES:
        yield ClosedTemplate(
            _template_ref(stack, references),
            Place(stack.urn),
            fault=f"templateBody has {count} bytes, but CloudFormation accepts at most {MOST_BYTES}",
            remedy="put the template into a bucket, and set templateUrl",
        )


def _template_ref(stack: Registration, references: References) -> Ref:
    return Ref(TEMPLATE, references.ref(stack).name)


@cached_by_identity(4)
def _known_names(_listed: list[Registration]) -> list[Names]:
    """The names in these resources; empty until the first stack reads them for all."""
    return []


def _names(listed: list[Registration], references: References) -> Names:
    queues: Counter[str] = Counter()
    resources: Counter[str] = Counter()
    pools: Counter[str] = Counter()
    clusters = 0
    for stack in listed:
        template = template_of(stack, references, listed) if stack.type in STACKS else None
        if not isinstance(template, Template):
            continue
        try:
            found = configurations_in(stack, template, references)
        except TooMany:
            continue  # a finding of its own
        for one in found:
            clusters += 1
            entries = known_items(queues_of(one))
            queues.update(names_of(entries))
            pools.update(names_of(known_items(pools_of(one))))
            resources.update(
                name for each in entries for name in names_of(known_items(blocks(each.get("ComputeResources"))))
            )
    return Names(queues, resources, pools, clusters)


# the cluster


def _cluster(one: ClusterConfiguration, names: Names) -> Iterator[Any]:
    values, own = configuration_of(one), one.properties
    ref = one.references.ref(one.stack)
    ref = ref if one.alone else Ref(ref.type, f"{ref.name}.{one.logical}")
    place = Place(one.stack.urn)
    if one.configuration is None or one.configuration is UNKNOWN or queues_of(one) is UNKNOWN:
        yield _unread(one, ref, place)
    cluster = ParallelCluster(
        ref=ref,
        name=text_value(own.get("ClusterName")),
        version=one.version,
        os=text_value(block(values, "Image").get("Os")),
        image=text_value(block(values, "Image").get("CustomAmi")),
        place=place,
        mounts=mounts(values, one),
        setting_names=_setting_names(values),
    )
    yield cluster
    if one.configuration is None or one.configuration is UNKNOWN:
        return
    yield head_node(values, cluster, one, names)
    for index, each in enumerate(known_items(pools_of(one))):
        yield login_pool(each, index, cluster, one, names)
    for index, each in enumerate(known_items(queues_of(one))):
        yield from queue(each, index, cluster, one, names)
    yield from file_systems(values, one)


def _setting_names(values: Mapping[str, Any]) -> frozenset[str] | UnknownType:
    """The names in entries of one setting. An entry of several defines nodes or partitions."""
    listed = blocks(block(block(values, "Scheduling"), "SlurmSettings").get("CustomSlurmSettings"))
    return UNKNOWN if listed is UNKNOWN else frozenset(str(key) for each in listed if len(each) == 1 for key in each)


def _unread(one: ClusterConfiguration, ref: Ref, place: Place) -> ClosedTemplate:
    """A configuration that cannot be read, or whose queues are unknown."""
    closed = Ref(TEMPLATE, ref.name)
    if one.configuration is None:
        fault = f"ClusterConfiguration of {one.logical} is not a mapping"
        return ClosedTemplate(closed, place, fault=fault, remedy="write it as keys and values, not as text")
    what = "ClusterConfiguration" if one.configuration is UNKNOWN else "SlurmQueues"
    return ClosedTemplate(closed, place, missing=f"{what} of {one.logical} (known only after `pulumi up`)")

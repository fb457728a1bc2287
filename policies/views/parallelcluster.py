"""Clusters on AWS ParallelCluster, in the CloudFormation stacks that a program registers, as judged things.

A cluster itself, its head node, each queue, each compute resource, and the Lustre file system that it makes. All of
them are one resource of Pulumi's: its stack.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    ClosedTemplate,
    ComputeResource,
    Database,
    HeadNode,
    LustreFileSystem,
    ParallelCluster,
    Place,
    Queue,
    Ref,
)
from muster.fleet.resources.parallelcluster import TEMPLATE
from muster.fleet.resources.place import KEY_PAIR
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.cloudformation import Template
from policies.views.pcluster_configuration import (
    Names,
    Written,
    configuration_of,
    keys,
    may_hold_one,
    names_in,
    names_of,
    queues_of,
    written,
)
from policies.views.pcluster_nodes import head_node, queue
from policies.views.references import References, block, blocks, flag, known, word
from policies.views.shared_storage import file_systems, mounts
from policies.views.stack_template import OBJECTS, STACKS, template_of

OTHERS = STACKS | OBJECTS | {KEY_PAIR}
"""What else is looked at: where templates are, whose names are alike, what a key is."""

MOST_BYTES = 51_200
"""Of a template that is sent along (CloudFormation's quotas)."""

_Seen = ParallelCluster | HeadNode | Queue | ComputeResource | LustreFileSystem | ClosedTemplate


def parallelcluster(stack: Registration, references: References, others: Iterable[Registration]) -> tuple[_Seen, ...]:
    """Reads the clusters of a stack's template; nothing of a template without any."""
    listed = list(others)
    template = template_of(stack, references, listed)
    if template is UNKNOWN or template is None:
        closed = _closed(stack, references, known=template is None)
        return (closed,) if closed else ()
    found = written(stack, template, references)
    if not found:
        return ()
    names = _names(listed, references)
    parts = [each for one in found for each in _cluster(one, names, listed)]
    return (*parts, *_too_long(stack, references))


# templates that cannot be read


def _closed(stack: Registration, references: References, *, known: bool) -> ClosedTemplate | None:
    body = stack.inputs.get("templateBody")
    if not known:
        what = "its template, not known before creation: it may make a cluster on ParallelCluster"
        return ClosedTemplate(_template_ref(stack, references), Place(stack.urn), missing=what)
    if body is None or not may_hold_one(body):
        return None
    fault = "the template of a cluster is neither JSON nor YAML with Resources"
    return ClosedTemplate(
        _template_ref(stack, references), Place(stack.urn), fault=fault, remedy="make it one that CloudFormation reads"
    )


def _too_long(stack: Registration, references: References) -> Iterator[ClosedTemplate]:
    body = stack.inputs.get("templateBody")
    count = len(body.encode()) if isinstance(body, str) else 0
    if count > MOST_BYTES:
        yield ClosedTemplate(
            _template_ref(stack, references),
            Place(stack.urn),
            fault=f"a templateBody of {count} bytes: CloudFormation takes {MOST_BYTES}",
            remedy="put it into a bucket and give its templateUrl",
        )


def _template_ref(stack: Registration, references: References) -> Ref:
    return Ref(TEMPLATE, references.ref(stack).name)


def _names(listed: list[Registration], references: References) -> Names:
    queues: Counter[str] = Counter()
    resources: Counter[str] = Counter()
    clusters = 0
    for stack in listed:
        template = template_of(stack, references, listed) if stack.type in STACKS else None
        for one in written(stack, template, references) if isinstance(template, Template) else ():
            clusters += 1
            entries = known(queues_of(one))
            queues.update(names_of(entries))
            resources.update(name for each in entries for name in names_of(known(blocks(each.get("ComputeResources")))))
    return Names(queues, resources, clusters)


# the cluster


def _cluster(one: Written, names: Names, others: list[Registration]) -> Iterator[_Seen]:
    said, own = configuration_of(one), one.properties
    ref = one.references.ref(one.stack)
    ref = ref if one.alone else Ref(ref.type, f"{ref.name}.{one.logical}")
    place, slurm = Place(one.stack.urn), block(block(said, "Scheduling"), "SlurmSettings")
    if one.configuration is None or one.configuration is UNKNOWN or queues_of(one) is UNKNOWN:
        yield _unread(one, ref, place)
    settings = blocks(slurm.get("CustomSlurmSettings"))
    cluster = ParallelCluster(
        ref=ref,
        name=word(own.get("ClusterName")),
        version=one.version,
        os=word(block(said, "Image").get("Os")),
        image=word(block(said, "Image").get("CustomAmi")),
        place=place,
        imds=word(block(said, "Imds").get("ImdsSupport")),
        mounts=mounts(said, one),
        accounting=_given(slurm, "Database"),
        tags=keys(said.get("Tags")),
        deletion=word(own.get("DeletionPolicy")),
        rollback=flag(own.get("RollbackOnFailure")),
        database=_database(slurm),
        external_accounting=_given(slurm, "ExternalSlurmdbd"),
        munge_key=_given(slurm, "MungeKeySecretArn"),
        slurm_settings=UNKNOWN
        if settings is UNKNOWN
        else frozenset(key for each in settings if len(each) == 1 for key in each),
        node_names=frozenset(
            str(name) for each in known(settings) for key, name in each.items() if key.lower() == "nodename"
        ),
        include_file=slurm.get("CustomSlurmSettingsIncludeFile") is not None,
        dev_settings=names_in(said, "DevSettings"),
        stack_name=word(one.stack.inputs.get("name", one.stack.inputs.get("stackName"))),
    )
    yield cluster
    if one.configuration is None or one.configuration is UNKNOWN:
        return
    yield head_node(said, cluster, one, names, others)
    for index, each in enumerate(known(queues_of(one))):
        yield from queue(each, index, cluster, one, names)
    yield from file_systems(said, one)


def _unread(one: Written, ref: Ref, place: Place) -> ClosedTemplate:
    """A configuration, or its queues, of which nobody knows how many there are."""
    closed = Ref(TEMPLATE, ref.name)
    if one.configuration is None:
        fault = f"ClusterConfiguration of {one.logical} is no mapping"
        return ClosedTemplate(closed, place, fault=fault, remedy="write it as keys and values, not as text")
    what = "ClusterConfiguration" if one.configuration is UNKNOWN else "SlurmQueues"
    return ClosedTemplate(closed, place, missing=f"{what} of {one.logical}, not known before creation")


def _given(said: Mapping[str, Any], key: str) -> bool | UnknownType:
    value = said.get(key)
    return UNKNOWN if value is UNKNOWN else value is not None


def _database(slurm: Mapping[str, Any]) -> Database | None:
    if slurm.get("Database") is None:
        return None
    said = block(slurm, "Database")
    return Database(word(said.get("Uri")), word(said.get("PasswordSecretArn")))

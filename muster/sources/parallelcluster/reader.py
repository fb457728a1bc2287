"""Reads a configuration as the CloudFormation stack that a program registers for such a cluster: a stack with one
`Custom::PclusterCluster`. The same view and the same rules then judge both.

A configuration does not have the version of ParallelCluster or the cluster's name, which are arguments of `pcluster`:
both are unknown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from muster.edits import OF_FILE
from muster.finding import Finding, KeyPath, dotted_path
from muster.fleet.resources.ref import CLOUDFORMATION_STACK
from muster.position import Position
from muster.sources.keys import Checked, only_document, table_of
from muster.sources.placeholders import without_placeholders
from muster.sources.registrations import Program, source_name
from muster.sources.source import Gap, InputFile, Source
from muster.unknown import UNKNOWN

_KEYS = {name[0].lower() + name[1:]: name for name in table_of("parallelcluster").names}
TERMS = replace(OF_FILE, key=lambda name: ".".join(_KEYS.get(each, each) for each in name.split(".")))


FORMAT = "parallelcluster"
_SLURM = "slurm"


def read(file: InputFile) -> Source:
    """The stack that creates the file's cluster.

    Raises:
        InvalidFile: a key has a value of another form.
    """
    document = without_placeholders(only_document(file, "ParallelCluster configuration"))
    checked = Checked(file, document, "parallelcluster.Cluster", "ParallelCluster")
    document = checked.values
    region = document.get("Region")
    name = source_name(file)
    program = Program(name, FORMAT)
    program.add(CLOUDFORMATION_STACK, name, {"templateBody": _template(document)})

    def place(finding: Finding) -> Position:
        return file.position(_path(finding, document))

    return Source(
        name=name,
        registrations=program.registrations,
        gaps=(*checked.gaps, *_unread_storage(document)),
        unknown_keys=checked.unknown_keys,
        region=region if isinstance(region, str) else None,
        place=place,
        label=lambda _: "",
        terms=TERMS,
    )


def _template(document: Mapping[str, Any]) -> dict[str, Any]:
    configuration = dict(document)
    scheduling = document.get("Scheduling")
    if isinstance(scheduling, Mapping) and scheduling.get("Scheduler", _SLURM) not in (_SLURM, UNKNOWN):
        configuration["Scheduling"] = {**scheduling, "SlurmQueues": UNKNOWN}
    properties = {"ServiceToken": UNKNOWN, "ClusterName": UNKNOWN, "ClusterConfiguration": configuration}
    return {"Resources": {"the cluster": {"Type": "Custom::PclusterCluster", "Properties": properties}}}


_UNREAD_STORAGE = {
    "Efs": "Amazon EFS",
    "FsxOpenZfs": "FSx for OpenZFS",
    "FsxOntap": "FSx for NetApp ONTAP",
    "FileCache": "Amazon File Cache",
}
"""Kind of shared storage -> its service, of which rules evaluate only the deletion policy."""


def _unread_storage(document: Mapping[str, Any]) -> Iterator[Gap]:
    storage = document.get("SharedStorage")
    for index, each in enumerate(storage if isinstance(storage, list) else ()):
        service = _UNREAD_STORAGE.get(str(each.get("StorageType"))) if isinstance(each, Mapping) else None
        if service:
            what = f"no rule evaluates {service}, except for its deletion policy"
            yield Gap(dotted_path(("SharedStorage", index)), what)


_BLOCKS: Mapping[str, KeyPath] = {
    "network": ("Scheduling", "SlurmQueues"),
    "slurm": ("Scheduling", "SlurmSettings", "CustomSlurmSettings"),
}
"""The field of a description -> its block in the file."""


def _path(finding: Finding, document: Mapping[str, Any]) -> KeyPath:
    """A finding about the whole cluster is about a block of the file; others begin at the first line."""
    first, *below = finding.property.split(".")
    path = finding.inside or _BLOCKS.get(first, (first, *below))
    return path if path[0] in document else ()

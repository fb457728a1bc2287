"""Reads a configuration as the CloudFormation stack that a program registers for such a cluster: a stack with one
`Custom::PclusterCluster`. The same view and the same rules then judge both.

A configuration does not have the version of ParallelCluster or the cluster's name, which are arguments of `pcluster`:
both are unknown.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.edits import Terms
from muster.finding import Finding, KeyPath, dotted_path
from muster.fleet.resources.ref import CLOUDFORMATION_STACK
from muster.position import Position
from muster.sources.keys import Checked, only_document, table_of
from muster.sources.placeholders import without_placeholders
from muster.sources.registrations import Program, source_name
from muster.sources.source import Gap, InputFile, Source
from muster.unknown import UNKNOWN

_KEYS = {name[0].lower() + name[1:]: name for name in table_of("parallelcluster").names}
TERMS = Terms(
    key=lambda name: ".".join(_KEYS.get(each, each) for each in name.split(".")),
    document="file",
    deploy="the deployment",
    later="not in the file",
)


FORMAT = "parallelcluster"
_SLURM = "slurm"


def read(file: InputFile) -> Source:
    """The stack that creates the file's cluster.

    Raises:
        InvalidFile: a key has a value of another form.
    """
    document = without_placeholders(only_document(file, "ParallelCluster configuration"))
    checked = Checked(file, document, "parallelcluster.Configuration", "ParallelCluster")
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
        advice=checked.advice,
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


_OF_CLUSTER: Mapping[str, KeyPath] = {
    "parallelcluster-image-made-for-os": ("Image", "Os"),
    "parallelcluster-image-of-version": ("Image", "CustomAmi"),
    "parallelcluster-security-groups-alike": ("Scheduling", "SlurmQueues"),
    "slurm-settings-known": ("Scheduling", "SlurmSettings", "CustomSlurmSettings"),
}
"""Rule -> the block that its finding about the whole cluster is about. Other findings begin at the first line."""


def _path(finding: Finding, document: Mapping[str, Any]) -> KeyPath:
    path = finding.inside or _OF_CLUSTER.get(finding.rule, ())
    return path if not path or path[0] in document else ()

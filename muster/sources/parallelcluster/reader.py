"""Reads a configuration as the CloudFormation stack that a program registers for such a cluster: a stack with one
`Custom::PclusterCluster`. The same view and the same rules then judge both.

A configuration does not have the version of ParallelCluster or the cluster's name, which are arguments of `pcluster`:
both are unknown.
"""

from collections.abc import Mapping
from typing import Any

from muster.config.document import Position
from muster.finding import Finding, KeyPath
from muster.fleet.resources.ref import CLOUDFORMATION_STACK
from muster.sources.names import source_name
from muster.sources.parallelcluster.form import check_form, document_of, gaps, has_other_scheduler
from muster.sources.parallelcluster.words import in_words
from muster.sources.placeholders import without_placeholders
from muster.sources.program import Program
from muster.sources.source import InputFile, Source
from muster.unknown import UNKNOWN

FORMAT = "parallelcluster"


def read(file: InputFile) -> Source:
    """The stack that creates the file's cluster.

    Raises:
        InvalidFile: a key has a value of another form.
    """
    document = without_placeholders(document_of(file))
    check_form(file, document)
    region = document.get("Region")
    name = source_name(file)
    program = Program(name, FORMAT)
    program.add(CLOUDFORMATION_STACK, name, {"templateBody": _template(document)})

    def place(finding: Finding) -> Position:
        return file.position(_path(finding, document))

    return Source(
        name=name,
        registrations=program.registrations,
        gaps=tuple(gaps(document)),
        region=region if isinstance(region, str) else None,
        place=place,
        label=lambda _: "",
        words=in_words,
    )


def _template(document: Mapping[str, Any]) -> dict[str, Any]:
    configuration = dict(document)
    if has_other_scheduler(document):
        configuration["Scheduling"] = {**document["Scheduling"], "SlurmQueues": UNKNOWN}
    properties = {"ServiceToken": UNKNOWN, "ClusterName": UNKNOWN, "ClusterConfiguration": configuration}
    return {"Resources": {"the cluster": {"Type": "Custom::PclusterCluster", "Properties": properties}}}


_OF_CLUSTER: Mapping[str, KeyPath] = {
    "parallelcluster-os-supported": ("Image", "Os"),
    "parallelcluster-image-made-for-os": ("Image", "Os"),
    "parallelcluster-image-of-version": ("Image", "CustomAmi"),
    "parallelcluster-imds-v2": ("Imds",),
    "parallelcluster-accounting-legal": ("Scheduling", "SlurmSettings"),
    "parallelcluster-slurm-settings-allowed": ("Scheduling", "SlurmSettings", "CustomSlurmSettings"),
    "slurm-settings-known": ("Scheduling", "SlurmSettings", "CustomSlurmSettings"),
    "parallelcluster-tags-legal": ("Tags",),
    "parallelcluster-dev-settings-absent": ("DevSettings",),
    "parallelcluster-storage-within-limits": ("SharedStorage",),
    "parallelcluster-shared-volume-serves-fleet": ("SharedStorage",),
    "parallelcluster-security-groups-alike": ("Scheduling", "SlurmQueues"),
}
"""Rule -> the block that its finding about the whole cluster is about. Other findings begin at the first line."""


def _path(finding: Finding, document: Mapping[str, Any]) -> KeyPath:
    path = finding.inside or _OF_CLUSTER.get(finding.rule, ())
    return path if not path or path[0] in document else ()

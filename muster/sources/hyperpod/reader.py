"""Reads a request of CreateCluster or UpdateCluster, the output of `describe-cluster`, or the HyperPod CLI's
configuration, as the cluster that a Pulumi program registers."""

from collections.abc import Mapping
from typing import Any

from muster.config.document import Position
from muster.finding import Finding, KeyPath
from muster.fleet.resources.ref import HYPERPOD
from muster.sources.hyperpod import cli_config
from muster.sources.hyperpod.request import inputs_of
from muster.sources.hyperpod.terms import OF_CLI, OF_REQUEST
from muster.sources.keys import Checked, only_document
from muster.sources.names import source_name
from muster.sources.placeholders import without_placeholders
from muster.sources.registrations import Program
from muster.sources.source import InputFile, Source

FORMAT = "hyperpod"


def read(file: InputFile) -> Source:
    """The cluster that the file describes.

    Raises:
        InvalidFile: a key has a value of another form.
    """
    document = without_placeholders(only_document(file, "HyperPod cluster"))
    if cli_config.is_cli_config(document):
        return _of_cli(file, document)
    checked = Checked(file, document, "hyperpod.Request", "SageMaker's API")
    document = checked.values
    program = Program(source_name(file), FORMAT)
    inputs = inputs_of(document)
    program.add(HYPERPOD, name_of(document.get("ClusterName"), file), inputs, at=file.position(()))

    def place(finding: Finding) -> Position:
        return file.position(_path(finding, document))

    return Source(
        name=source_name(file),
        registrations=program.registrations,
        gaps=tuple(checked.gaps),
        advice=checked.advice,
        region=region_of(document),
        place=place,
        terms=OF_REQUEST,
    )


def name_of(given: Any, file: InputFile) -> str:
    """The name of the cluster in reports."""
    return given if isinstance(given, str) and given.strip() else source_name(file)


def region_of(document: Mapping[str, Any]) -> str | None:
    """The Region in the ARN of the EKS cluster, or of the HyperPod cluster itself."""
    orchestrator = document.get("Orchestrator")
    eks = orchestrator.get("Eks") if isinstance(orchestrator, Mapping) else None
    for arn in (eks.get("ClusterArn") if isinstance(eks, Mapping) else None, document.get("ClusterArn")):
        parts = arn.split(":") if isinstance(arn, str) else []
        if len(parts) > _REGION_IN_ARN and parts[0] == "arn" and parts[_REGION_IN_ARN]:
            return parts[_REGION_IN_ARN]
    return None


_REGION_IN_ARN = 3
"""``arn:aws:eks:us-west-2:111122223333:cluster/name``."""

_OF_CLUSTER: Mapping[str, KeyPath] = {
    "hyperpod-alone-on-eks": ("Orchestrator",),
}
"""Rule -> the key that its finding about the whole cluster is about."""


def _path(finding: Finding, document: Mapping[str, Any]) -> KeyPath:
    if finding.inside:
        return ("InstanceGroups", *finding.inside[1:])
    path = _OF_CLUSTER.get(finding.rule, ())
    return path if path and path[0] in document else ()


def _of_cli(file: InputFile, document: Mapping[str, Any]) -> Source:
    checked = Checked(file, document, "hyperpod.CliConfiguration", "the HyperPod CLI")
    program = Program(source_name(file), FORMAT)
    cli_config.add_cluster(program, file, checked.values, name_of(document.get("hyperpod_cluster_name"), file))

    def place(finding: Finding) -> Position | None:
        if len(finding.inside) > 1:
            return file.position((cli_config.GROUPS, finding.inside[1]))
        return program.place(finding)

    return Source(
        name=source_name(file),
        registrations=program.registrations,
        gaps=tuple(checked.gaps),
        advice=checked.advice,
        place=place,
        terms=OF_CLI,
    )

"""The table of file formats that `muster check FILE` knows: how to recognize each, and which module reads it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from muster.sources.pulumi.reader import is_engine_file
from muster.sources.registrations import object_type
from muster.sources.source import ImportedDescription, InputFile, Source
from muster.user_files import SOURCE


@dataclass(frozen=True, slots=True)
class Format:
    """One file format."""

    id: str
    """``terraform``: its folder, and its name in `--json`."""
    title: str
    """``Terraform plan or state (terraform show -json)``: in messages and in the reference."""
    noun: str
    """``Terraform plan``: in sentences."""
    matches: Callable[[Mapping[str, Any]], bool]
    """Whether a document has this format."""
    describes: bool = True
    """Whether `muster init --from-file` can bring its cluster over."""
    most: int = 2 * 2**20
    """Characters of a file. CloudFormation accepts 1 MB, and the other services less."""
    reader: str = ""
    """The format whose reader reads it too. Files of other formats may also have such documents."""

    @property
    def is_of_kubernetes(self) -> bool:
        """Whether its documents are Kubernetes objects."""
        return (self.reader or self.id) == "karpenter"

    def read(self, file: InputFile) -> Source:
        """The resources that the file creates.

        Raises:
            CannotBeRead: the file has errors; the message has the place and the remedy.
        """
        self._require_fitting(file)
        source: Source = import_module(f"muster.sources.{self.reader or self.id}.reader").read(file)
        return source

    def describe(self, file: InputFile, region: str | None = None) -> ImportedDescription:
        """The description of the file's cluster.

        Args:
            file: the file.
            region: the Region of the description, and of zones that are placeholders. Default: the file's.

        Raises:
            CannotBeRead: the file has errors, or has no cluster that a description can have.
        """
        # It loads the rules' views, which other commands do not need.
        writer = import_module("muster.sources.description")
        described: ImportedDescription = writer.describe(file, self.read(file), region)
        return described

    def _require_fitting(self, file: InputFile) -> None:
        """Refuses a file that no tool of this format accepts, and one that has a second format, because no rule would
        evaluate that part."""
        if len(file.text) > self.most:
            got = f"{len(file.text) / 2**20:.1f} MiB are more than a {self.noun} can have"
            raise file.fault((), got, f"split it into files of at most {self.most // 2**20} MiB")
        for index, document in enumerate(file.documents):
            other = next((each for each in FORMATS if isinstance(document, Mapping) and each.matches(document)), self)
            if (other.reader or other.id) != (self.reader or self.id):
                got = f"document {index + 1} has another format ({other.noun}) than the file ({self.noun})"
                raise file.fault((), got, "write each into its own file", index)


def _has_api(document: Mapping[str, Any], *prefixes: str) -> bool:
    return str(document.get("apiVersion", "")).startswith(prefixes)


def _is_terraform(document: Mapping[str, Any]) -> bool:
    return "terraform_version" in document or (
        "format_version" in document and not {"planned_values", "values", "resource_changes"}.isdisjoint(document)
    )


def _is_template(document: Mapping[str, Any]) -> bool:
    resources = document.get("Resources")
    if "AWSTemplateFormatVersion" in document:
        return True
    return isinstance(resources, Mapping) and any(
        isinstance(each, Mapping) and "Type" in each for each in resources.values()
    )


def _is_parallelcluster(document: Mapping[str, Any]) -> bool:
    return "Scheduling" in document and ("HeadNode" in document or "Image" in document)


def _is_hyperpod(document: Mapping[str, Any]) -> bool:
    names = {"RestrictedInstanceGroups", "hyperpod_cluster_name", "instance_group_settings"}
    if not names.isdisjoint(document):
        return True
    # EMR also has instance groups: they have no `InstanceGroupName`.
    groups = document.get("InstanceGroups")
    listed = groups if isinstance(groups, list) else []
    return any(isinstance(each, Mapping) and "InstanceGroupName" in each for each in listed) or (
        "InstanceGroups" in document and "ClusterName" in document
    )


_NAMED = ("kueue.x-k8s.io/", "resource.k8s.io/", "scheduling.k8s.io/", "trainer.kubeflow.org/")
"""The APIs of objects that jobs and pods name."""
_PODS = frozenset({"containers", "runtimeRef"})
"""A pod has the first key, and a TrainJob the second: its runtime has the pods."""


def _has_pods(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_has_pods, value))
    if not isinstance(value, Mapping):
        return False
    return any(isinstance(value.get(key), list | Mapping) for key in _PODS) or any(map(_has_pods, value.values()))


FORMATS = (
    Format(
        "pulumi",
        "Pulumi preview, saved plan or state (`pulumi preview --json`, `--save-plan`, `pulumi stack export`)",
        "Pulumi plan",
        is_engine_file,
        describes=False,
        most=SOURCE.most,
    ),
    Format(
        "terraform",
        "Terraform plan or state (`terraform show -json`)",
        "Terraform plan",
        _is_terraform,
        most=SOURCE.most,
    ),
    Format(
        "cloudformation", "CloudFormation template (`cdk synth` writes one)", "CloudFormation template", _is_template
    ),
    Format("eksctl", "eksctl ClusterConfig", "eksctl ClusterConfig", lambda document: _has_api(document, "eksctl.io/")),
    Format(
        "karpenter",
        "Karpenter NodePool and EC2NodeClass",
        "Karpenter NodePool",
        lambda document: _has_api(document, "karpenter.", "eks.amazonaws.com/"),
        describes=False,
    ),
    Format("parallelcluster", "ParallelCluster configuration", "ParallelCluster configuration", _is_parallelcluster),
    Format(
        "hyperpod",
        "HyperPod cluster configuration (`create-cluster --cli-input-json`, or the HyperPod CLI's)",
        "HyperPod cluster configuration",
        _is_hyperpod,
    ),
    Format(
        "kubernetes",
        "Kubernetes manifest of jobs and other pods",
        "Kubernetes manifest",
        lambda document: object_type(document) is not None and (_has_pods(document) or _has_api(document, *_NAMED)),
        describes=False,
        reader="karpenter",
    ),
)
"""Every format, in the order in which `recognize` tries them."""

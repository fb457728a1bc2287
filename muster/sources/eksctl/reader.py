"""Reads a ClusterConfig as the resources that eksctl creates from it."""

import re
from collections.abc import Mapping
from typing import Any

from muster.config.document import value_at
from muster.finding import KeyPath
from muster.message_text import closest_match
from muster.sources.eksctl.addons import add_addons, add_device_plugins
from muster.sources.eksctl.control_plane import add_control_plane, cluster_group_id
from muster.sources.eksctl.groups import GroupReader
from muster.sources.eksctl.keys import Checked
from muster.sources.eksctl.network import Network
from muster.sources.eksctl.refusals import refuse
from muster.sources.eksctl.resources import Resources, block
from muster.sources.eksctl.words import words
from muster.sources.placeholders import without_placeholders
from muster.sources.program import Program
from muster.sources.source import InputFile, Source
from muster.unknown import UNKNOWN
from muster.whole_number import whole_number

_API, _KIND = "eksctl.io/v1alpha5", "ClusterConfig"
_GROUP = "eksctl.io/"
_FORMAT = "eksctl"
_VERSION = re.compile(r"1\.([0-9]{1,9})(\.[0-9]{1,9})?")

_UNREAD: Mapping[KeyPath, str] = {
    ("fargateProfiles",): "the Fargate profiles: no rule reads pods on Fargate",
    ("karpenter",): "the nodes that Karpenter creates: check its NodePools beside this file",
    ("autoModeConfig",): "the nodes of EKS Auto Mode, which EKS chooses itself",
    ("remoteNetworkConfig",): "hybrid nodes, which are not in AWS",
    ("outpost",): "the control plane on Outposts",
    ("localZones",): "the subnets in Local Zones",
    ("capabilities",): "the EKS capabilities",
    ("gitops",): "what Flux installs from the Git repository",
    ("iam", "serviceAccounts"): "the roles of service accounts",
    ("iam", "podIdentityAssociations"): "the roles of pods",
    ("iamIdentityMappings",): "the users and roles in aws-auth",
}
"""Keys whose resources no rule reads -> what that is."""
_UNREAD_OF_GROUP = {
    "bottlerocket": "the settings of Bottlerocket",
    "kubeletExtraConfig": "the kubelet's configuration",
    "localZones": "the subnets in Local Zones",
    "instanceSelector": "the instance types, which eksctl chooses",
}


def read(file: InputFile) -> Source:
    """The resources that `eksctl create cluster -f` creates.

    Raises:
        InvalidFile: eksctl refuses the file.
    """
    document = _document_of(file)
    resources = read_resources(file, document)
    metadata = block(resources.config, "metadata")
    region = metadata.get("region")
    return Source(
        name=resources.name,
        registrations=resources.program.registrations,
        gaps=tuple(dict.fromkeys(resources.gaps)),
        region=region if isinstance(region, str) else None,
        place=resources.place,
        label=resources.label,
        words=words,
    )


def read_resources(file: InputFile, document: int | None = None) -> Resources:
    """The same with the file's configuration and the paths of its resources.

    Raises:
        InvalidFile: eksctl refuses the file.
    """
    document = _document_of(file) if document is None else document
    raw = file.documents[document]
    checked = Checked(file, document, without_placeholders(raw))
    config = checked.config
    refuse(file, document, config)
    shown = value_at(raw, ("metadata", "name"))
    name = str(shown) if isinstance(shown, str | int) and not isinstance(shown, bool) else "cluster"
    program = Program(re.sub(r"[^\w.-]+", "-", name) or "cluster", _FORMAT)
    resources = Resources(file, document, config, name, program, list(checked.gaps))
    network = Network(resources)
    cluster = add_control_plane(resources, network)
    kubernetes = version_of(config)
    GroupReader(resources, network, kubernetes, cluster, cluster_group_id(name)).read()
    add_addons(resources, cluster)
    add_device_plugins(resources)
    _record_unread(resources)
    return resources


def version_of(config: Mapping[str, Any]) -> tuple[int, int] | None:
    """The Kubernetes version; None if the file does not have it."""
    found = _VERSION.fullmatch(str(block(config, "metadata").get("version")))
    minor = whole_number(found[1]) if found else None
    return None if minor is None else (1, minor)


def _record_unread(resources: Resources) -> None:
    for path, what in _UNREAD.items():
        found = value_at(resources.config, path)
        if path == ("autoModeConfig",):
            found = isinstance(found, Mapping) and found.get("enabled") not in (None, False)
        if found is UNKNOWN or found:
            resources.missing(path, what)
    for kind in ("managedNodeGroups", "nodeGroups"):
        groups = resources.config.get(kind)
        for index, group in enumerate(groups if isinstance(groups, list) else []):
            for key, what in _UNREAD_OF_GROUP.items():
                if group is not UNKNOWN and group.get(key) not in (None, [], {}):
                    resources.missing((kind, index, key), what)


def _document_of(file: InputFile) -> int:
    """The number of the document with the cluster. eksctl reads only the first document of a file.

    Raises:
        InvalidFile: it is not the first one, or has another version or kind.
    """
    documents = [index for index, each in enumerate(file.documents) if each is not None]
    ours = [
        index
        for index in documents
        if isinstance(file.documents[index], Mapping)
        and str(file.documents[index].get("apiVersion")).startswith(_GROUP)
    ]
    first = ours[0]
    if len(ours) > 1:
        got = "the file has several ClusterConfigs, but eksctl reads only the first document"
        raise file.fault((), got, "write each cluster into its own file", ours[1])
    if first != documents[0]:
        got = "the ClusterConfig is not the first document, but eksctl reads only the first one"
        raise file.fault((), got, "move it to the beginning, or into its own file", first)
    version, kind = file.documents[first].get("apiVersion"), file.documents[first].get("kind")
    if version != _API:
        raise file.fault(("apiVersion",), f"eksctl does not know apiVersion '{version}'", f"write {_API}", first)
    if kind != _KIND:
        near = f"; did you mean '{_KIND}'?" if closest_match(str(kind), [_KIND]) else ""
        raise file.fault(("kind",), f"eksctl does not know kind '{kind}'{near}", f"write kind: {_KIND}", first)
    return first

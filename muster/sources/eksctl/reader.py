"""Reads a ClusterConfig as the resources that eksctl creates from it."""

import re
from collections.abc import Mapping
from typing import Any

from muster.config.document import value_at
from muster.message_text import show_value
from muster.sources.eksctl.addons import add_addons, add_device_plugins
from muster.sources.eksctl.groups import add_groups
from muster.sources.eksctl.network import Network, add_control_plane
from muster.sources.eksctl.resources import TERMS, Resources, block
from muster.sources.keys import Checked
from muster.sources.placeholders import without_placeholders
from muster.sources.registrations import Program
from muster.sources.source import InputFile, Source
from muster.whole_number import whole_number

_API, _KIND = "eksctl.io/v1alpha5", "ClusterConfig"
_GROUP = "eksctl.io/"
_FORMAT = "eksctl"
_VERSION = re.compile(r"1\.([0-9]{1,9})(\.[0-9]{1,9})?")


def read(file: InputFile) -> Source:
    """The resources that `eksctl create cluster -f` creates.

    Raises:
        InvalidFile: a value has another kind than eksctl's, or the file has several clusters.
    """
    document = _document_of(file)
    raw = file.documents[document]
    checked = Checked(file, without_placeholders(raw), "eksctl.ClusterConfig", _FORMAT, document)
    config = checked.values
    shown = value_at(raw, ("metadata", "name"))
    name = str(shown) if isinstance(shown, str | int) and not isinstance(shown, bool) else "cluster"
    program = Program(re.sub(r"[^\w.-]+", "-", name) or "cluster", _FORMAT)
    resources = Resources(file, document, config, name, program, checked.gaps)
    network = Network(resources)
    cluster = add_control_plane(resources, network)
    add_groups(resources, network, _version_of(config), cluster)
    add_addons(resources, cluster)
    add_device_plugins(resources)
    region = block(config, "metadata").get("region")
    return Source(
        name=name,
        registrations=program.registrations,
        gaps=tuple(dict.fromkeys(resources.gaps)),
        unknown_keys=checked.unknown_keys,
        region=region if isinstance(region, str) else None,
        place=resources.place,
        label=resources.label,
        terms=TERMS,
    )


def _version_of(config: Mapping[str, Any]) -> tuple[int, int] | None:
    """The Kubernetes version; None if the file does not have it."""
    found = _VERSION.fullmatch(str(block(config, "metadata").get("version")))
    minor = whole_number(found[1]) if found else None
    return None if minor is None else (1, minor)


def _document_of(file: InputFile) -> int:
    """The number of the document with the cluster.

    Raises:
        InvalidFile: there are several, or it has another version or kind.
    """
    first, *others = (
        index
        for index, each in enumerate(file.documents)
        if isinstance(each, Mapping) and str(each.get("apiVersion")).startswith(_GROUP)
    )
    if others:
        got = "the file has several ClusterConfigs, but eksctl reads only the first document"
        raise file.fault((), got, "write each cluster into its own file", others[0])
    for key, known in (("apiVersion", _API), ("kind", _KIND)):
        given = file.documents[first].get(key)
        if given != known:
            raise file.fault((key,), f"{key} is {show_value(given)}, not {known}", f"write {key}: {known}", first)
    return first

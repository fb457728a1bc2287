"""Whether a description has all of a node's user data: Muster writes what lets a node join, and arrays of disks."""

import base64
import tomllib
from collections.abc import Iterator, Mapping
from email import message_from_bytes
from typing import Any

from muster.unknown import UNKNOWN
from muster.yaml_text import NotYaml, load_all

WHY = "Muster writes the user data; a group has local-storage for an array of its NVMe disks"
_OWN = b"MUSTER-NODE"
"""The boundary in user data that Muster writes."""
_NODE_CONFIG: Mapping[str, Any] = {"cluster": None, "instance": {"localStorage": None}}
"""The settings of a NodeConfig that Muster also writes; None: with everything below them."""
_BOTTLEROCKET: Mapping[str, Any] = {
    "kubernetes": dict.fromkeys(
        (
            "cluster-name",
            "api-server",
            "cluster-certificate",
            "cluster-dns-ip",
            "max-pods",
            "node-labels",
            "node-taints",
        )
    ),
    "kernel": {"sysctl": {"vm.nr_hugepages": None}},
    "host-containers": {"admin": None},
    "bootstrap-commands": {"local-scratch": None},
}
"""The same for Bottlerocket."""


def is_described(data: Any) -> bool:
    """Whether user data (base64 or text) has nothing but what Muster also writes. Unknown data may have more."""
    if data is UNKNOWN:
        return False
    if data is None or data == "":
        return True
    decoded = _decoded(str(data))
    if _OWN in decoded:
        return True
    try:
        settings = list(_settings(decoded))
    except (ValueError, NotYaml, RecursionError):
        return False
    return all(isinstance(each, Mapping) and _is_within(each, known) for each, known in settings)


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except ValueError:
        return data.encode(errors="replace")


def _settings(data: bytes) -> Iterator[tuple[Any, Mapping[str, Any]]]:
    """The settings of each part, with those that Muster also writes.

    Raises:
        ValueError: a part is neither a NodeConfig nor settings of Bottlerocket.
    """
    text = data.decode(errors="replace")
    if text.lstrip().startswith("["):
        yield tomllib.loads(text).get("settings"), _BOTTLEROCKET
        return
    parts = [part for part in message_from_bytes(data.lstrip()).walk() if not part.is_multipart()]
    is_mime = text.lstrip().lower().startswith(("mime-version:", "content-type:"))
    for body in [str(part.get_payload()) for part in parts] if is_mime else [text]:
        for each in load_all(body):
            if each is not None:
                if not isinstance(each, Mapping) or each.get("kind") != "NodeConfig":
                    raise ValueError("a part is not a NodeConfig")
                yield each.get("spec") or {}, _NODE_CONFIG


def _is_within(values: Mapping[Any, Any], known: Mapping[str, Any]) -> bool:
    for key, value in values.items():
        if key not in known:
            return False
        below = known[key]
        if below is not None and not (isinstance(value, Mapping) and _is_within(value, below)):
            return False
    return True

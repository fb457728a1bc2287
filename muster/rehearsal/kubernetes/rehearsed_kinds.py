"""Which objects of users' files and of charts a rehearsal creates: `rehearsed_kinds.toml`."""

import tomllib
from collections.abc import Mapping
from typing import Any

from muster.hardware.tables import read_text

_KINDS: Mapping[str, frozenset[str]] = {
    group: frozenset(kinds.split())
    for group, kinds in tomllib.loads(read_text("rehearsed_kinds.toml", "muster.rehearsal.kubernetes")).items()
}
"""API group of Kubernetes or of an operator that runs in rehearsals -> kinds."""


def is_rehearsed(thing: Mapping[str, Any]) -> bool:
    """Whether a rehearsal creates an object. On kinds of other groups, none of its programs acts."""
    group = str(thing["apiVersion"]).rpartition("/")[0]
    if group in _KINDS:
        return thing["kind"] in _KINDS[group]
    return "." in group and not group.endswith(".k8s.io")


def without_conversion(thing: dict[str, Any]) -> dict[str, Any]:
    """A CustomResourceDefinition of a chart without its conversion webhook."""
    return {**thing, "spec": {key: value for key, value in thing["spec"].items() if key != "conversion"}}

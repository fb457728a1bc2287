"""Pods as a job's own controller would make them, for a rehearsal without that controller.

Two things differ from life, both on purpose: names end in a number where a controller draws letters by lot, and a
pod has no owner, for there is no object to own it. The scheduler's name is left out: the default one stands in.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from muster.jobs.reading import Field

ROLE_LABEL = "muster/role"
"""The role's name, on every pod that stands in."""

Pod = dict[str, Any]


def a_pod(
    template: Mapping[str, Any],
    name: str,
    namespace: str,
    role: str,
    *,
    labels: Mapping[str, str],
    annotations: Mapping[str, str] | None = None,
    spec: Mapping[str, Any] | None = None,
) -> Pod:
    """A pod from a template.

    Args:
        template: the user's.
        name: the pod's.
        namespace: the job's: pods are never made elsewhere.
        role: which of the job's.
        labels: the controller's; they win over the template's.
        annotations: likewise.
        spec: what the controller sets in the pod's spec; an empty value takes the key out.
    """
    written = Field(template)
    own = {**written.at("metadata", "labels").texts(), **labels, ROLE_LABEL: role}
    said = {**written.at("metadata", "annotations").texts(), **(annotations or {})}
    whole = {**deepcopy(dict(written.at("spec").mapping())), **(spec or {}), "schedulerName": None}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "labels": own, **({"annotations": said} if said else {})},
        "spec": {key: value for key, value in whole.items() if value is not None and value != ""},
    }


def extended(spec: Field, key: str, *more: Any) -> list[Any]:
    """A list of the spec with entries behind the user's own."""
    return [*(each.value for each in spec.at(key).entries()), *more]


def first_container(spec: Field, **more: list[Any]) -> list[Any]:
    """The containers, with entries behind those of the first one's lists: `env=[...]`."""
    first, *others = spec.at("containers").entries()
    return [
        {**first.mapping(), **{key: extended(first, key, *entries) for key, entries in more.items() if entries}},
        *(each.value for each in others),
    ]

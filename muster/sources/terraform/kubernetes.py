"""Helm releases and Kubernetes manifests, of the providers `helm`, `kubernetes` and `kubectl`."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from muster.plain_data import as_list, merged
from muster.sources.registrations import object_type
from muster.unknown import UNKNOWN, has_unknown
from muster.whole_number import whole_number
from muster.yaml_text import NotYaml, load_all

RELEASE = "helm_release"
_RELEASE_TYPE = "kubernetes:helm.sh/v3:Release"
_MANIFEST, _YAML = "kubernetes_manifest", "kubectl_manifest"
_UNSET: tuple[Any, ...] = (None, "", [], {})


def is_kubernetes(type_: str) -> bool:
    """Whether it is a release or an object that rules may read."""
    return type_ in (RELEASE, _MANIFEST, _YAML)


def object_of(type_: str, values: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Pulumi's type and inputs of a resource; None for an object whose kind is not known.

    Args:
        type_: Terraform's type.
        values: its attributes, with `UNKNOWN` for values that are not known.
    """
    if type_ == RELEASE:
        return _RELEASE_TYPE, _release(values)
    manifest: Any = values.get("manifest") if type_ == _MANIFEST else _parsed(values.get("yaml_body"))
    kind = object_type(manifest)
    return (kind, {str(key): value for key, value in manifest.items()}) if kind else None


def _parsed(text: Any) -> Any:
    """The object in YAML text; unknown for text that cannot be read: kubectl would refuse it."""
    if not isinstance(text, str):
        return UNKNOWN
    try:
        documents = [each for each in load_all(text) if each is not None]
    except NotYaml:
        return UNKNOWN
    return documents[0] if len(documents) == 1 else UNKNOWN


def _release(values: Mapping[str, Any]) -> dict[str, Any]:
    inputs = {"chart": UNKNOWN} | {
        each: values[each] for each in ("chart", "version", "namespace", "name") if each in values
    }
    made = {name: value for name, value in inputs.items() if value not in _UNSET}
    if (repository := values.get("repository")) not in _UNSET:
        made["repositoryOpts"] = {"repo": repository}
    return {**made, "values": _values(values)}


def _values(values: Mapping[str, Any]) -> Any:
    """The chart's values as Helm merges them: each text of `values`, then each `set`, `set_list` and `set_sensitive`
    (helm provider, `getValues`). Unknown if one of the texts is unknown or cannot be read."""
    texts = values.get("values")
    if texts is UNKNOWN:
        return UNKNOWN
    made: dict[str, Any] = {}
    for text in as_list(texts):
        if text in (None, ""):
            continue
        read = _parsed(text)
        if not isinstance(read, Mapping):
            return UNKNOWN
        made = merged(made, read)
    for name in ("set", "set_list", "set_sensitive", "set_wo"):
        entries = values.get(name)
        if entries is UNKNOWN:
            return UNKNOWN
        for each in as_list(entries):
            if not isinstance(each, Mapping):
                return UNKNOWN
            if not set_value(made, each.get("name"), each.get("value", UNKNOWN), each.get("type")):
                return UNKNOWN
    return made


_STEP = re.compile(r"(?:\\.|[^.\\\[])+|\[\d{1,4}\]")


def set_value(values: dict[str, Any], name: Any, value: Any, type_: Any = None) -> bool:
    """Sets one of a chart's values, as Helm's `--set` does. False for a path that cannot be read.

    ``a.b[0].c`` is a path; a dot in a key has a backslash before it (Helm's `strvals`).
    """
    steps = list(_steps(name)) if isinstance(name, str) else []
    if not steps or isinstance(steps[0], int):
        return False
    around: Any = values
    for step, after in pairwise(steps):
        around = _into(around, step, [] if isinstance(after, int) else {})
        if around is None:
            return False
    return _into(around, steps[-1], _typed(value, type_), replace=True) is not None


def _steps(name: str) -> Iterator[str | int]:
    for each in _STEP.findall(name):
        yield whole_number(each[1:-1]) or 0 if each.startswith("[") else re.sub(r"\\(.)", r"\1", each)


def _into(around: Any, step: str | int, value: Any, *, replace: bool = False) -> Any:
    """The value at a step, created if it is not there; None where the step does not fit."""
    if isinstance(step, int):
        if not isinstance(around, list) or step > len(around):
            return None
        if step == len(around):
            around.append(value)
        elif replace or not isinstance(around[step], type(value)):
            around[step] = value
        return around[step] if around[step] is not None else UNKNOWN
    if not isinstance(around, dict):
        return None
    if replace or not isinstance(around.get(step), type(value)):
        around[step] = value
    return around[step] if around[step] is not None else UNKNOWN


def _typed(value: Any, type_: Any) -> Any:
    """A value as Helm's `--set` reads it: ``true``, ``null`` and numbers have their types, others are text."""
    if not isinstance(value, str) or type_ == "string":
        return value if type_ != "string" or has_unknown(value) else str(value)
    if value in ("true", "false"):
        return value == "true"
    if value == "null":
        return None
    if value.startswith("{") and value.endswith("}"):
        return [_typed(each.strip(), None) for each in value[1:-1].split(",") if each.strip()]
    return whole_number(value) if re.fullmatch(r"-?(0|[1-9][0-9]{0,17})", value) else value

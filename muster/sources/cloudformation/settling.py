"""Evaluated values of a template as inputs: what only CloudFormation knows is unknown."""

from collections.abc import Mapping
from typing import Any

from muster.cloudformation.values import Inside, Named
from muster.sources.placeholders import is_placeholder
from muster.unknown import UNKNOWN

_OF_CLUSTERS = ("kubernetes.io/cluster/", "k8s.io/cluster-autoscaler/")
"""Beginnings of the tag keys that rules read: they matter even if the rest is not known."""
_ADDRESS = "s3://"
_TEXTS = frozenset({"UserData", "PolicyDocument", "AssumeRolePolicyDocument", "Description"})
"""Texts and documents that may contain what elsewhere is a placeholder."""


def settled(value: Any, key: str = "") -> Any:
    """An evaluated value in which everything that only CloudFormation knows is `UNKNOWN`. Null, which CloudFormation
    refuses, is unknown."""
    if isinstance(value, Mapping):
        return {str(name): settled(each, key if key in _TEXTS else str(name)) for name, each in value.items()}
    if isinstance(value, list):
        return [settled(each, key) for each in value]
    if isinstance(value, Inside):
        return value.shape if key == "Key" and value.shape.startswith(_OF_CLUSTERS) else UNKNOWN
    if value is None:
        return UNKNOWN
    if isinstance(value, str) and not isinstance(value, Named) and key not in _TEXTS and is_placeholder(value):
        return UNKNOWN
    return value


def finished(
    inputs: Mapping[str, Any], others: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], dict[str, frozenset[str]]]:
    """Inputs with the names of resources as plain texts, and for each input the resources that its unknown values
    come from.

    A text that has more than the name of a resource (``my-${Vpc}``) is unknown, but for an address in a bucket, the key
    of a tag and the documents of policies: there, the rest of the text is enough.

    Args:
        inputs: the inputs.
        others: other texts that name a resource (its ARN, made of its name) -> the text that stands for it.
    """
    made: dict[str, Any] = {}
    uses: dict[str, frozenset[str]] = {}
    for name, value in inputs.items():
        found: set[str] = set()
        made[name] = _plain(value, name, found, others or {}, keep=name in _POLICIES)
        if found:
            uses[name] = frozenset(found)
    return made, uses


_POLICIES = frozenset({"policy", "assumeRolePolicy", "inlinePolicies"})


def _plain(value: Any, key: str, found: set[str], others: Mapping[str, str], *, keep: bool) -> Any:
    if isinstance(value, Mapping):
        return {name: _plain(each, str(name), found, others, keep=keep) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each, key, found, others, keep=keep) for each in value]
    if not isinstance(value, Named):
        return value
    if (known := _in_other_words(value, others)) is not None:
        return known
    if keep or key == "key":
        return str(value)
    found |= value.resources
    return UNKNOWN


def _in_other_words(value: Named, others: Mapping[str, str]) -> str | None:
    """The text of a value that certainly names a resource; None for others."""
    if value in others:
        return others[value]
    if not value.parts:
        return str(value) if value.resource else None
    if not value.startswith(_ADDRESS):
        return None
    bucket, slash, rest = value.removeprefix(_ADDRESS).partition("/")
    if f"{_ADDRESS}{bucket}" in others:
        return f"{_ADDRESS}{others[f'{_ADDRESS}{bucket}']}{slash}{rest}"
    return str(value) if "" not in value.resources else None

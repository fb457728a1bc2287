"""IAM policy documents, as far as rules read them."""

import json
from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Statement
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.reading.unknowns import veiled
from policies.views.references import known, texts

EVERYBODY = "*"


def statements(document: Any) -> list[Mapping[str, Any]] | UnknownType:
    """The statements of a document that allow something; of a text that is no JSON none: IAM refuses it."""
    if isinstance(document, str):
        try:
            document = json.loads(document)
        except ValueError:
            return []
    listed: Any = document.get("Statement") if isinstance(document, Mapping) else document
    found = listed if isinstance(listed, list) else [listed]
    if any(each is UNKNOWN for each in found):
        return UNKNOWN
    return [each for each in found if isinstance(each, Mapping) and each.get("Effect") == "Allow"]


def allowed(document: Any) -> tuple[Statement, ...] | UnknownType:
    """What a document allows, in its order."""
    found = statements(document)
    if found is UNKNOWN:
        return UNKNOWN
    if any(veiled([each.get(name) for name in ("Action", "NotAction")]) for each in found):
        return UNKNOWN
    return tuple(_statement(each) for each in found)


def _statement(said: Mapping[str, Any]) -> Statement:
    """A resource that is not known yet is one of the program's, and so one that is named."""
    actions = frozenset({EVERYBODY}) if "NotAction" in said else frozenset(known(texts(said.get("Action"))))
    resources = said.get("Resource", EVERYBODY if "NotResource" in said else [])
    listed = resources if isinstance(resources, list) else [resources]
    return Statement(actions, frozenset("" if each is UNKNOWN else str(each) for each in listed))


def services(document: Any) -> frozenset[str]:
    """The AWS services that a trust policy lets in, as far as they are known: ``ec2.amazonaws.com``."""
    principals = (each.get("Principal") for each in known(statements(document)))
    named = (known(texts(each.get("Service"))) for each in principals if isinstance(each, Mapping))
    return frozenset(each for listed in named for each in listed)


def lets_everybody(document: Any) -> bool | UnknownType:
    """Whether a resource's policy allows something to everybody, and on no condition."""
    found = statements(document)
    if found is UNKNOWN:
        return UNKNOWN
    return any(_everybody(each.get("Principal")) and not each.get("Condition") for each in found)


def _everybody(principal: Any) -> bool:
    named = principal.values() if isinstance(principal, Mapping) else [principal]
    return any(EVERYBODY in known(texts(each)) for each in named)

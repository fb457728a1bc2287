"""IAM policy documents, as far as rules read them."""

import re
from collections.abc import Mapping
from typing import Any

from muster.fleet import json_text
from muster.fleet.resources import Statement
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import known, texts

EVERYBODY = "*"

NARROWING = frozenset(
    {
        *("aws:principalarn", "aws:principalaccount", "aws:principalorgid", "aws:principalorgpaths", "aws:userid"),
        *("aws:username", "aws:principalisawsservice", "aws:principalservicename", "aws:principalservicenameslist"),
        *("aws:sourcearn", "aws:sourceaccount", "aws:sourceorgid", "aws:sourceorgpaths", "aws:sourceip"),
        *("aws:sourcevpc", "aws:sourcevpce", "aws:sourcevpcarn", "aws:vpcsourceip", "aws:vpceaccount"),
        *("aws:vpceorgid", "aws:vpceorgpaths", "s3:dataaccesspointarn", "s3:dataaccesspointaccount"),
    }
)
"""Condition keys that say who asks, or from which network."""


def statements(document: Any) -> list[Mapping[str, Any]] | UnknownType:
    """The statements of a document that allow something; of a text that is no JSON none: IAM refuses it."""
    found = _statements(document)
    if any(each is UNKNOWN for each in found):
        return UNKNOWN
    return [each for each in found if _allows(each)]


def _statements(document: Any) -> list[Any]:
    if isinstance(document, str):
        try:
            document = json_text.load(document)
        except json_text.NotJson:
            return []
    return _listed(document.get("Statement") if isinstance(document, Mapping) else document)


def _allows(statement: Any) -> bool:
    return isinstance(statement, Mapping) and statement.get("Effect") == "Allow"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def allowed(document: Any) -> tuple[tuple[Statement, ...], bool]:
    """What a document allows, in its order, as far as it is known; and whether something is not."""
    listed = _statements(document)
    read = [_statement(each) for each in listed if _allows(each)]
    return tuple(found for found, _ in read), any(more for _, more in read) or UNKNOWN in listed


def _statement(said: Mapping[str, Any]) -> tuple[Statement, bool]:
    """A statement, and whether it has actions that are not known yet. A resource that is not known is one of the
    program's, and so one that is named."""
    given = [EVERYBODY] if "NotAction" in said else _listed(said.get("Action"))
    resources = _listed(said.get("Resource", EVERYBODY if "NotResource" in said else []))
    actions = frozenset(str(each) for each in given if each is not UNKNOWN)
    named = frozenset("" if each is UNKNOWN else str(each) for each in resources)
    return Statement(actions, named), UNKNOWN in given or said.get("NotAction") is UNKNOWN


def services(document: Any) -> frozenset[str]:
    """The AWS services that a trust policy lets in, as far as they are known: ``ec2.amazonaws.com``."""
    principals = (each.get("Principal") for each in known(statements(document)))
    named = (known(texts(each.get("Service"))) for each in principals if isinstance(each, Mapping))
    return frozenset(each for listed in named for each in listed)


def lets_everybody(document: Any) -> bool | UnknownType:
    """Whether a resource's policy allows something to everybody, and on no condition of who or from where."""
    found = statements(document)
    if found is UNKNOWN:
        return UNKNOWN
    answers = [_narrowed(each.get("Condition")) for each in found if _everybody(each.get("Principal"))]
    if any(each is False for each in answers):
        return True
    return UNKNOWN if UNKNOWN in answers else False


_OPEN = re.compile("not|null|ifexists", re.IGNORECASE)
"""In operators that let in whoever has no such key, or any value but one."""


def _narrowed(condition: Any) -> bool | UnknownType:
    """Whether a condition says who, or from where: that the request is encrypted, or what it asks for, says neither.
    One that says what is not the case lets all others in."""
    operators: Mapping[str, Any] = condition if isinstance(condition, Mapping) else {}
    if condition is UNKNOWN or any(each is UNKNOWN for each in operators.values()):
        return UNKNOWN
    return any(
        str(key).lower() in NARROWING and not _OPEN.search(operator)
        for operator, keys in operators.items()
        if isinstance(keys, Mapping)
        for key in keys
    )


def _everybody(principal: Any) -> bool:
    named = principal.values() if isinstance(principal, Mapping) else [principal]
    return any(EVERYBODY in known(texts(each)) for each in named)

"""Policy documents of IAM."""

from collections.abc import Mapping
from typing import Any

from muster import json_text
from muster.plain_data import as_list


def statements_of(document: Any) -> list[Any]:
    """The statements of a policy document, or of its JSON; none of what is neither."""
    if isinstance(document, str):
        try:
            document = json_text.load(document)
        except json_text.NotJson:
            return []
    return as_list(document.get("Statement") if isinstance(document, Mapping) else document)


def allows(statement: Any) -> bool:
    """Whether a statement allows something."""
    return isinstance(statement, Mapping) and statement.get("Effect") == "Allow"


def services(document: Any) -> frozenset[str]:
    """The AWS services that a trust policy allows, as far as they are known: ``ec2.amazonaws.com``."""
    principals = (each.get("Principal") for each in statements_of(document) if allows(each))
    named = (as_list(each.get("Service")) for each in principals if isinstance(each, Mapping))
    return frozenset(each for listed in named for each in listed if isinstance(each, str))

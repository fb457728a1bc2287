"""Placeholders in files that tutorials publish: ``$AWS_REGION``, ``<your-vpc>``, ``1.XX``. Their values are unknown."""

import re
from collections.abc import Mapping
from typing import Any

from muster.unknown import UNKNOWN

_PLACEHOLDER = re.compile(
    r"""
    \$\{?[A-Za-z_]\w*\}?                       # $AWS_REGION, ${VPC_ID}
    | <[^<>]+>                                 # <your-vpc-id>
    | \{\{[^{}]*\}\}                           # {{ subnet }}
    | \[?(?:YOUR|INSERT|REPLACE|PLACEHOLDER)[\w\s.-]*\]?   # YOUR_SUBNET_ID
    | 1\.XX
    | (?:subnet|sg|vpc|cr|ami|fs|cb)-(?:x{3,}|X{3,}|\.{3})  # subnet-xxxxxxxx
    | s3://(?:x{3,}|X{3,})(?:/.*)?             # s3://xxx/scripts
    """,
    re.VERBOSE,
)
_WITHIN = re.compile(
    r"\$\{?[A-Z_]\w*\}?|<[A-Za-z][\w\s-]*>|\{\{[^{}]*\}\}|(?:x{6,}|X{6,})|\b(?:YOUR|REPLACE)_[A-Z_]+\b"
)


_EXPRESSION = re.compile(r"\{\{[^{}]*\}\}")


def is_placeholder(value: Any) -> bool:
    """Whether a value is a placeholder, or a word with one in it: ``arn:aws:iam::$ACCOUNT:role/a``.

    A text with spaces is a script or a sentence, in which these signs have other meanings.
    """
    if not isinstance(value, str):
        return False
    text = _EXPRESSION.sub("{{}}", value.strip())
    return bool(_PLACEHOLDER.fullmatch(text) or (len(text.split()) == 1 and _WITHIN.search(text)))


def without_placeholders(value: Any) -> Any:
    """Plain data in which each placeholder is `UNKNOWN`."""
    if isinstance(value, Mapping):
        return {key: without_placeholders(each) for key, each in value.items()}
    if isinstance(value, list):
        return [without_placeholders(each) for each in value]
    return UNKNOWN if is_placeholder(value) else value


def text_of_version(value: Any) -> Any:
    """A version as text: the number 1.31 is certain, and 1.3 may be 1.30, so it is `UNKNOWN`."""
    if isinstance(value, bool | int) or not isinstance(value, float):
        return UNKNOWN if isinstance(value, bool | int) else value
    return str(value) if re.fullmatch(r"\d+\.\d{2,}", str(value)) else UNKNOWN

"""Credentials that stand in plain text: found by the forms that their makers give them, not by how random they
look."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

_FORMS = {
    # IAM user guide, "reference_identifiers": AKIA for long-term keys, ASIA for temporary ones.
    "an AWS access key": re.compile(r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    "an AWS secret key": re.compile(r"aws_secret_access_key[\"']?\s*[=:]\s*[\"']?[A-Za-z0-9/+]{40}\b", re.IGNORECASE),
    "a private key": re.compile(r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----"),
    "a token of GitHub": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22,})\b"),
    "a token of Hugging Face": re.compile(r"\bhf_[A-Za-z0-9]{34,}\b"),
    "a token of Weights & Biases": re.compile(r"WANDB_API_KEY[\"']?\s*[=:]\s*[\"']?[0-9a-f]{40}\b"),
    "a token for EKS": re.compile(r"\bk8s-aws-v1\.[A-Za-z0-9_-]{20,}"),
}
"""What it is -> its form."""


def credentials_in(value: Any) -> tuple[str, ...]:
    """What credentials a value has in any of its texts, sorted; nothing of what is not known yet."""
    return tuple(sorted({kind for text in _texts(value) for kind, form in _FORMS.items() if form.search(text)}))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            # As one text with its name: some forms are told by it alone.
            if isinstance(each, str):
                yield f"{key}={each}"
            else:
                yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)

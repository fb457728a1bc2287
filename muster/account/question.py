"""A question to AWS: one read-only API call, with all its pages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

_NOTHING: Mapping[str, Any] = MappingProxyType({})

MOST_PAGES = 40
"""Of one answer. The longest, SageMaker's quotas, fills some sixteen; beyond it the question is not answered."""


Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Question:
    """One API call. Which rights it takes, its topic says."""

    service: str
    """botocore's name: ``ec2``, ``service-quotas``."""
    operation: str
    """The API's: ``DescribeSubnets``."""
    about: str
    """What is asked, for people: ``reservation cr-0123456789abcdef0``."""
    parameters: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    absent: frozenset[str] = frozenset()
    """Error codes by which AWS says that there is no such thing. That is an answer."""
    region: str | None = None
    """Where another Region than the stack's answers: prices."""

    @property
    def key(self) -> Key:
        """Two questions with one key are the same."""
        return self.service, self.operation, self.region or "", _written(self.parameters)


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{key}:{_written(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_written, value)) + "]"
    return repr(value)

"""The least policy that a preflight takes. Pure."""

from collections.abc import Iterable
from typing import Any

from muster.account.topic import Topic, Wanted


def policy(topics: Iterable[Topic], wanted: Wanted) -> dict[str, Any]:
    """An IAM policy document with what the topics take that have anything to ask about a stack: one statement for each
    resource, in a stable order."""
    of_resource: dict[str, set[str]] = {}
    for topic in (each for each in topics if _asks(each, wanted)):
        for action, resource in topic.rights.items():
            of_resource.setdefault(resource, set()).add(action)
    return {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Action": sorted(of_resource[resource]), "Resource": resource}
            for resource in sorted(of_resource)
        ],
    }


def _asks(topic: Topic, wanted: Wanted) -> bool:
    """Whether a topic has a first question."""
    return next(topic.inquire(wanted), None) is not None

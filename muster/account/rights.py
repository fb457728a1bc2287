"""The least policy that a preflight takes. Pure."""

from collections.abc import Iterable
from typing import Any

from muster.account.topic import Topic, Wanted


def policy(topics: Iterable[Topic], wanted: Wanted) -> dict[str, Any]:
    """An IAM policy document with what the topics take that have anything to ask about a stack."""
    return document(topic for topic in topics if next(topic.inquire(wanted), None) is not None)


def document(topics: Iterable[Topic]) -> dict[str, Any]:
    """An IAM policy document with what topics take: one statement for each resource, in a stable order."""
    of_resource: dict[str, set[str]] = {}
    for topic in topics:
        for action, resource in topic.rights.items():
            of_resource.setdefault(resource, set()).add(action)
    return {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Action": sorted(of_resource[resource]), "Resource": resource}
            for resource in sorted(of_resource)
        ],
    }

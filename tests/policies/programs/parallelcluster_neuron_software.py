"""Trainium, and nothing that brings its driver."""

from typing import Any

from tests.policies.programs.pcluster import cluster, queue, resource

AT = {"pcluster"}


def _nodes() -> dict[str, Any]:
    return resource(InstanceType="trn1.32xlarge")


def passing() -> None:
    cluster(queue(_nodes(), CustomActions={"OnNodeConfigured": {"Script": "https://example.com/neuron.sh"}}))


def failing() -> None:
    cluster(queue(_nodes()))

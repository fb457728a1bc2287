"""What the view of launch templates reads of tags."""

from typing import Any

import pytest

from muster.fleet.resources import LaunchTemplate
from muster.fleet.resources.ref import LAUNCH_TEMPLATE
from muster.policies.views.fleet import fleet_of
from muster.sources.registrations import Program
from muster.unknown import UNKNOWN

OF_CLUSTER = {"kubernetes.io/cluster/training": "owned"}
TAGS: dict[str, tuple[Any, bool]] = {
    "a tag of all nodes": ([{"resourceType": "instance", "tags": OF_CLUSTER}], True),
    "Karpenter's tag": ([{"resourceType": "instance", "tags": {"karpenter.k8s.aws/ec2nodeclass": "a"}}], True),
    "a tag of volumes": ([{"resourceType": "volume", "tags": OF_CLUSTER}], False),
    "another tag": ([{"resourceType": "instance", "tags": {"team": "a"}}], False),
    "unknown tags": ([{"resourceType": "instance", "tags": UNKNOWN}], False),
    "an unknown list": (UNKNOWN, False),
    "none": (None, False),
}


@pytest.mark.parametrize(("given", "expected"), TAGS.values(), ids=TAGS)
def test_a_tag_states_that_instances_are_nodes_of_kubernetes(given: Any, expected: bool) -> None:
    program = Program("stack", "terraform")
    program.add(LAUNCH_TEMPLATE, "workers", {"tagSpecifications": given})
    (template,) = fleet_of(program.registrations).of(LaunchTemplate)
    assert template.joins_kubernetes is expected

"""The pods that stand in for jobs of absent controllers are pods: a real API server takes them."""

from typing import Any

import pytest

from muster.jobs.kinds.catalogue import pods_of, roles_of
from muster.jobs.pod_requests import pod_requests
from muster.jobs.pod_roles import Controller
from tests.jobs.documents import EVERY_KIND, a_runtime
from tests.rehearsal.world import World

pytestmark = pytest.mark.rehearsal

STAND_INS = [
    kind for kind, job in EVERY_KIND.items() if roles_of(job, [a_runtime()]).controller is Controller.REHEARSAL
]


@pytest.mark.parametrize("kind", STAND_INS)
def test_the_api_server_takes_them(world: World, kind: str) -> None:
    """As they are, and what they ask is what they say once it has completed them."""
    job: dict[str, Any] = EVERY_KIND[kind]
    job = {**job, "metadata": {**job["metadata"], "namespace": world.namespace}}
    for pod in pods_of(job):
        made = world.client.create(pod)
        assert made["spec"]["schedulerName"] == "default-scheduler"
        assert pod_requests(made["spec"]) == pod_requests(pod["spec"])

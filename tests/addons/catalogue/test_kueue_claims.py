"""Kueue on a cluster whose devices DRA drivers offer: it counts claims as the resource of the device plugin."""

from typing import Any

import yaml

from muster.addons.catalogue import kueue
from muster.addons.context import AddonContext
from tests.factories import DROP, a_blueprint

DRIVERS = {
    "addons.nvidia-device-plugin": DROP,
    "addons.efa-device-plugin": DROP,
    "addons.nvidia-dra-driver": {},
    "addons.efa-dra-driver": {},
    "addons.kueue": {},
}


def _context(edits: dict[str, Any]) -> AddonContext:
    return AddonContext.of_blueprint(a_blueprint(edits))


def _quotas(context: AddonContext) -> dict[str, str]:
    (queue,) = (each for each in kueue.queues(context) if each["kind"] == "ClusterQueue")
    (group,) = queue["spec"]["resourceGroups"]
    (workers,) = (each for each in group["flavors"] if each["name"] == "workers")
    return {each["name"]: each["nominalQuota"] for each in workers["resources"]}


def test_each_class_is_mapped_to_a_resource() -> None:
    """Those of the drivers on the cluster, and no others."""
    resources = yaml.safe_load(kueue.configuration(_context(DRIVERS)))["resources"]
    assert resources["deviceClassMappings"] == [
        {"name": "nvidia.com/gpu", "deviceClassNames": ["gpu.nvidia.com"]},
        {"name": "vpc.amazonaws.com/efa", "deviceClassNames": ["efa.networking.k8s.aws"]},
    ]
    plain = yaml.safe_load(kueue.configuration(_context({"addons.kueue": {}})))
    assert "deviceClassMappings" not in plain["resources"]


def test_the_quota_is_that_of_the_plugins() -> None:
    """Whatever offers the devices, a queue has the same number of them."""
    assert _quotas(_context(DRIVERS)) == _quotas(_context({"addons.kueue": {}}))

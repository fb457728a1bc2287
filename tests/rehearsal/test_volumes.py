"""Volumes of file systems that grow, on the real API server."""

from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import Volume
from muster.rehearsal.kubernetes.client import ApiError
from tests.addons.contexts import a_context, said_of
from tests.rehearsal.world import World

pytestmark = pytest.mark.rehearsal

DRIVER = CATALOGUE["fsx-csi-driver"]


def objects(namespace: str, capacity: str) -> tuple[dict[str, Any], ...]:
    """The volume and the claim of a file system of this size, in a namespace that is there."""
    context = a_context(fsx_csi_driver=said_of("fsx-csi-driver", namespace=namespace))
    volume = Volume(f"{namespace}-scratch", "fs-1", "fs-1.example.com", "abcd", capacity)
    made = DRIVER.objects(replace(context, volumes=(volume,)))
    return tuple(each for each in made if each["kind"] != "Namespace")


def test_a_file_system_that_grows_is_accepted(world: World) -> None:
    """Its volume grows, its claim stays as it is: one that asked for more would be refused."""
    client = world.client
    volume, claim = objects(world.namespace, "4800Gi")
    for each in (volume, claim):
        client.create(each, strict=True)
        client.patch(f"{client.path(each)}/status", {"status": {"phase": "Bound"}})
    for each in objects(world.namespace, "9600Gi"):
        client.apply(each)
    assert client.get(client.path(volume))["spec"]["capacity"] == {"storage": "9600Gi"}
    more = {"spec": {"resources": {"requests": {"storage": "9600Gi"}}}}
    with pytest.raises(ApiError, match="only dynamically provisioned pvc can be resized"):
        client.patch(client.path(claim), more)
    client.delete(client.path(volume))

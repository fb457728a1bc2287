"""The FSx CSI driver: the objects of the stack's file systems."""

from dataclasses import replace
from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, GroupNodes, Volume
from muster.fleet.resources import Taint
from muster.fleet.resources.ref import LUSTRE
from muster.fleet.resources.storage import KINDS
from tests.addons.contexts import a_context, said_of

NAME = "fsx-csi-driver"
ADDON = CATALOGUE[NAME]
SYSTEM = GroupNodes(
    "system", "c5.2xlarge", frozenset(), frozenset({Taint("role", "system", "NoSchedule")}), purpose="system"
)
GPUS = GroupNodes("gpus", "p5.48xlarge", frozenset(), frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")}))
SCRATCH = Volume("scratch", KINDS[LUSTRE], "fs-1", "fs-1.fsx.us-west-2.amazonaws.com", "abcd", "4800Gi")
OLD = Volume("old", KINDS[LUSTRE], "fs-2", "fs-2.fsx.us-west-2.amazonaws.com", "fsx", None)


def context(*volumes: Volume, **said: Any) -> AddonContext:
    """A cluster with file systems."""
    return replace(a_context(SYSTEM, GPUS, fsx_csi_driver=said_of(NAME, **said)), volumes=volumes)


def objects(*volumes: Volume, **said: Any) -> dict[str, dict[str, Any]]:
    """What it makes, by kind and name."""
    made = {f"{each['kind']} {each['metadata']['name']}": each for each in ADDON.objects(context(*volumes, **said))}
    assert len(made) == len(ADDON.objects(context(*volumes, **said)))
    return made


def test_a_claim_asks_for_the_same_whatever_its_volume_has() -> None:
    """For no more than the volume has: Kubernetes binds none, else. Of a file system that existed nobody said a size;
    one that grows leaves its claim as it is, which nobody could resize."""
    made = objects(SCRATCH, OLD)
    for name, size in (("scratch", "4800Gi"), ("old", "1200Gi")):
        assert made[f"PersistentVolume {name}"]["spec"]["capacity"] == {"storage": size}
        assert made[f"PersistentVolumeClaim {name}"]["spec"]["resources"] == {"requests": {"storage": "1200Gi"}}
    grown = objects(replace(SCRATCH, capacity="9600Gi"), OLD)
    assert {name for name in made if made[name] != grown[name]} == {"PersistentVolume scratch"}


@pytest.mark.parametrize("namespace", ["default", "kube-system"])
def test_a_namespace_of_every_cluster_is_not_made(namespace: str) -> None:
    """Nor one for claims that there are not."""
    assert not [name for name in objects(SCRATCH, namespace=namespace) if name.startswith("Namespace")]
    assert objects(namespace="research") == {}

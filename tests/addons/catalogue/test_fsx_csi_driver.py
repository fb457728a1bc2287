"""The FSx CSI driver in both forms, its rights, and the objects of the stack's file systems."""

from dataclasses import replace
from typing import Any

import pytest

from muster.addons.addon import Chart, EksAddon
from muster.addons.catalogue import CATALOGUE
from muster.addons.catalogue.fsx_csi_driver import claim_of
from muster.addons.context import AddonContext, GroupNodes, LustreParameters, Mirrors, Volume
from muster.addons.values import values_of, version_of
from muster.blueprint.derive.cluster import derive
from muster.config.description.eks_cluster import EksCluster
from muster.config.validation import validate
from muster.fleet.resources import Taint
from muster.rehearsal.kubernetes.addons import InstalledAddons
from muster.versions import ADDONS, FSX_CSI_CHART
from tests.addons.contexts import a_context, said_of
from tests.addons.group_nodes import groups_of
from tests.factories import FS, a_description, a_document
from tests.infra.test_lustre import PLAIN

NAME = "fsx-csi-driver"
ADDON = CATALOGUE[NAME]
SYSTEM = GroupNodes(
    "system", "c5.2xlarge", frozenset(), frozenset({Taint("role", "system", "NoSchedule")}), purpose="system"
)
GPUS = GroupNodes("gpus", "p5.48xlarge", frozenset(), frozenset({Taint("nvidia.com/gpu", "true", "NoSchedule")}))
MAKE = LustreParameters("subnet-1", "sg-1", "PERSISTENT_2", "SSD", 250, "2.15", False)
SCRATCH = Volume("scratch", "fs-1", "fs-1.fsx.us-west-2.amazonaws.com", "abcd", "4800Gi", MAKE)
OLD = Volume("old", "fs-2", "fs-2.fsx.us-west-2.amazonaws.com", "fsx", None)


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


def test_claims_go_where_the_description_says() -> None:
    """And the volume waits for the claim there."""
    made = objects(SCRATCH, namespace="research")
    assert made["PersistentVolumeClaim scratch"]["metadata"]["namespace"] == "research"
    assert made["PersistentVolume scratch"]["spec"]["claimRef"]["namespace"] == "research"
    assert made["Namespace research"] == {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "research"}}
    assert list(made).index("Namespace research") < list(made).index("PersistentVolumeClaim scratch")
    assert claim_of(context(SCRATCH, namespace="research"), "scratch") == ("scratch", "research")
    assert claim_of(context(SCRATCH), "other") is None
    assert claim_of(replace(context(SCRATCH), chosen={}), "scratch") is None


@pytest.mark.parametrize(
    ("make", "parameters"),
    [
        (
            MAKE,
            {
                "subnetId": "subnet-1",
                "securityGroupIds": "sg-1",
                "deploymentType": "PERSISTENT_2",
                "storageType": "SSD",
                "fileSystemTypeVersion": "2.15",
                "perUnitStorageThroughput": "250",
                "metadataConfigurationMode": "AUTOMATIC",
            },
        ),
        (
            replace(MAKE, deployment="SCRATCH_2", throughput=None),
            {
                "subnetId": "subnet-1",
                "securityGroupIds": "sg-1",
                "deploymentType": "SCRATCH_2",
                "storageType": "SSD",
                "fileSystemTypeVersion": "2.15",
            },
        ),
        (
            replace(MAKE, deployment="PERSISTENT_1", disk="HDD", throughput=12),
            {
                "subnetId": "subnet-1",
                "securityGroupIds": "sg-1",
                "deploymentType": "PERSISTENT_1",
                "storageType": "HDD",
                "fileSystemTypeVersion": "2.15",
                "perUnitStorageThroughput": "12",
                "driveCacheType": "NONE",
            },
        ),
    ],
)
def test_a_storage_class_makes_more_of_the_same(make: LustreParameters, parameters: dict[str, str]) -> None:
    """One subnet; every parameter is a text, as Kubernetes wants."""
    made = objects(replace(SCRATCH, make=make), storage_classes={"more": {"like": "scratch"}})
    assert made["StorageClass more"]["provisioner"] == "fsx.csi.aws.com"
    assert made["StorageClass more"]["parameters"] == {**parameters, "extraTags": "CSIClusterName=research"}


def test_it_deletes_only_file_systems_of_its_cluster() -> None:
    """Without StorageClasses it makes none, so it deletes none."""

    def allowed(**options: Any) -> dict[str, Any]:
        (made,) = ADDON.permissions(context(SCRATCH, **options))
        return {action: each for each in made.statements for action in each.actions}

    assert set(allowed()) == {"fsx:DescribeFileSystems"}
    granted = allowed(storage_classes={"more": {"like": "scratch"}})
    own = {"aws:ResourceTag/CSIClusterName": "${aws:PrincipalTag/eks-cluster-name}"}
    for action in ("fsx:DeleteFileSystem", "fsx:UpdateFileSystem"):
        assert granted[action].conditions == {"StringEquals": own}
    assert granted["fsx:TagResource"].conditions["StringEqualsIfExists"] == own


@pytest.mark.parametrize(("form", "kind"), [("eks", EksAddon), ("helm", Chart)])
def test_it_comes_in_two_forms(form: str, kind: type) -> None:
    """Each has its own version, and both run driver 1.9.0."""
    options = said_of(NAME, **{"from": form})
    assert isinstance(ADDON.as_chosen(options).source, kind)
    pin = FSX_CSI_CHART if kind is Chart else ADDONS[NAME]
    assert version_of(ADDON, options) == pin.version
    assert version_of(ADDON, said_of(NAME, **{"from": form}, version="v9.9.9")) == (
        "9.9.9" if kind is Chart else "v9.9.9"
    )


def test_the_chart_knows_its_region_and_the_system_groups_taint() -> None:
    """Pods do not reach instance metadata on our nodes."""
    values = values_of(ADDON, context(**{"from": "helm"}))
    assert (values["controller"]["region"], values["node"]["region"]) == ("us-west-2", "us-west-2")
    controller, node = ADDON.workloads(values)
    assert groups_of(controller, SYSTEM, GPUS) == {"system"}
    assert groups_of(node, SYSTEM, GPUS) == {"system", "gpus"}


def test_a_mirror_has_all_images_of_the_chart() -> None:
    """By their own names, without the host."""
    given = values_of(ADDON, replace(context(**{"from": "helm"}), mirrors=Mirrors(images="registry.example.org/m")))
    repositories = {given["image"]["repository"], *(each["image"]["repository"] for each in given["sidecars"].values())}
    named = {each.reference.partition("/")[2].rpartition(":")[0] for each in FSX_CSI_CHART.images}
    assert repositories == {f"registry.example.org/m/{name}" for name in named}


# ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("like", "got", "remedy"),
    [
        ("scrach", "there is no file system 'scrach'", "write scratch"),
        ("old", "'old' is an existing file system, whose settings Muster does not know", "write scratch"),
    ],
)
def test_a_storage_class_is_like_something_that_muster_makes(like: str, got: str, remedy: str) -> None:
    """In words, at the place."""
    storage = {"scratch": {"lustre": dict(PLAIN)}, "old": {"existing-lustre": {"id": FS, "mount-name": "abcd"}}}
    driver = {"storage-classes": {"more": {"like": like}}}
    edits = {"storage": storage, "addons": {NAME: driver}}
    _, found = validate(EksCluster, a_document(edits))
    assert [(path, fault.got, fault.remedy) for path, fault in found] == [
        (("addons", NAME, "storage-classes", "more", "like"), got, remedy)
    ]


@pytest.mark.parametrize("namespace", ["default", "kube-system"])
def test_a_namespace_of_every_cluster_is_not_made(namespace: str) -> None:
    """Nor one for claims that there are not."""
    assert not [name for name in objects(SCRATCH, namespace=namespace) if name.startswith("Namespace")]
    assert objects(namespace="research") == {}


def test_a_rehearsal_has_the_claims_with_the_driver_or_a_stand_in() -> None:
    """Pods of jobs mount them; and their namespace is there."""
    edits = {"storage": {"scratch": {"lustre": dict(PLAIN)}}, "addons.fsx-csi-driver": {"namespace": "training"}}
    installed = InstalledAddons.of(derive(a_description(edits), "test", "us-west-2"))
    (driver,) = (each for each in installed.addons if each.addon.name == NAME)
    assert driver.simulated_part is not None
    names = {(each["kind"], each["metadata"].get("namespace"), each["metadata"]["name"]) for each in driver.objects}
    assert {("PersistentVolume", None, "scratch"), ("PersistentVolumeClaim", "training", "scratch")} <= names
    client = Applied()
    installed.apply(client)  # type: ignore[arg-type]
    made = [(each["kind"], each["metadata"]["name"]) for each in client.given]
    assert made.index(("Namespace", "training")) < made.index(("PersistentVolumeClaim", "scratch"))


class Applied:
    """A control plane that knows every kind."""

    def __init__(self) -> None:
        self.given: list[dict[str, Any]] = []

    def apply(self, thing: dict[str, Any]) -> None:
        """Takes it."""
        self.given.append(thing)

    def knows(self, _version: str, _kind: str) -> bool:
        """Yes."""
        return True

    @property
    def client(self) -> "Applied":
        """Itself."""
        return self

    runs_kueue = False

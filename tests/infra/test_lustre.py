"""What a file system becomes: its group and rules, the order of things, what outlives a `destroy`."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.contract import StorageOutput
from muster.fleet.registration import Registration
from muster.offline import record
from muster.offline.recording import Recording
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.views.fleet import described_by, differences, fleet_of
from tests.factories import AS_OF, FS, REGION, a_description
from tests.infra.test_graph import needs

FILE_SYSTEM = "aws:fsx/lustreFileSystem:LustreFileSystem"
LINK = "aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation"
GROUP = "aws:ec2/securityGroup:SecurityGroup"
IN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
OUT = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
PLAIN: Mapping[str, Any] = {"size": "4800GiB", "throughput": 250}


def recorded(storage: Mapping[str, Any], edits: Mapping[str, Any] | None = None) -> Recording:
    """The default description with file systems, registered; the law holds."""
    from muster.deploy import deploy

    blueprint = derive(a_description({"storage": storage, **(edits or {})}), "test", REGION)
    made = record(lambda: deploy(blueprint), stack="test", region=REGION, preview=False)
    derived = described_fleet(blueprint, AS_OF)
    assert differences(described_by(fleet_of(made.registrations), derived), derived) == ()
    return made


@cache
def stored(**said: Any) -> Recording:
    """With one file system, `scratch`."""
    return recorded({"scratch": {"lustre": {**PLAIN, **{key.replace("_", "-"): said[key] for key in said}}}})


def one(made: Recording, type_: str, name: str) -> Registration:
    """The only registration of a type and name."""
    (found,) = [each for each in made.registrations if (each.type, each.name) == (type_, name)]
    return found


def rules(made: Recording) -> set[tuple[str, str, str, Any, Any]]:
    """(direction, whose, with whom, first port, last port) of every rule that names the file system's group."""
    groups = {each.id: each.name for each in made.registrations if each.type == GROUP}
    found = set()
    for each in made.registrations:
        if each.type in (IN, OUT):
            whose, whom = (
                groups.get(each.inputs[name], "nodes") for name in ("securityGroupId", "referencedSecurityGroupId")
            )
            ports = each.inputs.get("fromPort"), each.inputs.get("toPort")
            found |= {("in" if each.type == IN else "out", whose, whom, *ports)} if "lustre" in whose + whom else set()
    return found


FSX = "lustre-scratch"
BOTH_WAYS = [
    (direction, whose, whom, first, last)
    for direction in ("in", "out")
    for whose, whom in ((FSX, FSX), (FSX, "nodes"), ("nodes", FSX))
    for first, last in ((988, 988), (1018, 1023))
]


def test_the_file_system() -> None:
    """Everything said, nothing left to AWS's defaults: those would make a SCRATCH_1 that no node mounts."""
    inputs = dict(one(stored(), FILE_SYSTEM, "scratch").inputs)
    assert inputs.pop("tags") == {"Name": "test-scratch", "muster:stack": "test"}
    assert inputs.pop("securityGroupIds") == [one(stored(), GROUP, FSX).id]
    assert inputs == {
        "subnetIds": "subnet-0aaaaaaaaaaaaaaaa",
        "storageCapacity": 4800,
        "deploymentType": "PERSISTENT_2",
        "storageType": "SSD",
        "perUnitStorageThroughput": 250,
        "metadataConfiguration": {"mode": "AUTOMATIC"},
        "fileSystemTypeVersion": "2.15",
        "dataCompressionType": "LZ4",
        "automaticBackupRetentionDays": 0,
        "skipFinalBackup": False,
    }


def test_what_is_not_said_is_not_sent() -> None:
    """Scratch knows neither throughput, nor metadata, nor backups."""
    inputs = one(recorded({"scratch": {"lustre": {"size": "1200GiB", "type": "scratch-2"}}}), FILE_SYSTEM, "scratch")
    unheard = {"perUnitStorageThroughput", "metadataConfiguration", "automaticBackupRetentionDays", "kmsKeyId"}
    assert not unheard & set(inputs.inputs)
    assert inputs.inputs["skipFinalBackup"] is True


def test_the_rules_are_the_guides() -> None:
    """988 and 1018 to 1023, in and out, between file servers and with the nodes; on both sides. Nothing else."""
    assert rules(stored()) == set(BOTH_WAYS)


def test_with_efa_everything_passes_between_the_groups() -> None:
    """EFA is matched by groups only, in both directions, on both of them."""
    made = stored(size="19200GiB", efa=True)
    pairs = ((FSX, FSX), (FSX, "efa"), ("efa", FSX))
    assert rules(made) == {
        *BOTH_WAYS,
        *((direction, *pair, None, None) for direction in ("in", "out") for pair in pairs),
    }
    assert one(made, FILE_SYSTEM, "scratch").inputs["efaEnabled"] is True


def test_with_efa_and_no_node_that_has_it() -> None:
    """Then there is no EFA group to name."""
    edits = {"groups.workers.interfaces": "plain"}
    made = recorded({"scratch": {"lustre": {**PLAIN, "size": "19200GiB", "efa": True}}}, edits)
    assert {whom for _, _, whom, _, _ in rules(made)} == {FSX, "nodes"}


def test_it_waits_for_the_rules_between_its_servers_and_for_nothing_of_the_cluster() -> None:
    """FSx tries the ports before it makes anything; a cluster that is made anew must not take the data along."""
    made = stored()
    before = needs(made)[one(made, FILE_SYSTEM, "scratch").urn]
    itself = {each.urn for each in made.registrations if each.name.endswith("-itself") and "lustre" in each.name}
    assert len(itself) == 4
    assert itself <= before
    assert one(made, "aws:eks/cluster:Cluster", "cluster-eksCluster").urn not in before


def test_nodes_come_after_it_and_go_before_it() -> None:
    """No GPU waits for a file system, and none has one mounted that is gone."""
    made = stored()
    required = needs(made)
    for group in ("workers", "system"):
        urn = one(made, "aws:eks/nodeGroup:NodeGroup", group).urn
        assert one(made, FILE_SYSTEM, "scratch").urn in required[urn]
        assert {each.urn for each in made.registrations if each.name.startswith("nodes-tcp-")} <= required[urn]


@pytest.mark.parametrize(
    ("said", "protected", "last_backup"),
    [
        ({}, True, True),
        ({"on_destroy": "delete"}, False, False),
        ({"type": "scratch-2", "throughput": None}, True, False),
    ],
    ids=["keep", "delete", "scratch"],
)
def test_what_is_kept_stops_a_destroy(said: dict[str, Any], *, protected: bool, last_backup: bool) -> None:
    """By protection; its URN ends in the description's key. A last backup only where FSx makes any, and only where
    somebody wanted to keep it."""
    lustre = {key.replace("_", "-"): value for key, value in {**PLAIN, **said}.items() if value is not None}
    found = one(recorded({"scratch": {"lustre": lustre}}), FILE_SYSTEM, "scratch")
    assert found.options.get("protect", False) is protected
    assert found.urn.endswith("::scratch")
    assert found.inputs["skipFinalBackup"] is not last_backup


def test_links_to_s3() -> None:
    """Each by its path; what is in S3 already is listed; no last backup, which FSx would refuse."""
    data = {
        "/imagenet": {"s3": "s3://data/imagenet"},
        "/out": {"s3": "s3://data/out", "import": [], "export": ["changed", "new"]},
    }
    made = recorded({"scratch": {"lustre": {**PLAIN, "data": data}}})
    taken, written = one(made, LINK, "scratch/imagenet").inputs, one(made, LINK, "scratch/out").inputs
    assert taken["fileSystemId"] == one(made, FILE_SYSTEM, "scratch").id
    assert (taken["fileSystemPath"], taken["dataRepositoryPath"]) == ("/imagenet", "s3://data/imagenet")
    assert taken["batchImportMetaDataOnCreate"] is True
    assert taken["s3"] == {
        "autoImportPolicy": {"events": ["CHANGED", "DELETED", "NEW"]},
        "autoExportPolicy": {"events": []},
    }
    assert written["batchImportMetaDataOnCreate"] is False
    assert written["s3"] == {"autoImportPolicy": {"events": []}, "autoExportPolicy": {"events": ["CHANGED", "NEW"]}}
    assert one(made, FILE_SYSTEM, "scratch").inputs["skipFinalBackup"] is True


def test_an_existing_one_registers_nothing() -> None:
    """Its names are exported all the same."""
    made = recorded({"old": {"existing-lustre": {"id": FS, "mount-name": "a1b2cdef", "zone": "us-west-2a"}}})
    assert not [each for each in made.registrations if "fsx" in each.type or "Lustre" in each.type]
    read = StorageOutput.model_validate(made.outputs["storage"]["old"])
    assert (read.file_system, read.mount_name, read.zone) == (FS, "a1b2cdef", "us-west-2a")
    assert read.dns_name == f"{FS}.fsx.us-west-2.amazonaws.com"


def test_the_outputs_are_what_a_client_mounts() -> None:
    """And what a job needs to know of it."""
    made = stored()
    file_system = one(made, FILE_SYSTEM, "scratch")
    read = StorageOutput.model_validate(made.outputs["storage"]["scratch"])
    assert read.file_system == file_system.id
    assert (read.dns_name, read.mount_name) == (file_system.outputs["dnsName"], file_system.outputs["mountName"])
    assert len(read.mount_name) == 8
    assert (read.capacity, read.type, read.version, read.throughput) == ("4800Gi", "PERSISTENT_2", "2.15", 250)
    assert (read.zone, read.efa, read.claim) == ("us-west-2a", False, None)
    assert read.security_group == one(made, GROUP, FSX).id


def test_several_beside_each_other() -> None:
    """Also one that is called like something else of the stack."""
    made = recorded({name: {"lustre": dict(PLAIN)} for name in ("efa", "endpoints", "workers")})
    assert len([each for each in made.registrations if each.type == FILE_SYSTEM]) == 3


def test_a_zone_without_a_subnet_is_registered_as_said() -> None:
    """A rule names it; a plan shows the rest."""
    made = recorded({"scratch": {"lustre": {**PLAIN, "zone": "us-west-2d"}}})
    assert one(made, FILE_SYSTEM, "scratch").inputs["subnetIds"] == ""

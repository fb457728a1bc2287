"""What a file system becomes: its group and rules, the order of things, what outlives a `destroy`."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.fleet.registration import Registration
from muster.offline.recording import Recording, record
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.views.fleet import described_by, differences, fleet_of
from tests.factories import AS_OF, REGION, a_description
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


def test_with_efa_everything_passes_between_the_groups() -> None:
    """EFA is matched by groups only, in both directions, on both of them."""
    made = stored(size="19200GiB", efa=True)
    pairs = ((FSX, FSX), (FSX, "efa"), ("efa", FSX))
    assert rules(made) == {
        *BOTH_WAYS,
        *((direction, *pair, None, None) for direction in ("in", "out") for pair in pairs),
    }
    assert one(made, FILE_SYSTEM, "scratch").inputs["efaEnabled"] is True


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

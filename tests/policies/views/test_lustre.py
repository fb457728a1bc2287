"""Views of file systems: half-known, written another way, or wrong."""

from typing import Any

import pytest

from muster.fleet.resources import DataAssociation, LustreFileSystem, Ref
from muster.fleet.resources.ref import DATA_ASSOCIATION, LUSTRE, SUBNET
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import registered, seen


def file_system(**inputs: Any) -> LustreFileSystem:
    (found,) = seen(registered(LUSTRE, "scratch", **inputs)).of(LustreFileSystem)
    return found


def test_nothing_said_is_what_fsx_makes_of_it() -> None:
    """SCRATCH_1 on SSD, without anything."""
    found = file_system()
    assert (found.deployment, found.disk, found.efa, found.backup_days) == ("SCRATCH_1", "SSD", False, 0)
    assert (found.size, found.throughput, found.version, found.key) == (None, None, None, None)
    assert (found.metadata_mode, found.subnets, found.security_groups, found.associations) == (None, (), (), ())


def test_what_is_restored_from_a_backup_takes_after_it() -> None:
    found = file_system(backupId="backup-0123456789abcdef0", deploymentType="PERSISTENT_2")
    assert found.deployment == "PERSISTENT_2"
    assert found.size is UNKNOWN
    assert found.efa is UNKNOWN


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("subnet-1", ("subnet-1",)),
        (["subnet-1"], ("subnet-1",)),
        (["subnet-2", "subnet-1"], ("subnet-1", "subnet-2")),
        (UNKNOWN, (Ref(SUBNET, "a"),)),
        ([UNKNOWN], (Ref(SUBNET, "a"),)),
        ("", ()),
        (None, ()),
    ],
)
def test_one_subnet_as_text_or_list(given: Any, expected: Any) -> None:
    made = registered(LUSTRE, "scratch", subnetIds=given, needs={"subnetIds": [Ref(SUBNET, "a")]})
    (found,) = seen(registered(SUBNET, "a"), made).of(LustreFileSystem)
    assert found.subnets == expected


def test_metadata_as_a_block_or_a_list_of_one() -> None:
    for given in ({"mode": "USER_PROVISIONED", "iops": "6000"}, [{"mode": "USER_PROVISIONED", "iops": 6000}]):
        found = file_system(metadataConfiguration=given)
        assert (found.metadata_mode, found.metadata_iops) == ("USER_PROVISIONED", 6000)
    found = file_system(metadataConfiguration=UNKNOWN)
    assert (found.metadata_mode, found.metadata_iops) == (UNKNOWN, UNKNOWN)


def link(name: str, owner: Any, needs: list[Ref], **inputs: Any) -> Any:
    return registered(DATA_ASSOCIATION, name, fileSystemId=owner, needs={"fileSystemId": needs}, **inputs)


def linked(*links: Any) -> Any:
    fleet = seen(registered(LUSTRE, "scratch", id="fs-1"), registered(LUSTRE, "other", id="fs-2"), *links)
    found = fleet.find(LustreFileSystem, Ref(LUSTRE, "scratch"))
    assert found is not None
    return found.associations


def test_associations_belong_to_their_file_system() -> None:
    """By id, and by what an unknown id is made of."""
    mine = link("a", "fs-1", [], fileSystemPath="/b/", dataRepositoryPath="s3://b")
    unknown = link("b", UNKNOWN, [Ref(LUSTRE, "scratch")], fileSystemPath="/a", dataRepositoryPath=UNKNOWN)
    other = link("c", "fs-2", [], fileSystemPath="/c", dataRepositoryPath="s3://c")
    assert linked(mine, unknown, other) == (DataAssociation("/a", UNKNOWN), DataAssociation("/b", "s3://b"))


def test_an_association_of_one_of_two_is_of_neither() -> None:
    both = [Ref(LUSTRE, "scratch"), Ref(LUSTRE, "other")]
    assert linked(link("a", UNKNOWN, both, fileSystemPath="/a", dataRepositoryPath="s3://a")) is UNKNOWN


def test_events() -> None:
    events = {"autoImportPolicy": {"events": ["NEW"]}, "autoExportPolicy": {"events": UNKNOWN}}
    (found,) = linked(link("a", "fs-1", [], fileSystemPath="/", dataRepositoryPath="s3://a", s3=events))
    assert (found.imports, found.exports) == (frozenset({"NEW"}), UNKNOWN)

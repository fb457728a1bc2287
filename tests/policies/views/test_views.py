"""Views of odd programs: half-known, written another way, or wrong; never a crash, never a guess."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from muster.fleet.facts import Facts
from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityTarget,
    DataAssociation,
    EksAddon,
    LaunchTemplate,
    LustreFileSystem,
    NodeGroup,
    Ref,
    SharedFileSystem,
    Taint,
)
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG, POOL
from muster.fleet.resources.eks import RepairLimit
from muster.fleet.resources.ref import (
    CAPACITY_BLOCK,
    CAPACITY_RESERVATION,
    DATA_ASSOCIATION,
    EFS,
    LAUNCH_TEMPLATE,
    LUSTRE,
    MOUNT_TARGET,
    NODE_GROUP,
    OPENZFS,
    RESOURCE_GROUP,
    SUBNET,
)
from muster.policies.views import fleet_of
from muster.sources.registrations import Program
from muster.unknown import UNKNOWN
from tests.policies.views.registrations import PREFIX, registered, seen, template

OURS = (
    registered(CAPACITY_RESERVATION, "ours"),
    registered(CAPACITY_BLOCK, "ours"),
    registered(RESOURCE_GROUP, "ours", configurations=[{"type": POOL}]),
    registered(SUBNET, "a"),
)
RESERVATION, BLOCK, GROUP = (Ref(each, "ours") for each in (CAPACITY_RESERVATION, CAPACITY_BLOCK, RESOURCE_GROUP))


def of_cluster(tags: Any, resource: str = "instance") -> dict[str, Any]:
    return {"tagSpecifications": [{"resourceType": resource, "tags": tags}]}


def configured(values: Any) -> dict[str, Any]:
    return {"addonName": "vpc-cni", "configurationValues": values}


def targeting(said: Any, *behind: Ref) -> dict[str, Any]:
    return {"capacityReservationSpecification": said, "needs": {"capacityReservationSpecification": behind}}


def target(**said: Any) -> dict[str, Any]:
    return {"capacityReservationTarget": said}


def in_subnet(said: Any) -> dict[str, Any]:
    return {"subnetIds": said, "needs": {"subnetIds": [Ref(SUBNET, "a")]}}


TAGS = {"kubernetes.io/cluster/training": "owned"}
TAINT = {"key": "a", "value": UNKNOWN, "effect": "NO_SCHEDULE"}
BOTH = {APPROVAL_TAG: "her", APPROVED_OFFERING_TAG: "cb-1"}
OFFERING = {"capacityBlockOfferingId": "cb-1"}
REPAIR = {"enabled": True, "maxParallelNodesRepairedCount": 1}
METADATA = {"mode": "USER_PROVISIONED", "iops": "6000"}
ID, ARN = "capacityReservationId", "capacityReservationResourceGroupArn"

ROWS: Mapping[tuple[type, str], Sequence[tuple[dict[str, Any], dict[str, Any]]]] = {
    # An unknown value is no text that pods could ask for, or fail to tolerate.
    (NodeGroup, NODE_GROUP): [
        ({"labels": {"team": UNKNOWN}}, {"labels": UNKNOWN, "taints": frozenset()}),
        ({"labels": UNKNOWN}, {"labels": UNKNOWN, "taints": frozenset()}),
        ({"taints": [TAINT]}, {"labels": frozenset(), "taints": UNKNOWN}),
        ({"taints": UNKNOWN}, {"labels": frozenset(), "taints": UNKNOWN}),
        ({"labels": {"team": "ml"}}, {"labels": {("team", "ml")}}),
        ({"taints": [{"key": "a", "effect": "NO_EXECUTE"}]}, {"taints": {Taint("a", "", "NoExecute")}}),
        ({"nodeRepairConfig": REPAIR}, {"repair_limits": (RepairLimit("maxParallelNodesRepairedCount", 1),)}),
    ],
    # Prefix delegation is read in either form of configuration.
    (EksAddon, "aws:eks/addon:Addon"): [
        (configured(None), {"prefix_delegation": False}),
        (configured("{}"), {"prefix_delegation": False}),
        (configured('{"env": {"ENABLE_PREFIX_DELEGATION": "true", "X": "1"}}'), {"prefix_delegation": True}),
        (configured("env:\n  ENABLE_PREFIX_DELEGATION: 'true'\n"), {"prefix_delegation": True}),
        (configured('{"env":{"ENABLE_PREFIX_DELEGATION":"false"}}'), {"prefix_delegation": False}),
        (configured(UNKNOWN), {"values": UNKNOWN}),
    ],
    # A tag states that instances are nodes of Kubernetes. A reservation, a block or a group of this program is targeted
    # by its resource, another by its id.
    (LaunchTemplate, LAUNCH_TEMPLATE): [
        (of_cluster(TAGS), {"joins_kubernetes": True}),
        (of_cluster({"karpenter.k8s.aws/ec2nodeclass": "a"}), {"joins_kubernetes": True}),
        (of_cluster(TAGS, "volume"), {"joins_kubernetes": False}),
        (of_cluster({"team": "a"}), {"joins_kubernetes": False}),
        (of_cluster(UNKNOWN), {"joins_kubernetes": False}),
        ({"tagSpecifications": UNKNOWN}, {"joins_kubernetes": False}),
        ({}, {"joins_kubernetes": False, "target": CapacityTarget()}),
        (targeting(target(**{ID: "cr-1"})), {"target": CapacityTarget(None, "cr-1", None)}),
        (
            targeting([{"capacityReservationTarget": [{ID: "cr-1"}]}]),
            {"target": CapacityTarget(None, "cr-1", None)},
        ),
        (targeting(target(**{ID: UNKNOWN}), RESERVATION), {"target": CapacityTarget(None, RESERVATION, None)}),
        (targeting(target(**{ID: UNKNOWN}), BLOCK), {"target": CapacityTarget(None, BLOCK, None)}),
        (targeting(target(**{ID: UNKNOWN}), BLOCK, RESERVATION), {"target": CapacityTarget(None, UNKNOWN, None)}),
        (
            targeting({"capacityReservationPreference": "x", **target(**{ARN: UNKNOWN})}, GROUP),
            {"target": CapacityTarget("x", None, GROUP)},
        ),
        (targeting({"capacityReservationTarget": UNKNOWN}), {"target": CapacityTarget(None, UNKNOWN, None)}),
        (targeting(UNKNOWN), {"target": CapacityTarget(UNKNOWN, UNKNOWN, None)}),
        (targeting({"capacityReservationPreference": "none"}), {"target": CapacityTarget("none", None, None)}),
    ],
    (CapacityBlockPurchase, CAPACITY_BLOCK): [
        (
            {**OFFERING, "tags": BOTH, "instancePlatform": "Linux/UNIX"},
            {"offering": "cb-1", "approved_by": "her", "approved_offering": "cb-1", "platform": "Linux/UNIX"},
        ),
        ({**OFFERING, "tags": {APPROVAL_TAG: "her"}}, {"approved_by": "her", "approved_offering": None}),
        ({**OFFERING, "tags": {"team": "ml"}}, {"approved_by": None, "approved_offering": None}),
        (OFFERING, {"approved_by": None, "approved_offering": None}),
        ({**OFFERING, "tags": UNKNOWN}, {"approved_by": UNKNOWN, "approved_offering": UNKNOWN}),
        (
            {**OFFERING, "tags": {**BOTH, APPROVAL_TAG: UNKNOWN}},
            {"approved_by": UNKNOWN, "approved_offering": "cb-1"},
        ),
        ({"capacityBlockOfferingId": UNKNOWN}, {"offering": UNKNOWN, "approved_by": None}),
        ({}, {"offering": UNKNOWN}),
    ],
    (SharedFileSystem, EFS): [({}, {"key": None, "subnets": (), "security_groups": ()})],
    (SharedFileSystem, OPENZFS): [
        ({}, {"size": None, "backup_days": 0, "compression": "NONE", "subnets": ()}),
        (in_subnet("subnet-1"), {"subnets": ("subnet-1",)}),
        ({"rootVolumeConfiguration": {"dataCompressionType": "ZSTD"}}, {"compression": "ZSTD"}),
        ({"rootVolumeConfiguration": UNKNOWN}, {"compression": UNKNOWN}),
    ],
    # What is not said is what FSx makes of it: SCRATCH_1 on SSD. What is restored from a backup takes after it.
    (LustreFileSystem, LUSTRE): [
        ({}, {"deployment": "SCRATCH_1", "disk": "SSD", "efa": False, "backup_days": 0, "subnets": ()}),
        ({}, dict.fromkeys(["size", "throughput", "version", "key", "metadata_mode"])),
        ({"backupId": "backup-1", "deploymentType": "PERSISTENT_2"}, {"deployment": "PERSISTENT_2"}),
        ({"backupId": "backup-1"}, {"size": UNKNOWN, "efa": UNKNOWN}),
        (in_subnet("subnet-1"), {"subnets": ("subnet-1",)}),
        (in_subnet(["subnet-2", "subnet-1"]), {"subnets": ("subnet-1", "subnet-2")}),
        (in_subnet(UNKNOWN), {"subnets": (Ref(SUBNET, "a"),)}),
        (in_subnet([UNKNOWN]), {"subnets": (Ref(SUBNET, "a"),)}),
        (in_subnet(""), {"subnets": ()}),
        ({"metadataConfiguration": METADATA}, {"metadata_mode": "USER_PROVISIONED", "metadata_iops": 6000}),
        ({"metadataConfiguration": [METADATA]}, {"metadata_mode": "USER_PROVISIONED", "metadata_iops": 6000}),
        ({"metadataConfiguration": UNKNOWN}, {"metadata_mode": UNKNOWN, "metadata_iops": UNKNOWN}),
    ],
}
CASES = [(kind, type_, *row) for (kind, type_), rows in ROWS.items() for row in rows]


@pytest.mark.parametrize(("kind", "type_", "said", "expected"), CASES)
def test_what_is_read(kind: type, type_: str, said: dict[str, Any], expected: dict[str, Any]) -> None:
    """Whatever the program writes, and however little of it is known."""
    found = seen(*OURS, registered(type_, "thing", **said)).find(kind, Ref(type_, "thing"))
    assert {name: getattr(found, name) for name in expected} == expected


def test_a_known_id_of_the_programs_own_reservation_goes_by_it() -> None:
    own = registered(CAPACITY_BLOCK, "ours", id="cr-0123456789abcdef0")
    (found,) = seen(own, template(**targeting(target(**{ID: own.id})))).of(LaunchTemplate)
    assert found.target == CapacityTarget(None, BLOCK, None)


def test_two_templates_of_one_name_below_two_components_stay_two() -> None:
    """A group is judged by its own template, not by its namesake."""
    mine, other = (
        registered(LAUNCH_TEMPLATE, "lt", below=f"team:x:{box}$", id=f"lt-{box}", instanceType=instance)
        for box, instance in (("Mine", "p5.48xlarge"), ("Other", "c5.2xlarge"))
    )
    nodes = registered(NODE_GROUP, "nodes", launchTemplate={"id": "lt-Mine"})
    fleet = seen(mine, other, nodes)
    (found,) = fleet.of(NodeGroup)
    judged = fleet.template_of(found)
    assert judged is not None
    assert judged.instance == "p5.48xlarge"


def test_a_template_named_by_its_name_is_found() -> None:
    """`launchTemplate: {name: ...}` is known in a preview, ids are not."""
    fleet = seen(template(name="gpu-nodes"), registered(NODE_GROUP, "nodes", launchTemplate={"name": "gpu-nodes"}))
    (found,) = fleet.of(NodeGroup)
    assert fleet.template_of(found) is not None


def test_the_smallest_of_several_types_is_what_a_template_must_fit() -> None:
    fleet = seen(
        template(id="lt-1"),
        registered(NODE_GROUP, "nodes", launchTemplate={"id": "lt-1"}, instanceTypes=["p5en.48xlarge", "p4d.24xlarge"]),
    )
    (judged,) = fleet.of(LaunchTemplate)
    machine = fleet.hardware_of(judged)
    assert machine is not None
    assert machine.instance == "p4d.24xlarge"


def test_a_resource_that_cannot_be_read_blinds_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named; all others are judged."""
    from muster.policies.views import fleet as module

    def crash(of: object) -> None:
        raise KeyError("oops")

    monkeypatch.setitem(module._VIEWS, NODE_GROUP, crash)
    fleet = fleet_of([registered(NODE_GROUP, "odd"), template()])
    assert fleet.unreadable == {f"{PREFIX}{NODE_GROUP}::odd": "KeyError: 'oops'"}
    assert len(fleet.of(LaunchTemplate)) == 1


SUBNET_ID = "subnet-0123456789abcdef0"


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("existing", [False, True])
def test_a_subnet_that_a_file_names(*, existing: bool, known: bool) -> None:
    """One that is there has the zone of the file and the facts of AWS; one that the file creates has the former."""
    program = Program("dev", "test")
    inputs = {"availabilityZone": "us-west-2a", "mapPublicIpOnLaunch": UNKNOWN}
    program.add(SUBNET, "a", inputs, id_=SUBNET_ID, existing=existing)
    observed = {"zone": "us-west-2b", "zoneId": "usw2-az1", "mapPublicIpOnLaunch": True, "freeAddresses": 9}
    facts = Facts.model_validate({"subnets": {SUBNET_ID: observed}}) if known else None
    found = fleet_of(program.registrations, facts=facts).subnets["a (aws:ec2)"]
    assert (found.created, found.declared_zone) == (not existing, "us-west-2a")
    if existing:
        told = (found.observed_zone, found.zone_id, found.map_public_ip, found.free_addresses)
        assert told == (("us-west-2b", "usw2-az1", True, 9) if known else (None,) * 4)


# associations


def link(name: str, owner: Any, needs: list[Ref], **inputs: Any) -> Any:
    return registered(DATA_ASSOCIATION, name, fileSystemId=owner, needs={"fileSystemId": needs}, **inputs)


def linked(*links: Any) -> Any:
    fleet = seen(registered(LUSTRE, "scratch", id="fs-1"), registered(LUSTRE, "other", id="fs-2"), *links)
    found = fleet.find(LustreFileSystem, Ref(LUSTRE, "scratch"))
    assert found is not None
    return found.associations


def test_mount_targets_belong_to_their_file_system() -> None:
    """A target whose file system is not known may be of any."""
    targets = [
        registered(MOUNT_TARGET, name, fileSystemId=of, subnetId=f"subnet-{name}", securityGroups=["sg-1"])
        for name, of in (("b", "fs-1"), ("a", "fs-1"), ("c", "fs-2"))
    ]
    owner = registered(EFS, "shared", id="fs-1")
    found = seen(owner, registered(EFS, "other", id="fs-2"), *targets).find(SharedFileSystem, Ref(EFS, "shared"))
    assert (found.subnets, found.security_groups) == (("subnet-a", "subnet-b"), ("sg-1",))
    unknown = registered(MOUNT_TARGET, "d", fileSystemId=UNKNOWN, subnetId="subnet-d")
    assert seen(owner, *targets, unknown).find(SharedFileSystem, Ref(EFS, "shared")).subnets is UNKNOWN


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

"""The CloudFormation stack that makes the cluster: its name, what it may do, how long it takes, when it stays."""

import pytest

from muster.config.description.slurm_settings import Os
from muster.unknown import UNKNOWN
from tests.infra.parallelcluster.described import (
    BLOCK,
    FILE_SYSTEM,
    IN_GROUP,
    KEY_PAIR,
    LUSTRE,
    MEMBER,
    OUTSIDE,
    PUBLIC_KEY,
    RESERVATION,
    RESERVATIONS,
    STACK,
    WITH_KEY,
    A,
    a_blueprint,
    cluster_of,
    registered,
    stack_of,
)

RESERVED = {"zone": "us-west-2a", "count": 4, "provided-by": "you"}


@pytest.mark.parametrize(("said", "policy", "protected"), [("keep", "Retain", True), ("delete", "Delete", False)])
def test_what_is_kept_is_kept_twice(said: str, policy: str, protected: bool) -> None:
    """By the engine, which refuses `destroy`, and by the provider, whatever deletes the stack."""
    program = registered({"on-destroy": said})
    assert cluster_of(program)["DeletionPolicy"] == policy
    assert program.one(STACK, "slurm").options.get("protect", False) is protected


def test_a_failed_cluster_stays_where_that_is_wanted() -> None:
    """The stack and the cluster both: a stack that rolls back would delete it."""
    kept = registered({"on-failure": "keep"})
    assert stack_of(kept)["onFailure"] == "DO_NOTHING"
    assert cluster_of(kept)["RollbackOnFailure"] is False
    plain = registered()
    assert "RollbackOnFailure" not in cluster_of(plain)


@pytest.mark.parametrize("kept", ["keep", "delete"])
def test_of_a_creation_that_failed_no_stack_is_left(kept: str) -> None:
    """One that was rolled back is empty, and can be deleted alone: no later `up` would come past it."""
    assert stack_of(registered({"on-destroy": kept}))["onFailure"] == "DELETE"


def test_a_key_pair_is_made_of_a_public_key() -> None:
    """Under a name that is nobody else's; the cluster goes by it."""
    program = registered(WITH_KEY)
    pair = program.one(KEY_PAIR, "head")
    assert (pair.inputs["publicKey"], pair.inputs["keyNamePrefix"]) == (PUBLIC_KEY, "test-head-")
    assert stack_of(program)["parameters"]["KeyPairHead"] == pair.outputs["keyName"]
    ssh = cluster_of(program)["ClusterConfiguration"]["HeadNode"]["Ssh"]
    assert ssh["KeyName"] == {"Ref": "KeyPairHead"}


def test_a_group_of_reservations_is_made_before() -> None:
    """With its reservations in it, or the first nodes would find it empty."""
    program = registered({IN_GROUP: {"reservation-group": {"create": [RESERVATION], **RESERVED}}})
    made = program.one(RESERVATIONS, "workers")
    assert made.inputs["name"] == "muster-test-workers"
    member = program.one(MEMBER, "workers-cr-0123456789abcdef0")
    assert stack_of(program)["parameters"]["ReservationGroupWorkers"] == made.outputs["arn"]
    assert member.urn in program.one(STACK, "slurm").dependencies
    assert program.outputs["nodeGroups"]["workers"]["capacity"]["reservationGroup"] == made.outputs["arn"]


BOUGHT = {
    "buy": {
        "offering": "cb-0123456789abcdef0",
        "approved": {"by": "a platform engineer", "offering": "cb-0123456789abcdef0"},
    },
    "zone": "us-west-2a",
    "count": 4,
    "starts": "2026-12-01",
    "ends": "2026-12-15",
}


def test_a_block_is_bought_by_the_stack_itself() -> None:
    """As on EKS: it stays when the cluster goes."""
    program = registered({IN_GROUP: {"capacity-block": BOUGHT}})
    (bought,) = program.named(BLOCK).values()
    assert stack_of(program)["parameters"]["ReservationWorkers"] == bought.id
    assert bought.options["retainOnDelete"] is True
    assert program.outputs["nodeGroups"]["workers"]["capacity"]["reservation"] == bought.id


@pytest.mark.parametrize("os", Os)
def test_a_block_is_bought_for_the_platform_of_the_nodes(os: Os) -> None:
    """As ParallelCluster has it: nothing of another platform is launched into it, and nothing that is bought goes
    back."""
    edits = {IN_GROUP: {"capacity-block": BOUGHT}, "os": str(os)}
    (bought,) = registered(edits).named(BLOCK).values()
    platform = "Red Hat Enterprise Linux" if os in (Os.RHEL8, Os.RHEL9) else "Linux/UNIX"
    assert bought.inputs["instancePlatform"] == platform
    (judged,) = a_blueprint(edits).purchases
    assert judged.platform == platform


def test_file_systems_stand_with_all_their_rules_before_the_head_node() -> None:
    """It mounts them when it starts, and fails where it cannot."""
    program = registered({"storage": LUSTRE})
    waits = set(program.one(STACK, "slurm").dependencies)
    assert program.one(FILE_SYSTEM, "fsx").urn in waits
    rules = {each.urn for each in program.all if "SecurityGroupRule" in each.type or "gressRule" in each.type}
    assert rules
    assert rules <= waits
    assert stack_of(program)["parameters"]["FileSystemFsx"] == program.one(FILE_SYSTEM, "fsx").id


def test_in_a_preview_the_template_is_known_and_ids_are_not() -> None:
    """Rules judge it there; and it is the same text as afterwards."""
    edits = {"storage": LUSTRE, **WITH_KEY, IN_GROUP: {"reservation-group": {"create": [RESERVATION], **RESERVED}}}
    before, after = registered(edits, preview=True), registered(edits)
    assert stack_of(before)["templateBody"] == stack_of(after)["templateBody"]
    parameters = stack_of(before)["parameters"]
    unknown = {name for name, value in parameters.items() if value is UNKNOWN}
    assert unknown == {"SecurityGroupNodes", "FileSystemFsx", "KeyPairHead", "ReservationGroupWorkers"}
    assert {parameters[name] for name in parameters.keys() - unknown} == {A, OUTSIDE}


def test_a_network_of_ours_stands_before() -> None:
    """The head node asks for packages when it starts: routes out first. No tags for Kubernetes' load balancers."""
    program = registered({"network": {"create": {"cidr": "10.0.0.0/16", "zones": ["us-west-2a"]}}})
    waits = set(program.one(STACK, "slurm").dependencies)
    routes = {each.urn for each in program.all if each.type == "aws:ec2/route:Route"}
    assert routes
    assert routes <= waits
    assert program.one("aws:ec2/vpc:Vpc", "network").inputs["enableDnsHostnames"] is True
    assert program.one("aws:ec2/vpc:Vpc", "network").inputs["enableDnsSupport"] is True
    keys = {key for subnet in program.named("aws:ec2/subnet:Subnet").values() for key in subnet.inputs["tags"]}
    assert keys == {"Name", "muster:stack"}

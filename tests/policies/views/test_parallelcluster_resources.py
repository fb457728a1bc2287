"""Views of queues, compute resources and head nodes of ParallelCluster: what ids name, what is said and where."""

from typing import Any

import pytest

from muster.fleet.resources import (
    CapacityTarget,
    ComputeResource,
    HeadNode,
    Placement,
    PossibleReferences,
    Queue,
    Ref,
    Script,
)
from muster.fleet.resources.parallelcluster import START
from muster.fleet.resources.ref import CAPACITY_RESERVATION, KEY_PAIR, PLACEMENT_GROUP, RESOURCE_GROUP
from muster.unknown import UNKNOWN
from tests.policies.views.parallelclusters import (
    GROUP,
    NATIVE,
    NODES,
    OTHER,
    RESERVED,
    SUBNET_A,
    SUBNET_B,
    a_stack,
    a_template,
    the_resource,
    with_queue,
)
from tests.policies.views.registrations import registered, seen


def test_one_of_a_kind_is_what_an_unknown_id_names() -> None:
    """The stack's parameters are made of it alone."""
    queue = {"Networking": {"SubnetIds": [{"Ref": "S"}], "AdditionalSecurityGroups": [{"Ref": "G"}]}}
    resource = the_resource({}, SUBNET_A, NODES, queue=queue, S=UNKNOWN, G=UNKNOWN)
    assert (resource.subnets, resource.security_groups) == ((SUBNET_A,), (NODES,))
    assert resource.subnets_among is None


def test_one_of_two_subnets() -> None:
    """Which, only creation tells; that it is one, and of which, is known."""
    queue = {"Networking": {"SubnetIds": [{"Ref": "S"}]}}
    resource = the_resource({}, SUBNET_A, SUBNET_B, queue=queue, S=UNKNOWN)
    assert (resource.subnets, resource.subnets_among) == (UNKNOWN, PossibleReferences(1, (SUBNET_A, SUBNET_B)))


def test_what_only_cloudformation_makes_has_a_name_of_its_own() -> None:
    """It is none of the program's subnets, and no number or word that anybody knows."""
    queue = {"Networking": {"SubnetIds": [{"Ref": "Mine"}]}}
    said = {"InstanceType": {"Fn::ImportValue": "type"}, "MaxCount": {"Fn::GetAtt": ["Mine", "Size"]}}
    resource = the_resource(said, SUBNET_A, queue=queue, S=UNKNOWN)
    assert (resource.subnets, resource.instances, resource.nodes_max) == (("pcluster.Mine",), UNKNOWN, UNKNOWN)


def test_no_parameter_is_known() -> None:
    """Then nothing is made up."""
    body = a_template(with_queue({"Networking": {"SubnetIds": {"Ref": "S"}}}), "S")
    (queue,) = seen(a_stack(body, parameters=UNKNOWN)).of(Queue)
    assert queue.subnets is UNKNOWN


@pytest.mark.parametrize(
    ("own", "of_queue", "expected"),
    [
        (None, {"CapacityReservationId": RESERVED}, CapacityTarget(reservation=RESERVED)),
        ({"CapacityReservationId": OTHER}, {"CapacityReservationId": RESERVED}, CapacityTarget(reservation=OTHER)),
        ({"CapacityReservationResourceGroupArn": GROUP}, {"CapacityReservationId": OTHER}, CapacityTarget(group=GROUP)),
        (None, None, CapacityTarget()),
        (UNKNOWN, None, UNKNOWN),
    ],
)
def test_a_target_is_its_own_or_its_queues(own: Any, of_queue: Any, expected: Any) -> None:
    """Never half of each."""
    key = "CapacityReservationTarget"
    configuration = with_queue({key: of_queue, "ComputeResources": [{"Name": "workers", key: own}]})
    (resource,) = seen(a_stack(a_template(configuration), type=NATIVE)).of(ComputeResource)
    assert resource.target == expected


def test_reservations_of_the_program() -> None:
    """By the one that there is of a kind."""
    reservation, group = Ref(CAPACITY_RESERVATION, "ours"), Ref(RESOURCE_GROUP, "ours")
    by_id = {"CapacityReservationTarget": {"CapacityReservationId": {"Ref": "R"}}}
    assert the_resource(by_id, reservation, R=UNKNOWN).target == CapacityTarget(reservation=reservation)
    by_arn = {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": {"Ref": "R"}}}
    assert the_resource(by_arn, group, R=UNKNOWN).target == CapacityTarget(group=group)


@pytest.mark.parametrize(
    ("own", "of_queue", "expected"),
    [
        (None, {"Enabled": True}, Placement(enabled=True)),
        ({"Enabled": "false"}, {"Enabled": True}, Placement(enabled=False)),
        ({"Name": "one", "Id": "two"}, None, Placement(name="one")),
        ({"Id": "two"}, {"Name": "one"}, Placement(name="two")),
        ({"Name": {"Ref": "P"}}, None, Placement(name=Ref(PLACEMENT_GROUP, "ours"))),
        ({"Name": {"Ref": "Group"}}, None, Placement(name="pcluster.Group")),
    ],
)
def test_a_placement_group_is_its_own_or_its_queues(own: Any, of_queue: Any, expected: Placement) -> None:
    """The name stands before the id."""
    said = {"Networking": {"PlacementGroup": own}} if own else {}
    queue = {"Networking": {"PlacementGroup": of_queue}} if of_queue else {}
    assert the_resource(said, Ref(PLACEMENT_GROUP, "ours"), queue=queue, P=UNKNOWN).placement == expected


def test_a_resource() -> None:
    """Numbers may be text."""
    resource = the_resource(
        {
            "MinCount": "2",
            "MaxCount": 4,
            "Efa": {"Enabled": "true"},
            "DisableSimultaneousMultithreading": True,
        },
        queue={"CapacityType": "SPOT", "Networking": {"AssignPublicIp": True, "SecurityGroups": ["sg-1"]}},
    )
    assert (resource.nodes_min, resource.nodes_max, resource.efa) == (2, 4, True)
    assert (resource.threads_per_core, resource.capacity_type) == (1, "SPOT")
    assert (resource.public_ip, resource.security_groups, resource.replaces_groups) == (True, ("sg-1",), True)


def test_a_head_node() -> None:
    """With the key pair that the program makes, and what it may read."""
    pair = Ref(KEY_PAIR, "admins")
    said = {
        "InstanceType": "m5.8xlarge",
        "Ssh": {"KeyName": {"Ref": "K"}, "AllowedIps": "203.0.113.0/24"},
        "CustomActions": {
            "OnNodeStart": {"Script": "s3://scripts/first.sh"},
            "OnNodeConfigured": {"Sequence": [{"Script": "https://x/a.sh", "Args": ["-v"]}, {"Script": UNKNOWN}]},
        },
        "Iam": {"S3Access": [{"BucketName": "scripts"}], "AdditionalIamPolicies": [{"Policy": "arn"}]},
    }
    body = a_template({"HeadNode": said, "DevSettings": {"Timeouts": {"HeadNodeBootstrapTimeout": 3600}}}, "K")
    key = registered(KEY_PAIR, "admins", publicKey="ssh-rsa AAAA me")
    stack = a_stack(body, type=NATIVE, parameters={"K": UNKNOWN}, needs={"parameters": [pair]})
    (head,) = seen(stack, key).of(HeadNode)
    assert (head.key_pair, head.ssh_from) == (pair, "203.0.113.0/24")
    assert head.scripts == (
        Script("s3://scripts/first.sh", event=START),
        Script("https://x/a.sh", ("-v",)),
        Script(UNKNOWN),
    )
    assert (head.buckets, head.policies, head.own_role) == ({"scripts"}, {"arn"}, False)
    assert head.seconds == 3600


@pytest.mark.parametrize(
    ("said", "known", "more"),
    [
        (None, frozenset(), False),
        ([], frozenset(), False),
        ([{"Policy": "arn"}, {"Policy": UNKNOWN}], {"arn"}, True),
        ([{"Policy": "arn"}, UNKNOWN], {"arn"}, True),
        ([UNKNOWN], frozenset(), True),
        (UNKNOWN, UNKNOWN, True),
    ],
)
def test_policies_that_are_known_are_kept_beside_one_that_is_not(said: Any, known: Any, more: bool) -> None:
    """Of a head node and of a queue: an administrator's stands, whatever else is attached."""
    iam = {} if said is None else {"AdditionalIamPolicies": said}
    queue = {"Name": "train", "Iam": iam, "ComputeResources": []}
    body = a_template({"HeadNode": {"Iam": iam}, "Scheduling": {"SlurmQueues": [queue]}})
    fleet = seen(a_stack(body, type=NATIVE))
    for each in (*fleet.of(HeadNode), *fleet.of(Queue)):
        assert (each.policies, each.more_policies) == (known, more)


def test_a_key_pair_by_its_name() -> None:
    """Which is known before it is there."""
    key = registered(KEY_PAIR, "admins", keyName="ml-admins", publicKey="ssh-ed25519 AAAA me")
    stack = a_stack(a_template({"HeadNode": {"Ssh": {"KeyName": "ml-admins"}}}))
    (head,) = seen(stack, key).of(HeadNode)
    assert head.key_pair == Ref(KEY_PAIR, "admins")


def test_scripts_not_yet_known() -> None:
    """Are not none."""
    configuration = with_queue({"CustomActions": {"OnNodeConfigured": UNKNOWN}})
    (queue,) = seen(a_stack(a_template(configuration), type=NATIVE)).of(Queue)
    assert queue.scripts is UNKNOWN

"""What a description becomes: what EKS, SageMaker and Slurm are told of its groups, setting by setting."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from muster.blueprint.derive.slurm import NOWHERE
from muster.blueprint.kubernetes import EksGroup
from muster.fleet.resources import Subnet
from tests.factories import CR, DROP, SG, a_blueprint
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.slurm_factories import a_slurm_blueprint


def test_zones_that_only_some_subnets_say_are_no_puzzle() -> None:
    """Of subnets of which nobody knows the zone, or its id, nothing follows; AWS's word goes before the file's."""
    unknown = (
        Subnet("subnet-1"),
        Subnet("subnet-2", zone_id="usw2-az3"),
        Subnet("subnet-3", declared_zone="us-west-2a"),
        Subnet("subnet-4", declared_zone="us-west-2a", zone_id="usw2-az2"),
        Subnet("subnet-5", declared_zone="us-west-2a", observed_zone="us-west-2b", zone_id="usw2-az1"),
    )
    made = a_blueprint().network
    for order in permutations(unknown):
        assert replace(made, subnets={each.id: each for each in order}).zone_ids == {
            "us-west-2a": "usw2-az2",
            "us-west-2b": "usw2-az1",
        }


GPUS = {"for": "inference", "instance": "g5.12xlarge", "nodes": 2}
CPUS = {"for": "inference", "instance": "m5.8xlarge", "nodes": 2}
HELD = {"reservation": {"id": CR, "zone": "us-west-2a", "count": 2, "provided-by": "you"}}
AMI = {"custom": {"id": "ami-0123456789abcdef0", "family": "al2023"}}


@pytest.mark.parametrize(
    ("said", "own", "found"),
    [
        ({}, False, {}),
        ({"updates": {"at-once": 3}}, False, {"max_unavailable": 3}),
        ({"updates": {"percent-at-once": 40}}, False, {"max_unavailable": None, "max_unavailable_percentage": 40}),
        ({"updates": {}}, False, {}),
        ({"node-repair": False}, False, {"repair": False}),
        ({"node-repair": True}, False, {}),
        (CPUS, False, {"repair": False, "ami_type": "AL2023_x86_64_STANDARD"}),
        ({**CPUS, "node-repair": True}, False, {"ami_type": "AL2023_x86_64_STANDARD"}),
        ({"image": "bottlerocket"}, False, {"ami_type": "BOTTLEROCKET_x86_64_NVIDIA"}),
        ({"image": AMI}, False, {"ami_type": None, "version": None}),
        ({"capacity": "spot"}, False, {"capacity_type": "SPOT"}),
        (
            {"capacity": HELD},
            False,
            {"repair_limits": (("maxParallelNodesRepairedCount", 1),), "update_strategy": "MINIMAL"},
        ),
        ({"capacity": HELD, "node-repair": False}, False, {"repair": False, "update_strategy": "MINIMAL"}),
        ({}, True, {}),
        ({"image": AMI}, True, {}),
        ({"updates": {"at-once": 3}}, True, {"ignored": ("updates",)}),
        ({"updates": {"percent-at-once": 40}}, True, {"ignored": ("updates",)}),
        ({"updates": {}}, True, {}),
        ({"node-repair": False}, True, {"ignored": ("node-repair",)}),
        ({"updates": {"at-once": 1}, "node-repair": True}, True, {"ignored": ("node-repair", "updates")}),
        ({"capacity": "spot"}, True, {}),
        ({"capacity": HELD}, True, {}),
    ],
)
def test_what_eks_is_told_of_a_group_it_manages(said: dict[str, Any], *, own: bool, found: dict[str, Any]) -> None:
    """Each with the rest as it is without; nothing of a group that is somebody's own, but what was said in vain."""
    (made,) = (
        each.node_group
        for each in a_blueprint({"groups.one": {**GPUS, **said, "self-managed": own}}).groups
        if isinstance(each, EksGroup) and each.name == "one"
    )
    plain: dict[str, Any] = {
        "ami_type": "AL2023_x86_64_NVIDIA",
        "capacity_type": "ON_DEMAND",
        "version": a_blueprint().control_plane.kubernetes,
        "max_unavailable": 1,
        "max_unavailable_percentage": None,
        "repair": True,
        "repair_limits": (),
        "update_strategy": "DEFAULT",
        "ignored": (),
    }
    of_own = {**dict.fromkeys(plain), "repair_limits": (), "ignored": ()}
    assert {name: getattr(made, name) for name in plain} == {**(of_own if own else plain), **found}


def test_a_template_says_what_the_resource_will_have() -> None:
    """`settings` are the keys of `launchTemplateData` that are given; those that every template has, and these."""
    always = {"instanceType", "blockDeviceMappings", "metadataOptions", "tagSpecifications"}
    own = {"iamInstanceProfile", "userData", "imageId"}
    key = {"session": {"key-pair": "ours"}}
    training = {"for": "training", "instance": "p5.48xlarge"}
    for said, more in (
        (CPUS, set[str]()),
        ({**CPUS, "self-managed": True}, own | {"vpcSecurityGroupIds"}),
        ({**CPUS, **key}, {"keyName"}),
        ({**CPUS, "security-groups": [SG]}, {"vpcSecurityGroupIds"}),
        ({**CPUS, "image": AMI}, {"imageId", "userData"}),
        ({**CPUS, "huge-pages": "2GiB"}, {"userData"}),
        ({**GPUS, "capacity": "spot", "self-managed": True}, own | {"instanceMarketOptions", "vpcSecurityGroupIds"}),
        ({**CPUS, "capacity": HELD}, {"capacityReservationSpecification", "placement"}),
        (
            {**CPUS, **training, "capacity": HELD},
            {"capacityReservationSpecification", "networkInterfaces", "placement", "userData"},
        ),
        # Its interfaces carry the groups.
        ({**CPUS, **training, "security-groups": [SG]}, {"networkInterfaces", "placement", "userData"}),
        ({**CPUS, **training, "self-managed": True}, own | {"networkInterfaces", "placement"}),
    ):
        (template,) = (
            each.template
            for each in a_blueprint({"groups.one": said}).groups
            if isinstance(each, EksGroup) and each.name == "one"
        )
        assert set(template.settings) == always | more, said
        assert ("userData" in template.settings) == (template.user_data is not None)


def test_who_comes_in_by_ssh_is_said_or_nobody() -> None:
    """Without a key nobody does: ParallelCluster would open port 22 to all where nothing is said."""
    login = {"head.login": {"key-pair": "ours"}, "head.ssh-from": "198.51.100.0/24"}
    for edits, network in (
        ({"head.login": "ssm"}, NOWHERE),
        ({"head.login": DROP}, NOWHERE),
        (login, "198.51.100.0/24"),
    ):
        assert a_slurm_blueprint(edits).head.ssh_from == network


@pytest.mark.parametrize("make", [a_blueprint, a_hyperpod_blueprint])
def test_whom_a_cluster_that_exists_would_let_in(make: Any) -> None:
    """Each principal of `access` once, in order; so that whether it takes access entries can be asked."""
    people = [f"arn:aws:iam::210987654321:role/{name}" for name in ("b", "a")]
    plane = {
        "control-plane": {"existing": {"name": "ours", "security-group": SG, "authentication": "api"}},
        "api": DROP,
        "logs": DROP,
    }
    access = [{"principal": each, "policy": "view"} for each in people]
    assert make({**plane, "access": access}).control_plane.grants == tuple(sorted(people))
    assert make(plane).control_plane.grants == ()


@pytest.mark.parametrize(
    ("said", "recovery", "provisioning", "autoscaler"),
    [
        ({}, "Automatic", None, None),
        ({"node-recovery": "automatic"}, "Automatic", None, None),
        ({"node-recovery": "none"}, "None", None, None),
        ({"provisioning": "continuous"}, "Automatic", "Continuous", None),
        ({"provisioning": "continuous", "autoscaling": "karpenter"}, "Automatic", "Continuous", "Karpenter"),
    ],
)
def test_a_hyperpod_cluster_is_described_in_sagemakers_words(
    said: dict[str, Any], recovery: str, provisioning: str | None, autoscaler: str | None
) -> None:
    """Those of its API; the role of its own is for the autoscaler."""
    made = a_hyperpod_blueprint({"hyperpod": said}).hyperpod
    assert made is not None
    cluster = made.cluster
    assert (cluster.node_recovery, cluster.provisioning, cluster.autoscaler) == (recovery, provisioning, autoscaler)
    assert cluster.has_cluster_role == (autoscaler is not None)

"""EKS clusters that exist: what the description says, and what AWS says."""

from dataclasses import replace
from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import ControlPlane, Fleet
from tests.factories import SG, a_control_plane, a_fleet, facts
from tests.policies.case import case

DECLARED, ACTIVE = "existing-cluster-as-declared", "existing-cluster-active"
AT = "control-plane.existing"
VPC = "vpc-0123456789abcdef0"
SAID = {
    "exists": True,
    "version": "1.35",
    "vpc": VPC,
    "securityGroup": SG,
    "authentication": "API_AND_CONFIG_MAP",
    "state": "ACTIVE",
    "eksAddons": {"vpc-cni": "v1.23.1-eksbuild.1"},
}


def a_cluster(**more: Any) -> ControlPlane:
    """One that exists, as its description has it."""
    said = {"name": "theirs", "authentication": "API_AND_CONFIG_MAP", "security_groups": (SG,), "vpc": VPC}
    return a_control_plane(subnets=(), existing=True, **{**said, **more})


def aws_says(**said: Any) -> Facts:
    """What AWS says of it; None takes an answer away."""
    known = {key: value for key, value in {**SAID, **said}.items() if value is not None}
    return facts(clusters={"theirs": known})


def joined(known: Facts, **more: Any) -> Fleet:
    """Groups that join it."""
    return a_fleet(a_cluster(**more), facts=known)


@case()
def a_cluster_as_declared() -> Fleet:
    return joined(aws_says())


@case(f"{DECLARED} @ kubernetes")
def a_cluster_of_another_version() -> Fleet:
    return joined(aws_says(version="1.34"))


@case(f"{DECLARED} @ kubernetes")
def a_cluster_of_a_newer_version() -> Fleet:
    return joined(aws_says(version="1.36"))


@case(f"{DECLARED} @ {AT}.security-group")
def a_cluster_with_another_security_group() -> Fleet:
    return joined(aws_says(securityGroup="sg-0fedcba9876543210"))


@case(f"{DECLARED} @ {AT}.authentication")
def a_cluster_that_takes_no_access_entries() -> Fleet:
    return joined(aws_says(authentication="CONFIG_MAP"))


@case(f"{DECLARED} @ {AT}.authentication")
def a_cluster_that_takes_access_entries_alone() -> Fleet:
    return joined(aws_says(authentication="API"))


@case(f"{DECLARED} @ network.existing.vpc")
def a_cluster_in_another_vpc() -> Fleet:
    return joined(aws_says(vpc="vpc-0fedcba9876543210"))


@case(f"{ACTIVE} @ {AT}.name")
def a_cluster_that_is_updating() -> Fleet:
    return joined(aws_says(state="UPDATING"))


@case(f"{ACTIVE} @ {AT}.name")
def a_cluster_that_is_being_deleted() -> Fleet:
    return joined(aws_says(state="DELETING"))


@case(unjudged=("vpc-cni-supports-efa @ groups.workers",))
def a_cluster_that_does_not_exist() -> Fleet:
    """That is one finding, of the rule about what a description names."""
    return joined(facts(clusters={"theirs": {"exists": False}}))


@case()
def a_cluster_of_which_a_person_knows_the_add_ons() -> Fleet:
    return joined(facts(clusters={"theirs": {"eksAddons": SAID["eksAddons"]}}))


@case()
def a_cluster_that_the_program_makes_where_one_of_its_name_is() -> Fleet:
    """What is made new is not compared: `pulumi up` says that the name is taken, or it is the stack's own."""
    made = replace(a_control_plane(), name="theirs")
    return a_fleet(made, facts=aws_says(version="1.34", state="UPDATING"))

"""EKS clusters that exist: what the description says, and what AWS says."""

from dataclasses import replace
from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import ControlPlane, Fleet
from tests.factories import SG, a_control_plane, a_fleet, facts
from tests.policies.case import cases

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


cases(
    a_cluster_as_declared=lambda: joined(aws_says()),
    a_cluster_of_another_version=lambda: joined(aws_says(version="1.34")),
    a_cluster_of_a_newer_version=lambda: joined(aws_says(version="1.36")),
    a_cluster_with_another_security_group=lambda: joined(aws_says(securityGroup="sg-0fedcba9876543210")),
    a_cluster_that_takes_no_access_entries=lambda: joined(aws_says(authentication="CONFIG_MAP")),
    a_cluster_that_takes_access_entries_alone=lambda: joined(aws_says(authentication="API")),
    a_cluster_in_another_vpc=lambda: joined(aws_says(vpc="vpc-0fedcba9876543210")),
    a_cluster_that_is_updating=lambda: joined(aws_says(state="UPDATING")),
    a_cluster_that_is_being_deleted=lambda: joined(aws_says(state="DELETING")),
    # That is one finding, of the rule about what a description names.
    a_cluster_that_does_not_exist=lambda: joined(facts(clusters={"theirs": {"exists": False}})),
    a_cluster_of_which_a_person_knows_the_add_ons=lambda: joined(
        facts(clusters={"theirs": {"eksAddons": SAID["eksAddons"]}})
    ),
    # What is made new is not compared: `pulumi up` says that the name is taken, or it is the stack's own.
    a_cluster_that_the_program_makes_where_one_of_its_name_is=lambda: a_fleet(
        replace(a_control_plane(), name="theirs"), facts=aws_says(version="1.34", state="UPDATING")
    ),
)

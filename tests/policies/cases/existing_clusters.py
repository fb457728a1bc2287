"""EKS clusters that exist: what the description says, and what AWS says."""

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
    a_cluster_of_another_version=lambda: joined(aws_says(version="1.34")),
    a_cluster_that_is_updating=lambda: joined(aws_says(state="UPDATING")),
)

"""EKS clusters that exist: what the description says, and what AWS says."""

from typing import Any

from muster.fleet.resources import ControlPlane
from tests.factories import SG, a_control_plane

VPC = "vpc-0123456789abcdef0"


def a_cluster(**more: Any) -> ControlPlane:
    """One that exists, as its description has it."""
    said = {"name": "theirs", "authentication": "API_AND_CONFIG_MAP", "security_groups": (SG,), "vpc": VPC}
    return a_control_plane(subnets=(), existing=True, **{**said, **more})

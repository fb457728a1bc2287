"""What an account says of the things that a description names: the network, offerings, what is free."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from tests.factories import (
    CR,
    A,
    B,
    described,
    edited,
    facts,
)

VPC = "vpc-0123456789abcdef0"
OTHER = "vpc-00000000000000001"
WORKERS = "groups.workers"
RESERVATION = f"{WORKERS}.capacity.reservation"
TEN_NODES = {"quotas": {"L-417A185B": 1920}}
AWS_SAYS = {
    **TEN_NODES,
    "reservations": {
        CR: {
            "exists": True,
            "state": "active",
            "platform": "Linux/UNIX",
            "tenancy": "default",
            "reservationType": "default",
            "instanceType": "p5.48xlarge",
            "zone": "us-west-2a",
            "totalInstances": 1,
            "availableInstances": 1,
        }
    },
    "subnets": {
        A: {"exists": True, "vpc": VPC, "wayOut": "nat", "mapPublicIpOnLaunch": False, "freeAddresses": 4000},
        B: {"exists": True, "vpc": VPC, "wayOut": "nat", "mapPublicIpOnLaunch": False, "freeAddresses": 4000},
    },
    "vpcs": {VPC: {"exists": True, "dnsSupport": True, "dnsHostnames": True, "endpoints": []}},
    "offerings": {"p5.48xlarge": ["us-west-2a"], "c5.2xlarge": ["us-west-2a", "us-west-2b"]},
}
"""Everything of the default description."""


def told(edits: dict[str, Any] | None = None) -> Facts:
    """What AWS says, edited at dotted paths."""
    return facts(**edited(AWS_SAYS, edits or {}))


def asked(edits: dict[str, Any] | None = None, **described_edits: Any) -> Fleet:
    """The default description, of which AWS says that."""
    return described({key.replace("_", "."): value for key, value in described_edits.items()}, facts=told(edits))

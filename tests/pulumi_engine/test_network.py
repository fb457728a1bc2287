"""Changes of a network that Muster made, under a cluster that runs."""

import pytest

from tests.pulumi_engine.conftest import MakeStack
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED
from tests.stack_files import edited

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

ZONES = "        zones: [us-west-2a, us-west-2b]\n"


def test_a_nat_gateway_more(muster: MakeStack) -> None:
    """From one to one a zone and back: a gateway with its address comes and goes, a route is turned, no more."""
    it = muster("g4dn")
    it.up().require()
    one = it.text
    it.describe(edited(one, ZONES, f"{ZONES}        nat: per-zone\n"))
    more = it.up().require()
    assert operations(more.changes) == {
        ("Eip", "nat-us-west-2b", "create"),
        ("NatGateway", "us-west-2b", "create"),
        ("Route", "private-us-west-2b", "update"),
    }
    it.describe(one)
    less = it.up().require()
    assert operations(less.changes) == {
        ("Eip", "nat-us-west-2b", "delete"),
        ("NatGateway", "us-west-2b", "delete"),
        ("Route", "private-us-west-2b", "update"),
    }


def test_a_zone_at_the_end(muster: MakeStack) -> None:
    """Its subnets come to those that are there; endpoints reach into it. The control plane stays where it is: EKS takes
    no subnet in a zone that it did not start with. No group is made anew."""
    it = muster("g4dn", facts="")
    it.up().require()
    it.describe(edited(it.text, ZONES, "        zones: [us-west-2a, us-west-2b, us-west-2c]\n"))
    changes = operations(it.preview().require().changes)
    assert ("Subnet", "private-us-west-2c", "create") in changes
    assert {each for each in changes if each[2] != "create"} == {
        ("VpcEndpoint", "s3", "update"),
        ("VpcEndpoint", "ecr.api", "update"),
        ("VpcEndpoint", "ecr.dkr", "update"),
    }


def operations(changes: dict[str, str]) -> set[tuple[str, str, str]]:
    """(kind, logical name, operation) of each change."""
    return {(urn.split("::")[2].rpartition(":")[2], urn.rpartition("::")[2], each) for urn, each in changes.items()}

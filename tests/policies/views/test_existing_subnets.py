"""Subnets that a file of another tool names, and does not create."""

from muster.fleet.facts import Facts
from muster.fleet.registration import Registration
from muster.fleet.resources import Subnet
from muster.fleet.resources.ref import SUBNET
from muster.policies.views import fleet_of
from muster.sources.registrations import Program
from muster.unknown import UNKNOWN

ID = "subnet-0123456789abcdef0"


def subnet(*, existing: bool) -> tuple[Registration, ...]:
    """A subnet in us-west-2a."""
    program = Program("dev", "test")
    inputs = {"availabilityZone": "us-west-2a", "mapPublicIpOnLaunch": UNKNOWN}
    program.add(SUBNET, "a", inputs, id_=ID, existing=existing)
    return program.registrations


def only(facts: Facts | None, *, existing: bool) -> Subnet:
    """The subnet that references name."""
    return fleet_of(subnet(existing=existing), facts=facts).subnets["a (aws:ec2)"]


def test_an_existing_subnet_has_the_zone_of_the_file_and_the_facts_of_aws() -> None:
    observed = {"zone": "us-west-2b", "zoneId": "usw2-az1", "mapPublicIpOnLaunch": True, "freeAddresses": 9}
    facts = Facts.model_validate({"subnets": {ID: observed}})
    found = only(facts, existing=True)
    assert (found.created, found.declared_zone, found.observed_zone) == (False, "us-west-2a", "us-west-2b")
    assert (found.zone_id, found.map_public_ip, found.free_addresses) == ("usw2-az1", True, 9)


def test_an_existing_subnet_without_facts_has_only_what_the_file_has() -> None:
    found = only(None, existing=True)
    assert (found.created, found.zone, found.map_public_ip, found.free_addresses) == (False, "us-west-2a", None, None)


def test_a_new_subnet_is_created() -> None:
    assert only(None, existing=False).created

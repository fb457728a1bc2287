"""An interface of which something is known only once it is there: which rules say so, and what they lacked."""

from dataclasses import replace

import pytest

from muster.fleet.unknown import UNKNOWN
from policies.engine.judgement import judge
from tests.factories import a_fleet, a_group, a_template, an_interface

CARD, TYPE = "the card of every network interface", "the type of every network interface"
SLOT = "the card and device of every network interface"
EFA = "the card and type of every network interface"
ALL = "the card, device and type of every network interface"
ADDRESSES = {("max-pods-within-addresses", ALL), ("subnet-holds-nodes", ALL)}
SLOTS = {("interface-device-index", SLOT), ("interface-slot-used-once", SLOT)}
CARDS = {("efa-fits-instance", EFA), ("one-efa-per-card", EFA)}


@pytest.mark.parametrize(
    ("attribute", "missing"),
    [
        ("card", {("interface-card-exists", CARD), ("interfaces-per-card", CARD), *SLOTS, *CARDS, *ADDRESSES}),
        ("device", {*SLOTS, *ADDRESSES}),
        (
            "type",
            {
                *ADDRESSES,
                *CARDS,
                ("efa-only-without-address", TYPE),
                ("efa-security-groups-allow-themselves", TYPE),
                ("efa-single-zone", TYPE),
                ("efa-used-fully", TYPE),
                ("interface-type-known", TYPE),
                ("spot-not-for-training", TYPE),
                ("vpc-cni-supports-efa", TYPE),
            },
        ),
        (
            "security_groups",
            {("efa-security-groups-allow-themselves", "which are the security groups of the EFA interfaces")},
        ),
        ("public_ip", {("several-interfaces-no-public-ip", "whether an interface asks for a public IP address")}),
    ],
)
def test_what_is_not_known_of_an_interface(attribute: str, missing: set[tuple[str, str]]) -> None:
    """The rules that need it, on spot instances, and no others."""
    second = replace(an_interface(1, 0, "efa"), **{attribute: UNKNOWN})
    template = a_template(interfaces=(an_interface(), second), market_type="spot")
    judgement = judge(a_fleet(template, a_group(capacity_type=None)))
    assert {(each.rule, each.missing) for each in judgement.not_evaluated} == missing

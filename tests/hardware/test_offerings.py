"""Laws of the table of offered zones, what documents say independently of it, and where they are known to disagree."""

import csv
from collections import Counter

import pytest

from muster.hardware.offerings import OBSERVED, SOURCE, regions, zones_of_region, zones_offering
from muster.hardware.zones import CONTROL_PLANE_REFUSED, REGION, ZONE_ID
from tests.stack_files import ROOT

FOLDER = ROOT / "muster" / "hardware"
ROWS = list(csv.DictReader((FOLDER / "offerings.csv").read_text(encoding="utf-8").splitlines()))


def code_of(region: str) -> str:
    """``ap-northeast-1`` -> ``apne1``: how AWS begins the ids of a Region's zones."""
    area, direction, number = region.split("-")
    initials = "".join(direction.partition(part)[1][:1] for part in ("north", "south", "east", "west", "central"))
    return f"{area}{initials}{number}"


def test_zone_ids_belong_to_their_region() -> None:
    assert regions()
    for region in regions():
        assert REGION.fullmatch(region)
        for zone in zones_of_region(region):
            assert ZONE_ID.fullmatch(zone)
            assert zone.partition("-")[0] == code_of(region)


def test_no_type_has_two_rows() -> None:
    listed = Counter(name for row in ROWS for name in row["instance_types"].split())
    assert [name for name, times in listed.items() if times > 1] == []


def test_it_answers_what_the_table_has() -> None:
    for row in ROWS:
        by_region = dict(each.split(":") for each in row["zone_ids"].split())
        for region in regions():
            zones = frozenset(by_region[region].split(";")) if region in by_region else frozenset()
            assert zones_offering(row["instance_types"].split()[0], region) == zones


@pytest.mark.parametrize(
    ("instance", "region"),
    [
        ("p6e-gb200.36xlarge", "us-east-1"),
        ("quantum.48xlarge", "us-east-1"),
        ("p5.48xlarge", "us-gov-west-1"),
        ("p5.48xlarge", "us-west-2a"),
        ("p5.48xlarge", ""),
    ],
)
def test_of_what_it_does_not_know_it_says_nothing(instance: str, region: str) -> None:
    assert zones_offering(instance, region) is None


@pytest.mark.parametrize("instance", ["p4d.24xlarge", "p5.48xlarge"])
def test_three_zones_of_us_west_2_as_the_eks_guide_shows(instance: str) -> None:
    """EKS user guide, "machine learning training with EFA": us-west-2a us-west-2c us-west-2b."""
    zones = zones_offering(instance, "us-west-2")
    assert zones is not None
    assert len(zones) >= 3


def test_nodes_live_where_no_control_plane_does() -> None:
    """Why zones without control planes are no reason to refuse nodes."""
    seen = frozenset().union(*map(zones_of_region, regions()))
    assert seen & CONTROL_PLANE_REFUSED >= {"use1-az3"}
    assert "use1-az3" in (zones_offering("p5.48xlarge", "us-east-1") or ())


@pytest.mark.parametrize(
    ("instance", "region"),
    [
        ("p5e.48xlarge", "ap-northeast-1"),
        ("p5e.48xlarge", "ap-south-1"),
        ("p5e.48xlarge", "us-east-1"),
        ("p5e.48xlarge", "us-west-1"),
        ("p5en.48xlarge", "ap-southeast-2"),
        ("p5en.48xlarge", "eu-west-2"),
        ("trn1.32xlarge", "eu-north-1"),
    ],
)
def test_capacity_blocks_are_sold_where_no_zone_was_seen(instance: str, region: str) -> None:
    """EC2 user guide, Capacity Blocks: the reason why this table may warn and never refuse."""
    assert zones_offering(instance, region) == frozenset()


def test_the_day_is_the_one_the_source_was_published() -> None:
    """Who renews the table changes these together."""
    assert (SOURCE, OBSERVED.isoformat()) == ("moto 5.2.5 instance_type_offerings", "2026-10-27")

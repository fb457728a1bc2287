"""Zone names, zone ids and Regions are three things."""

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from muster.hardware.zones import (
    CONTROL_PLANE_REFUSED,
    REGION,
    REGIONS_WITH_REFUSED_ZONES,
    ZONE_ID,
    ZONE_NAME,
    ZoneId,
    ZoneName,
    domain_of,
    partition_of,
    region_of,
)

NAME, ID = TypeAdapter(ZoneName), TypeAdapter(ZoneId)
regions = st.from_regex(REGION, fullmatch=True)
letters = st.sampled_from("abcdef")


@given(regions, letters)
def test_a_zones_name_is_its_region_and_a_letter(region: str, letter: str) -> None:
    assert NAME.validate_python(region + letter) == region + letter
    assert region_of(region + letter) == region


@given(regions, letters)
def test_a_local_zone_is_in_its_parent_region(region: str, letter: str) -> None:
    assert region_of(f"{region}-lax-1{letter}") == region
    assert ZONE_NAME.fullmatch(f"{region}-lax-1{letter}")


@given(st.from_regex(ZONE_ID, fullmatch=True))
def test_a_zones_id_is_no_name(id_: str) -> None:
    assert ID.validate_python(id_) == id_
    with pytest.raises(ValidationError, match="is a zone id; write the zone's name, as in us-west-2a"):
        NAME.validate_python(id_)


@given(regions)
def test_a_region_is_no_zone(region: str) -> None:
    with pytest.raises(ValidationError, match=f"'{region}' is a Region; write a zone in it, as in {region}a"):
        NAME.validate_python(region)


@given(regions, letters)
def test_a_zones_name_is_no_id(region: str, letter: str) -> None:
    with pytest.raises(ValidationError, match="is not a zone id; write an id like usw2-az1"):
        ID.validate_python(region + letter)


@pytest.mark.parametrize(
    "nonsense", ["", "a", "us-west", "us-west-2A", "us-west-2aa", "US-WEST-2A", "us_west_2a", " us-west-2a"]
)
def test_nonsense_is_refused(nonsense: str) -> None:
    with pytest.raises(ValidationError, match="is not the name of a zone; write a name like us-west-2a"):
        NAME.validate_python(nonsense)


def test_what_is_no_zone_has_no_region() -> None:
    with pytest.raises(ValueError, match="'nowhere' is not the name of a zone"):
        region_of("nowhere")


def test_refused_zones_are_ids_one_in_each_region_concerned() -> None:
    """use1 is us-east-1, usw1 us-west-1, cac1 ca-central-1."""
    assert all(ZONE_ID.fullmatch(each) for each in CONTROL_PLANE_REFUSED)
    begin = {"use1": "us-east-1", "usw1": "us-west-1", "cac1": "ca-central-1"}
    assert {begin[each.partition("-")[0]] for each in CONTROL_PLANE_REFUSED} == REGIONS_WITH_REFUSED_ZONES


def test_partitions_are_botocores() -> None:
    """Of every Region that botocore knows, in all partitions; one that is newer goes by its beginning."""
    folder = files("botocore") / "data" / "partitions.json"
    partitions = json.loads(folder.read_text())["partitions"]
    known = {region: each["id"] for each in partitions for region in each["regions"] if not region.startswith("aws-")}
    assert {"aws", "aws-cn", "aws-us-gov", "aws-iso", "aws-iso-b", "aws-eusc"} <= set(known.values())
    assert {region: partition_of(region) for region in known} == known
    assert [partition_of(each) for each in ("us-gov-north-1", "cn-east-9", "mx-west-1")] == [
        "aws-us-gov",
        "aws-cn",
        "aws",
    ]


def test_the_refused_zones_are_the_guides() -> None:
    """Of the EKS user guide, "network requirements"; whoever adds one adds its Region."""
    assert {"use1-az3", "usw1-az2", "cac1-az3"} == CONTROL_PLANE_REFUSED


def test_names_of_services_end_as_botocore_says() -> None:
    """In every Region of AWS's own partition, China's and the government's."""
    partitions = json.loads((files("botocore") / "data" / "partitions.json").read_text())["partitions"]
    known = {
        region: each["outputs"]["dnsSuffix"]
        for each in partitions
        if each["id"] in {"aws", "aws-cn", "aws-us-gov"}
        for region in each["regions"]
        if not region.startswith("aws-")
    }
    assert set(known.values()) == {"amazonaws.com", "amazonaws.com.cn"}
    assert {region: domain_of(region) for region in known} == known

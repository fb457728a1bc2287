"""Zones: names, ids and Regions are three things, and each is where AWS says it is."""

import json
from dataclasses import replace
from importlib.resources import files
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from muster.fleet.resources import Subnet
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
from tests.factories import A, B, a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.factories.parallelcluster import a_slurm_blueprint

NAME, ID = TypeAdapter(ZoneName), TypeAdapter(ZoneId)
regions = st.from_regex(REGION, fullmatch=True)
letters = st.sampled_from("abcdef")


@given(regions, letters)
def test_a_name_is_a_region_and_a_letter_and_no_id(region: str, letter: str) -> None:
    """EC2 user guide, "Regions and Zones"; a Local Zone is in its parent Region."""
    assert NAME.validate_python(region + letter) == region + letter
    assert region_of(region + letter) == region_of(f"{region}-lax-1{letter}") == region
    assert ZONE_NAME.fullmatch(f"{region}-lax-1{letter}")
    for text, kind in ((region, NAME), (region + letter, ID)):
        with pytest.raises(ValidationError):
            kind.validate_python(text)


@given(st.from_regex(ZONE_ID, fullmatch=True))
def test_an_id_is_no_name(id_: str) -> None:
    """The same building for every account, whatever name it has there (AWS RAM user guide, "AZ IDs")."""
    assert ID.validate_python(id_) == id_
    with pytest.raises(ValidationError, match="is a zone id"):
        NAME.validate_python(id_)


@pytest.mark.parametrize(
    "nonsense", ["", "a", "us-west", "us-west-2A", "us-west-2aa", "US-WEST-2A", "us_west_2a", " us-west-2a"]
)
def test_nonsense_is_neither(nonsense: str) -> None:
    """Whatever stands around a zone's name."""
    for kind in (NAME, ID):
        with pytest.raises(ValidationError):
            kind.validate_python(nonsense)


def test_what_is_no_zone_has_no_region() -> None:
    """Never a guess."""
    with pytest.raises(ValueError, match="is not the name of a zone"):
        region_of("nowhere")


def test_refused_zones_are_ids_one_in_each_region_concerned() -> None:
    """EKS user guide, "network requirements"; use1 is us-east-1, usw1 us-west-1, cac1 ca-central-1."""
    assert {"use1-az3", "usw1-az2", "cac1-az3"} == CONTROL_PLANE_REFUSED
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


ZONE_IDS = {"us-west-2a": "usw2-az2", "us-west-2b": "usw2-az1"}
EXISTING = {"vpc": "vpc-0123456789abcdef0", "private": {"us-west-2a": A, "us-west-2b": B}}


@pytest.mark.parametrize("make", [a_blueprint, a_hyperpod_blueprint, a_slurm_blueprint])
@pytest.mark.parametrize(
    "network", [{"create": {"zones": [*ZONE_IDS]}}, {"existing": EXISTING}], ids=["create", "existing"]
)
def test_ids_of_zones_are_known_as_far_as_they_are_said(make: Any, network: dict[str, Any]) -> None:
    """Of a network that is made, and of one that exists; not of other zones."""
    ((kind, said),) = network.items()
    for ids in ({}, {"us-west-2b": ZONE_IDS["us-west-2b"]}, ZONE_IDS):
        assert make({"network": {kind: {**said, "zone-ids": ids}}}).network.zone_ids == ids


def test_zones_that_only_some_subnets_say_are_no_puzzle() -> None:
    """Of subnets of which nobody knows the zone, or its id, nothing follows; AWS's word goes before the file's."""
    unknown = (
        Subnet("subnet-1"),
        Subnet("subnet-2", zone_id="usw2-az3"),
        Subnet("subnet-3", declared_zone="us-west-2a"),
        Subnet("subnet-4", declared_zone="us-west-2a", zone_id="usw2-az2"),
        Subnet("subnet-5", declared_zone="us-west-2a", observed_zone="us-west-2b", zone_id="usw2-az1"),
    )
    made = a_blueprint().network
    for order in permutations(unknown):
        assert replace(made, subnets={each.id: each for each in order}).zone_ids == ZONE_IDS

"""Limits in tables: at each the rule is silent, one step beyond it is not. The numbers are their makers', each table
with where it comes from; a rule's own is never asked."""

import pytest

from muster.fleet.resources import Fleet, Volume
from muster.fleet.resources.security_group import INGRESS, tcp
from policies.catalogue import rule_of
from policies.judgement import judge
from tests.factories import AS_OF
from tests.hyperpods import an_instance_group
from tests.policies.cases.capacity import later, with_spot_quotas, within
from tests.policies.security import group
from tests.slurms import a_head, a_slurm_fleet

VOLUMES = "parallelcluster-volumes-legal"


def _said(rule: str, fleet: Fleet) -> list[str]:
    return [each.got for each in judge(fleet, rules=[rule_of(rule)]).findings]


def _is_legal(*volume: object, **more: int) -> bool:
    return _said(VOLUMES, a_slurm_fleet(a_head(root=Volume(*volume, **more)))) == []


# aws-parallelcluster 3.16.1, ebs_validators.py: EBS_VOLUME_TYPE_TO_VOLUME_SIZE_BOUNDS
@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        ("standard", 1, 1024),
        ("io1", 4, 16384),
        ("io2", 4, 65536),
        ("gp2", 1, 16384),
        ("gp3", 6, 16384),  # 1 by that table; its 3,000 IOPS want 6
        ("st1", 500, 16384),
        ("sc1", 500, 16384),
    ],
)
def test_a_volume_has_a_size_of_its_type(kind: str, least: int, most: int) -> None:
    """From the least to the most, and no GiB more or fewer."""
    assert [_is_legal(kind, gib) for gib in (least - 1, least, most, most + 1)] == [False, True, True, False]


# aws-parallelcluster 3.16.1, ebs_validators.py: EBS_VOLUME_IOPS_BOUNDS, EBS_VOLUME_TYPE_TO_IOPS_RATIO
@pytest.mark.parametrize(
    ("kind", "least", "most", "each"), [("io1", 100, 64000, 50), ("io2", 100, 256000, 1000), ("gp3", 3000, 16000, 500)]
)
def test_a_volume_has_iops_of_its_type(kind: str, least: int, most: int, each: int) -> None:
    """From the least to the most, and no more than so many for each GiB."""
    large = 16000
    assert [_is_legal(kind, large, n) for n in (least - 1, least, most, most + 1)] == [False, True, True, False]
    assert [_is_legal(kind, 10, n) for n in (10 * each, 10 * each + 1)] == [True, False]


def test_a_volume_has_the_iops_it_has_by_itself() -> None:
    """What is not said is the type's own number: throughput is measured by it."""
    assert [_is_legal("gp3", 100, None, n) for n in (124, 125, 750, 751)] == [False, True, True, False]
    assert [_is_legal("gp3", 100, 16000, n) for n in (1000, 1001)] == [True, False]
    assert [_is_legal("gp3", 100, 3999, n) for n in (999, 1000)] == [True, False]


@pytest.mark.parametrize("kind", ["standard", "gp2", "st1", "sc1"])
def test_other_volumes_take_no_iops(kind: str) -> None:
    """Whatever number."""
    assert (_is_legal(kind, 500), _is_legal(kind, 500, 100)) == (True, False)


# EC2 user guide, Future-dated Capacity Reservations
@pytest.mark.parametrize("instance", ["c7i", "m7i", "r7i", "i4i", "im4gn", "is4gen", "t3", "g6", "gr6"])
def test_these_families_are_reserved_for_later(instance: str) -> None:
    """EC2 takes future dates for them; for another whose name only begins like it, it does not."""
    assert _said("reservation-created-legal", later(instance=f"{instance}.24xlarge")) == []
    assert _said("reservation-created-legal", later(instance=f"x{instance}.24xlarge")) != []


def test_days_ahead() -> None:
    """From five days ahead to 120."""
    days = [AS_OF.fromordinal(AS_OF.toordinal() + ahead).isoformat() for ahead in (4, 5, 120, 121)]
    assert [_said("reservation-created-legal", later(day)) == [] for day in days] == [False, True, True, False]


# the codes as public repositories have them; the vCPUs of one node
@pytest.mark.parametrize(
    ("instance", "code", "vcpus"),
    [("p5.48xlarge", "L-417A185B", 192), ("g5.48xlarge", "L-DB2E81BA", 192), ("trn1.32xlarge", "L-2C3B7624", 128)],
)
def test_a_quota_of_its_own(instance: str, code: str, vcpus: int) -> None:
    """It holds the nodes it is enough for, and counts those of its family."""
    found = [_said("quota-covers-vcpus", within({code: n}, instance=instance, nodes_max=1)) for n in (vcpus, vcpus - 1)]
    assert found == [[], [f"workers may grow to {vcpus} vCPUs; quota {code} allows {vcpus - 1}"]]


@pytest.mark.parametrize(
    ("instance", "code", "vcpus"),
    [
        ("p4d.24xlarge", "L-7212CCBC", 96),
        ("p5.48xlarge", "L-C4BD4855", 192),
        ("g5.48xlarge", "L-3819A6DF", 192),
        ("trn1.32xlarge", "L-6B0D517C", 128),
    ],
)
def test_a_spot_quota_of_its_own(instance: str, code: str, vcpus: int) -> None:
    """Likewise on spot."""
    found = [_said("quota-covers-vcpus", with_spot_quotas(instance, {code: n})) for n in (vcpus, vcpus - 1)]
    assert found == [[], [f"workers may grow to {vcpus} vCPUs; quota {code} allows {vcpus - 1}"]]


@pytest.mark.parametrize(
    ("network", "is_everybody"), [("0.0.0.0/0", True), ("128.0.0.0/1", True), ("64.0.0.0/2", False), ("::/1", True)]
)
def test_half_of_all_addresses_is_everybody(network: str, is_everybody: bool) -> None:
    """Two halves let in whom one network of all would; a quarter is somebody's."""
    found = _said("security-group-not-open-to-all", group(tcp(INGRESS, 22, 22, network)))
    assert bool(found) == is_everybody


def test_the_least_number_of_instances_is_what_is_said_of_it() -> None:
    """Where nothing is said HyperPod wants all that it starts with."""
    assert [an_instance_group(nodes_start=3, minimum=least).nodes_min for least in (None, 1, 3)] == [3, 1, 3]

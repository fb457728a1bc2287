"""Limits in tables: at each the rule is silent, one step beyond it is not. The numbers are their makers', each table
with where it comes from; a rule's own is never asked."""

from dataclasses import replace
from datetime import timedelta

import pytest

from muster.fleet.resources import Fleet, StorageVolume, Volume
from muster.fleet.resources.ec2 import INGRESS, tcp
from muster.hardware.catalogue import hardware
from muster.policies.engine.catalogue import rule_of
from muster.policies.engine.judgement import judge
from muster.versions import EKS_CALENDAR
from tests.factories import AS_OF, a_fleet, a_group, a_template, an_interface, described
from tests.hyperpods import SCRIPTS, a_hyperpod_fleet, a_lifecycle, an_instance_group
from tests.policies.case import got_by
from tests.policies.cases.capacity.own_reservations import later
from tests.policies.cases.capacity.quotas import with_spot_quotas, within
from tests.policies.cases.mlflow import a_server
from tests.policies.pods import a_pod
from tests.policies.security import group
from tests.slurms import a_head, a_slurm_fleet

VOLUMES = "parallelcluster-volumes-legal"


def _is_legal(*volume: object, **more: int) -> bool:
    return got_by(VOLUMES, a_slurm_fleet(a_head(root=Volume(*volume, **more)))) == []


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
    assert got_by("reservation-created-legal", later(instance=f"{instance}.24xlarge")) == []
    assert got_by("reservation-created-legal", later(instance=f"x{instance}.24xlarge")) != []


def test_days_ahead() -> None:
    """From five days ahead to 120."""
    days = [AS_OF.fromordinal(AS_OF.toordinal() + ahead).isoformat() for ahead in (4, 5, 120, 121)]
    assert [got_by("reservation-created-legal", later(day)) == [] for day in days] == [False, True, True, False]


# the codes as public repositories have them; the vCPUs of one node
@pytest.mark.parametrize(
    ("instance", "code", "vcpus"),
    [("p5.48xlarge", "L-417A185B", 192), ("g5.48xlarge", "L-DB2E81BA", 192), ("trn1.32xlarge", "L-2C3B7624", 128)],
)
def test_a_quota_of_its_own(instance: str, code: str, vcpus: int) -> None:
    """It holds the nodes it is enough for, and counts those of its family."""
    found = [
        got_by("quota-covers-vcpus", within({code: n}, instance=instance, nodes_max=1)) for n in (vcpus, vcpus - 1)
    ]
    assert found == [[], [f"workers may grow to {vcpus} vCPUs, but quota {code} allows {vcpus - 1}"]]


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
    found = [got_by("quota-covers-vcpus", with_spot_quotas(instance, {code: n})) for n in (vcpus, vcpus - 1)]
    assert found == [[], [f"workers may grow to {vcpus} vCPUs, but quota {code} allows {vcpus - 1}"]]


@pytest.mark.parametrize(
    ("network", "is_everybody"), [("0.0.0.0/0", True), ("128.0.0.0/1", True), ("64.0.0.0/2", False), ("::/1", True)]
)
def test_half_of_all_addresses_is_everybody(network: str, is_everybody: bool) -> None:
    """Two halves let in whom one network of all would; a quarter is somebody's."""
    found = got_by("security-group-not-open-to-all", group(tcp(INGRESS, 22, 22, network)))
    assert bool(found) == is_everybody


def test_the_least_number_of_instances_is_what_is_said_of_it() -> None:
    """Where nothing is said HyperPod wants all that it starts with."""
    assert [an_instance_group(nodes_start=3, minimum=least).nodes_min for least in (None, 1, 3)] == [3, 1, 3]


@pytest.mark.parametrize("kind", ["io1", "io2", "gp3"])
def test_a_volume_of_no_stated_size_has_the_iops_of_any(kind: str) -> None:
    """How many its size allows nobody can say then: the type's most are the limit."""
    most = {"io1": 64000, "io2": 256000, "gp3": 16000}[kind]
    assert [_is_legal(kind, None, n) for n in (most, most + 1)] == [True, False]


# SageMaker API, ClusterInstanceStorageConfigs, ClusterEbsVolumeConfig
def test_a_hyperpod_group_has_four_volumes_of_a_size() -> None:
    """Up to four, of 1 to 16384 GB."""

    def is_legal(*sizes: int) -> bool:
        group = an_instance_group(volumes=tuple(map(StorageVolume, sizes)))
        return got_by("hyperpod-volumes-legal", a_hyperpod_fleet(group)) == []

    assert [is_legal(*([500] * n)) for n in (0, 1, 4, 5)] == [True, True, True, False]
    assert [is_legal(gib) for gib in (0, 1, 16384, 16385)] == [False, True, True, False]


# SageMaker API, ClusterLifeCycleConfig
@pytest.mark.parametrize("key", ["on_create", "on_init_complete"])
def test_a_script_has_a_name_of_1_to_128_characters(key: str) -> None:
    """Whichever of the two it is."""

    def is_legal(length: int) -> bool:
        lifecycle = a_lifecycle(f"s3://{SCRIPTS}", **{"on_create": None, key: "a" * length})
        return got_by("lifecycle-entry-single", a_hyperpod_fleet(an_instance_group(lifecycle=lifecycle))) == []

    assert [is_legal(n) for n in (0, 1, 128, 129)] == [False, True, True, False]


# SageMaker API, CreateMlflowTrackingServer
def test_a_tracking_server_has_a_name_of_1_to_256_characters() -> None:
    """Letters, digits, and dashes between them."""
    legal = [n for n in (0, 1, 256, 257) if got_by("mlflow-server-legal", a_fleet(a_server(name="a" * n))) == []]
    assert legal == [1, 256]
    for name in ("a-b", "a--b", "A9"):
        assert got_by("mlflow-server-legal", a_fleet(a_server(name=name))) == []
    for name in ("-a", "a-", "a_b", "a b", "XXaXX."):
        assert got_by("mlflow-server-legal", a_fleet(a_server(name=name))) != []


def test_what_an_add_on_is_for_matters_until_the_version_is_gone() -> None:
    """To the last day on which EKS runs it; after that another rule says that it does not."""
    ends = EKS_CALENDAR["1.36"].extended_ends
    days = [ends.fromordinal(ends.toordinal() + more) for more in (0, 1)]
    fleets = [described({"kubernetes": "1.36", "addons.volcano": {}}, as_of=day) for day in days]
    assert [len(got_by("addon-supports-kubernetes", each)) for each in fleets] == [1, 0]


# EC2, DescribeInstanceTypes, NetworkCards: each card says its own MaximumNetworkInterfaces
@pytest.mark.parametrize(("card", "most"), [(0, 3), (1, 1), (31, 1)])
def test_a_card_carries_as_many_as_it_takes(card: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first may take more than the others."""
    machine = replace(hardware("p5.48xlarge"), enis_card0=3, enis_other_cards=1)
    monkeypatch.setattr(Fleet, "hardware_of", lambda *_: machine)

    def carrying(n: int) -> list[str]:
        nics = tuple(an_interface(card, device) for device in range(n))
        return got_by("interfaces-per-card", a_fleet(a_template(interfaces=nics)))

    assert carrying(most) == []
    assert carrying(most + 1) == [f"card {card} has {most + 1} interfaces, but p5.48xlarge allows {most}"]


# amazon-eks-ami, nodeadm/internal/kubelet/config.go: 550m of 192 vCPUs, 255 MiB and 11 for each pod; of 96, 310m
P5, P4D, G5 = (192_000 - 550, 2048 * 1024 - 255), (96_000 - 310, 1152 * 1024 - 255), (192_000 - 550, 768 * 1024 - 255)
"""Thousandths of a core and MiB that the kubelet leaves."""


@pytest.mark.parametrize(
    ("instances", "cpu", "memory", "fits"),
    [
        (["p5.48xlarge"], *P5, True),
        (["p5.48xlarge"], P5[0] + 1, 1, False),
        (["p5.48xlarge"], 1, P5[1] + 1, False),
        (["p4d.24xlarge", "p5.48xlarge"], *P5, True),
        (["p4d.24xlarge", "p5.48xlarge"], P4D[0] + 1, P4D[1] + 1, True),
        (["p4d.24xlarge", "g5.48xlarge"], *P4D, True),
        (["p4d.24xlarge", "g5.48xlarge"], *G5, True),
        (["p4d.24xlarge", "g5.48xlarge"], P4D[0] + 1, G5[1] + 1, False),
        (["p4d.24xlarge", "g5.48xlarge"], P4D[0], G5[1] + 1, True),
        (["p4d.24xlarge", "g5.48xlarge"], P4D[0] + 1, G5[1], True),
    ],
)
def test_a_pod_fits_what_the_kubelet_leaves(instances: list[str], cpu: int, memory: int, *, fits: bool) -> None:
    """To the last thousandth and the last MiB, of both together on one node."""
    things = [each for name in instances for each in (a_template(name, instance=name), a_group(name))]
    asked = {"requests": {"cpu": f"{cpu}m", "memory": f"{memory}Mi"}}
    pod = a_pod({"name": "train", "resources": asked})
    fleet = a_fleet(*things, pod, without=[type(each) for each in things])
    assert (got_by("pod-fits-node", fleet) == []) == fits


def test_a_card_that_no_machine_has_carries_what_it_may() -> None:
    """Of GB200 nobody says what its other cards take: asked for each card that there is, and of none beyond."""
    asked = []
    for card in (16, 17):
        nics = tuple(an_interface(card, device) for device in (0, 1))
        template = a_template(instance="p6e-gb200.36xlarge", interfaces=(an_interface(), *nics))
        judgement = judge(a_fleet(template), rules=[rule_of("interfaces-per-card")])
        asked.append([each.missing for each in judgement.not_evaluated])
    assert asked == [["the limit of interfaces on card 16 of p6e-gb200.36xlarge"], []]


# EC2 user guide, Future-dated Capacity Reservations: 5 to 120 days ahead
@pytest.mark.parametrize("time", ["T00:00:00Z", "T23:59:59Z", "T12:00:00+00:00", ""])
def test_a_reservation_starts_in_5_to_120_days(time: str) -> None:
    """The first and the last of these days are whole: whatever the time, or without any."""
    starts = [f"{AS_OF + timedelta(days=days)}{time}" for days in (4, 5, 120, 121)]
    found = [got_by("reservation-created-legal", later(start)) for start in starts]
    said = [[f"the reservation starts on {start}, but EC2 accepts only 5 to 120 days ahead"] for start in starts]
    assert found == [said[0], [], [], said[3]]

"""Settings of which an API takes certain words: each is taken, and none that only looks like it. The words stand here
as the APIs have them; a rule's own list is never asked."""

from collections.abc import Callable

import pytest

from muster.fleet.resources import CapacityTarget, Fleet
from tests.factories import a_fleet, a_template, an_interface
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.case import got_by
from tests.policies.cases.mlflow import a_server
from tests.slurms import a_queue, a_resource, a_slurm_fleet

Worded = Callable[[str], Fleet]
"""A word -> a fleet with a setting of it."""


def _strategy(kind: str) -> Worded:
    return lambda word: a_slurm_fleet(
        a_queue(capacity_type=kind, allocation=word), a_resource(capacity_type=kind, flexible=True)
    )


@pytest.mark.parametrize(
    ("rule", "of", "words"),
    [
        # EC2 API, CapacityReservationSpecification, LaunchTemplateInstanceNetworkInterfaceSpecification
        (
            "reservation-preference-known",
            lambda word: a_fleet(a_template(target=CapacityTarget(preference=word))),
            ("open", "none", "capacity-reservations-only"),
        ),
        (
            "interface-type-known",
            lambda word: a_fleet(a_template(interfaces=(an_interface(type=word),))),
            ("interface", "efa", "efa-only"),
        ),
        # SageMaker API, CreateCluster, ClusterInstanceGroupSpecification, ClusterNetworkInterface
        (
            "hyperpod-node-recovery-known",
            lambda word: a_hyperpod_fleet(a_hyperpod(node_recovery=word)),
            ("Automatic", "None"),
        ),
        (
            "hyperpod-provisioning-known",
            lambda word: a_hyperpod_fleet(a_hyperpod(provisioning=word)),
            ("Continuous",),
        ),
        (
            "hyperpod-deep-checks-known",
            lambda word: a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({word}))),
            ("InstanceStress", "InstanceConnectivity"),
        ),
        (
            "hyperpod-interface-fits",
            lambda word: a_hyperpod_fleet(an_instance_group(interface=word)),
            ("efa", "efa-only"),
        ),
        # SageMaker API, CreateMlflowTrackingServer
        ("mlflow-server-legal", lambda word: a_fleet(a_server(size=word)), ("Small", "Medium", "Large")),
        (
            "mlflow-server-legal",
            lambda word: a_fleet(a_server(maintenance=word)),
            (
                *(f"{day}:03:30" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")),
                *("Mon:00:00", "Mon:09:59", "Mon:19:00", "Mon:20:00", "Mon:23:59"),
            ),
        ),
        # aws-parallelcluster 3.16.1, config/common.py: CapacityType; InstancesAllocationStrategyValidator
        (
            "parallelcluster-capacity-type-known",
            lambda word: a_slurm_fleet(a_queue(capacity_type=word)),
            ("ONDEMAND", "SPOT", "CAPACITY_BLOCK"),
        ),
        ("parallelcluster-allocation-strategy-fits", _strategy("ONDEMAND"), ("lowest-price", "prioritized")),
        (
            "parallelcluster-allocation-strategy-fits",
            _strategy("SPOT"),
            ("lowest-price", "capacity-optimized", "price-capacity-optimized", "capacity-optimized-prioritized"),
        ),
    ],
)
def test_a_word_that_is_taken(rule: str, of: Worded, words: tuple[str, ...]) -> None:
    """And of one that is longer, or shouted or whispered otherwise, one thing is said."""
    assert [word for word in words if got_by(rule, of(word))] == []
    odd = {f"{word}x" for word in words} | {f"x{word}" for word in words} | {word.swapcase() for word in words}
    assert {word: len(got_by(rule, of(word))) for word in odd} == dict.fromkeys(odd, 1)


@pytest.mark.parametrize("moment", ["Mon:24:00", "Mon:3:30", "Mon:03:60", "Mon:03", "Day:03:30", "03:30"])
def test_a_moment_of_no_week(moment: str) -> None:
    """An hour has two digits, and a day 24."""
    assert len(got_by("mlflow-server-legal", a_fleet(a_server(maintenance=moment)))) == 1


def test_a_block_has_no_strategy() -> None:
    """It is one type in one place: there is nothing to choose."""
    for word in ("lowest-price", "prioritized", "capacity-optimized"):
        assert len(got_by("parallelcluster-allocation-strategy-fits", _strategy("CAPACITY_BLOCK")(word))) == 1

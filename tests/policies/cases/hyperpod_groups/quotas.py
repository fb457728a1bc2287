"""Quotas of HyperPod's instances."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import facts
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group, hyperpod_facts, quota_of
from tests.policies.case import case

SPOT_QUOTA = facts(hyperpodQuotas={f"ml.{each}.48xlarge for cluster spot usage": 4 for each in ("g5", "p5")})
"""By a made up name: SageMaker's guide does not say how Service Quotas calls it."""


@case("hyperpod-quota-covers-nodes @ groups.more.nodes", "hyperpod-quota-covers-nodes @ groups.workers.nodes")
def a_quota_that_is_too_small() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=3), an_instance_group("more", nodes_start=2))


@case(unjudged=("hyperpod-quota-covers-nodes @ groups.workers",))
def a_quota_that_nobody_gave() -> Fleet:
    return a_hyperpod_fleet(known=hyperpod_facts(quota=None))


def _on_spot(known: Facts | None = None, **more: Any) -> Fleet:
    """A group on spot, provisioned continuously."""
    group = an_instance_group(instance_type="ml.g5.48xlarge", spot=True, **more)
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), group, known=known)


@case(unjudged=("hyperpod-quota-covers-nodes @ groups.workers",))
def spot_instances() -> Fleet:
    """Nobody gave their quota: that of others does not count them."""
    return _on_spot()


@case()
def spot_instances_with_a_quota() -> Fleet:
    return _on_spot(SPOT_QUOTA)


@case("hyperpod-quota-covers-nodes @ groups.workers.nodes")
def spot_instances_beyond_their_quota() -> Fleet:
    """It counts those of spot groups alone."""
    return _on_spot(SPOT_QUOTA, nodes_start=5)


@case("hyperpod-spot-needs-continuous @ groups.workers.capacity.spot")
def spot_instances_where_groups_come_whole() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.g5.48xlarge", spot=True), known=SPOT_QUOTA)


@case(unjudged=("hyperpod-provisioning-known @ hyperpod", "hyperpod-spot-needs-continuous @ groups.workers"))
def spot_instances_under_provisioning_not_yet_known() -> Fleet:
    group = an_instance_group(instance_type="ml.g5.48xlarge", spot=True)
    return a_hyperpod_fleet(a_hyperpod(provisioning=UNKNOWN), group, known=SPOT_QUOTA)


@case(unjudged=("hyperpod-quota-covers-nodes @ groups.workers", "spot-not-for-training @ groups.workers"))
def spot_or_not() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(spot=UNKNOWN))


@case("hyperpod-quota-covers-nodes @ groups.workers.nodes")
def quotas_of_two_types_that_are_too_small_together() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge", "ml.p4d.24xlarge"), nodes_start=9),
        known=quota_of("ml.p5.48xlarge", "ml.p4d.24xlarge"),
    )

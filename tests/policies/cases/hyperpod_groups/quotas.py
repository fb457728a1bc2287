"""Quotas of HyperPod's instances."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import facts
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group, hyperpod_facts, quota_of
from tests.policies.case import cases

SPOT_QUOTA = facts(hyperpodQuotas={f"ml.{each}.48xlarge for cluster spot usage": 4 for each in ("g5", "p5")})
"""By a made up name: SageMaker's guide does not say how Service Quotas calls it."""


cases(
    a_quota_that_is_too_small=lambda: a_hyperpod_fleet(
        an_instance_group(nodes_start=3), an_instance_group("more", nodes_start=2)
    ),
    a_quota_that_nobody_gave=lambda: a_hyperpod_fleet(known=hyperpod_facts(quota=None)),
)


def _on_spot(known: Facts | None = None, **more: Any) -> Fleet:
    """A group on spot, provisioned continuously."""
    group = an_instance_group(instance_type="ml.g5.48xlarge", spot=True, **more)
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), group, known=known)


cases(
    # Nobody gave their quota: that of others does not count them.
    spot_instances=lambda: _on_spot(),
    spot_instances_with_a_quota=lambda: _on_spot(SPOT_QUOTA),
    # It counts those of spot groups alone.
    spot_instances_beyond_their_quota=lambda: _on_spot(SPOT_QUOTA, nodes_start=5),
    spot_instances_where_groups_come_whole=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.g5.48xlarge", spot=True), known=SPOT_QUOTA
    ),
    spot_instances_under_provisioning_not_yet_known=lambda: a_hyperpod_fleet(
        a_hyperpod(provisioning=UNKNOWN), an_instance_group(instance_type="ml.g5.48xlarge", spot=True), known=SPOT_QUOTA
    ),
    spot_or_not=lambda: a_hyperpod_fleet(an_instance_group(spot=UNKNOWN)),
    quotas_of_two_types_that_are_too_small_together=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge", "ml.p4d.24xlarge"), nodes_start=9),
        known=quota_of("ml.p5.48xlarge", "ml.p4d.24xlarge"),
    ),
)

"""Quotas of HyperPod's instances."""

from muster.unknown import UNKNOWN
from tests.factories import facts
from tests.factories.hyperpod_fleets import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

SPOT_QUOTA = facts(hyperpodQuotas={f"ml.{each}.48xlarge for cluster spot usage": 4 for each in ("g5", "p5")})
"""By a made up name: SageMaker's guide does not say how Service Quotas calls it."""


cases(
    # Nobody gave their quota: that of others does not count them.
    # It counts those of spot groups alone.
    spot_instances_where_groups_come_whole=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.g5.48xlarge", spot=True), known=SPOT_QUOTA
    ),
    spot_instances_under_provisioning_not_yet_known=lambda: a_hyperpod_fleet(
        a_hyperpod(provisioning=UNKNOWN), an_instance_group(instance_type="ml.g5.48xlarge", spot=True), known=SPOT_QUOTA
    ),
)

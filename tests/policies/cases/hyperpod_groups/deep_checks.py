"""Deep health checks."""

from muster.unknown import UNKNOWN
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

cases()


cases(
    deep_checks_beside_taints_not_yet_known=lambda: a_hyperpod_fleet(
        an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=UNKNOWN)
    ),
)

"""Deep health checks."""

from muster.fleet.resources import Fleet, Taint
from muster.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod_fleet, an_instance_group, quota_of
from tests.policies.case import case, cases

cases(
    both_deep_checks=lambda: a_hyperpod_fleet(
        an_instance_group(deep_checks=frozenset({"InstanceStress", "InstanceConnectivity"}))
    ),
    a_deep_check_that_cloudformation_lacks=lambda: a_hyperpod_fleet(
        an_instance_group(deep_checks=frozenset({"InstanceStress", "MultiNodeTrainingValidation"}))
    ),
    deep_checks_of_processors=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.2xlarge", deep_checks=frozenset({"InstanceStress"})),
        known=quota_of("ml.m5.2xlarge"),
    ),
    deep_checks_of_a_type_nobody_catalogued=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p9.4xlarge", deep_checks=frozenset({"InstanceStress"})),
        known=quota_of("ml.p9.4xlarge"),
    ),
    deep_checks_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(deep_checks=UNKNOWN)),
)


@case
def deep_checks_beside_a_taint() -> Fleet:
    taints = frozenset({Taint("team", "true", "NoSchedule"), Taint("mild", "true", "PreferNoSchedule")})
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=taints))


@case
def deep_checks_beside_a_mild_taint() -> Fleet:
    taints = frozenset({Taint("mild", "true", "PreferNoSchedule")})
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=taints))


cases(
    deep_checks_beside_taints_not_yet_known=lambda: a_hyperpod_fleet(
        an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=UNKNOWN)
    ),
)

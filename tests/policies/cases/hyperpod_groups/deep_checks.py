"""Deep health checks."""

from muster.fleet.resources import Fleet, Taint
from muster.fleet.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod_fleet, an_instance_group, quota_of
from tests.policies.case import case


@case()
def both_deep_checks() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress", "InstanceConnectivity"})))


@case("hyperpod-deep-checks-known @ groups.workers.hyperpod.deep-health-checks")
def a_deep_check_that_cloudformation_lacks() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress", "MultiNodeTrainingValidation"})))


@case("hyperpod-deep-checks-known @ groups.workers.hyperpod.deep-health-checks")
def deep_checks_of_processors() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.2xlarge", deep_checks=frozenset({"InstanceStress"})),
        known=quota_of("ml.m5.2xlarge"),
    )


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-deep-checks-known @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def deep_checks_of_a_type_nobody_catalogued() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p5.4xlarge", deep_checks=frozenset({"InstanceStress"})),
        known=quota_of("ml.p5.4xlarge"),
    )


@case(unjudged=("hyperpod-deep-checks-known @ groups.workers",))
def deep_checks_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=UNKNOWN))


@case("hyperpod-taints-beside-deep-checks @ groups.workers.taints")
def deep_checks_beside_a_taint() -> Fleet:
    taints = frozenset({Taint("team", "true", "NoSchedule"), Taint("mild", "true", "PreferNoSchedule")})
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=taints))


@case()
def deep_checks_beside_a_mild_taint() -> Fleet:
    taints = frozenset({Taint("mild", "true", "PreferNoSchedule")})
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=taints))


@case(
    unjudged=(
        "hyperpod-labels-legal @ groups.workers",
        "hyperpod-labels-not-reserved @ groups.workers",
        "hyperpod-taints-beside-deep-checks @ groups.workers",
    )
)
def deep_checks_beside_taints_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(deep_checks=frozenset({"InstanceStress"}), taints=UNKNOWN))

"""Instance types that HyperPod takes, and their threads."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod_fleet, an_instance_group, quota_of
from tests.policies.case import case


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def a_type_that_only_ec2_has() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.p3dn.24xlarge"))


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def a_trn1_without_efa() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.trn1.2xlarge"))


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def bare_metal() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.g4dn.metal"))


@case(
    "hyperpod-instance-type-taken @ groups.workers.instance",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def a_type_that_nobody_has() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="ml.x9.huge"))


@case("hyperpod-instance-type-taken @ groups.workers.instance")
def ec2s_name_of_a_type() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type="p5.48xlarge"))


@case(
    unjudged=(
        "instance-type-catalogued @ groups.workers",
        "efa-single-zone @ groups.workers",
        "hyperpod-instance-type-taken @ groups.workers",
        "hyperpod-quota-covers-nodes @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "instance-offered-in-zone @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def a_type_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=UNKNOWN))


@case()
def a_list_of_types() -> Fleet:
    """Quotas of both count together."""
    return a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge", "ml.p4d.24xlarge"), nodes_start=8),
        known=quota_of("ml.p5.48xlarge", "ml.p4d.24xlarge"),
    )


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def a_list_of_21_types() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge",) * 21))


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def a_type_and_a_list_of_types() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(requirements=("ml.p5.48xlarge",)))


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def no_type_at_all() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None))


@case("hyperpod-instance-type-stated-once @ groups.workers.instance")
def an_empty_list_of_types() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=()))


@case(
    unjudged=(
        "instance-type-catalogued @ groups.workers",
        "efa-single-zone @ groups.workers",
        "hyperpod-instance-type-stated-once @ groups.workers",
        "hyperpod-instance-type-taken @ groups.workers",
        "hyperpod-quota-covers-nodes @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "instance-offered-in-zone @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def a_list_of_types_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=UNKNOWN))

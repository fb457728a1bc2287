"""Instance types that HyperPod takes, and their threads."""

from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

cases(
    a_type_that_only_ec2_has=lambda: a_hyperpod_fleet(an_instance_group(instance_type="ml.p3dn.24xlarge")),
)

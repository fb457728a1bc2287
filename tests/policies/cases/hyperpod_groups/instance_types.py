"""Instance types that HyperPod takes, and their threads."""

from muster.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod_fleet, an_instance_group, quota_of
from tests.policies.case import cases

cases(
    a_type_that_only_ec2_has=lambda: a_hyperpod_fleet(an_instance_group(instance_type="ml.p3dn.24xlarge")),
    a_trn1_without_efa=lambda: a_hyperpod_fleet(an_instance_group(instance_type="ml.trn1.2xlarge")),
    bare_metal=lambda: a_hyperpod_fleet(an_instance_group(instance_type="ml.g4dn.metal")),
    a_type_that_nobody_has=lambda: a_hyperpod_fleet(an_instance_group(instance_type="ml.x9.huge")),
    ec2s_name_of_a_type=lambda: a_hyperpod_fleet(an_instance_group(instance_type="p5.48xlarge")),
    a_type_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(instance_type=UNKNOWN)),
    # Quotas of both count together.
    a_list_of_types=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge", "ml.p4d.24xlarge"), nodes_start=8),
        known=quota_of("ml.p5.48xlarge", "ml.p4d.24xlarge"),
    ),
    a_list_of_21_types=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type=None, requirements=("ml.p5.48xlarge",) * 21)
    ),
    a_type_and_a_list_of_types=lambda: a_hyperpod_fleet(an_instance_group(requirements=("ml.p5.48xlarge",))),
    no_type_at_all=lambda: a_hyperpod_fleet(an_instance_group(instance_type=None)),
    an_empty_list_of_types=lambda: a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=())),
    a_list_of_types_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(instance_type=None, requirements=UNKNOWN)),
)

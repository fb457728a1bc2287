"""Interfaces and huge pages."""

from muster.size import Size
from muster.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod_fleet, a_lifecycle, an_instance_group, quota_of
from tests.policies.case import cases

# interfaces


cases(
    efa_only=lambda: a_hyperpod_fleet(an_instance_group(interface="efa-only")),
    efa_only_without_efa=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.2xlarge", interface="efa-only"), known=quota_of("ml.m5.2xlarge")
    ),
    interfaces_of_no_kind=lambda: a_hyperpod_fleet(an_instance_group(interface="ena")),
    interfaces_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(interface=UNKNOWN)),
    efa_only_of_a_type_nobody_catalogued=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p9.4xlarge", interface="efa-only"), known=quota_of("ml.p9.4xlarge")
    ),
)


# huge pages


cases(
    huge_pages_that_our_script_sets_aside=lambda: a_hyperpod_fleet(an_instance_group(huge_pages=Size(10256))),
    huge_pages_that_no_script_sets_aside=lambda: a_hyperpod_fleet(
        an_instance_group(huge_pages=Size(10256), lifecycle=None)
    ),
    huge_pages_that_their_script_may_set_aside=lambda: a_hyperpod_fleet(
        an_instance_group(huge_pages=Size(10256), lifecycle=a_lifecycle("s3://sagemaker-ml-scripts/base"))
    ),
    no_huge_pages_and_no_script=lambda: a_hyperpod_fleet(an_instance_group(huge_pages=Size(0), lifecycle=None)),
)

"""Interfaces and huge pages."""

from muster.size import Size
from muster.unknown import UNKNOWN
from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group, quota_of
from tests.policies.case import cases

# interfaces


cases(
    efa_only_without_efa=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.2xlarge", interface="efa-only"), known=quota_of("ml.m5.2xlarge")
    ),
    interfaces_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(interface=UNKNOWN)),
)


# huge pages


cases(
    huge_pages_that_no_script_sets_aside=lambda: a_hyperpod_fleet(
        an_instance_group(huge_pages=Size(10256), lifecycle=None)
    ),
)

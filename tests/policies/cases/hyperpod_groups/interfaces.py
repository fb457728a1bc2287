"""Interfaces and huge pages."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from muster.size import Size
from tests.hyperpods import a_hyperpod_fleet, a_lifecycle, an_instance_group, quota_of
from tests.policies.case import case

# interfaces


@case()
def efa_only() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(interface="efa-only"))


@case("hyperpod-interface-fits @ groups.workers.hyperpod.interface")
def efa_only_without_efa() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.m5.2xlarge", interface="efa-only"), known=quota_of("ml.m5.2xlarge")
    )


@case("hyperpod-interface-fits @ groups.workers.hyperpod.interface")
def interfaces_of_no_kind() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(interface="ena"))


@case(unjudged=("hyperpod-interface-fits @ groups.workers",))
def interfaces_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(interface=UNKNOWN))


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-interface-fits @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def efa_only_of_a_type_nobody_catalogued() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p5.4xlarge", interface="efa-only"), known=quota_of("ml.p5.4xlarge")
    )


# huge pages

PAGES = "hyperpod-huge-pages-set-aside @ groups.workers.huge-pages"


@case()
def huge_pages_that_our_script_sets_aside() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(10256)))


@case(PAGES)
def huge_pages_that_no_script_sets_aside() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(10256), lifecycle=None))


@case(PAGES, unjudged=("lifecycle-script-in-bundle @ groups.workers",))
def huge_pages_that_their_script_may_set_aside() -> Fleet:
    theirs = a_lifecycle("s3://sagemaker-ml-scripts/base")
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(10256), lifecycle=theirs))


@case()
def no_huge_pages_and_no_script() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(huge_pages=Size(0), lifecycle=None))

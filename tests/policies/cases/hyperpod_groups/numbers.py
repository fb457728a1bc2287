"""Names of instance groups, and how many nodes they have."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group, quota_of
from tests.policies.case import case

# names and groups


@case("hyperpod-names-legal @ groups.workers")
def a_name_with_an_underscore() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name="gpu_workers"))


@case("hyperpod-names-legal @ groups.workers")
def a_name_of_64_letters() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name="a" * 64))


@case("hyperpod-names-legal @ groups.workers")
def a_group_without_a_name() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name=None))


@case(unjudged=("hyperpod-names-legal @ groups.workers",))
def a_groups_name_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name=UNKNOWN))


@case()
def a_cluster_whose_name_sagemaker_makes_up() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(name=None))


@case("hyperpod-names-legal @ hyperpod")
def a_clusters_name_that_ends_with_a_dash() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(name="ml-"))


@case(unjudged=("hyperpod-names-legal @ hyperpod",))
def a_clusters_name_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(name=UNKNOWN))


@case("hyperpod-groups-distinct @ hyperpod")
def two_groups_of_one_name() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(name="workers"), an_instance_group("others", name="workers"))


@case()
def a_hundred_groups() -> Fleet:
    return a_hyperpod_fleet(*(an_instance_group(f"workers-{index}", nodes_start=0) for index in range(99)))


@case("hyperpod-groups-distinct @ hyperpod")
def a_hundred_and_one_groups() -> Fleet:
    return a_hyperpod_fleet(*(an_instance_group(f"workers-{index}", nodes_start=0) for index in range(100)))


@case(unjudged=("hyperpod-groups-distinct @ hyperpod",))
def groups_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(groups_known=False))


# numbers


@case("hyperpod-counts-in-order @ groups.workers.nodes.minimum")
def a_minimum_above_the_count() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=2, minimum=3))


@case(
    "hyperpod-counts-in-order @ groups.workers.nodes",
    "hyperpod-quota-covers-nodes @ groups.workers.nodes",
    "subnet-holds-nodes @ groups.workers.nodes",
)
def more_instances_than_a_group_has() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=7000, minimum=7000))


@case("hyperpod-counts-in-order @ groups.workers.nodes")
def fewer_than_none() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=-1))


@case(
    unjudged=(
        "hyperpod-counts-in-order @ groups.workers",
        "hyperpod-quota-covers-nodes @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def a_count_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=UNKNOWN))


@case("hyperpod-minimum-needs-continuous @ groups.workers.nodes.minimum")
def a_minimum_where_groups_come_whole() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=4, minimum=2))


@case()
def a_minimum_that_is_provisioned_continuously() -> Fleet:
    return a_hyperpod_fleet(a_hyperpod(provisioning="Continuous"), an_instance_group(nodes_start=4, minimum=2))


@case()
def a_minimum_that_is_all() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(nodes_start=4, minimum=4))


@case()
def two_threads_per_core() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=2))


@case("hyperpod-threads-per-core @ groups.workers.hyperpod.threads-per-core")
def three_threads_per_core() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=3))


@case()
def no_word_on_threads() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=None))


@case("hyperpod-threads-per-core @ groups.workers.hyperpod.threads-per-core")
def two_threads_on_a_type_with_one() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p6e-gb200.36xlarge", threads_per_core=2),
        known=quota_of("ml.p6e-gb200.36xlarge"),
    )


@case(
    "hyperpod-threads-per-core @ groups.workers.hyperpod.threads-per-core",
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    ),
)
def two_threads_on_graviton() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.c6g.large", threads_per_core=2), known=quota_of("ml.c6g.large")
    )


@case(
    unjudged=(
        "efa-single-zone @ groups.workers",
        "hyperpod-security-groups-allow-themselves @ groups.workers",
        "hyperpod-threads-per-core @ groups.workers",
        "subnet-holds-nodes @ groups.workers",
    )
)
def two_threads_on_a_type_nobody_catalogued() -> Fleet:
    return a_hyperpod_fleet(
        an_instance_group(instance_type="ml.c5.large", threads_per_core=2), known=quota_of("ml.c5.large")
    )


@case(unjudged=("hyperpod-threads-per-core @ groups.workers",))
def threads_not_yet_known() -> Fleet:
    return a_hyperpod_fleet(an_instance_group(threads_per_core=UNKNOWN))

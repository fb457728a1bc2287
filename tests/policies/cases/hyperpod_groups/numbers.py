"""Names of instance groups, and how many nodes they have."""

from muster.unknown import UNKNOWN
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group, quota_of
from tests.policies.case import cases

# names and groups


cases(
    a_name_with_an_underscore=lambda: a_hyperpod_fleet(an_instance_group(name="gpu_workers")),
    a_name_of_64_letters=lambda: a_hyperpod_fleet(an_instance_group(name="a" * 64)),
    a_group_without_a_name=lambda: a_hyperpod_fleet(an_instance_group(name=None)),
    a_groups_name_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(name=UNKNOWN)),
    a_cluster_whose_name_sagemaker_makes_up=lambda: a_hyperpod_fleet(a_hyperpod(name=None)),
    a_clusters_name_that_ends_with_a_dash=lambda: a_hyperpod_fleet(a_hyperpod(name="ml-")),
    a_clusters_name_not_yet_known=lambda: a_hyperpod_fleet(a_hyperpod(name=UNKNOWN)),
    two_groups_of_one_name=lambda: a_hyperpod_fleet(
        an_instance_group(name="workers"), an_instance_group("others", name="workers")
    ),
    a_hundred_groups=lambda: a_hyperpod_fleet(
        *(an_instance_group(f"workers-{index}", nodes_start=0) for index in range(99))
    ),
    a_hundred_and_one_groups=lambda: a_hyperpod_fleet(
        *(an_instance_group(f"workers-{index}", nodes_start=0) for index in range(100))
    ),
    groups_not_yet_known=lambda: a_hyperpod_fleet(a_hyperpod(groups_known=False)),
)


# numbers


cases(
    a_minimum_above_the_count=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=2, minimum=3)),
    more_instances_than_a_group_has=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=7000, minimum=7000)),
    fewer_than_none=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=-1)),
    a_count_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=UNKNOWN)),
    a_minimum_where_groups_come_whole=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=4, minimum=2)),
    a_minimum_that_is_provisioned_continuously=lambda: a_hyperpod_fleet(
        a_hyperpod(provisioning="Continuous"), an_instance_group(nodes_start=4, minimum=2)
    ),
    a_minimum_that_is_all=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=4, minimum=4)),
    two_threads_per_core=lambda: a_hyperpod_fleet(an_instance_group(threads_per_core=2)),
    three_threads_per_core=lambda: a_hyperpod_fleet(an_instance_group(threads_per_core=3)),
    no_word_on_threads=lambda: a_hyperpod_fleet(an_instance_group(threads_per_core=None)),
    two_threads_on_a_type_with_one=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.p6e-gb200.36xlarge", threads_per_core=2),
        known=quota_of("ml.p6e-gb200.36xlarge"),
    ),
    two_threads_on_graviton=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.c6g.large", threads_per_core=2), known=quota_of("ml.c6g.large")
    ),
    two_threads_on_a_type_nobody_catalogued=lambda: a_hyperpod_fleet(
        an_instance_group(instance_type="ml.c9.large", threads_per_core=2), known=quota_of("ml.c9.large")
    ),
    threads_not_yet_known=lambda: a_hyperpod_fleet(an_instance_group(threads_per_core=UNKNOWN)),
)

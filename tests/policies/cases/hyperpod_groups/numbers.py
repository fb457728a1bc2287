"""Names of instance groups, and how many nodes they have."""

from tests.factories.hyperpod_fleets import a_hyperpod_fleet, an_instance_group
from tests.policies.case import cases

# numbers


cases(
    more_instances_than_a_group_has=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=7000, minimum=7000)),
    a_minimum_where_groups_come_whole=lambda: a_hyperpod_fleet(an_instance_group(nodes_start=4, minimum=2)),
)

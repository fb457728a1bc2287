"""Types, zones and sizes of blocks."""

from muster.unknown import UNKNOWN
from tests.factories import A, B, facts
from tests.policies.capacity_blocks import NEXT, NOW, described, known, theirs
from tests.policies.case import cases

# its type


cases(
    a_block_of_g5=lambda: described(
        **NOW, template={"instance": "g5.48xlarge"}, facts=known(instanceType="g5.48xlarge")
    ),
    a_block_of_trn1n=lambda: described(
        **NOW, template={"instance": "trn1n.32xlarge", "interfaces": ()}, facts=known(instanceType="trn1n.32xlarge")
    ),
    a_block_of_single_gb200=lambda: theirs(
        template={"instance": "p6e-gb200.36xlarge", "interfaces": ()}, facts=known(instanceType="p6e-gb200.36xlarge")
    ),
    a_block_where_aws_sells_none=lambda: described(
        **NOW, template={"instance": "trn2.3xlarge", "interfaces": ()}, facts=None
    ),
    a_block_of_the_account_where_none_was_seen=lambda: described(
        **NOW, template={"instance": "trn2.3xlarge", "interfaces": ()}, facts=known(instanceType="trn2.3xlarge")
    ),
    a_block_of_a_type_that_is_not_catalogued=lambda: theirs(
        template={"instance": "p9.48xlarge", "interfaces": ()}, facts=known(instanceType="p9.48xlarge")
    ),
)


# zone and size


cases(
    a_block_in_two_zones=lambda: theirs(subnets=(A, B)),
    a_block_that_nobody_knows_in_two_zones=lambda: theirs(subnets=(A, B), facts=facts()),
    a_block_in_another_zone=lambda: described(**{**NOW, "zone": "us-west-2b"}, facts=known(zone="us-west-2b")),
    more_nodes_than_the_block_holds=lambda: described(**NOW, nodes_max=2, facts=known()),
    more_nodes_than_the_block_is_said_to_hold=lambda: described(**NEXT, nodes_max=2),
    a_block_of_65=lambda: described(**{**NOW, "count": 65}, nodes_max=65, facts=known(totalInstances=65)),
    a_block_of_64=lambda: described(**{**NOW, "count": 64}, nodes_max=64, facts=known(totalInstances=64)),
)


UNCOUNTED = known(totalInstances=None)


cases(
    a_foreign_group_larger_than_any_block=lambda: theirs(nodes_max=65, facts=UNCOUNTED),
    a_foreign_group_of_a_size_not_yet_known=lambda: theirs(nodes_max=UNKNOWN, facts=UNCOUNTED),
)

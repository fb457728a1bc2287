"""Types, zones and sizes of blocks."""

from tests.policies.capacity_blocks import NOW, described
from tests.policies.case import cases

# its type


cases(
    a_block_where_aws_sells_none=lambda: described(
        **NOW, template={"instance": "trn2.3xlarge", "interfaces": ()}, facts=None
    ),
)

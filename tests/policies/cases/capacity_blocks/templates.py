"""Templates, groups and placement groups on a block."""

from muster.unknown import UNKNOWN
from tests.policies.capacity_blocks import theirs
from tests.policies.case import cases

# the template


cases(
    a_market_type_not_yet_known=lambda: theirs(template={"market_type": UNKNOWN}),
)


# the managed group


cases(
    spot_beside_a_blocks_template=lambda: theirs(capacity_type="SPOT"),
    a_capacity_type_not_yet_known=lambda: theirs(capacity_type=UNKNOWN),
)

"""How self-managed groups leave a block before it ends."""

from tests.policies.capacity_blocks import known, theirs
from tests.policies.case import cases

FOREIGN = {"managed": False, "capacity_type": None}
ENDLESS = known(end=None)


cases(
    a_foreign_group_whose_block_ends_nobody_knows_when=lambda: theirs(
        **FOREIGN, facts=ENDLESS, zero_at=("2026-11-28T10:30:00Z",)
    ),
)

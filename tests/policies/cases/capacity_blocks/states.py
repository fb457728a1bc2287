"""Blocks that run, wait or are over, and their first nodes."""

from muster.unknown import UNKNOWN
from tests.policies.capacity_blocks import (
    NOW,
    WAITING,
    described,
    known,
    theirs,
)
from tests.policies.case import cases

# the first nodes


cases(
    aws_says_that_it_has_not_begun=lambda: described(**NOW, facts=known(state="scheduled")),
    a_foreign_group_that_may_have_nodes_before_its_block_begins=lambda: theirs(
        facts=known(**WAITING), nodes_start=UNKNOWN
    ),
)

"""How self-managed groups leave a block before it ends."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.capacity_blocks import NOW, described, known, theirs
from tests.policies.case import cases


def drained(*moments: str, **more: Any) -> Fleet:
    return described(**{**NOW, "managed": False, "zero_at": tuple(moments), "facts": known(), **more})


FOREIGN = {"managed": False, "capacity_type": None}
ENDLESS = known(end=None)


cases(
    a_foreign_group_whose_block_ends_nobody_knows_when=lambda: theirs(
        **FOREIGN, facts=ENDLESS, zero_at=("2026-11-28T10:30:00Z",)
    ),
)


GB200 = {"instance": "p6e-gb200.36xlarge", "interfaces": ()}

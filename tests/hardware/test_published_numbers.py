"""Numbers that others publish of every type, beside the catalogue's formulas: a slip in a row cannot hide in a law."""

import pytest

from muster.hardware.allocatable import allocatable, max_pods
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import Layout, pods_lost_to_efa_only, slots
from muster.size import Size

PUBLISHED = {
    "g4dn.8xlarge": (31850, 58, 44, 1, 1),
    "g4dn.12xlarge": (47810, 234, 205, 1, 1),
    "g4dn.metal": (95690, 250, 688, 1, 1),
    "g5.8xlarge": (31850, 234, 205, 1, 1),
    "g5.12xlarge": (47810, 250, 688, 1, 1),
    "g5.24xlarge": (95690, 250, 688, 1, 1),
    "g5.48xlarge": (191450, 250, 296, 1, 1),
    "g6.8xlarge": (31850, 234, 205, 1, 1),
    "g6.12xlarge": (47810, 234, 205, 1, 1),
    "g6.24xlarge": (95690, 250, 688, 1, 1),
    "g6.48xlarge": (191450, 250, 688, 1, 1),
    "g6e.8xlarge": (31850, 234, 205, 1, 1),
    "g6e.12xlarge": (47810, 250, 263, 1, 1),
    "g6e.24xlarge": (95690, 250, 443, 2, 2),
    "g6e.48xlarge": (191450, 250, 443, 4, 4),
    "p3dn.24xlarge": (95690, 250, 688, 1, 1),
    "p4d.24xlarge": (95690, 250, 688, 4, 4),
    "p4de.24xlarge": (95690, 250, 688, 4, 4),
    "p5.48xlarge": (191450, 100, 51, 32, 32),
    "p5e.48xlarge": (191450, 100, 51, 32, 32),
    "p5en.48xlarge": (191450, 198, 149, 16, 16),
    "p6-b200.48xlarge": (191450, 198, 149, 8, 8),
    "p6-b300.48xlarge": (191450, 198, 198, 17, 16),
    "trn1.2xlarge": (7910, 58, None, 1, 0),
    "trn1.32xlarge": (127610, 247, 198, 8, 8),
    "trn1n.32xlarge": (127610, 247, 198, 16, 16),
    "trn2.3xlarge": (11900, 30, 16, 1, 1),
    "trn2.48xlarge": (191450, 100, 51, 16, 16),
    "inf2.24xlarge": (95690, 250, None, 1, 0),
    "inf2.48xlarge": (191450, 250, None, 1, 0),
    "c5.2xlarge": (7910, 58, None, 1, 0),
    "m5.8xlarge": (31850, 234, None, 1, 0),
    "m5.2xlarge": (7910, 58, None, 1, 0),
    "hpc7a.96xlarge": (191450, 100, 51, 2, 2),
    "c5n.18xlarge": (71750, 250, 688, 1, 1),
}
"""Type -> allocatable CPU (millicores), pods on a managed node, pods by card 0's addresses once an efa-only interface
takes one of its interfaces (before the managed cap), network cards, EFA interfaces.

Karpenter v1.14's instance-types page and `types.go`; EC2 DescribeInstanceTypes for cards and EFA.
"""


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_numbers(name: str) -> None:
    cpu, pods, pods_beside_efa_only, cards, efa = PUBLISHED[name]
    machine = hardware(name)
    classic = slots(machine, Layout.CLASSIC)
    assert allocatable(machine, classic, Size(0)).cpu_millicores == cpu
    assert max_pods(machine, classic) == pods
    assert (machine.network_cards, machine.max_efa) == (cards, efa)
    if pods_beside_efa_only is not None and machine.max_efa:
        lost = pods_lost_to_efa_only(slots(machine, Layout.AWS), machine)
        assert machine.need("max_pods") - lost == pods_beside_efa_only

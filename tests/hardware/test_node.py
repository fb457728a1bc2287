"""What a node offers: as it comes, and as it may be set."""

from muster.blueprint.node import NEURON_CORES, Node
from muster.hardware.catalogue import Incomplete, accelerated_types, hardware
from muster.hardware.interfaces import Layout, slots
from muster.size import Size

PAIRED = {"trn2.3xlarge": 8, "trn2.48xlarge": 128, "trn2u.48xlarge": 128}
"""Types whose Neuron cores come in pairs -> how many there are where nobody pairs them."""


def test_only_cores_that_come_in_pairs_may_be_other_numbers() -> None:
    """Where they are paired it offers half of them; of every other type there is one number."""
    for instance in (*accelerated_types(), "c5.2xlarge"):
        machine = hardware(instance)
        try:
            node = Node.of(machine, slots(machine, Layout.PLAIN), Size(0))
        except Incomplete:  # no source says how many pods it takes
            assert instance not in PAIRED, instance
            continue
        single = PAIRED.get(instance)
        assert node.other_numbers == ({NEURON_CORES: single} if single else {}), instance
        if single:
            assert node.devices[str(machine.resource_name)][NEURON_CORES] == single // 2, instance

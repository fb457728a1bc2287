"""Which parts of a machine's Neuron devices hang together.

The sixteen of a trn1.32xlarge or trn1n.32xlarge are connected in a 2D torus, and only some parts of it are connected in
themselves (Neuron documentation, "Neuron scheduler extension"). What it says of Trainium2 is nothing.
"""

from muster.fleet.hardware import Hardware

PARTS = (1, 4, 8, 16)
"""How many of its devices a pod can have, ascending; the last is all of them."""

_MODEL = "Trainium"


def is_torus(machine: Hardware) -> bool:
    """Whether its devices are connected so; else a pod can have any number of them."""
    return machine.accelerator_model == _MODEL and machine.accelerators == PARTS[-1]

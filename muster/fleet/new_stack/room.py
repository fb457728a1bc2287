"""How many addresses a new stack takes."""

from muster.fleet.derive import derive
from muster.fleet.description import AddonsOf, Description, form_of
from muster.fleet.finding import Finding
from muster.fleet.hardware import Incomplete
from muster.fleet.interfaces import InterfaceType
from muster.fleet.new_stack.choices import Choices
from muster.fleet.new_stack.entry import plain
from muster.fleet.new_stack.text import entries
from muster.fleet.node import Node
from muster.fleet.shape import shape
from muster.fleet.slurm_node import SlurmNode

CONTROL_PLANE = 16
"""Addresses that EKS recommends in each subnet of a control plane (EKS user guide, "network requirements"). Where there
is none they are the head node's, and for file systems."""


def described(choices: Choices) -> tuple[Description | None, list[Finding]]:
    """What the choices describe, or every fault of form: a type that no group can be of."""
    data = plain(entries(choices))["config"]["muster:cluster"]
    made, faults = shape(form_of(data), data)
    return made, [finding for _, finding in faults]


def addresses(choices: Choices) -> int:
    """Addresses that all nodes take, full of pods, and the control plane: should they all be in one subnet. One for
    each interface that surely has one, where no source gives a type's numbers.

    Raises:
        ValueError: the choices describe nothing.
    """
    made, faults = described(choices)
    if made is None or isinstance(made, AddonsOf):
        raise ValueError("; ".join(each.got for each in faults))
    blueprint = derive(made, choices.stack, choices.region)
    return CONTROL_PLANE + sum(_most(each.node) * each.described.nodes.max for each in blueprint.groups)


def _most(node: Node | SlurmNode) -> int:
    try:
        return node.addresses.most
    except Incomplete:
        return sum(slot.type is not InterfaceType.EFA_ONLY for slot in node.slots)

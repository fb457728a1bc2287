"""The documented facts that the pack was built from, by number, and whose clusters each is about. Data for the tests
that hold the catalogue complete, and for the generated pages: no rule reads it.

The documents are in ``docs/facts``. ``rules.md#N`` are the documented rules, ``rules.md#trap-N`` the cheap traps at
their end, ``hardware.md#RN`` the rules of the hardware, ``pains.md#N`` failures that people reported,
``pains.md#trap-N`` Pulumi's own.
"""

from collections.abc import Mapping

from muster.fleet.resources.fleet import EKS, HYPERPOD, PARALLELCLUSTER

_TAGS = {"E": EKS, "H": HYPERPOD, "P": PARALLELCLUSTER}

_ALL = (*range(1, 3), 4, 5, *range(7, 10), 11, 13, *range(19, 22), *range(23, 28), *range(31, 34), 35, 37)
_TAGGED: Mapping[str, tuple[int, ...]] = {
    "EHP": (*_ALL, 50, *range(51, 56)),
    "E": (3, 14, *range(16, 19), 22, 36, *range(38, 43), 45),
    "EH": (10, 15, 43, 44, 46, 47, 48),
    "EP": (6,),
    "H": (49, *range(57, 61)),
    "P": (12, *range(28, 31), 34, 56, 61, 62),
}
"""Whose clusters -> the numbers of the documented rules about them."""

TRAPS = tuple(f"rules.md#trap-{number}" for number in range(1, 4))
"""1: a file system's zone is the Region's first where nothing is said, and the nodes' another. 2: pods with some of a
node's GPUs that ask for all its EFA. 3: a zone without the type shows as a type that does not exist."""

BACKENDS_OF: Mapping[str, frozenset[str]] = {
    **{
        f"rules.md#{number}": frozenset(_TAGS[letter] for letter in tags)
        for tags, numbers in _TAGGED.items()
        for number in numbers
    },
    TRAPS[0]: frozenset(_TAGS.values()),
    TRAPS[1]: frozenset({EKS, HYPERPOD}),
    TRAPS[2]: frozenset(_TAGS.values()),
}
"""Documented rule -> the backends that it is true of."""

OF_THE_CATALOGUE = tuple(f"hardware.md#R{number}" for number in range(1, 26))

PAINS = (
    *(f"pains.md#{number}" for number in range(1, 23)),
    "pains.md#trap-1",  # a rule that touches what a preview does not know is skipped with a notice
    "pains.md#trap-2",  # a Capacity Block that a program bought no destroy gives back
)

EVERY = (*BACKENDS_OF, *OF_THE_CATALOGUE, *PAINS)
"""Every documented fact."""

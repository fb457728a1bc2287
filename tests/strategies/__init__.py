"""Random clusters: only legal descriptions. What is broken is in the corpus.

What other tests take is here; where it is made, each module's name says.
"""

from tests.strategies.capacity import bought
from tests.strategies.described import ACCOUNT, REGIONS, WORKERS, Described, made_up
from tests.strategies.instances import IN_BLOCKS, SEVERAL_EFA, USABLE, WITH_EFA
from tests.strategies.legal_clusters import legal
from tests.strategies.readings import NOT_HELD, Kind, kind_of

__all__ = [
    "ACCOUNT",
    "IN_BLOCKS",
    "NOT_HELD",
    "REGIONS",
    "SEVERAL_EFA",
    "USABLE",
    "WITH_EFA",
    "WORKERS",
    "Described",
    "Kind",
    "bought",
    "kind_of",
    "legal",
    "made_up",
]

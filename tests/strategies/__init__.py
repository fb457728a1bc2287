"""Random clusters. `legal()` builds only legal descriptions; `broken(how)` breaks a legal one in one named way.

A `Breakage` says what it must yield: the one rule, at its places. Shape breakages yield exactly one shape fault.
What other tests take is here; where it is made, each module's name says.
"""

from tests.strategies.broken_clusters import Broken, broken
from tests.strategies.capacity import bought
from tests.strategies.described import ACCOUNT, REGIONS, WORKERS, Described, made_up
from tests.strategies.instances import IN_BLOCKS, SEVERAL_EFA, USABLE, WITH_EFA
from tests.strategies.legal_clusters import legal
from tests.strategies.misshapen_documents import Misshapen, misshapen
from tests.strategies.readings import NOT_HELD, Kind, kind_of
from tests.strategies.wanted import Wanted

__all__ = [
    "ACCOUNT",
    "IN_BLOCKS",
    "NOT_HELD",
    "REGIONS",
    "SEVERAL_EFA",
    "USABLE",
    "WITH_EFA",
    "WORKERS",
    "Broken",
    "Described",
    "Kind",
    "Misshapen",
    "Wanted",
    "bought",
    "broken",
    "kind_of",
    "legal",
    "made_up",
    "misshapen",
]

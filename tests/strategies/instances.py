"""The instance types that random groups are of."""

from muster.hardware.catalogue import hardware
from tests.hardware_types import CLUSTER_TYPES

USABLE = tuple(name for name in CLUSTER_TYPES if hardware(name).max_pods is not None)
"""The types a group can be of: of the others no source says how many pods they hold."""

WITH_EFA = tuple(name for name in USABLE if hardware(name).max_efa)
SEVERAL_EFA = tuple(name for name in USABLE if hardware(name).max_efa > 1)
IN_BLOCKS = tuple(name for name in USABLE if hardware(name).capacity_block == "true")
"""The types that Capacity Blocks are sold of."""

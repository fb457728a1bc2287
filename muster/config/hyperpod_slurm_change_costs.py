"""What changes cost on HyperPod with Slurm."""

from muster.config.change_costs import ChangeCosts, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.storage import ExistingLustre


def _cost(part: type[StrictModel], name: str) -> str:
    """Existing nodes keep the file system with which they started (SageMaker guide, sagemaker-hyperpod-ref, "FSx
    configuration via InstanceStorageConfigs")."""
    if issubclass(part, ExistingLustre) and name in ("id", "mount_name", "dns_name"):
        return Change.NEXT_LAUNCH
    return stated_cost(part, name)


COSTS = ChangeCosts(_cost)

"""What changes cost on HyperPod with Slurm."""

from muster.config.change_costs import LOGINS_END, ChangeCosts, Remark, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.hyperpod_slurm_nodes import Controller
from muster.config.description.storage import ExistingLustre


def _cost(part: type[StrictModel], name: str) -> str:
    """Existing nodes keep the file system with which they started (SageMaker guide, sagemaker-hyperpod-ref, "FSx
    configuration via InstanceStorageConfigs")."""
    if issubclass(part, ExistingLustre) and name in ("id", "mount_name", "dns_name"):
        return Change.NEXT_LAUNCH
    return stated_cost(part, name)


COSTS = ChangeCosts(
    _cost,
    group_sentences={
        Change.NEXT_LAUNCH: "instances of group '{group}' that start later have the new value; {keep}",
        Change.REFUSED: (
            "AWS refuses the change for group '{group}': give it another name, which creates another group; its {go}"
        ),
        Change.REPLACES: "replaces group '{group}': its {go}, and new nodes launch",
        Change.DELETES: "deletes group '{group}': its {go}",
    },
    fewer_nodes="removes {taken} of group '{group}': jobs there stop",
    fewer_service_nodes=LOGINS_END,
    remarks=(
        # slurmctld keeps its queue in StateSaveLocation, a directory of the controller (Slurm, "slurm.conf").
        Remark(Controller, "name", "another controller replaces '{was}', without the jobs that are queued there"),
    ),
)

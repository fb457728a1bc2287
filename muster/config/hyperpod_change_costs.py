"""What changes cost on HyperPod."""

from muster.config.change_costs import PODS_STOP, ChangeCosts, Remark, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.hyperpod_settings import HyperPod, Provisioning
from muster.config.description.kubernetes_cluster import ExistingControlPlane
from muster.config.description.task_governance import TaskGovernance


def _cost(part: type[StrictModel], name: str) -> str:
    """The HyperPod cluster has the security group of the control plane, and its network cannot change."""
    return Change.REPLACES if (part, name) == (ExistingControlPlane, "security_group") else stated_cost(part, name)


COSTS = ChangeCosts(
    _cost,
    group_sentences={
        Change.NEXT_LAUNCH: "instances of group '{group}' that start later have the new value; {keep}",
        Change.REFUSED: (
            "AWS refuses the change for group '{group}': give it another name, which creates another group; its {go}"
        ),
        Change.DELETES: "deletes group '{group}': its {go}",
    },
    fewer_nodes=PODS_STOP,
    remarks=(
        Remark(
            HyperPod,
            "provisioning",
            "turns continuous provisioning on: SageMaker cannot turn it off again",
            lambda was, _now: was is Provisioning.CONTINUOUS,
            "SageMaker cannot turn continuous provisioning off: keep provisioning: continuous, or create another "
            "cluster with another hyperpod.name",
        ),
        *(
            Remark(
                TaskGovernance,
                name,
                "`pulumi up` does not change the cluster policy: print it with `muster hyperpod cluster-policy`, and "
                "send its SchedulerConfig with `aws sagemaker update-cluster-scheduler-config`",
            )
            for name in ("priorities", "fair_share", "share_unallocated")
        ),
    ),
)

"""What changes cost on AWS PCS."""

from muster.config.change_costs import LOGINS_END, ChangeCosts, Remark, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.capacity import Capacity, CapacityBlock, Reservation, ReservationGroup
from muster.config.description.pcs_cluster import PcsSlurm

_OF_CAPACITY = Capacity | CapacityBlock | Reservation | ReservationGroup


def _cost(part: type[StrictModel], name: str) -> str:
    """A group's launch template, subnets and purchase option change in place, and new nodes have the new values
    (PCS user guide, "Updating an AWS PCS compute node group")."""
    stated = stated_cost(part, name)
    if stated in (Change.REPLACES, Change.DRAINS) and issubclass(part, _OF_CAPACITY):
        return Change.NEXT_LAUNCH
    return stated


def _is_older(was: str, now: str) -> bool:
    return now < was  # two digits each, as in 25.11


COSTS = ChangeCosts(
    _cost,
    group_sentences={
        Change.NEXT_LAUNCH: "nodes of group '{group}' that start later have the new value; {keep}",
        Change.REFUSED: (
            "AWS refuses the change for group '{group}': give it another name, which creates another group; its {go}"
        ),
    },
    fewer_nodes=(
        "removes {taken} of group '{group}': AWS does not document that PCS waits for jobs there; let them end first"
    ),
    fewer_service_nodes=LOGINS_END,
    remarks=(
        Remark(
            PcsSlurm,
            "version",
            # PCS user guide, "Updating the scheduler version of a cluster in AWS PCS"
            "updates Slurm from {was} to {now}, and PCS cannot go back: `image` must contain Slurm {now}; running jobs "
            "continue only on nodes whose image contains both versions",
            _is_older,
            # botocore `pcs`, UpdateSchedulerRequest: "You can only update to a newer version."
            "PCS updates Slurm only to a newer version, so not from {was} to {now}; keep {was}, or create another "
            "cluster",
        ),
        Remark(
            PcsSlurm,
            "accounting",
            "turns accounting on: AWS bills it, and may not turn it off again",
            lambda _was, now: now is None,
            # Of its two pages, "Slurm accounting in AWS PCS" says that you must delete the cluster, and "Updating a
            # cluster in AWS PCS" that an update disables it.
            "the pages of the PCS user guide disagree on whether accounting can be turned off. Keep slurm.accounting, "
            "or expect that its records are lost, or that AWS keeps and bills it",
            Change.DELETES,
        ),
    ),
)

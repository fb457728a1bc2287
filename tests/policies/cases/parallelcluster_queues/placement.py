"""EFA and placement."""

from muster.fleet.resources import Fleet, Placement
from muster.fleet.unknown import UNKNOWN
from tests.policies.case import case
from tests.policies.queues import PLAIN
from tests.slurms import a_resource, a_slurm_fleet


@case("parallelcluster-efa-placement-stated @ queues.train.groups.workers")
def efa_without_a_word_of_placement() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement()))


@case()
def efa_without_placement() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(enabled=False)))


@case()
def efa_in_a_named_placement_group() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(name="mine")))


@case()
def no_efa_and_no_word_of_placement() -> Fleet:
    return a_slurm_fleet(a_resource(instances=PLAIN, efa=False, placement=Placement()))


@case(
    unjudged=(
        "parallelcluster-efa-placement-stated @ queues.train.groups.workers",
        "parallelcluster-placement-named-once @ queues.train.groups.workers",
    )
)
def placement_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(placement=UNKNOWN))


@case(
    unjudged=(
        "efa-single-zone @ queues.train.groups.workers",
        "efa-used-fully @ queues.train.groups.workers",
        "parallelcluster-efa-placement-stated @ queues.train.groups.workers",
    )
)
def efa_not_yet_known() -> Fleet:
    return a_slurm_fleet(a_resource(efa=UNKNOWN, placement=Placement()))


@case("parallelcluster-placement-named-once @ queues.train.groups.workers")
def placement_by_name_and_id() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(True, "mine", both=True)))


@case("parallelcluster-placement-named-once @ queues.train.groups.workers")
def placement_that_is_named_and_off() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(False, "mine")))


@case(unjudged=("parallelcluster-placement-named-once @ queues.train.groups.workers",))
def placement_that_is_named_and_nobody_knows_whether_on() -> Fleet:
    return a_slurm_fleet(a_resource(placement=Placement(UNKNOWN, "mine")))


@case("parallelcluster-gdr-beside-efa @ queues.train.groups.workers.efa")
def gpudirect_without_efa() -> Fleet:
    return a_slurm_fleet(a_resource(instances=PLAIN, efa=False, gdr=True))


@case()
def gpudirect_with_efa() -> Fleet:
    return a_slurm_fleet(a_resource(gdr=True))


@case(
    unjudged=(
        "efa-single-zone @ queues.train.groups.workers",
        "efa-used-fully @ queues.train.groups.workers",
        "parallelcluster-gdr-beside-efa @ queues.train.groups.workers",
    )
)
def gpudirect_with_nobody_knows() -> Fleet:
    return a_slurm_fleet(a_resource(efa=UNKNOWN, gdr=True))

"""EFA and placement."""

from muster.fleet.resources import Placement
from muster.unknown import UNKNOWN
from tests.factories.parallelcluster_fleets import a_resource, a_slurm_fleet
from tests.policies.case import cases
from tests.policies.queues import PLAIN

cases(
    efa_without_a_word_of_placement=lambda: a_slurm_fleet(a_resource(placement=Placement())),
    efa_without_placement=lambda: a_slurm_fleet(a_resource(placement=Placement(enabled=False))),
    efa_in_a_named_placement_group=lambda: a_slurm_fleet(a_resource(placement=Placement(name="mine"))),
    no_efa_and_no_word_of_placement=lambda: a_slurm_fleet(
        a_resource(instances=PLAIN, efa=False, placement=Placement())
    ),
    placement_not_yet_known=lambda: a_slurm_fleet(a_resource(placement=UNKNOWN)),
    efa_not_yet_known=lambda: a_slurm_fleet(a_resource(efa=UNKNOWN, placement=Placement())),
    placement_by_name_and_id=lambda: a_slurm_fleet(a_resource(placement=Placement(True, "mine", both=True))),
    placement_that_is_named_and_off=lambda: a_slurm_fleet(a_resource(placement=Placement(False, "mine"))),
    placement_that_is_named_and_nobody_knows_whether_on=lambda: a_slurm_fleet(
        a_resource(placement=Placement(UNKNOWN, "mine"))
    ),
    gpudirect_without_efa=lambda: a_slurm_fleet(a_resource(instances=PLAIN, efa=False, gdr=True)),
    gpudirect_with_efa=lambda: a_slurm_fleet(a_resource(gdr=True)),
    gpudirect_with_nobody_knows=lambda: a_slurm_fleet(a_resource(efa=UNKNOWN, gdr=True)),
)

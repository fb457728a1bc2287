"""What queues run on: on-demand, spot, reservations, Capacity Blocks."""

from muster.fleet.resources import CapacityTarget
from muster.unknown import UNKNOWN
from tests.factories import CR
from tests.factories.parallelcluster_fleets import a_queue, a_resource, a_slurm_fleet
from tests.policies.case import cases
from tests.policies.queues import on_block, on_demand_of, on_spot, said_of_block

cases(
    a_block_of_fewer_at_least=lambda: on_block(nodes_min=2),
    a_block_of_none=lambda: on_block(nodes_min=0),
    a_block_of_none_at_most=lambda: on_block(nodes_min=0, nodes_max=0),
    a_block_without_its_id=lambda: on_block(target=CapacityTarget()),
    a_block_of_an_id_not_yet_known=lambda: on_block(target=CapacityTarget(reservation=UNKNOWN)),
    a_block_not_yet_known=lambda: on_block(target=UNKNOWN),
    a_block=lambda: on_block(),
    a_block_as_aws_knows_it=lambda: on_block(known=said_of_block("capacity-block")),
    a_reservation_as_on_demand=lambda: on_demand_of("default"),
    a_capacity_type_left_out=lambda: a_slurm_fleet(a_queue(capacity_type=None), a_resource(capacity_type=None)),
    a_capacity_type_not_yet_known=lambda: a_slurm_fleet(
        a_queue(capacity_type=UNKNOWN), a_resource(capacity_type=UNKNOWN)
    ),
    spot_on_a_reservation=lambda: on_spot(target=CapacityTarget(reservation=CR)),
    spot_on_a_group_not_yet_known=lambda: on_spot(target=CapacityTarget(group=UNKNOWN)),
    spot_on_nobody_knows_what=lambda: on_spot(target=UNKNOWN),
    spot=lambda: on_spot(),
    a_list_on_a_reservation=lambda: on_demand_of("default", flexible=True),
    a_list_on_nobody_knows_what=lambda: a_slurm_fleet(a_resource(flexible=True, target=UNKNOWN)),
    types_not_yet_known=lambda: a_slurm_fleet(a_resource(instances=UNKNOWN)),
    a_strategy_of_spot=lambda: a_slurm_fleet(a_queue(allocation="capacity-optimized"), a_resource(flexible=True)),
    a_strategy_of_one_type=lambda: a_slurm_fleet(a_queue(allocation="capacity-optimized")),
    a_strategy_of_a_block=lambda: on_block(allocation="lowest-price"),
    a_strategy_of_on_demand=lambda: a_slurm_fleet(a_queue(allocation="prioritized"), a_resource(flexible=True)),
    a_strategy_not_yet_known=lambda: a_slurm_fleet(a_queue(allocation=UNKNOWN), a_resource(flexible=True)),
)

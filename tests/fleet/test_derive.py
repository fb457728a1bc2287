"""What a description becomes: what only few of its words decide."""

import pytest

from muster.fleet.blueprint import EksGroup
from muster.fleet.derive import EFA_GROUP_REF
from tests.factories import DROP, a_blueprint
from tests.slurm_factories import WORKERS, a_slurm_blueprint

PLAIN = {"groups.workers.instance": "m5.8xlarge", "groups.workers.for": "system", "groups.workers.capacity": DROP}
LUSTRE = {"lustre": {"size": "1200GiB", "throughput": 250}}


def test_a_group_for_efa_is_made_where_there_is_efa() -> None:
    """And nowhere else."""
    with_efa = a_blueprint().efa_security_group
    assert with_efa is not None
    assert with_efa.ref == EFA_GROUP_REF
    assert a_blueprint(PLAIN).efa_security_group is None


def test_a_repaired_node_that_is_held_needs_its_place_back() -> None:
    """One at a time where a reservation holds the nodes; elsewhere as EKS likes."""
    groups = [each for each in a_blueprint().groups if isinstance(each, EksGroup)]
    limits = {each.name: each.node_group.repair_limits for each in groups}
    assert limits == {"system": (), "workers": (("maxParallelNodesRepairedCount", 1),)}


@pytest.mark.parametrize(
    ("said", "threads"), [({}, None), ({"threads-per-core": 1}, 1), ({"threads-per-core": 2}, None)]
)
def test_hyper_threading_is_turned_off_or_left(said: dict[str, int], threads: int | None) -> None:
    """1 is ParallelCluster's `DisableSimultaneousMultithreading`; to leave it nothing is said."""
    edits = {f"{WORKERS}.{key}": value for key, value in said.items()}
    (queue,) = a_slurm_blueprint(edits).queues
    assert [each.compute_resource.threads_per_core for each in queue.groups] == [threads]


@pytest.mark.parametrize(("instance", "addresses"), [("p5.48xlarge", 1), ("g6.48xlarge", 1), ("m5.8xlarge", 1)])
def test_efa_only_interfaces_take_no_address_in_slurm(instance: str, addresses: int) -> None:
    """A node takes one for each interface that carries IP, whatever it runs."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    (node,) = (each.node for each in queue.groups)
    assert (node.addresses.idle, node.addresses.working, node.addresses.most) == (addresses,) * 3


def test_a_file_system_is_in_the_zone_that_it_says() -> None:
    """Else in that of the training groups."""
    of_groups = a_blueprint({"storage": {"scratch": LUSTRE}})
    of_its_own = a_blueprint({"storage": {"scratch": {"lustre": {**LUSTRE["lustre"], "zone": "us-west-2b"}}}})
    zones = [[each.file_system.zone for each in one.storage] for one in (of_groups, of_its_own)]
    assert zones == [["us-west-2a"], ["us-west-2b"]]


@pytest.mark.parametrize(
    ("instance", "offers"),
    [
        ("p5.48xlarge", {"gres/gpu": 8, "efa": 32}),
        ("trn1.32xlarge", {"neuron": 16, "efa": 8}),
        ("m5.8xlarge", {}),
    ],
)
def test_what_a_job_of_slurm_can_ask_for(instance: str, offers: dict[str, int]) -> None:
    """The accelerators of its type, by their kind, and EFA."""
    (queue,) = a_slurm_blueprint({f"{WORKERS}.instance": instance, f"{WORKERS}.capacity": {"on-demand": {}}}).queues
    assert [each.node.offers for each in queue.groups] == [offers]


@pytest.mark.parametrize(
    ("said", "placement"),
    [
        ({"provided-by": "aws"}, None),
        ({"provided-by": "you"}, ("tested-workers", True)),
        ({"provided-by": "you", "placement-group": "ours"}, ("ours", False)),
        ({"provided-by": "you", "placement-group": "none"}, None),
    ],
)
def test_placement_follows_from_who_provided_a_reservation(
    said: dict[str, str], placement: tuple[str, bool] | None
) -> None:
    """AWS places its own; somebody else's is in the group that it was made in, in none, or in one of ours."""
    (group,) = (
        each
        for each in a_blueprint(
            {f"groups.workers.capacity.reservation.{key}": value for key, value in said.items()}
        ).groups
        if each.name == "workers"
    )
    assert isinstance(group, EksGroup)
    found = group.placement_group
    assert (found and (found.name, found.create)) == placement

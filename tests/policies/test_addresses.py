"""What a node takes of its subnet: of ParallelCluster's an address for each interface that has any."""

from typing import Any

import pytest

from muster.fleet.unknown import UNKNOWN
from muster.hardware.interfaces import Addresses
from policies.lookups.machines import least_addresses
from tests.factories import a_fleet, a_group, a_subnet, a_template
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.policies.case import got_by
from tests.slurms import a_resource, a_slurm_fleet


# aws-parallelcluster 3.16.1: with EFA every interface but the first is efa-only; without it none is
@pytest.mark.parametrize(
    ("types", "efa", "each"),
    [
        (("p5.48xlarge",), True, 1),
        (("p5.48xlarge",), UNKNOWN, 1),
        (("p5.48xlarge",), False, 32),
        (("p4d.24xlarge",), False, 4),
        (("p5.48xlarge", "p4d.24xlarge"), False, 4),
        (("p4d.24xlarge", "p5.48xlarge"), False, 4),
        (("c5.2xlarge",), False, 1),
    ],
)
def test_a_node_of_slurm(types: tuple[str, ...], efa: Any, each: int) -> None:
    """One for each network card without EFA, of several types what the least of them takes; that of the first card
    where there is EFA, or where nobody knows. Its subnet is too small with one address less than all nodes take."""
    resource = a_resource(instances=types, efa=efa)
    assert least_addresses(resource, a_slurm_fleet(resource)) == (Addresses(idle=each, working=each, most=each), "")
    few, enough = (a_slurm_fleet(resource, subnets=[a_subnet(free_addresses=4 * each - less)]) for less in (1, 0))
    assert [len(got_by("subnet-holds-nodes", fleet)) for fleet in (few, enough)] == [1, 0]


# amazon-vpc-cni-k8s, WARM_ENI_TARGET: of c5.2xlarge each interface has 15 addresses, and one more is kept warm
@pytest.mark.parametrize(
    ("told", "taken"),
    [
        (7, Addresses(idle=15, working=15, most=15)),
        (29, Addresses(idle=15, working=30, most=45)),
        (None, Addresses(idle=15, working=30, most=60)),
        (UNKNOWN, Addresses(idle=15, working=30, most=60)),
    ],
)
def test_a_node_takes_addresses_for_the_pods_that_its_kubelet_takes(told: Any, taken: Addresses) -> None:
    """Where nobody tells it a number, or nobody knows which, for those of its type."""
    group = a_group()
    fleet = a_fleet(group, a_template(instance="c5.2xlarge", max_pods=told))
    assert least_addresses(group, fleet) == (taken, "")


@pytest.mark.parametrize("types", [("c5.2xlarge", "p4d.24xlarge"), ("p4d.24xlarge", "c5.2xlarge")])
def test_of_several_types_the_least_is_sure(types: tuple[str, ...]) -> None:
    """Whichever is named first."""
    group = a_group(instance_types=types, template=None)
    assert least_addresses(group, a_fleet(group)) == (Addresses(idle=15, working=30, most=60), "")


NOT_CATALOGUED = "the hardware of {}, which is not catalogued"


@pytest.mark.parametrize(
    ("types", "missing"),
    [
        (("p9.48xlarge",), NOT_CATALOGUED.format("p9.48xlarge")),
        (("p5.48xlarge", "p9.48xlarge"), NOT_CATALOGUED.format("p9.48xlarge")),
        (("p9.48xlarge", "p5.48xlarge"), NOT_CATALOGUED.format("p9.48xlarge")),
        (("p9.48xlarge", "p8.48xlarge"), NOT_CATALOGUED.format("p8.48xlarge and p9.48xlarge")),
        (UNKNOWN, "instanceTypes, not known before creation"),
    ],
)
def test_a_node_of_a_type_that_nobody_knows(types: Any, missing: str) -> None:
    """It may take the fewest: as soon as one of several is not known, nobody says how many."""
    of_eks = a_group(template=None, instance_types=types)
    of_slurm = a_resource(instances=types)
    sagemakers = types if types is UNKNOWN else tuple(f"ml.{each}" for each in types)
    of_hyperpod = an_instance_group(instance_type=None, requirements=sagemakers)
    found = [
        least_addresses(of_eks, a_fleet(of_eks)),
        least_addresses(of_slurm, a_slurm_fleet(of_slurm)),
        least_addresses(of_hyperpod, a_hyperpod_fleet(of_hyperpod)),
    ]
    assert found == [(None, missing)] * 3

"""Types, zones and sizes of blocks."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import A, B, facts
from tests.policies.capacity_blocks import BLOCK, NEXT, NOBODY_SAYS, NOW, RULE, WORKERS, described, known, theirs
from tests.policies.case import case

# its type


@case(f"{RULE}-instance-type @ {WORKERS}.instance")
def a_block_of_g5() -> Fleet:
    return described(**NOW, template={"instance": "g5.48xlarge"}, facts=known(instanceType="g5.48xlarge"))


@case(f"{RULE}-instance-type @ {WORKERS}.instance", f"instance-offered-in-zone @ {WORKERS}.zone")
def a_block_of_trn1n() -> Fleet:
    template = {"instance": "trn1n.32xlarge", "interfaces": ()}
    return described(**NOW, template=template, facts=known(instanceType="trn1n.32xlarge"))


@case(f"{RULE}-instance-type @ {WORKERS}.instance", unjudged=(f"subnet-holds-nodes @ {WORKERS}",))
def a_block_of_single_gb200() -> Fleet:
    template = {"instance": "p6e-gb200.36xlarge", "interfaces": ()}
    return theirs(template=template, facts=known(instanceType="p6e-gb200.36xlarge"))


@case(
    "instance-type-catalogued @ groups.workers.instance",
    unjudged=(
        f"{RULE}-instance-type @ {WORKERS}",
        f"image-fits-hardware @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    ),
)
def a_block_of_a_type_that_is_not_catalogued() -> Fleet:
    return theirs(template={"instance": "p9.48xlarge", "interfaces": ()}, facts=known(instanceType="p9.48xlarge"))


# zone and size


@case(f"reservation-zone-matches-subnet @ {BLOCK}.zone")
def a_block_in_two_zones() -> Fleet:
    return theirs(subnets=(A, B))


@case(
    f"reservation-zone-matches-subnet @ {BLOCK}.zone", unjudged=(*NOBODY_SAYS, f"reservation-covers-nodes @ {WORKERS}")
)
def a_block_that_nobody_knows_in_two_zones() -> Fleet:
    return theirs(subnets=(A, B), facts=facts())


@case(f"reservation-zone-matches-subnet @ {BLOCK}.zone")
def a_block_in_another_zone() -> Fleet:
    return described(**{**NOW, "zone": "us-west-2b"}, facts=known(zone="us-west-2b"))


@case(f"reservation-covers-nodes @ {BLOCK}.count")
def more_nodes_than_the_block_holds() -> Fleet:
    return described(**NOW, nodes_max=2, facts=known())


@case(f"reservation-covers-nodes @ {BLOCK}.count", unjudged=NOBODY_SAYS)
def more_nodes_than_the_block_is_said_to_hold() -> Fleet:
    return described(**NEXT, nodes_max=2)


@case(f"{RULE}-size @ {BLOCK}.count")
def a_block_of_65() -> Fleet:
    return described(**{**NOW, "count": 65}, nodes_max=65, facts=known(totalInstances=65))


@case()
def a_block_of_64() -> Fleet:
    return described(**{**NOW, "count": 64}, nodes_max=64, facts=known(totalInstances=64))


UNCOUNTED = known(totalInstances=None)


@case(f"{RULE}-size @ {WORKERS}", unjudged=(f"reservation-covers-nodes @ {WORKERS}",))
def a_foreign_group_larger_than_any_block() -> Fleet:
    return theirs(nodes_max=65, facts=UNCOUNTED)


@case(
    unjudged=(
        f"{RULE}-size @ {WORKERS}",
        f"nodes-in-order @ {WORKERS}",
        f"reservation-covers-nodes @ {WORKERS}",
        f"subnet-holds-all-nodes @ {WORKERS}",
    )
)
def a_foreign_group_of_a_size_not_yet_known() -> Fleet:
    return theirs(nodes_max=UNKNOWN, facts=UNCOUNTED)

"""The CloudFormation stack that makes the cluster; `tests/golden/edits` has what it becomes."""

import pytest

from muster.config.description.slurm_settings import Os
from muster.unknown import UNKNOWN
from tests.factories import A
from tests.factories.parallelcluster import a_slurm_blueprint
from tests.infra.edits import BOUGHT
from tests.infra.parallelcluster.described import (
    IN_GROUP,
    LUSTRE,
    OUTSIDE,
    RESERVATION,
    STACK,
    WITH_KEY,
    registered,
    stack_of,
)

GROUP = {"create": [RESERVATION], "zone": "us-west-2a", "count": 4, "provided-by": "you"}
BLOCK = {"capacity-block": {**BOUGHT["capacity-block"], "count": 4}}


@pytest.mark.parametrize("os", Os)
def test_a_block_is_bought_for_the_platform_of_the_nodes(os: Os) -> None:
    """As ParallelCluster has it: nothing of another platform is launched into it, and nothing that is bought goes
    back."""
    (judged,) = a_slurm_blueprint({IN_GROUP: BLOCK, "os": str(os)}).purchases
    assert judged.platform == ("Red Hat Enterprise Linux" if os in (Os.RHEL8, Os.RHEL9) else "Linux/UNIX")


def test_in_a_preview_the_template_is_known_and_ids_are_not() -> None:
    """Rules judge it there; and it is the same text as afterwards."""
    edits = {"storage": LUSTRE, **WITH_KEY, IN_GROUP: {"reservation-group": GROUP}}
    before, after = registered(edits, preview=True), registered(edits)
    assert stack_of(before)["templateBody"] == stack_of(after)["templateBody"]
    parameters = stack_of(before)["parameters"]
    unknown = {name for name, value in parameters.items() if value is UNKNOWN}
    assert unknown == {"SecurityGroupNodes", "FileSystemFsx", "KeyPairHead", "ReservationGroupWorkers"}
    assert {parameters[name] for name in parameters.keys() - unknown} == {A, OUTSIDE}


@pytest.mark.parametrize("kind", ["a group of reservations", "a key pair"])
def test_what_nodes_need_stands_before_the_cluster(kind: str) -> None:
    """The first nodes would find the group empty."""
    program = registered({IN_GROUP: {"reservation-group": GROUP}} if kind != "a key pair" else WITH_KEY)
    wanted = {"aws:resourcegroups/resource:Resource", "aws:ec2/keyPair:KeyPair"}
    first = {each.urn for each in program.all if each.type in wanted}
    assert first
    assert first <= set(program.one(STACK, "slurm").dependencies)

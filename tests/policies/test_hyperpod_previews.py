"""Programs of other teams with HyperPod: all findings, and everything that rules cannot evaluate, with known ids and in
a preview."""

from collections.abc import Callable

import pytest

from muster.offline.recording import record
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from tests.factories import AS_OF, REGION, facts
from tests.policies.programs.hyperpod import Ground, a_group, cluster, ground

QUOTAS = facts(hyperpodQuotas={"ml.p4d.24xlarge for cluster usage": 4})


def groups_in_two_zones(**network: bool) -> None:
    """One group in each zone of a VPC that is made with them."""
    on = ground(**network)
    carried = [on.world.cluster_group, on.security_group.id]
    networks = [{"subnets": [each.id], "security_group_ids": carried} for each in on.world.subnets]
    cluster(on, [a_group(on, f"zone-{index}", override_vpc_config=each) for index, each in enumerate(networks)])


def public_in_two_zones() -> None:
    """Likewise, in subnets that give public addresses."""
    groups_in_two_zones(map_public_ip_on_launch=True)


def _bare(on: Ground, **orchestrator: object) -> None:
    """With a security group of the program's own alone."""
    network = {"subnets": [on.world.subnets[0].id], "security_group_ids": [on.security_group.id]}
    cluster(on, vpc_config=network, **orchestrator)


def slurm() -> None:
    """Nodes that join no control plane, beside an EKS cluster."""
    _bare(ground(), orchestrator={"slurm": {"slurm_config_strategy": "Managed"}})


def on_an_eks_cluster_of_another_stack() -> None:
    """By its ARN."""
    arn = "arn:aws:eks:us-west-2:111122223333:cluster/platform"
    _bare(ground(), orchestrator={"eks": {"cluster_arn": arn}})


PLATFORM = {
    "hyperpod-alone-on-eks",
    "hyperpod-authentication-mode",
    "hyperpod-kubernetes-version",
    "node-template-reaches-control-plane",
}

PROGRAMS: list[tuple[Callable[[], None], set[str], set[str], set[str]]] = [
    (groups_in_two_zones, set(), set(), set()),
    (public_in_two_zones, {"hyperpod-private-subnets"}, set(), {"hyperpod-private-subnets"}),
    (slurm, set(), set(), set()),
    (on_an_eks_cluster_of_another_stack, set(), PLATFORM, PLATFORM),
]
"""(program, found where ids are known, not evaluated there, not evaluated in a preview)."""


@pytest.mark.parametrize(("program", "finds", "unjudged", "unseen"), PROGRAMS, ids=[p[0].__name__ for p in PROGRAMS])
@pytest.mark.parametrize("preview", [False, True], ids=["known", "preview"])
def test_a_whole_program(
    program: Callable[[], None], finds: set[str], unjudged: set[str], unseen: set[str], *, preview: bool
) -> None:
    registered = record(program, project="theirs", stack="dev", region=REGION, preview=preview).registrations
    judgement = judge(fleet_of(registered, facts=QUOTAS, region=REGION, as_of=AS_OF))
    assert {each.rule for each in judgement.findings} == (set() if preview else finds)
    assert {each.rule for each in judgement.not_evaluated} == (unseen if preview else unjudged)

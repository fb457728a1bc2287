"""Whether traffic passes, where no rule of the program says so."""

from dataclasses import replace
from typing import Any

import pytest

from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.fleet.resources import ControlPlane, Ref
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.parallelcluster import COMPUTE_GROUP, HEAD_GROUP, STORAGE_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.engine.catalogue import rule_of
from policies.engine.judgement import judge
from policies.lookups.security_groups import CarriedGroups, allows_traffic, carried_groups
from tests.factories import (
    LUSTRE_GROUP_REF,
    SG,
    a_control_plane,
    a_fleet,
    a_group,
    a_lustre_group,
    a_stored_fleet,
    a_template,
    an_interface,
)
from tests.hyperpods import a_hyperpod_fleet, an_instance_group
from tests.slurms import a_head, a_resource, a_slurm_fleet


@pytest.mark.parametrize(
    ("direction", "port", "peer", "passes"),
    [
        (INGRESS, 988, CLUSTER_REF, True),
        (EGRESS, None, CLUSTER_REF, True),
        (EGRESS, 988, EFA_GROUP_REF, True),
        (EGRESS, None, EFA_GROUP_REF, UNKNOWN),
        (INGRESS, 988, EFA_GROUP_REF, UNKNOWN),
        (INGRESS, None, EFA_GROUP_REF, UNKNOWN),
    ],
)
def test_ekss_own_group(direction: str, port: int | None, peer: object, passes: object) -> None:
    """It lets itself in, and every port out; what a program adds to it nobody has looked at, and EFA has no port."""
    assert allows_traffic((CLUSTER_REF,), direction, port, (peer,), a_fleet()) is passes  # type: ignore[arg-type]
    # Of a cluster that exists it is an id.
    own = SG if peer == CLUSTER_REF else peer
    joined = a_fleet(a_control_plane(existing=True, security_groups=(SG,)))
    assert allows_traffic((SG,), direction, port, (own,), joined) is passes  # type: ignore[arg-type]
    # And of one that another program makes it is EKS's all the same.
    assert allows_traffic((CLUSTER_REF,), direction, port, (peer,), a_fleet(without=[ControlPlane])) is passes  # type: ignore[arg-type]


# aws-parallelcluster 3.16.1, templates/cluster_stack.py
@pytest.mark.parametrize("port", [988, None])
@pytest.mark.parametrize("direction", [INGRESS, EGRESS])
@pytest.mark.parametrize("group", [COMPUTE_GROUP, HEAD_GROUP, STORAGE_GROUP], ids=lambda one: one.name)
def test_parallelclusters_own_groups(group: Ref, direction: str, port: int | None) -> None:
    """Everything passes between them; to any other what is IP goes out, and nothing comes in but to a file system's."""
    own = [allows_traffic((group,), direction, port, (peer,), a_slurm_fleet()) for peer in (COMPUTE_GROUP, HEAD_GROUP)]
    others = [allows_traffic((group,), direction, port, (peer,), a_slurm_fleet()) for peer in (LUSTRE_GROUP_REF, SG)]
    assert own == [True, True]
    assert others == [group is STORAGE_GROUP or (direction == EGRESS and port is not None)] * 2


@pytest.mark.parametrize(
    ("efa", "template", "expected"),
    [
        (False, None, CarriedGroups(frozenset({CLUSTER_REF}))),
        (True, None, CarriedGroups(frozenset())),
        (False, UNKNOWN, CarriedGroups(frozenset(), missing="the launch template, not known before creation")),
        (True, UNKNOWN, CarriedGroups(frozenset(), missing="the launch template, not known before creation")),
    ],
)
def test_nodes_without_a_template(efa: bool, template: object, expected: CarriedGroups) -> None:
    """EKS attaches its own group to the one interface that there is, which is none of EFA."""
    group = a_group(template=template)
    assert carried_groups(group, a_fleet(group), efa=efa) == expected


@pytest.mark.parametrize("existing", [False, True])
def test_interfaces_whose_groups_nobody_knows_yet(existing: bool) -> None:
    """They are made of what the template depends on; on a cluster that exists its group, an id, is among them, too."""
    template = a_template(interfaces=(an_interface(groups=UNKNOWN),), depends_on=frozenset({EFA_GROUP_REF}))
    plane = a_control_plane(existing=existing, security_groups=(SG,))
    group = a_group()
    assert carried_groups(group, a_fleet(plane, template, group)) == (
        CarriedGroups(frozenset(), sure=False, missing="the security groups of its interfaces")
        if existing
        else CarriedGroups(frozenset({EFA_GROUP_REF}), sure=False)
    )


@pytest.mark.parametrize(
    ("types", "efa", "expected"),
    [
        (("ml.p5.48xlarge",), True, CarriedGroups(frozenset({SG}))),
        (("ml.p5.48xlarge",), False, CarriedGroups(frozenset({SG}))),
        (("ml.c5.2xlarge",), True, CarriedGroups(frozenset())),
        (("ml.p9.48xlarge",), True, CarriedGroups(frozenset({SG}), sure=False)),
        (("ml.p9.48xlarge",), False, CarriedGroups(frozenset({SG}))),
        (("ml.c5.2xlarge", "ml.p9.48xlarge"), True, CarriedGroups(frozenset({SG}), sure=False)),
    ],
)
def test_hyperpods_nodes(types: tuple[str, ...], efa: bool, expected: CarriedGroups) -> None:
    """All of their interfaces carry the same; whether those of a type that nobody knows are of EFA is open."""
    group = an_instance_group(instance_type=None, requirements=types, security_groups=(SG,))
    assert carried_groups(group, a_hyperpod_fleet(group), efa=efa) == expected


@pytest.mark.parametrize(
    ("peers", "found", "missing"),
    [
        ((CLUSTER_REF, EFA_GROUP_REF), [], []),
        (
            (CLUSTER_REF,),
            [],
            [
                "whether security group fsx lets pass TCP 988 and 1018 to 1023 in from and out to the nodes of workers",
            ],
        ),
        (
            (),
            [
                "security group fsx does not let pass TCP 988 and 1018 to 1023 in from and out to the nodes of workers",
            ],
            [],
        ),
    ],
    ids=["all", "some", "none"],
)
def test_a_file_system_open_to_some_of_the_groups_that_nodes_may_carry(
    peers: tuple[Any, ...], found: list[str], missing: list[str]
) -> None:
    """Which of them is on which interface creation will tell: only what holds of all of them is sure."""
    among = frozenset({CLUSTER_REF, EFA_GROUP_REF})
    template = a_template(interfaces=(an_interface(groups=UNKNOWN),), depends_on=among)
    fleet = a_stored_fleet(a_lustre_group(LUSTRE_GROUP_REF, *peers), template)
    judgement = judge(fleet, rules=[rule_of("lustre-ports-open")])
    assert [each.got for each in judgement.findings] == found
    assert [each.missing for each in judgement.not_evaluated] == missing


NOT_YET = CarriedGroups(frozenset(), missing="the security groups, not known before creation")
NODES, HEADS = CarriedGroups(frozenset({SG, COMPUTE_GROUP})), CarriedGroups(frozenset({SG, HEAD_GROUP}))


@pytest.mark.parametrize(
    ("efa", "groups", "ip", "of_efa"),
    [
        (True, (SG,), NODES, NODES),
        (False, (SG,), NODES, CarriedGroups(frozenset())),
        (UNKNOWN, (SG,), NODES, replace(NODES, sure=False)),
        (True, UNKNOWN, NOT_YET, NOT_YET),
        (False, UNKNOWN, NOT_YET, CarriedGroups(frozenset())),
    ],
)
def test_nodes_of_slurm(efa: Any, groups: Any, ip: CarriedGroups, of_efa: CarriedGroups) -> None:
    """All of their interfaces carry the same, ParallelCluster's own group among them; a head node has no EFA."""
    node, head = a_resource(efa=efa, security_groups=groups), a_head(security_groups=groups)
    fleet = a_slurm_fleet(node, head)
    assert (carried_groups(node, fleet), carried_groups(node, fleet, efa=True)) == (ip, of_efa)
    of_head = NOT_YET if groups is UNKNOWN else HEADS
    assert (carried_groups(head, fleet), carried_groups(head, fleet, efa=True)) == (of_head, CarriedGroups(frozenset()))


@pytest.mark.parametrize(
    ("interfaces", "ip", "of_efa"),
    [
        ((an_interface(groups=(SG,)),), {SG}, set()),
        ((an_interface(groups=(SG,)), an_interface(1, 1, "efa-only", ("sg-efa",))), {SG}, {"sg-efa"}),
        ((an_interface(type="efa", groups=(SG,)),), {SG}, {SG}),
        ((an_interface(0, 0, "efa-only", ("sg-efa",)),), {CLUSTER_REF}, {"sg-efa"}),
        ((an_interface(groups=(SG,)), an_interface(1, 1, UNKNOWN, ("sg-any",))), {SG, "sg-any"}, set()),
        ((), {CLUSTER_REF}, set()),
    ],
)
def test_which_interfaces_carry_which_traffic(interfaces: Any, ip: set[Any], of_efa: set[Any]) -> None:
    """EFA's on those of EFA, IP on all but those that are for EFA alone; EKS's own group where no other is named."""
    fleet = a_fleet(a_template(interfaces=interfaces))
    (group,) = fleet.kubernetes_groups
    found = [carried_groups(group, fleet, efa=efa) for efa in (False, True)]
    assert found == [CarriedGroups(frozenset(ip)), CarriedGroups(frozenset(of_efa))]

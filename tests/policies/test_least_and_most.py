"""Numbers that rules hold to: the least and the most are taken, one fewer and one more are not. They are their makers',
each block with where it comes from; a rule's own is never asked."""

from collections.abc import Callable
from typing import Any

import pytest

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet, Mount, Taint, Volume
from tests.factories import AS_OF, a_fleet, a_group
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet, an_instance_group
from tests.policies import capacity_blocks
from tests.policies.capacity import made
from tests.policies.case import got_by
from tests.policies.cases.capacity.own_reservations import later
from tests.policies.cases.capacity_blocks.purchases import OFFERING
from tests.slurms import IMAGE, a_head, a_pcluster, a_queue, a_resource, a_slurm_fleet, image_facts

Counted = Callable[[int], Fleet]
"""How many of something -> a fleet with so many."""


def _hyperpod(**more: Callable[[int], Any]) -> Counted:
    return lambda n: a_hyperpod_fleet(a_hyperpod(**{key: of(n) for key, of in more.items()}))


def _hyperpods_group(**more: Callable[[int], Any]) -> Counted:
    return lambda n: a_hyperpod_fleet(an_instance_group(**{key: of(n) for key, of in more.items()}))


def _pcluster(**more: Callable[[int], Any]) -> Counted:
    return lambda n: a_slurm_fleet(a_pcluster(**{key: of(n) for key, of in more.items()}))


def _node_group(**more: Callable[[int], Any]) -> Counted:
    return lambda n: a_fleet(a_group(**{key: of(n) for key, of in more.items()}))


def _mounted(**more: Any) -> Counted:
    return _pcluster(mounts=lambda n: tuple(Mount(f"m{i}", f"/m{i}", **more) for i in range(n)))


def _efs(name: str) -> Mount:
    return Mount(name, "/data", "Efs", file_system="fs-1")


def _named(prefix: str) -> Callable[[int], tuple[str, ...]]:
    return lambda n: tuple(f"{prefix}-{index}" for index in range(n))


def _letters(n: int) -> str:
    return "a" * n


def _key(n: int) -> str:
    """A prefix, as long as any may be, and so many characters in all."""
    return f"{'a' * 253}/{'b' * (n - 254)}"


def _nothing(_: int) -> None:
    return None


def _yes(_: int) -> bool:
    return True


@pytest.mark.parametrize(
    ("rule", "of", "least", "most"),
    [
        # SageMaker API, ClusterName, ClusterInstanceGroupName, ClusterInstanceGroupSpecification, VpcConfig
        ("hyperpod-names-legal", _hyperpod(name=_letters), 1, 63),
        ("hyperpod-names-legal", _hyperpods_group(name=_letters), None, 63),
        (
            "hyperpod-instance-type-stated-once",
            _hyperpods_group(instance_type=_nothing, requirements=lambda n: ("ml.p5.48xlarge",) * n),
            *(1, 20),
        ),
        ("hyperpod-network-limits", _hyperpod(subnets=_named("subnet")), 1, 16),
        ("hyperpod-network-limits", _hyperpod(security_groups=_named("sg")), 1, 5),
        ("hyperpod-network-limits", _hyperpods_group(subnets=_named("subnet")), None, 16),
        ("hyperpod-network-limits", _hyperpods_group(security_groups=_named("sg")), 1, 5),
        (
            "hyperpod-groups-distinct",
            lambda n: a_hyperpod_fleet(an_instance_group(), *(an_instance_group(f"group-{i}") for i in range(1, n))),
            *(None, 100),
        ),
        # SageMaker API, ClusterKubernetesConfig, ClusterKubernetesLabelKey, ClusterKubernetesTaint
        (
            "hyperpod-labels-legal",
            _hyperpods_group(labels=lambda n: frozenset((f"l-{i}", "x") for i in range(n))),
            None,
            50,
        ),
        (
            "hyperpod-labels-legal",
            _hyperpods_group(taints=lambda n: frozenset(Taint(f"t-{i}", "", "NoSchedule") for i in range(n))),
            *(None, 50),
        ),
        ("hyperpod-labels-legal", _hyperpods_group(labels=lambda n: frozenset({("team", _letters(n))})), 1, 63),
        ("hyperpod-labels-legal", _hyperpods_group(labels=lambda n: frozenset({(_key(n), "x")})), None, 317),
        (
            "hyperpod-labels-legal",
            _hyperpods_group(taints=lambda n: frozenset({Taint("team", _letters(n), "NoSchedule")})),
            *(None, 63),
        ),
        (
            "hyperpod-labels-legal",
            _hyperpods_group(taints=lambda n: frozenset({Taint(_key(n), "", "NoSchedule")})),
            *(None, 317),
        ),
        # aws-parallelcluster 3.16.1, ClusterNameValidator, NameValidator, SharedStorageNameValidator,
        # MaxCountValidator, ComputeResourceTagsValidator; constants.py: MAX_NEW_STORAGE_COUNT, MAX_TAGS_COUNT
        ("parallelcluster-name-legal", _pcluster(name=_letters), 1, 60),
        ("parallelcluster-name-legal", _pcluster(name=_letters, accounting=_yes), 1, 40),
        ("parallelcluster-name-legal", _pcluster(name=_letters, external_accounting=_yes), 1, 40),
        ("parallelcluster-names-legal", lambda n: a_slurm_fleet(a_queue(name=_letters(n))), 1, 25),
        ("parallelcluster-names-legal", lambda n: a_slurm_fleet(a_resource(name=_letters(n))), 1, 25),
        (
            "parallelcluster-storage-names-legal",
            _pcluster(mounts=lambda n: (_efs(_letters(n)),)),
            *(1, 30),
        ),
        ("parallelcluster-storage-within-limits", _mounted(kind="FsxLustre"), None, 1),
        ("parallelcluster-storage-within-limits", _mounted(kind="Efs"), None, 1),
        ("parallelcluster-storage-within-limits", _mounted(kind="Ebs", raid=True), None, 1),
        ("parallelcluster-storage-within-limits", _mounted(kind="Ebs"), None, 5),
        ("parallelcluster-storage-within-limits", _mounted(kind="FsxLustre", file_system="fs-1"), None, 20),
        ("parallelcluster-storage-within-limits", _mounted(kind="Efs", file_system="fs-1"), None, 20),
        (
            "parallelcluster-counts-within-limits",
            lambda n: a_slurm_fleet(a_queue(), *(a_queue(f"queue-{i}") for i in range(1, n))),
            *(None, 50),
        ),
        (
            "parallelcluster-counts-within-limits",
            lambda n: a_slurm_fleet(a_resource(), *(a_resource(f"group-{i}") for i in range(1, n))),
            *(None, 50),
        ),
        # with the provider's own
        ("parallelcluster-tags-legal", _pcluster(tags=lambda n: frozenset(_named("tag")(n))), None, 39),
        ("parallelcluster-tags-legal", lambda n: a_slurm_fleet(a_resource(tags=frozenset(_named("tag")(n)))), None, 38),
        ("parallelcluster-tags-legal", _pcluster(tags=lambda n: frozenset({_letters(n)})), None, 128),
        ("parallelcluster-tags-legal", lambda n: a_slurm_fleet(a_resource(tags=frozenset({_letters(n)}))), None, 128),
        # SchedulableMemoryValidator; EC2 instance types, p5: 2 TiB
        (
            "parallelcluster-memory-within-instance",
            lambda n: a_slurm_fleet(a_resource(memory_mib=n)),
            *(1, 2 * 1024 * 1024),
        ),
        # RootVolumeSizeValidator: what the image has
        (
            "parallelcluster-root-volume-holds-image",
            lambda n: a_slurm_fleet(a_pcluster(image=IMAGE), a_head(root=Volume(gib=n)), known=image_facts()),
            *(45, None),
        ),
        # CloudFormation waits an hour for a custom resource (its guide, ServiceTimeout): ten minutes are for the rest
        ("parallelcluster-head-ready-in-time", lambda n: a_slurm_fleet(a_head(seconds=n)), None, 50 * 60),
        # EKS API, NodegroupUpdateConfig, NodeRepairConfig, CreateNodegroup
        ("update-limits-single", _node_group(max_unavailable=int), 1, 100),
        ("update-limits-single", _node_group(max_unavailable_percentage=int), 1, 100),
        *(
            ("node-repair-limits-single", _node_group(repair_limits=lambda n, name=name: ((name, n),)), 1, most)
            for limit in ("maxParallelNodesRepaired", "maxUnhealthyNodeThreshold")
            for name, most in ((f"{limit}Percentage", 100), (f"{limit}Count", None))
        ),
        ("instance-types-at-most-twenty", _node_group(instance_types=_named("type")), None, 20),
        # EC2 user guide, Capacity Blocks, Future-dated Capacity Reservations; EC2 API, CreateCapacityReservation
        ("capacity-block-size", lambda n: capacity_blocks.described(**capacity_blocks.NEXT, count=n), None, 64),
        ("capacity-block-size", lambda n: capacity_blocks.theirs(facts=Facts(), nodes_max=n), None, 64),
        ("reservation-created-legal", lambda n: a_fleet(made(count=n)), 1, 1000),
        ("reservation-created-legal", lambda n: later(instance="c5.2xlarge", count=n), 4, 1000),
    ],
)
def test_a_limit(rule: str, of: Counted, least: int | None, most: int | None) -> None:
    """The least and the most are taken, and one fewer and one more are not."""
    taken = [n for n in (least, most) if n is not None]
    refused = [n for n in (least and least - 1, most and most + 1) if n is not None]
    assert [n for n in (*taken, *refused) if got_by(rule, of(n)) == []] == taken


def _lasting(days: int, **more: Any) -> Fleet:
    """A block that begins in ten days."""
    first = AS_OF.toordinal() + 10
    starts, ends = (AS_OF.fromordinal(day).isoformat() for day in (first, first + days))
    return capacity_blocks.described(starts=starts, ends=ends, **more)


# EC2 user guide, Capacity Blocks
def test_how_long_a_block_lasts() -> None:
    """Whole days; beyond 14 whole weeks where it is bought; 182 of them at most."""
    asked = (0, 1, 13, 14, 15, 20, 21, 22, 175, 181, 182, 183, 189)
    bought = [n for n in asked if got_by("capacity-block-length", _lasting(n, buy={"offering": OFFERING})) == []]
    assert bought == [1, 13, 14, 21, 175, 182]
    assert [n for n in asked if got_by("capacity-block-length", _lasting(n)) == []] == [
        n for n in asked if 1 <= n <= 182
    ]


@pytest.mark.parametrize(
    ("rule", "of", "most"),
    [
        ("hyperpod-names-legal", lambda name: a_hyperpod_fleet(a_hyperpod(name=name)), 63),
        ("hyperpod-names-legal", lambda name: a_hyperpod_fleet(an_instance_group(name=name)), 63),
        ("parallelcluster-names-legal", lambda name: a_slurm_fleet(a_queue(name=name)), 25),
        ("parallelcluster-names-legal", lambda name: a_slurm_fleet(a_resource(name=name)), 25),
        ("parallelcluster-storage-names-legal", lambda name: a_slurm_fleet(a_pcluster(mounts=(_efs(name),))), 30),
    ],
)
def test_how_long_a_name_is_matters_where_it_is_too_long(rule: str, of: Callable[[str], Fleet], most: int) -> None:
    """Of one whose letters are wrong, and which is no longer than others, nobody counts them."""
    ((short,), (long,)) = (got_by(rule, of("!" * n)) for n in (most, most + 1))
    assert f" does not accept '{'!' * most}' as the name of a " in short
    assert f" does not accept '{'!' * (most + 1)}' ({most + 1} characters) as the name of a " in long

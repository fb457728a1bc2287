"""What each key of a description changes of what is derived: these settings of these things, and nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import pytest

from muster.blueprint.derive.parallelcluster import HEAD_REF
from muster.blueprint.hyperpod.lifecycle_bundle import ON_CREATE
from muster.config.description.node_group import Purpose
from muster.fleet.resources import (
    ComputeResource,
    HeadNode,
    HyperPodCluster,
    InstanceGroup,
    Lifecycle,
    ParallelCluster,
    Place,
    Queue,
    Ref,
    StorageVolume,
    Taint,
)
from muster.fleet.resources.parallelcluster import Placement, Script
from muster.size import Size
from tests.factories import AS_OF, DROP, SG, A, B
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.factories.parallelcluster import TRAIN, WORKERS, a_slurm_blueprint

Make = Callable[[Mapping[str, Any]], Any]
Changes = Mapping[str, Any]

AS_DESCRIBED = {"capacity"}
"""Fields that have the description's own block."""


def settings(make: Make, kinds: tuple[type, ...], edits: Changes) -> dict[str, Any]:
    """``NAME.FIELD`` -> what it is."""
    return {
        f"{each.ref.name}.{field.name}": getattr(each, field.name)
        for each in make(edits).fleet(AS_OF).objects
        if isinstance(each, kinds)
        for field in fields(each)
        if field.name not in AS_DESCRIBED
    }


def changed(make: Make, kinds: tuple[type, ...], edits: Changes) -> dict[str, Any]:
    """Of these, those that are not as without the edits."""
    before, after = (settings(make, kinds, each) for each in ({}, edits))
    assert before.keys() == after.keys()
    return {key: value for key, value in after.items() if value != before[key]}


W, H = "groups.workers", "groups.workers.hyperpod"
KEY = "arn:aws:kms:us-west-2:111122223333:key/11111111-2222-3333-4444-555555555555"
PLAN = "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p"
OWN = {"own": {"at": "s3://sagemaker-ours/x", "on-create": "a.sh"}}
OTHER = {"own": {"at": "s3://sagemaker-ours/x", "on-init-complete": "b.sh"}}
SCRIPTS = Lifecycle("s3://sagemaker-ours/x", "a.sh")
NAMES = frozenset({("muster/group", "workers"), ("muster/purpose", "training")})
INFERENCE = {
    "workers.purpose": Purpose.INFERENCE,
    "workers.labels": frozenset({("muster/group", "workers"), ("muster/purpose", "inference")}),
}

HYPERPOD: tuple[tuple[Changes, Changes], ...] = (
    ({"hyperpod.name": "ours"}, {"hyperpod.name": "ours"}),
    ({"hyperpod.node-recovery": "none"}, {"hyperpod.node_recovery": "None"}),
    ({"hyperpod.provisioning": "continuous"}, {"hyperpod.provisioning": "Continuous"}),
    (
        {"hyperpod": {"provisioning": "continuous", "autoscaling": "karpenter"}},
        {
            "hyperpod.provisioning": "Continuous",
            "hyperpod.autoscaler": "Karpenter",
            "hyperpod.has_cluster_role": True,
        },
    ),
    ({"hyperpod.tiered-storage": {"memory-percent": 40}}, {"hyperpod.memory_percent": 40}),
    ({"hyperpod.lifecycle": OWN}, {"system.lifecycle": SCRIPTS, "workers.lifecycle": SCRIPTS}),
    ({"hyperpod.lifecycle": "none"}, {"system.lifecycle": None, "workers.lifecycle": None}),
    ({"hyperpod.lifecycle": "none", f"{H}.lifecycle": OWN}, {"system.lifecycle": None, "workers.lifecycle": SCRIPTS}),
    ({f"{H}.lifecycle": OWN}, {"workers.lifecycle": SCRIPTS}),
    ({f"{H}.lifecycle": OTHER}, {"workers.lifecycle": Lifecycle("s3://sagemaker-ours/x", None, "b.sh")}),
    ({f"{H}.deep-health-checks": DROP}, {"workers.deep_checks": frozenset()}),
    ({f"{H}.deep-health-checks": ["instance-stress"]}, {"workers.deep_checks": frozenset({"InstanceStress"})}),
    ({f"{H}.threads-per-core": 2}, {"workers.threads_per_core": 2}),
    ({f"{H}.interface": "efa"}, {"workers.interface": "efa"}),
    ({f"{H}.volume": {"size": "300GiB"}}, {"workers.volumes": (StorageVolume(300),)}),
    ({f"{H}.volume": {"key": KEY}}, {"workers.volumes": (StorageVolume(500, key=KEY),)}),
    ({f"{H}.root-volume-key": KEY}, {"workers.volumes": (StorageVolume(None, root=True, key=KEY), StorageVolume(500))}),
    ({f"{W}.nodes": 5}, {"workers.nodes_start": 5}),
    ({f"{W}.nodes": {"count": 5, "minimum": 2}}, {"workers.nodes_start": 5, "workers.minimum": 2}),
    ({f"{W}.instance": "p5e.48xlarge"}, {"workers.instance_type": "ml.p5e.48xlarge"}),
    ({f"{W}.labels": {"a": "b"}}, {"workers.labels": NAMES | {("a", "b")}}),
    ({f"{W}.taints": {"a": "NoSchedule"}}, {"workers.taints": frozenset({Taint("a", "true", "NoSchedule")})}),
    ({f"{W}.huge-pages": "10GiB"}, {"workers.huge_pages": Size(10 * 1024)}),
    ({f"{W}.for": "inference"}, INFERENCE),
    ({f"{W}.for": "inference", f"{W}.capacity": "spot"}, {**INFERENCE, "workers.spot": True}),
    ({f"{W}.zone": "us-west-2b"}, {"workers.subnets": (B,), "workers.zone": "us-west-2b"}),
    ({f"{W}.zone": DROP}, {"workers.subnets": (A, B), "workers.zone": None, "workers.own_network": False}),
    (
        {f"{W}.capacity": {"training-plan": {"arn": PLAN, "zone": "us-west-2a", "count": 4}}},
        {"workers.training_plan": PLAN},
    ),
    (
        {f"{W}.capacity": {"training-plan": {"arn": PLAN, "zone": "us-west-2b", "count": 4}}, f"{W}.zone": DROP},
        {"workers.training_plan": PLAN, "workers.zone": "us-west-2b", "workers.subnets": (B,)},
    ),
)
"""Edits -> what they change of the cluster (`hyperpod`) and its groups."""


@pytest.mark.parametrize(("edits", "found"), HYPERPOD, ids=[", ".join(edits) for edits, _ in HYPERPOD])
def test_what_each_key_changes_on_hyperpod(edits: Changes, found: Changes) -> None:
    assert changed(a_hyperpod_blueprint, (HyperPodCluster, InstanceGroup), edits) == found


def test_what_hyperpod_runs_unless_told_otherwise() -> None:
    """Muster's own script, of its own bucket, on every group."""
    made = settings(a_hyperpod_blueprint, (InstanceGroup,), {})
    assert {made[f"{name}.lifecycle"].on_create for name in ("system", "workers")} == {ON_CREATE}


INSTALL = {"scripts": [{"at": "s3://a-bucket/i.sh"}]}
ON_HEAD = {"head.scripts": (Script("s3://a-bucket/i.sh"),), "head.buckets": frozenset({"a-bucket"})}
ON_NODES = {"train.scripts": (Script("s3://a-bucket/i.sh"),), "train.buckets": frozenset({"a-bucket"})}
APART = {"workers.efa": False, "workers.placement": Placement(enabled=False)}
FROM = {"head.ssh-from": "198.51.100.0/24"}
NODES_AND_OURS = (Ref("aws:ec2/securityGroup:SecurityGroup", "nodes"), SG)

SLURM: tuple[tuple[Changes, Changes], ...] = (
    ({"name": "ours"}, {"slurm.name": "ours"}),
    ({"os": "ubuntu2204"}, {"slurm.os": "ubuntu2204"}),
    ({"image": "ami-0123456789abcdef0"}, {"slurm.image": "ami-0123456789abcdef0"}),
    (
        {"post-install": {**INSTALL, "timeout-minutes": 30}},
        {**ON_HEAD, **ON_NODES, "head.seconds": 30 * 60, "head.timed_at": Place("")},
    ),
    ({"head.post-install": {**INSTALL, "timeout-minutes": 40}}, {**ON_HEAD, "head.seconds": 40 * 60}),
    ({f"{TRAIN}.post-install": INSTALL}, ON_NODES),
    (
        {
            "post-install": {"scripts": [{"at": "s3://other/j.sh"}]},
            "head.post-install": INSTALL,
            f"{TRAIN}.post-install": INSTALL,
        },
        {**ON_HEAD, **ON_NODES, "head.seconds": 35 * 60},
    ),
    ({"head.instance": "m5.2xlarge"}, {"head.instance": "m5.2xlarge"}),
    ({"head.security-groups": [SG]}, {"head.security_groups": NODES_AND_OURS}),
    ({"head.zone": "us-west-2b"}, {"head.subnet": B}),
    ({"head.login": {"key-pair": "ours"}, **FROM}, {"head.key_pair": "ours", "head.ssh_from": "198.51.100.0/24"}),
    (
        {"head.login": {"public-key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB"}, **FROM},
        {
            "head.key_pair": Ref("aws:ec2/keyPair:KeyPair", HEAD_REF.name),
            "head.ssh_from": "198.51.100.0/24",
        },
    ),
    (
        {f"{TRAIN}.security-groups": [SG]},
        {"train.security_groups": NODES_AND_OURS, "workers.security_groups": NODES_AND_OURS},
    ),
    (
        {f"{TRAIN}.zones": ["us-west-2b"]},
        {"head.subnet": B, "train.subnets": (B,), "train.zones": ("us-west-2b",), "workers.subnets": (B,)},
    ),
    ({f"{WORKERS}.nodes": {"min": 1, "max": 9}}, {"workers.nodes_min": 1, "workers.nodes_max": 9}),
    ({f"{WORKERS}.efa": False}, APART),
    ({f"{WORKERS}.threads-per-core": 1}, {"workers.threads_per_core": 1}),
    ({f"{WORKERS}.threads-per-core": 2}, {}),
    ({f"{WORKERS}.instance": "p5e.48xlarge"}, {"workers.instances": ("p5e.48xlarge",)}),
    ({f"{WORKERS}.for": "inference"}, {**APART, "workers.purpose": Purpose.INFERENCE}),
    (
        {f"{WORKERS}.for": "inference", f"{WORKERS}.capacity": "spot"},
        {
            **APART,
            "workers.purpose": Purpose.INFERENCE,
            "train.capacity_type": "SPOT",
            "workers.capacity_type": "SPOT",
        },
    ),
)
"""Edits -> what they change of the cluster (`slurm`), its head node, queues and compute resources."""


@pytest.mark.parametrize(("edits", "found"), SLURM, ids=[", ".join(edits) for edits, _ in SLURM])
def test_what_each_key_changes_with_slurm(edits: Changes, found: Changes) -> None:
    assert changed(a_slurm_blueprint, (ComputeResource, HeadNode, ParallelCluster, Queue), edits) == found

"""Edits of HyperPod's cluster and its instance groups."""

from muster.config.description.capacity import HyperPodCapacity
from muster.config.description.hyperpod_cluster import HyperPodCluster
from muster.config.description.hyperpod_settings import HyperPod
from muster.config.description.instance_group import (
    HyperPodImage,
    ImageUpdates,
    InstanceCount,
    InstanceGroup,
    InstanceGroupSettings,
    Lifecycle,
    SecondaryVolume,
)
from muster.config.description.network import ExistingNetwork
from tests.engine.changes.edits import ADDONS, CONTROL_PLANE, KEY, MACHINES, SCRIPT, Changed, row
from tests.stack_files import filled_in

AUTOSCALER = "hyperpod-autoscaler"
MACHINES_UPDATE: Changed = {(MACHINES, "hyperpod"): "update"}
MACHINES_REPLACED: Changed = {(MACHINES, "hyperpod"): "replace"}
CHECKS = "deep-health-checks: [instance-stress, instance-connectivity]"
AMONG_SETTINGS = f"          {CHECKS}\n"
AMONG_MACHINES = "      provisioning: continuous\n"


def setting(line: str) -> tuple[str, str]:
    """An edit that adds a line to what only a group of HyperPod has."""
    return AMONG_SETTINGS, f"{AMONG_SETTINGS}          {line}\n"


def machines(line: str) -> tuple[str, str]:
    """An edit that adds a line to the HyperPod cluster."""
    return AMONG_MACHINES, f"{AMONG_MACHINES}      {line}\n"


def beside_hyperpod(line: str) -> tuple[str, str]:
    """An edit that adds a line to a group of HyperPod."""
    return "        hyperpod:\n", f"        {line}\n        hyperpod:\n"


ROLE = "arn:aws:iam::210987654321:role/hyperpod"
PLAN = "arn:aws:sagemaker:us-west-2:210987654321:training-plan/p5-autumn"

HYPERPOD_ROWS = (
    row(HyperPod, "name", "name: ml-platform-hyperpod", "name: another", MACHINES_REPLACED),
    row(
        ExistingNetwork,
        "private",
        filled_in("subnet-fill-me-in-private-b"),
        "subnet-0123456789abcdef0",
        MACHINES_REPLACED,
    ),
    row(HyperPod, "node_recovery", *machines("node-recovery: none"), MACHINES_UPDATE),
    row(HyperPod, "tiered_storage", *machines("tiered-storage: {memory-percent: 20}"), MACHINES_UPDATE),
    row(
        HyperPod,
        "autoscaling",
        *machines("autoscaling: karpenter"),
        {**MACHINES_UPDATE, ("aws:iam/role:Role", AUTOSCALER): "create"},
    ),
    row(HyperPod, "execution_role", *machines(f"execution-role: {ROLE}"), MACHINES_UPDATE),
    row(
        HyperPod,
        "task_governance",
        *machines("task-governance: {teams: {research: {quota: {p5.48xlarge: {instances: 2}}}}}"),
        {("aws-native:sagemaker:ComputeQuota", "research"): "create"},
    ),
    row(HyperPod, "cluster_role", *machines(f"autoscaling: karpenter\n      cluster-role: {ROLE}"), MACHINES_UPDATE),
    row(HyperPod, "provisioning", AMONG_MACHINES, "", MACHINES_UPDATE, ("{count: 4, minimum: 2}", "4")),
    row(InstanceGroup, "nodes", "{count: 4, minimum: 2}", "{count: 5, minimum: 2}", MACHINES_UPDATE),
    row(InstanceCount, "minimum", "{count: 4, minimum: 2}", "{count: 4, minimum: 3}", MACHINES_UPDATE),
    row(InstanceGroup, "labels", *beside_hyperpod("labels: {team: vision}"), MACHINES_UPDATE),
    row(InstanceGroup, "taints", *beside_hyperpod("taints: {team: NoSchedule}"), MACHINES_UPDATE),
    row(InstanceGroupSettings, "deep_health_checks", CHECKS, "deep-health-checks: [instance-stress]", MACHINES_UPDATE),
    row(ImageUpdates, "at_once", "at-once: {count: 1}", "at-once: {percent: 50}", MACHINES_UPDATE),
    row(InstanceGroup, "purpose", "for: training", "for: inference", MACHINES_UPDATE),
    row(InstanceGroup, "instance", "p5.48xlarge", "p5e.48xlarge", MACHINES_UPDATE),
    row(InstanceGroup, "zone", "zone: us-west-2a", "zone: us-west-2b", MACHINES_UPDATE),
    row(InstanceGroup, "security_groups", *beside_hyperpod("security-groups: [sg-0123456789abcdef0]"), MACHINES_UPDATE),
    row(
        InstanceGroup,
        "capacity",
        *beside_hyperpod("capacity: {spot: {interruptions-accepted: true}}"),
        MACHINES_UPDATE,
        ("{count: 4, minimum: 2}", "4"),
    ),
    row(
        HyperPodCapacity,
        "training_plan",
        *beside_hyperpod(f"capacity: {{training-plan: {{arn: '{PLAN}', zone: us-west-2a, count: 4}}}}"),
        MACHINES_UPDATE,
    ),
    row(InstanceGroupSettings, "threads_per_core", "threads-per-core: 1", "threads-per-core: 2", MACHINES_UPDATE),
    row(InstanceGroupSettings, "volume", *setting("volume: {size: 600GiB}"), MACHINES_UPDATE),
    row(SecondaryVolume, "key", *setting(f"volume: {{key: '{KEY}'}}"), MACHINES_UPDATE),
    row(InstanceGroupSettings, "root_volume_key", *setting(f"root-volume-key: '{KEY}'"), MACHINES_UPDATE),
    row(InstanceGroupSettings, "interface", *setting("interface: efa-only"), MACHINES_UPDATE),
    row(InstanceGroupSettings, "lifecycle", *setting("lifecycle: none"), MACHINES_UPDATE),
    row(HyperPod, "lifecycle", *machines("lifecycle: none"), MACHINES_UPDATE),
    row(
        Lifecycle,
        "own",
        *machines("lifecycle: {own: {at: 's3://sagemaker-ml/scripts', on-create: on_create.sh}}"),
        MACHINES_UPDATE,
    ),
    row(HyperPodImage, "id", *setting("image: {id: ami-0123456789abcdef0}"), MACHINES_UPDATE),
    row(
        InstanceGroup,
        "huge_pages",
        *beside_hyperpod("huge-pages: 20480MiB"),
        {(SCRIPT, "workers/settings.env"): "update"},
    ),
)
HYPERPOD_AND_EKS = (
    row(HyperPodCluster, "kubernetes", '"1.34"', '"1.35"', CONTROL_PLANE),
    row(HyperPodCluster, "tags", ADDONS, f"    tags: {{team: vision}}\n{ADDONS}", MACHINES_UPDATE),
)

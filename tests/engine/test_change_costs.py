"""What changing a field costs: the engine's own preview against what is deployed, beside what the field says of itself.

What forces a replacement is in `facts.REPLACES`, from the providers' documents, not from here. What `muster plan
--against` says of the same edit, without an engine, is compared with what the engine does.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from muster.fleet.description import Change, EksCluster, change_cost
from muster.fleet.description.addons import AddonOptions
from muster.fleet.description.capacity import (
    Capacity,
    CapacityBlock,
    HyperPodCapacity,
    Purchase,
    Reservation,
)
from muster.fleet.description.cluster import Access, HyperPodCluster, Logs
from muster.fleet.description.group import Group, Session, Updates
from muster.fleet.description.hyperpod import HyperPod
from muster.fleet.description.image import CustomImage, Image
from muster.fleet.description.instance_count import InstanceCount
from muster.fleet.description.instance_group import (
    HyperPodImage,
    ImageUpdates,
    InstanceGroup,
    InstanceGroupSettings,
    SecondaryVolume,
)
from muster.fleet.description.lifecycle import Lifecycle
from muster.fleet.description.network import CreatedNetwork, ExistingNetwork
from muster.fleet.description.nodes import Nodes
from muster.fleet.description.part import Part
from muster.fleet.description.registry import Registry
from muster.fleet.description.storage import Lustre
from muster.fleet.description.volume import Volume
from muster.fleet.registered_changes import changes as registered_changes
from muster.fleet.registration import Registration
from muster.fleet.stack_file import load
from muster.offline.plan import record_stack
from tests.stack_files import AS_OF, edited, filled_in, text_of

from .conftest import MakeStack
from .facts import FOR_NEW_INSTANCES, REFUSED_IN_A_GROUP
from .harness import MISSING_TOOLS, WHY_SKIPPED, Outcome

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

Changed = dict[tuple[str, str], str]
"""(type, logical name) -> the engine's operation."""

TEMPLATE, GROUP = "aws:ec2/launchTemplate:LaunchTemplate", "aws:eks/nodeGroup:NodeGroup"
OWN_GROUP, CLUSTER = "aws:autoscaling/group:Group", "aws:eks/cluster:Cluster"
BLOCK, PLACEMENT = "aws:ec2/capacityBlockReservation:CapacityBlockReservation", "aws:ec2/placementGroup:PlacementGroup"
FILES = "aws:fsx/lustreFileSystem:LustreFileSystem"
REPOSITORY, ROUTE, NAT = "aws:ecr/repository:Repository", "aws:ec2/route:Route", "aws:ec2/natGateway:NatGateway"
ENDPOINT, VPC, SUBNET = "aws:ec2/vpcEndpoint:VpcEndpoint", "aws:ec2/vpc:Vpc", "aws:ec2/subnet:Subnet"
ENTRY_POLICY = "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"
MACHINES, SCRIPT = "aws-native:sagemaker:Cluster", "aws:s3/bucketObjectv2:BucketObjectv2"
LIVE = (GROUP, OWN_GROUP, CLUSTER, MACHINES)
"""What runs: to lose one of these and get another is a replacement, whatever the engine calls it."""
ONE_OF_ITS_KIND = frozenset({BLOCK, ENTRY_POLICY})
"""What another name makes anew."""
ROLLS = frozenset({"launchTemplate", "releaseVersion", "version"})
"""Inputs of a managed node group whose change has EKS replace its nodes one after the other."""

CONTROL_PLANE: Changed = {(CLUSTER, "cluster-eksCluster"): "update"}
GROUP_UPDATE: Changed = {(GROUP, "workers"): "update"}
DRAINS: Changed = {(TEMPLATE, "workers"): "update", **GROUP_UPDATE}
REPLACED: Changed = {(GROUP, "workers"): "replace"}
NOTHING: Changed = {}


@dataclass(frozen=True)
class Row:
    """One edit of a field, and what the engine makes of it."""

    block: type[Part]
    field: str
    edits: tuple[tuple[str, str], ...]
    """Text that stands there, its last place (workers stand after the system group) -> what is written instead."""
    expected: Changed
    """Operations there must be; with none of them, there is none at all."""
    cost: Change | None = None
    """What it costs here, where the field states what it costs at the dearest."""

    def applied(self, text: str) -> str:
        """The text with the edits."""
        for before, after in self.edits:
            head, found, tail = text.rpartition(before)
            assert found, before
            text = f"{head}{after}{tail}"
        return text


def row(
    block: type[Part],
    field: str,
    before: str,
    after: str,
    expected: Changed,
    *more: tuple[str, str],
    cost: Change | None = None,
) -> Row:
    return Row(block, field, ((before, after), *more), expected, cost)


VOLUME = "        volume: {size: 300GiB}\n"


def beside(line: str) -> tuple[str, str]:
    """An edit that adds a line to the workers."""
    return VOLUME, f"{VOLUME}        {line}\n"


RESERVATION = filled_in("cr-fill-me-in")
ADDONS = "    addons:\n"
KEY = "arn:aws:kms:us-west-2:210987654321:key/01234567-89ab-cdef-0123-456789abcdef"
OTHER_ZONE = (("zone: us-west-2a # where", "zone: us-west-2b # where"),)
ZONE = "zone: us-west-2a\n            count"

GROUP_ROWS = (
    row(Nodes, "min", "nodes: 1\n", "nodes: {min: 0, start: 1, max: 1, scaled-by: you}\n", GROUP_UPDATE),
    row(Nodes, "start", "start: 1, max: 3", "start: 2, max: 3", NOTHING, cost=Change.NOTHING),
    row(Nodes, "max", "start: 1, max: 3", "start: 1, max: 4", {(GROUP, "system"): "update"}),
    row(Nodes, "scaled_by", "scaled-by: you", "scaled-by: autoscaler", NOTHING),
    row(Group, "nodes", "nodes: 1\n", "nodes: {min: 0, start: 1, max: 1, scaled-by: you}\n", GROUP_UPDATE),
    row(Group, "purpose", "for: training", "for: inference", DRAINS, ("      efa-device-plugin: {}\n", "")),
    row(Group, "labels", *beside("labels: {team: vision}"), GROUP_UPDATE),
    row(Group, "taints", *beside("taints: {team: NoSchedule}"), GROUP_UPDATE),
    row(Group, "node_repair", *beside("node-repair: false"), GROUP_UPDATE),
    row(Group, "updates", *beside("updates: {at-once: 2}"), GROUP_UPDATE),
    row(Updates, "percent_at_once", *beside("updates: {percent-at-once: 50}"), GROUP_UPDATE),
    row(Group, "instance", "p5.48xlarge\n", "p5e.48xlarge\n", DRAINS),
    row(Group, "volume", "300GiB", "400GiB", DRAINS),
    row(Volume, "throughput", "{size: 300GiB}", "{size: 300GiB, throughput: 250}", DRAINS),
    row(Group, "interfaces", *beside("interfaces: classic"), DRAINS),
    row(Group, "huge_pages", *beside("huge-pages: 20480MiB"), DRAINS),
    row(Group, "local_storage", "local-storage: raid0", "local-storage: none", DRAINS),
    row(Group, "security_groups", *beside("security-groups: [sg-0123456789abcdef0]"), DRAINS),
    row(Group, "session", *beside("session: {key-pair: ml-admins}"), DRAINS),
    row(
        Session,
        "ssm",
        *beside("session: ssm"),
        {("aws:iam/rolePolicyAttachment:RolePolicyAttachment", "workers-AmazonSSMManagedInstanceCore"): "create"},
    ),
)
CAPACITY_ROWS = (
    row(Group, "image", *beside("image: bottlerocket"), REPLACED, ("      nvidia-device-plugin: {}\n", "")),
    row(Image, "custom", *beside("image: {custom: {id: ami-0123456789abcdef0}}"), REPLACED),
    row(Group, "self_managed", *beside("self-managed: true"), {(GROUP, "workers"): "delete"}),
    row(Group, "zone", OTHER_ZONE[0][0], OTHER_ZONE[0][1], REPLACED, (ZONE, ZONE.replace("2a", "2b"))),
    row(
        Group,
        "subnets",
        "        instance: c5.2xlarge\n",
        "        instance: c5.2xlarge\n        subnets: public\n",
        {(GROUP, "system"): "replace"},
    ),
    row(Reservation, "id", RESERVATION, "cr-0123456789abcdef0", DRAINS),
    row(
        Reservation, "provided_by", "provided-by: aws", "provided-by: you", DRAINS | {(PLACEMENT, "workers"): "create"}
    ),
    row(
        Reservation,
        "placement_group",
        "provided-by: aws",
        "provided-by: you\n            placement-group: mine",
        DRAINS,
    ),
    row(Reservation, "count", "count: 1", "count: 2", NOTHING),
    row(Reservation, "zone", OTHER_ZONE[0][0], OTHER_ZONE[0][1], REPLACED, (ZONE, ZONE.replace("2a", "2b"))),
)
CLUSTER_ROWS = (
    row(EksCluster, "kubernetes", '"1.35"', '"1.36"', CONTROL_PLANE | GROUP_UPDATE),
    row(EksCluster, "tags", ADDONS, f"    tags: {{team: vision}}\n{ADDONS}", DRAINS),
    row(EksCluster, "logs", ADDONS, f"    logs: {{types: [audit]}}\n{ADDONS}", CONTROL_PLANE),
    row(
        Logs,
        "retention_days",
        ADDONS,
        f"    logs: {{retention-days: 30}}\n{ADDONS}",
        {("aws:cloudwatch/logGroup:LogGroup", "control-plane"): "update"},
    ),
    row(EksCluster, "api", "{public: [8.8.8.0/24]}", "private", CONTROL_PLANE),
    row(
        EksCluster,
        "secrets_key",
        ADDONS,
        f"    secrets-key: {KEY}\n{ADDONS}",
        CONTROL_PLANE,
    ),
    row(EksCluster, "name", ADDONS, f"    name: another\n{ADDONS}", {(CLUSTER, "cluster-eksCluster"): "replace"}),
    row(
        EksCluster,
        "access",
        "access:\n",
        'access:\n      - {principal: "arn:aws:iam::210987654321:role/readers", policy: view}\n',
        {("aws:eks/accessEntry:AccessEntry", "210987654321/role/readers"): "create"},
    ),
    row(
        Access,
        "policy",
        "policy: cluster-admin",
        "policy: view",
        {(ENTRY_POLICY, "210987654321/role/ml-admins-view"): "create"},
    ),
    row(
        Access,
        "namespaces",
        "policy: cluster-admin",
        "policy: cluster-admin, namespaces: [ml]",
        {(ENTRY_POLICY, "210987654321/role/ml-admins-cluster-admin"): "replace"},
    ),
    row(EksCluster, "registry", ADDONS, f"    registry: {{}}\n{ADDONS}", {(REPOSITORY, "registry"): "create"}),
    row(
        EksCluster,
        "addons",
        "      mpi-operator: {}\n",
        "",
        {("kubernetes:yaml/v2:ConfigFile", "mpi-operator"): "delete"},
    ),
    row(
        AddonOptions,
        "values",
        "efa-device-plugin: {}",
        "efa-device-plugin: {values: {resources: {}}}",
        {("kubernetes:helm.sh/v3:Release", "efa-device-plugin"): "update"},
    ),
    row(ExistingNetwork, "private", filled_in("subnet-fill-me-in-private-a"), "subnet-0123456789abcdef0", REPLACED),
    row(
        ExistingNetwork,
        "public",
        filled_in("subnet-fill-me-in-public-b"),
        "subnet-0123456789abcdef0",
        NOTHING,
        cost=Change.NOTHING,
    ),
    row(ExistingNetwork, "vpc", filled_in("vpc-fill-me-in"), "vpc-0123456789abcdef0", DRAINS),
)

CUSTOM = (
    row(CustomImage, "id", "ami-0123456789abcdef0", "ami-0123456789abcdef1", DRAINS),
    row(
        CustomImage,
        "family",
        "{id: ami-0123456789abcdef0}",
        "{id: ami-0123456789abcdef0, family: bottlerocket}",
        DRAINS,
        ("      nvidia-device-plugin: {}\n", ""),
    ),
)
STORAGE_OF_G4DN = "        local-storage: raid0 # 900 GB of NVMe\n"
CIDR = "        cidr: 10.0.0.0/16\n"

NEW_VPC = (
    row(
        CreatedNetwork,
        "nat",
        CIDR,
        f"{CIDR}        nat: per-zone\n",
        {(NAT, "us-west-2b"): "create", (ROUTE, "private-us-west-2b"): "update"},
    ),
    row(
        CreatedNetwork,
        "registry_endpoints",
        CIDR,
        f"{CIDR}        registry-endpoints: false\n",
        {(ENDPOINT, "ecr.api"): "delete"},
    ),
    row(CreatedNetwork, "zone_ids", CIDR, f"{CIDR}        zone-ids: {{us-west-2a: usw2-az2}}\n", NOTHING),
    row(CreatedNetwork, "cidr", "10.0.0.0/16", "10.1.0.0/16", {(VPC, "network"): "replace"}),
    row(
        CreatedNetwork,
        "zones",
        "[us-west-2a, us-west-2b]",
        "[us-west-2a, us-west-2c]",
        {(SUBNET, "private-us-west-2b"): "delete"},
        ("zone: us-west-2b", "zone: us-west-2c"),
    ),
    row(
        Capacity,
        "spot",
        STORAGE_OF_G4DN,
        f"{STORAGE_OF_G4DN}        capacity: {{spot: {{interruptions-accepted: true}}}}\n",
        REPLACED,
    ),
)
BLOCK_ROWS = (
    row(CapacityBlock, "id", RESERVATION, "cr-0123456789abcdef0", DRAINS),
    row(CapacityBlock, "count", "count: 1", "count: 2", NOTHING),
    row(CapacityBlock, "starts", "2026-12-01", "2026-12-02", NOTHING),
    row(CapacityBlock, "zone", OTHER_ZONE[0][0], OTHER_ZONE[0][1], REPLACED, (ZONE, ZONE.replace("2a", "2b"))),
    row(
        CapacityBlock,
        "buy",
        f"id: {RESERVATION}",
        "buy: {offering: cb-0f7e8662751ff4036, approved: {offering: cb-0f7e8662751ff4036, by: Ada}}",
        DRAINS | {(BLOCK, "cb-0f7e8662751ff4036"): "create"},
    ),
)
OWN_ROWS = (
    row(CapacityBlock, "ends", "2026-12-15", "2026-12-08", NOTHING, cost=Change.NOTHING),
    row(Group, "volume", "300GiB", "400GiB", {(OWN_GROUP, "workers"): "update"}, cost=Change.IN_PLACE),
)
BOUGHT = (
    row(
        Purchase,
        "approved",
        "by: Ada",
        "by: Grace",
        {(BLOCK, "cb-0f7e8662751ff4036"): "update"},
    ),
    row(
        Purchase,
        "offering",
        "buy: {offering: cb-0f7e8662751ff4036, approved: {offering: cb-0f7e8662751ff4036, by: Ada}}",
        "buy: {offering: cb-0f7e8662751ff4037, approved: {offering: cb-0f7e8662751ff4037, by: Ada}}",
        {(BLOCK, "cb-0f7e8662751ff4037"): "create"},
    ),
)
LUSTRE = "lustre: {size: 1200GiB, throughput: 250, compression: none, backup-days: 1, on-destroy: delete}"
LET_GO = (
    ("registry: {}", "registry: {on-destroy: delete}"),
    ("backup-days: 1}", "backup-days: 1, on-destroy: delete}"),
)
FILES_UPDATE: Changed = {(FILES, "scratch"): "update"}
FILES_REPLACED: Changed = {(FILES, "scratch"): "replace"}


def of_lustre(field: str, after: str, expected: Changed) -> Row:
    """An edit of the file system: everything it says."""
    return row(Lustre, field, LUSTRE, f"lustre: {{{after}, on-destroy: delete}}", expected)


DATA_ROWS = (
    of_lustre("size", "size: 2400GiB, throughput: 250, compression: none, backup-days: 1", FILES_UPDATE),
    of_lustre("throughput", "size: 1200GiB, throughput: 500, compression: none, backup-days: 1", FILES_UPDATE),
    of_lustre("compression", "size: 1200GiB, throughput: 250, compression: lz4, backup-days: 1", FILES_UPDATE),
    of_lustre("backup_days", "size: 1200GiB, throughput: 250, compression: none, backup-days: 2", FILES_UPDATE),
    of_lustre(
        "metadata",
        "size: 1200GiB, throughput: 250, compression: none, backup-days: 1, metadata: {iops: 3000}",
        FILES_UPDATE,
    ),
    of_lustre("type", "size: 1200GiB, type: scratch-2, compression: none", FILES_REPLACED),
    of_lustre("key", f"size: 1200GiB, throughput: 250, compression: none, backup-days: 1, key: {KEY}", FILES_REPLACED),
    row(Lustre, "zone", "zone: us-west-2d", "zone: us-west-2b", FILES_REPLACED),  # it follows its group
    of_lustre(
        "data",
        "size: 1200GiB, throughput: 250, compression: none, data: {/corpus: {s3: s3://corpus/text}}",
        {("aws:fsx/dataRepositoryAssociation:DataRepositoryAssociation", "scratch/corpus"): "create"},
    ),
    row(Lustre, "on_destroy", "backup-days: 1, on-destroy: delete}", "backup-days: 1}", FILES_UPDATE),
    row(Registry, "on_destroy", "registry: {on-destroy: delete}", "registry: {}", {(REPOSITORY, "registry"): "update"}),
    row(
        Registry,
        "repository",
        "registry: {on-destroy: delete}",
        "registry: {on-destroy: delete, repository: ml/training}",
        {(REPOSITORY, "registry"): "replace"},
    ),
)

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

BASES = {
    "HyperPod": ("hyperpod-existing-eks", (), HYPERPOD_ROWS),
    "HyperPod and its EKS cluster": ("hyperpod-trn1", (('"1.35"', '"1.34"'),), HYPERPOD_AND_EKS),
    "a group": ("p5-odcr", (), GROUP_ROWS),
    "a group's capacity": ("p5-odcr", (), CAPACITY_ROWS),
    "a cluster": ("p5-odcr", (), CLUSTER_ROWS),
    "a custom image": ("p5-odcr", (beside("image: {custom: {id: ami-0123456789abcdef0}}"),), CUSTOM),
    "a new VPC": ("g4dn", (), NEW_VPC),
    "a Capacity Block": ("p5-capacity-block", (), BLOCK_ROWS),
    "a Capacity Block that is bought": (
        "p5-capacity-block",
        (
            (
                f"id: {RESERVATION}",
                "buy: {offering: cb-0f7e8662751ff4036, approved: {offering: cb-0f7e8662751ff4036, by: Ada}}",
            ),
        ),
        BOUGHT,
    ),
    "a self-managed group": ("p5-capacity-block-self-managed", (), OWN_ROWS),
    "storage and a registry": ("trn1", LET_GO, DATA_ROWS),
}


def cost_of(outcome: Outcome) -> Change:
    """What the engine's operations come to: the dearest of them."""
    changed = outcome.changes
    of_type = {urn: urn.split("::")[2].rpartition("$")[2] for urn in changed}
    live = {urn: operation for urn, operation in changed.items() if of_type[urn] in LIVE}
    made, gone = ({of_type[urn] for urn, each in changed.items() if each == word} for word in ("create", "delete"))
    if BLOCK in {of_type[urn] for urn, operation in changed.items() if operation == "create"}:
        return Change.BUYS
    if "replace" in changed.values() or "delete" in live.values() or made & gone & ONE_OF_ITS_KIND:
        return Change.REPLACES
    in_groups = {name for urn in live if of_type[urn] == MACHINES for name in in_live_groups(*outcome.inputs(urn))}
    if in_groups & set(REFUSED_IN_A_GROUP):
        return Change.REFUSED
    if any(GROUP in urn and ROLLS & outcome.differences(urn) for urn in live):
        return Change.DRAINS
    if in_groups & set(FOR_NEW_INSTANCES) or SCRIPT in of_type.values():
        return Change.NEXT_LAUNCH
    return Change.IN_PLACE if changed else Change.NOTHING


def differences_of(outcome: Outcome, token: str) -> frozenset[str]:
    """The inputs that change of the one resource of a type."""
    urns = [urn for urn in outcome.changes if urn.split("::")[2].rpartition("$")[2] == token]
    return frozenset(name for urn in urns for name in outcome.differences(urn))


def in_live_groups(before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """What is another in a group that HyperPod has before and after: to the engine all groups are one input."""
    was, will_be = (
        {each["instanceGroupName"]: each for each in inputs.get("instanceGroups", ())} for inputs in (before, after)
    )
    return {
        name
        for group in was.keys() & will_be.keys()
        for name in was[group].keys() | will_be[group].keys()
        if was[group].get(name) != will_be[group].get(name)
    }


def is_resource(token: str) -> bool:
    """Whether it is no component of ours, nor the stack itself."""
    return not token.startswith(("muster:", "eks:", "pulumi:pulumi:"))


def resources_of(outcome: Outcome) -> set[tuple[str, str]]:
    """URN and operation of every resource that the engine changes."""
    return {(urn, each) for urn, each in outcome.changes.items() if is_resource(urn.split("::")[2].rpartition("$")[2])}


def without_an_engine(folder: Path, stack: str, before: str, after: str) -> set[tuple[str, str]]:
    """What two texts of a stack's file come to, by two recordings of the program."""
    found = registered_changes(*(recorded(folder, stack, text) for text in (before, after)))
    return {(each.urn, each.operation.value) for each in found}


def recorded(folder: Path, stack: str, text: str) -> tuple[Registration, ...]:
    """What the program registers for a text, without facts."""
    file = folder / f"Pulumi.{stack}.yaml"
    file.write_text(text, encoding="utf-8")
    opened = load(stack, file, folder / "facts" / f"{stack}.json")
    return record_stack(opened, opened.derive(), date.fromisoformat(AS_OF)).registrations


@pytest.mark.parametrize("base", BASES)
def test_a_change_costs_what_its_field_says(base: str, muster: MakeStack, tmp_path: Path) -> None:
    """In a preview against what is deployed the operations are those that the field's stated cost promises, and those
    that are foretold without an engine."""
    stack, edits, rows = BASES[base]
    text = filled_in(text_of(stack))
    for before, after in edits:
        text = edited(text, before, after)
    it = muster(stack, text=text, facts="")
    it.up().require()
    wrong: list[str] = []
    previews: dict[str, Outcome] = {}
    for each in rows:
        it.describe(each.applied(text))
        planned = previews.setdefault(it.text, previews.get(it.text) or it.preview())
        name = f"{each.block.__name__}.{each.field}"
        if planned.code:
            wrong.append(f"{name}: refused: {planned.text}")
            continue
        changed = {
            (urn.split("::")[2].rpartition("$")[2], urn.split("::")[3]): operation
            for urn, operation in planned.changes.items()
        }
        keeps_key = "encryptionConfig" in differences_of(planned, CLUSTER)
        cost, stated = Change.STAYS if keeps_key else cost_of(planned), each.cost or change_cost(each.block, each.field)
        if {key: changed.get(key) for key in each.expected} != each.expected or (not each.expected and changed):
            wrong.append(f"{name}: expected {each.expected}, got {changed}")
        if cost is not stated:
            wrong.append(f"{name}: says '{stated}', costs '{cost}': {changed}")
        foretold, done = without_an_engine(tmp_path, stack, text, it.text), resources_of(planned)
        if foretold != done:
            wrong.append(f"{name}: foretold {foretold - done}, done {done - foretold}")
    assert not wrong, "\n".join(wrong)

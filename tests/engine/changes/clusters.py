"""Edits of a cluster, and of its network."""

from muster.config.description.addons import AddonOptions
from muster.config.description.base import Change
from muster.config.description.capacity import Capacity
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.kubernetes_cluster import Access, Logs
from muster.config.description.network import CreatedNetwork, ExistingNetwork
from tests.engine.changes.edits import (
    ADDONS,
    CLUSTER,
    CONTROL_PLANE,
    DRAINS,
    ENDPOINT,
    ENTRY_POLICY,
    GROUP_UPDATE,
    KEY,
    NAT,
    NOTHING,
    REPLACED,
    REPOSITORY,
    ROUTE,
    SUBNET,
    VPC,
    row,
)
from tests.stack_files import filled_in

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
    row(Logs, "on_destroy", ADDONS, f"    logs: {{on-destroy: keep}}\n{ADDONS}", NOTHING, cost=Change.NOTHING),
    row(
        EksCluster,
        "secrets_key_on_destroy",
        ADDONS,
        f"    secrets-key-on-destroy: keep\n{ADDONS}",
        NOTHING,
        cost=Change.NOTHING,
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

"""Edits of groups, their capacity and their images."""

from muster.config.description.base import Change
from muster.config.description.capacity import CapacityBlock, Purchase, Reservation
from muster.config.description.node_group import Group, Session, Updates
from muster.config.description.node_settings import CustomImage, Image, Nodes, Volume
from tests.engine.changes.edits import (
    BLOCK,
    DRAINS,
    GROUP,
    GROUP_UPDATE,
    NOTHING,
    OTHER_ZONE,
    OWN_GROUP,
    PLACEMENT,
    REPLACED,
    RESERVATION,
    ZONE,
    beside,
    row,
)

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

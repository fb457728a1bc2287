"""The section of the facts for each kind of thing that a description names."""

from muster.fleet.resource_references import ResourceKind

SECTIONS = {
    ResourceKind.VPC: "vpcs",
    ResourceKind.SUBNET: "subnets",
    ResourceKind.SECURITY_GROUP: "securityGroups",
    ResourceKind.RESERVATION: "reservations",
    ResourceKind.CAPACITY_BLOCK: "reservations",
    ResourceKind.RESERVATION_GROUP: "reservationGroups",
    ResourceKind.TRAINING_PLAN: "trainingPlans",
    ResourceKind.IMAGE: "images",
    ResourceKind.KEY_PAIR: "keyPairs",
    ResourceKind.CLUSTER: "clusters",
    ResourceKind.FILE_SYSTEM: "fileSystems",
    ResourceKind.BUCKET: "buckets",
    ResourceKind.ROLE: "roles",
    ResourceKind.INSTANCE_PROFILE: "roles",
    ResourceKind.POLICY: "policies",
}
"""Kind -> the key in the file of facts."""

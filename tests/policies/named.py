"""Where facts have what descriptions name, in the words of their file."""

from muster.fleet.resource_references import ResourceKind

OF = {
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
}
"""Kind -> the facts about it."""

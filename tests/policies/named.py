"""Where facts have what descriptions name, in the words of their file."""

from muster.fleet.named import Kind

OF = {
    Kind.VPC: "vpcs",
    Kind.SUBNET: "subnets",
    Kind.SECURITY_GROUP: "securityGroups",
    Kind.RESERVATION: "reservations",
    Kind.CAPACITY_BLOCK: "reservations",
    Kind.RESERVATION_GROUP: "reservationGroups",
    Kind.TRAINING_PLAN: "trainingPlans",
    Kind.IMAGE: "images",
    Kind.KEY_PAIR: "keyPairs",
    Kind.CLUSTER: "clusters",
    Kind.FILE_SYSTEM: "fileSystems",
    Kind.BUCKET: "buckets",
}
"""Kind -> the facts about it."""

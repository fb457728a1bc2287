"""All facts together: what stands in one file."""

from typing import Literal

from pydantic import Field as PydanticField
from pydantic import StrictBool, StrictInt

from muster.contract import Cluster
from muster.fleet.description.identifiers import (
    FileSystemId,
    ImageId,
    KeyPairName,
    ReservationId,
    ResourceGroupArn,
    SecurityGroupId,
    SubnetId,
    TrainingPlanArn,
    VpcId,
)
from muster.fleet.facts.account import AccountFacts
from muster.fleet.facts.clusters import ClusterFacts, KubernetesVersionFacts
from muster.fleet.facts.fact import Fact, Moment, a_fact
from muster.fleet.facts.images import ImageFacts, KeyPairFacts
from muster.fleet.facts.network import SecurityGroupFacts, SubnetFacts, VpcFacts
from muster.fleet.facts.reservations import ReservationFacts, ReservationGroupFacts
from muster.fleet.facts.storage import BucketFacts, FileSystemFacts
from muster.fleet.facts.training_plans import TrainingPlanFacts
from muster.fleet.zones import ZoneId, ZoneName


class Facts(Fact):
    """Everything known of the account."""

    contract: Literal[1] = PydanticField(default=1, description="The version of this form.")
    observed: Moment | None = PydanticField(default=None, description="When AWS said so.")
    kept: dict[str, Moment | None] = PydanticField(
        default={},
        description="What AWS was asked and did not answer by then, kept from before: JSON pointer, as in "
        "/reservations/cr-0123456789abcdef0 -> when AWS said so; null where a person wrote it.",
    )
    account: AccountFacts | None = a_fact("Who was asked, and where.")
    vpcs: dict[VpcId, VpcFacts] = PydanticField(default={}, description="VPCs that exist, by id.")
    offerings: dict[str, tuple[ZoneName, ...]] = PydanticField(
        default={}, description="Instance type, as in p5.48xlarge -> the zones that offer it to this account."
    )
    quotas_used: dict[str, StrictInt] = PydanticField(
        default={},
        description="How much of a quota others use in this Region now, by code: without what this stack has (its "
        "nodes, the reservations that it names, whole). Of NAT gateways those of the fullest zone that gets one here; "
        "of node groups those of the same cluster.",
    )
    kubernetes_versions: dict[str, KubernetesVersionFacts] = PydanticField(
        default={}, description="Kubernetes versions that EKS speaks of, as in 1.35."
    )
    image_parameters: dict[str, ImageId | None] = PydanticField(
        default={}, description="SSM parameters of AMIs, by path -> the AMI; null where there is no such parameter."
    )
    permissions: dict[str, StrictBool | None] = PydanticField(
        default={},
        description="Whether the identity may do what a deployment takes, by action, as in ec2:RunInstances "
        "(`SimulatePrincipalPolicy`: what resources' own policies forbid it does not see); null where that hangs on a "
        "condition, or was not answered.",
    )
    reservations: dict[ReservationId, ReservationFacts] = PydanticField(default={}, description="By id.")
    subnets: dict[SubnetId, SubnetFacts] = PydanticField(default={}, description="By id.")
    security_groups: dict[SecurityGroupId, SecurityGroupFacts] = PydanticField(default={}, description="By id.")
    reservation_groups: dict[ResourceGroupArn, ReservationGroupFacts] = PydanticField(
        default={}, description="Resource groups of reservations, by ARN."
    )
    clusters: dict[str, ClusterFacts] = PydanticField(default={}, description="EKS clusters that groups join, by name.")
    file_systems: dict[FileSystemId, FileSystemFacts] = PydanticField(
        default={}, description="Lustre file systems that exist, by id."
    )
    quotas: dict[str, StrictInt] = PydanticField(
        default={},
        description="Quotas of the account in this Region, by code: vCPUs, as in L-417A185B -> 384, or how many there "
        "may be of a thing.",
    )
    hyperpod_quotas: dict[str, StrictInt] = PydanticField(
        default={},
        description="SageMaker quotas of the account in this Region, by name: instances, as in ml.p5.48xlarge for "
        "cluster usage -> 4.",
    )
    hyperpod_quotas_used: dict[str, StrictInt] = PydanticField(
        default={},
        description="How much of SageMaker's quotas other HyperPod clusters use in this Region now, by name: "
        "instances, without those of this stack's own cluster.",
    )
    training_plans: dict[TrainingPlanArn, TrainingPlanFacts] = PydanticField(default={}, description="By ARN.")
    buckets: dict[str, BucketFacts] = PydanticField(
        default={}, description="S3 buckets that exist, by name: with lifecycle scripts, with data."
    )
    images: dict[ImageId, ImageFacts] = PydanticField(default={}, description="Images of your own, by id.")
    key_pairs: dict[KeyPairName, KeyPairFacts] = PydanticField(
        default={}, description="EC2 key pairs that exist, by name."
    )
    ebs_encryption_by_default: StrictBool | None = a_fact(
        "Whether the account encrypts every new EBS volume of this Region, whoever makes it and whatever it says."
    )
    zones: dict[ZoneName, ZoneId] = PydanticField(default={}, description="Zone name -> zone id in this account.")
    outputs: Cluster | None = a_fact(
        "Of a stack with add-ons only (addons-of), whose cluster's stack file is elsewhere: what `pulumi stack output "
        "--json --stack ORGANIZATION/PROJECT/STACK` prints of that stack."
    )

    @property
    def account_id(self) -> str | None:
        """Whose account it is; None where nobody said."""
        return self.account.id if self.account else None

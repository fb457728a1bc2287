"""Facts about things outside the stack: what AWS says of reservations, subnets, security groups.

`stacks/facts/<stack>.json`. A preflight writes it; a person can. A fact that a rule needs and nobody gave is "not
evaluated", never a pass.
"""

from muster.fleet.facts.account import AccountFacts
from muster.fleet.facts.clusters import ClusterFacts, KubernetesVersionFacts
from muster.fleet.facts.fact import NULLS_ALLOWED, Fact
from muster.fleet.facts.facts import Facts
from muster.fleet.facts.images import ImageFacts, KeyPairFacts
from muster.fleet.facts.network import EndpointDoubt, GatewayFault, SecurityGroupFacts, SubnetFacts, VpcFacts, WayOut
from muster.fleet.facts.reservations import ReservationFacts, ReservationGroupFacts, ReservationState
from muster.fleet.facts.storage import BucketFacts, FileSystemFacts, FileSystemState
from muster.fleet.facts.training_plans import TrainingPlanFacts, TrainingPlanState

__all__ = [
    "NULLS_ALLOWED",
    "AccountFacts",
    "BucketFacts",
    "ClusterFacts",
    "EndpointDoubt",
    "Fact",
    "Facts",
    "FileSystemFacts",
    "FileSystemState",
    "GatewayFault",
    "ImageFacts",
    "KeyPairFacts",
    "KubernetesVersionFacts",
    "ReservationFacts",
    "ReservationGroupFacts",
    "ReservationState",
    "SecurityGroupFacts",
    "SubnetFacts",
    "TrainingPlanFacts",
    "TrainingPlanState",
    "VpcFacts",
    "WayOut",
]

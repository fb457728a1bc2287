"""What exists before any stack does, and what AWS answers when it is asked about it."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.pulumi_engine.facts import ACCOUNT, DEFAULT_REGION
from tests.pulumi_engine.refusals import RefusedError
from tests.pulumi_engine.wire import Properties

GET_CLUSTER = "aws:eks/getCluster:getCluster"


@dataclass(frozen=True, slots=True)
class ExistingCluster:
    """An EKS cluster, by what a program can ask of it."""

    name: str
    version: str
    authentication: str
    """As EKS says it: API, API_AND_CONFIG_MAP or CONFIG_MAP."""
    security_group: str
    vpc: str

    @property
    def answer(self) -> Properties:
        """What `getCluster` answers."""
        host = f"0123456789ABCDEF0123456789ABCDEF.gr7.{DEFAULT_REGION}.eks.amazonaws.com"
        issuer = f"https://oidc.eks.{DEFAULT_REGION}.amazonaws.com/id/0123456789ABCDEF0123456789ABCDEF"
        return {
            "accessConfigs": [
                {"authenticationMode": self.authentication, "bootstrapClusterCreatorAdminPermissions": True}
            ],
            "arn": f"arn:aws:eks:{DEFAULT_REGION}:{ACCOUNT}:cluster/{self.name}",
            "certificateAuthorities": [{"data": "Q0VSVElGSUNBVEU="}],
            "endpoint": f"https://{host}",
            "id": self.name,
            "identities": [{"oidcs": [{"issuer": issuer}]}],
            "kubernetesNetworkConfigs": [{"ipFamily": "ipv4", "serviceIpv4Cidr": "172.20.0.0/16"}],
            "name": self.name,
            "platformVersion": "eks.9",
            "region": DEFAULT_REGION,
            "roleArn": f"arn:aws:iam::{ACCOUNT}:role/{self.name}",
            "status": "ACTIVE",
            "tags": {},
            "version": self.version,
            "vpcConfig": {
                "clusterSecurityGroupId": self.security_group,
                "endpointPrivateAccess": True,
                "endpointPublicAccess": False,
                "publicAccessCidrs": [],
                "securityGroupIds": [],
                "subnetIds": [],
                "vpcId": self.vpc,
            },
        }


def get_cluster(*clusters: ExistingCluster) -> Callable[[Properties], Properties]:
    """Answers `getCluster` in an account with these clusters and no others."""
    by_name = {cluster.name: cluster.answer for cluster in clusters}

    def answer(asked: Properties) -> Properties:
        name = asked["name"]
        if name not in by_name:
            raise RefusedError(
                f"reading EKS Cluster ({name}): operation error EKS: DescribeCluster, "
                f"ResourceNotFoundException: No cluster found for name: {name}."
            )
        return by_name[name]

    return answer

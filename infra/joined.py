"""What groups and add-ons need of a control plane, whoever made it."""

import json

import pulumi

from infra.component import Component
from muster.fleet.user_data import ClusterAddress


class Joined(Component):
    """A control plane to join."""

    name: pulumi.Input[str]
    arn: pulumi.Input[str]
    account: str
    """The id of the account that it is in."""
    version: str
    """Kubernetes, as in ``1.35``."""
    endpoint: pulumi.Input[str]
    certificate_authority: pulumi.Input[str]
    service_cidr: pulumi.Input[str]
    security_group: pulumi.Input[str]
    """The one EKS made for it."""
    oidc_issuer: pulumi.Input[str]
    endpoint_mode: pulumi.Input[str]
    """``private`` or ``public-and-private``."""
    log_group: pulumi.Input[str] | None
    access: tuple[pulumi.Resource, ...]
    """Access entries with their policies."""
    region: str

    @property
    def address(self) -> pulumi.Output[ClusterAddress]:
        """What a node is told."""
        parts = pulumi.Output.all(self.name, self.endpoint, self.certificate_authority, self.service_cidr)
        address: pulumi.Output[ClusterAddress] = parts.apply(lambda each: ClusterAddress(*each))
        return address

    @property
    def kubeconfig(self) -> pulumi.Output[str]:
        """A secret, though it holds no key: it opens the door to whoever may ask AWS for a token."""
        plain: pulumi.Output[str] = pulumi.Output.all(self.name, self.endpoint, self.certificate_authority).apply(
            lambda parts: kubeconfig(*parts, region=self.region)
        )
        return pulumi.Output.secret(plain)


def kubeconfig(name: str, endpoint: str, certificate_authority: str, *, region: str) -> str:
    """A kubeconfig, as JSON, that asks `aws eks get-token` for its tokens: nothing in it expires."""
    arguments = ["--region", region, "eks", "get-token", "--cluster-name", name, "--output", "json"]
    user = {
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1beta1",
            "command": "aws",
            "args": arguments,
        }
    }
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [
                {"name": name, "cluster": {"server": endpoint, "certificate-authority-data": certificate_authority}}
            ],
            "users": [{"name": name, "user": user}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
        }
    )

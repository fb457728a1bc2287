"""A control plane that exists: what AWS says of it, and whether that is what the description says."""

import pulumi
import pulumi_aws as aws

from infra.access import grant
from infra.joined import Joined
from muster.fleet.blueprint import Blueprint


class ExistingCluster(Joined):
    """An EKS cluster that groups join. Nothing of it is changed; access entries are ours.

    Raises:
        pulumi.RunError: it is not what the description says.
    """

    def __init__(self, blueprint: Blueprint, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cluster", opts)
        # Read at once, not as an output: a preview, too, must refuse what does not fit.
        found = aws.eks.get_cluster(name=blueprint.cluster_name)
        wrong = _wrong(blueprint, found)
        if wrong:
            raise pulumi.RunError("\n".join(wrong))
        network = found.vpc_config
        self.region = blueprint.region
        self.name, self.arn, self.endpoint = found.name, found.arn, found.endpoint
        self.certificate_authority = found.certificate_authorities[0].data
        self.service_cidr = found.kubernetes_network_configs[0].service_ipv4_cidr
        self.security_group = network.cluster_security_group_id
        self.oidc_issuer = found.identities[0].oidcs[0].issuer
        self.endpoint_mode = "public-and-private" if network.endpoint_public_access else "private"
        self.log_group = None
        self.access = grant(blueprint, found.name, self.below())
        self.register_outputs({"arn": self.arn, "securityGroup": self.security_group})


def _wrong(blueprint: Blueprint, found: aws.eks.GetClusterResult) -> list[str]:
    """What the description says and AWS does not."""
    plane, network = blueprint.control_plane, blueprint.described.network.existing
    existing = blueprint.described.control_plane.existing
    assert existing is not None
    assert network is not None
    mode = found.access_configs[0].authentication_mode
    said = (
        ("kubernetes", plane.kubernetes, found.version),
        ("control-plane.existing.authentication", plane.authentication, mode),
        (
            "control-plane.existing.security-group",
            existing.security_group,
            found.vpc_config.cluster_security_group_id,
        ),
        ("network.existing.vpc", network.vpc, found.vpc_config.vpc_id),
    )
    return [
        f"{where}: {ours} is said here; AWS says that cluster {found.name} has {theirs}\n  -> write {theirs}"
        for where, ours, theirs in said
        if ours != theirs
    ]

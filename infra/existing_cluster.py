"""An existing control plane: what AWS reports about it, compared with the description."""

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.iam import account_of
from muster.infra.cluster_connection import ControlPlaneConnection, grant


class ExistingCluster(ControlPlaneConnection):
    """An existing EKS cluster that groups join. Muster changes nothing of it, but adds access entries.

    Raises:
        pulumi.RunError: it differs from the description.
    """

    def __init__(self, blueprint: Blueprint) -> None:
        # Read at once and before anything is registered, not as an output: a preview must also refuse what does not
        # fit, and leave nothing behind.
        found = _found(blueprint)
        wrong = _wrong(blueprint, found)
        if wrong:
            raise pulumi.RunError("\n".join(wrong))
        super().__init__("cluster")
        network = found.vpc_config
        self.region, self.version = blueprint.region, found.version
        self.name, self.arn, self.endpoint = found.name, found.arn, found.endpoint
        self.account = account_of(found.arn)
        self.certificate_authority = found.certificate_authorities[0].data
        self.service_cidr = found.kubernetes_network_configs[0].service_ipv4_cidr
        self.security_group = network.cluster_security_group_id
        self.oidc_issuer = found.identities[0].oidcs[0].issuer
        self.endpoint_mode = "public-and-private" if network.endpoint_public_access else "private"
        self.log_group = None
        self.access = grant(blueprint, found.name, self.below())
        self.register_outputs({"arn": self.arn, "securityGroup": self.security_group})


def _found(blueprint: Blueprint) -> aws.eks.GetClusterResult:
    name = blueprint.cluster_name
    try:
        return aws.eks.get_cluster(name=name)
    except Exception as fault:  # noqa: BLE001 - the SDK makes a plain Exception of whatever the engine answers
        raise pulumi.RunError(
            f"control-plane.existing.name: EKS cluster {name} in {blueprint.region} cannot be read: {fault}\n  fix: "
            f"use a cluster that `aws eks list-clusters --region {blueprint.region}` prints, or check your "
            "permissions"
        ) from None


def _wrong(blueprint: Blueprint, found: aws.eks.GetClusterResult) -> list[str]:
    """The differences between the description and AWS."""
    plane, network = blueprint.cluster, blueprint.described.network.existing
    existing = blueprint.described.control_plane.existing
    assert existing is not None
    assert network is not None
    mode = found.access_configs[0].authentication_mode
    compared: list[tuple[str, object, str]] = [
        ("control-plane.existing.authentication", plane.authentication, mode),
        (
            "control-plane.existing.security-group",
            existing.security_group,
            found.vpc_config.cluster_security_group_id,
        ),
        ("network.existing.vpc", network.vpc, found.vpc_config.vpc_id),
    ]
    # HyperPod's nodes have the cluster's version from the start. Rules evaluate whether HyperPod supports it.
    if blueprint.hyperpod:
        compared.insert(0, ("kubernetes", plane.kubernetes, found.version))
    behind = [] if blueprint.hyperpod else _wrong_version(str(plane.kubernetes), found)
    return behind + [
        f"{where}: the description sets {ours}, but AWS reports {theirs} for cluster {found.name}\n"
        f"  fix: write {theirs}"
        for where, ours, theirs in compared
        if ours != theirs
    ]


_SKEW = 3
"""Minor versions that a kubelet may be older than its API server (Kubernetes version skew policy)."""


def _minor_version(kubernetes: str) -> int:
    """``1.35`` -> 35. Every Kubernetes release has the major version 1."""
    return int(kubernetes.partition(".")[2])  # number: a version in EKS's calendar


def _wrong_version(nodes: str, found: aws.eks.GetClusterResult) -> list[str]:
    """The difference between the nodes' version, which is the description's, and the cluster's, whose owner may upgrade
    it first."""
    behind = _minor_version(found.version) - _minor_version(nodes)
    if 0 < behind <= _SKEW:
        pulumi.log.warn(
            f"kubernetes: the nodes have {nodes}, but the cluster has {found.version}; to update them, write "
            f"{found.version}"
        )
    if 0 <= behind <= _SKEW:
        return []
    what = "newer than the cluster" if behind < 0 else f"more than {_SKEW} minor versions older than the cluster"
    got = f"kubernetes: nodes with {nodes} are {what}: AWS reports {found.version} for {found.name}"
    return [f"{got}\n  fix: write {found.version}"]

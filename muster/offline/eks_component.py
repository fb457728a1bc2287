"""`pulumi_eks.Cluster` without its provider: the children that the real component registers for Muster's own program.

From pulumi-eks `nodejs/eks/cluster/cluster.ts` (4.3, whose logic 4.4's SDK uses): with all extras off, the component
creates exactly the EKS cluster and a Kubernetes provider. Arguments that create more children are refused, because a
plan without these children would be wrong.
"""

import json
from collections.abc import Mapping
from typing import Any

from muster.plain_data import drop_none
from muster.unknown import UNKNOWN

COMPONENT = "eks:index:Cluster"
CLUSTER = "aws:eks/cluster:Cluster"
PROVIDER = "pulumi:providers:kubernetes"


class NotModelled(Exception):
    """The program needs something that the offline monitor does not model. The monitor never guesses."""


_MUST_BE: Mapping[str, Any] = {
    "authenticationMode": "API",
    "skipDefaultNodeGroup": True,
    "skipDefaultSecurityGroups": True,
    "useDefaultVpcCni": True,
}
"""Argument -> the only value that is modelled: with it, the component creates only its two children."""
_PASSED = ("version", "enabledClusterLogTypes", "upgradePolicy", "deletionProtection")
_OF_NETWORK = ("subnetIds", "endpointPrivateAccess", "endpointPublicAccess", "publicAccessCidrs")
"""Arguments that the component passes on."""
_READ = {
    *(*_PASSED, *_OF_NETWORK, "autoMode", "bootstrapSelfManagedAddons", "corednsAddonOptions"),
    *("encryptionConfigKeyArn", "kubeProxyAddonOptions", "name", "serviceRole", "tags", "vpcId"),
}
"""Arguments that create no more children. With `autoMode`, CoreDNS must be off."""


def refuse_unmodelled(name: str, args: Mapping[str, Any]) -> None:
    """Refuses arguments whose children are not modelled.

    Raises:
        NotModelled: an argument has such a value. The message names it.
    """
    given = {key for key, value in args.items() if value is not None}
    for key in sorted((given | _MUST_BE.keys()) - _READ):
        if args.get(key) != _MUST_BE.get(key):
            raise NotModelled(f"pulumi_eks.Cluster '{name}': the offline monitor does not model this value of {key}")
    if (args.get("kubeProxyAddonOptions") or {}).get("enabled") is not False:
        raise NotModelled(f"pulumi_eks.Cluster '{name}': the offline monitor does not model kubeProxyAddonOptions")
    for key in ("serviceRole", "vpcId"):
        if args.get(key) is None:
            raise NotModelled(f"pulumi_eks.Cluster '{name}': {key} is not set, so only AWS knows it")


def cluster_inputs(name: str, args: Mapping[str, Any], role_arn: Any) -> dict[str, Any]:
    """The inputs that the component passes to `aws.eks.Cluster`, in the engine's camelCase, without unset keys."""
    key = args.get("encryptionConfigKeyArn")
    inputs = {
        "name": args.get("name"),
        "roleArn": role_arn,
        "bootstrapSelfManagedAddons": args.get("bootstrapSelfManagedAddons", True),
        "vpcConfig": drop_none({each: args.get(each) for each in _OF_NETWORK}),
        **{each: args.get(each) for each in _PASSED},
        "tags": {"Name": f"{name}-eksCluster", **args.get("tags", {})},
        "accessConfig": {"authenticationMode": "API", "bootstrapClusterCreatorAdminPermissions": True},
        "encryptionConfig": {"provider": {"keyArn": key}, "resources": ["secrets"]} if key is not None else None,
        **_of_auto_mode(args.get("autoMode")),
    }
    return drop_none(inputs)


def _of_auto_mode(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the component passes to `aws.eks.Cluster` for `autoMode`."""
    if given is None:
        return {}
    return {
        "computeConfig": {"enabled": True, **given["computeConfig"]},
        "storageConfig": {"blockStorage": {"enabled": True}},
        "kubernetesNetworkConfig": {"ipFamily": "ipv4", "elasticLoadBalancing": {"enabled": True}},
    }


def kubeconfig(cluster: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The kubeconfig of the component, with the same order of keys."""
    exec_info = '{"apiVersion": "client.authentication.k8s.io/v1beta1"}'
    args = ["--region", region, "eks", "get-token", "--cluster-name", cluster["name"], "--output", "json"]
    user = {
        "apiVersion": "client.authentication.k8s.io/v1beta1",
        "command": "aws",
        "args": args,
        "env": [{"name": "KUBERNETES_EXEC_INFO", "value": exec_info}],
    }
    server = {
        "server": cluster["endpoint"],
        "certificate-authority-data": cluster["certificateAuthority"]["data"],
    }
    return {
        "apiVersion": "v1",
        "clusters": [{"cluster": server, "name": "kubernetes"}],
        "contexts": [{"context": {"cluster": "kubernetes", "user": "aws"}, "name": "aws"}],
        "current-context": "aws",
        "kind": "Config",
        "users": [{"name": "aws", "user": {"exec": user}}],
    }


def cluster_outputs(cluster: Mapping[str, Any], reference: Mapping[str, Any], region: str) -> dict[str, Any]:
    """The outputs of the component. If the cluster is unknown (in a preview), the outputs that depend on it are
    unknown."""
    known = cluster["endpoint"] is not UNKNOWN
    config = kubeconfig(cluster, region) if known else UNKNOWN
    issuer: Any = cluster["identities"][0]["oidcs"][0]["issuer"] if known else UNKNOWN
    group = cluster["vpcConfig"]["clusterSecurityGroupId"] if known else UNKNOWN
    return {
        "eksCluster": reference,
        "kubeconfig": config,
        "kubeconfigJson": json.dumps(config, separators=(",", ":")) if known else UNKNOWN,
        "instanceRoles": [],
        "clusterSecurityGroupId": group,
        "nodeSecurityGroupId": group,
        "clusterIngressRuleId": "",
        "defaultNodeGroupAsgName": "",
        "fargateProfileId": "",
        "fargateProfileStatus": "",
        "oidcProviderArn": "",
        "oidcProviderUrl": issuer,
        "oidcIssuer": UNKNOWN if issuer is UNKNOWN else str(issuer).removeprefix("https://"),
    }

"""The children of a cluster component of pulumi-eks, and the table of all components of pulumi-eks."""

from collections.abc import Callable, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.offline import eks_component
from muster.offline.eks_child_resources import (
    ClusterCore,
    ComponentResource,
    core_of,
    id_of,
    is_set,
    json_of,
    registration_reference,
    security_group_rule,
    service_role,
    value_or,
)
from muster.offline.eks_node_groups import (
    auto_scaling,
    managed_node_group,
    node_group,
    node_group_v2,
    node_security_group,
    nodes_group,
)
from muster.offline.invokes import InvokeAccount, answer_invoke
from muster.unknown import UNKNOWN


def _network(making: ComponentResource) -> tuple[Any, Any]:
    """The given VPC and subnets, or those of the account's default VPC."""
    args = making.args
    vpc, subnets = args.get("vpcId"), args.get("subnetIds")
    if subnets is None and ("publicSubnetIds" in args or "privateSubnetIds" in args):
        parts = [args.get("publicSubnetIds", []), args.get("privateSubnetIds", [])]
        subnets = UNKNOWN if any(each is UNKNOWN for each in parts) else [id_ for part in parts for id_ in part]
    if vpc is None:
        account = InvokeAccount(making.monitor.region_of(making.provider))
        default_vpc = answer_invoke("aws:ec2/getVpc:getVpc", {"default": True}, account)
        assert default_vpc is not None
        vpc = default_vpc.values["id"]
        missing = "only AWS knows the default VPC of the account, in which the cluster is"
        making.monitor.not_modelled(making.urn, missing)
        if subnets is None:
            found = answer_invoke("aws:ec2/getSubnets:getSubnets", {"vpc": vpc}, account)
            assert found is not None
            subnets = found.values["ids"]
    return vpc, subnets if subnets is not None else []


def _addon(making: ComponentResource, suffix: str, cluster: Registration, options: Any, parent: str = "") -> None:
    """Registers an EKS add-on. Only AWS knows the newest version."""
    given = options if isinstance(options, Mapping) else {}
    values = given.get("configurationValues")
    making.child(
        "aws:eks/addon:Addon",
        f"{making.name}-{suffix}",
        {
            "clusterName": cluster.outputs.get("name", UNKNOWN),
            "addonName": suffix,
            "addonVersion": value_or(given.get("version"), value_or(given.get("addonVersion"), UNKNOWN)),
            "resolveConflictsOnCreate": given.get("resolveConflictsOnCreate", "OVERWRITE"),
            "resolveConflictsOnUpdate": given.get("resolveConflictsOnUpdate", "OVERWRITE"),
            "preserve": True,
            "configurationValues": None if values is None else json_of(values),
            "tags": making.args.get("tags"),
        },
        {"clusterName": [cluster.urn]},
        parent=parent,
    )


def _enabled(options: Any) -> bool | None:
    return options.get("enabled") if isinstance(options, Mapping) else None


OF_CLUSTER = frozenset(
    {
        "accessEntries",
        "authenticationMode",
        "bootstrapSelfManagedAddons",
        "clusterSecurityGroup",
        "clusterTags",
        "corednsAddonOptions",
        "createInstanceRole",
        "createOidcProvider",
        "deletionProtection",
        "desiredCapacity",
        "enabledClusterLogTypes",
        "encryptionConfigKeyArn",
        "endpointPrivateAccess",
        "endpointPublicAccess",
        "gpu",
        "instanceProfileName",
        "instanceRole",
        "instanceRoles",
        "instanceType",
        "ipFamily",
        "kubeProxyAddonOptions",
        "kubernetesServiceIpAddressRange",
        "maxSize",
        "minSize",
        "name",
        "nodeAmiId",
        "nodeAssociatePublicIpAddress",
        "nodeGroupOptions",
        "nodePublicKey",
        "nodeRootVolumeEncrypted",
        "nodeRootVolumeSize",
        "nodeSubnetIds",
        "nodeUserData",
        "privateSubnetIds",
        "providerCredentialOpts",
        "publicAccessCidrs",
        "publicSubnetIds",
        "serviceRole",
        "skipDefaultNodeGroup",
        "skipDefaultSecurityGroups",
        "subnetIds",
        "tags",
        "upgradePolicy",
        "useDefaultVpcCni",
        "version",
        "vpcCniOptions",
        "vpcId",
    }
)
"""The arguments of `eks.Cluster` that Muster reads, or that affect only unknown values."""


_OF_AWS_AUTH = ("roleMappings", "userMappings", "instanceRoles")


def cluster_children(making: ComponentResource) -> dict[str, Any]:
    """`eks.Cluster`."""
    args, name = making.args, making.name
    making.record_unread(OF_CLUSTER)
    vpc, subnets = _network(making)
    role_arn, role_uses, after = _cluster_role(making)
    group = _cluster_group(making, vpc)
    inputs = eks_component.cluster_inputs(name, {**args, "subnetIds": subnets}, role_arn)
    mode = args.get("authenticationMode")
    if mode == "API" and (given := [each for each in _OF_AWS_AUTH if args.get(each) not in (None, [], UNKNOWN)]):
        raise eks_component.NotModelled(f"pulumi_eks.Cluster '{name}' refuses {given[0]} if authenticationMode is API")
    if not is_set(mode):
        inputs.pop("accessConfig")
    else:
        inputs["accessConfig"] = {**inputs["accessConfig"], "authenticationMode": mode}
    if group is not None:
        inputs["vpcConfig"] = {**inputs["vpcConfig"], "securityGroupIds": [id_of(group)]}
    service, family = args.get("kubernetesServiceIpAddressRange"), args.get("ipFamily")
    if is_set(service) or is_set(family):
        range_ = {"serviceIpv4Cidr": service} if is_set(service) and family in (None, "ipv4") else {}
        inputs["kubernetesNetworkConfig"] = {"ipFamily": value_or(family, "ipv4"), **range_}
    network = ("subnetIds", "publicSubnetIds", "privateSubnetIds", "publicAccessCidrs")
    network_uses = [urn for each in network for urn in making.uses.get(each, ())]
    eks = making.child(
        eks_component.CLUSTER,
        f"{name}-eksCluster",
        inputs,
        {
            "roleArn": role_uses,
            "vpcConfig": [*network_uses, *([group.urn] if group else [])],
            "encryptionConfig": making.uses.get("encryptionConfigKeyArn", ()),
            **{each: making.uses.get(each, ()) for each in ("name", "version", "tags")},
        },
        after=after,
    )
    if _enabled(args.get("kubeProxyAddonOptions")) is not False:
        _addon(making, "kube-proxy", eks, args.get("kubeProxyAddonOptions"))
    making.child(
        eks_component.PROVIDER,
        f"{name}-eks-k8s",
        {"kubeconfig": UNKNOWN if making.monitor.preview else "{}"},
        {"kubeconfig": [eks.urn]},
    )
    roles, profile = _instance_role(making)
    access = _access(making, eks, roles, mode)
    waits = list(access)
    if not making.is_true("useDefaultVpcCni"):
        below = making.child("eks:index:VpcCniAddon", f"{name}-vpc-cni", {}, custom=False, after=access)
        _addon(making, "vpc-cni", eks, args.get("vpcCniOptions"), parent=below.urn)
        waits.append(below.urn)
    coredns, skipped = args.get("corednsAddonOptions"), making.is_true("skipDefaultNodeGroup")
    coredns_options = coredns if isinstance(coredns, Mapping) else {}
    if (
        coredns_options.get("enabled") is True
        or is_set(coredns_options.get("configurationValues"))
        or (not skipped and _enabled(coredns) is not False)
    ):
        _addon(making, "coredns", eks, coredns)
    if making.is_true("createOidcProvider"):
        making.child(
            "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
            f"{name}-oidcProvider",
            {"clientIdLists": ["sts.amazonaws.com"], "url": UNKNOWN, "thumbprintLists": [UNKNOWN]},
            {"url": [eks.urn]},
        )
    core = ClusterCore(making.urn, args, making.uses, vpc, subnets, eks, group, None, profile, tuple(waits))
    ingress = None
    if group is not None:
        nodes, ingress = nodes_group(making, core)
        core = ClusterCore(making.urn, args, making.uses, vpc, subnets, eks, group, nodes, profile, tuple(waits))
    making.monitor.eks[making.urn] = core
    scaled = None if skipped else auto_scaling(making, core, _default_group(args), ingress)
    return _outputs(core, roles, scaled, ingress)


def _cluster_role(making: ComponentResource) -> tuple[Any, list[str], list[str]]:
    """The ARN of the control plane's role, the resources that it depends on, and those that the cluster waits for."""
    given = making.args.get("serviceRole")
    if given is None:
        actions = ["sts:AssumeRole", "sts:TagSession"]
        policies = ["AmazonEKSClusterPolicy"]
        role = service_role(making, f"{making.name}-eksRole", "eks.amazonaws.com", policies, actions)
        return role.outputs.get("arn", UNKNOWN), [role.urn], [role.parent]
    found = making.monitor.known(given) if isinstance(given, str) else None
    if found is None:
        return UNKNOWN, list(making.uses.get("serviceRole", ())), []
    return found.outputs.get("arn", UNKNOWN), [found.urn], []


def _cluster_group(making: ComponentResource, vpc: Any) -> Registration | None:
    """The control plane's security group: the given one, a new one, or None (then EKS creates it)."""
    given = making.args.get("clusterSecurityGroup")
    if given is not None:
        return making.monitor.known(given) if isinstance(given, str) else None
    if making.is_true("skipDefaultSecurityGroups"):
        return None
    name = making.name
    group = making.child(
        "aws:ec2/securityGroup:SecurityGroup",
        f"{name}-eksClusterSecurityGroup",
        {"vpcId": vpc, "revokeRulesOnDelete": True, "tags": {"Name": f"{name}-eksClusterSecurityGroup"}},
        {"vpcId": making.uses.get("vpcId", ())},
    )
    everything: dict[str, Any] = {"fromPort": 0, "toPort": 0, "protocol": "-1", "cidrBlocks": ["0.0.0.0/0"]}
    security_group_rule(making, f"{name}-eksClusterInternetEgressRule", group, type="egress", **everything)
    return group


_NODE_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly")


def _instance_role(making: ComponentResource) -> tuple[list[Registration], Registration | None]:
    """The roles of the nodes, and the instance profile of the default node group."""
    args, name = making.args, making.name
    one = args.get("instanceRole")
    given = value_or(args.get("instanceRoles"), [one] if is_set(one) else None)
    skipped = making.is_true("skipDefaultNodeGroup")
    if given is not None:
        listed = given if isinstance(given, list) else []
        roles = [found for each in listed if isinstance(each, str) and (found := making.monitor.known(each))]
        made = is_set(one) and not skipped
    elif making.is_true("createInstanceRole") or (not skipped and args.get("createInstanceRole") is None):
        service = "ec2.amazonaws.com"
        roles = [service_role(making, f"{name}-instanceRole", service, _NODE_POLICIES, ["sts:AssumeRole"])]
        made = True
    else:
        return [], None
    if not made or is_set(args.get("instanceProfileName")):
        return roles, None
    role = roles[0] if roles else None
    profile = making.child(
        "aws:iam/instanceProfile:InstanceProfile",
        f"{name}-instanceProfile",
        {"role": role.outputs.get("name", UNKNOWN) if role else UNKNOWN},
        {"role": [role.urn] if role else []},
    )
    return roles, profile


def _access(making: ComponentResource, eks: Registration, roles: list[Registration], mode: Any) -> list[str]:
    """Registers the access to the cluster: aws-auth, access entries, or both, depending on the authentication mode."""
    made = []
    if mode is UNKNOWN:
        making.monitor.not_modelled(making.urn, "who can access the cluster, because authenticationMode is unknown")
    if mode in (None, "CONFIG_MAP", "API_AND_CONFIG_MAP"):
        config = {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "immutable": False,
            "metadata": {"name": "aws-auth", "namespace": "kube-system"},
            "data": UNKNOWN,
        }
        uses = {"data": [each.urn for each in roles]}
        made.append(making.child("kubernetes:core/v1:ConfigMap", f"{making.name}-nodeAccess", config, uses).urn)
    if mode not in ("API", "API_AND_CONFIG_MAP"):
        return made
    entries = making.args.get("accessEntries")
    listed: dict[str, Any] = dict(entries) if isinstance(entries, Mapping) else {}
    nodes = {"principalArn": roles[0].outputs.get("arn", UNKNOWN), "type": "EC2_LINUX"} if roles else None
    for key, each in {**({"defaultNodeGroupInstanceRole": nodes} if nodes else {}), **listed}.items():
        entry_options = each if isinstance(each, Mapping) else {}
        inputs = {
            "clusterName": eks.outputs.get("name", UNKNOWN),
            "principalArn": entry_options.get("principalArn", UNKNOWN),
            "type": entry_options.get("type"),
            "kubernetesGroups": entry_options.get("kubernetesGroups"),
            "userName": entry_options.get("username"),
        }
        made_of = {"clusterName": [eks.urn], "principalArn": making.uses.get("accessEntries", ())}
        entry = making.child("aws:eks/accessEntry:AccessEntry", f"{making.name}-{key}", inputs, made_of)
        made.append(entry.urn)
        policies = entry_options.get("accessPolicies")
        for suffix, policy in (policies if isinstance(policies, Mapping) else {}).items():
            known = policy if isinstance(policy, Mapping) else {}
            making.child(
                "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
                f"{making.name}-{key}-{suffix}",
                {
                    "clusterName": inputs["clusterName"],
                    "principalArn": inputs["principalArn"],
                    "policyArn": known.get("policyArn", UNKNOWN),
                    "accessScope": known.get("accessScope", UNKNOWN),
                },
                {"clusterName": [eks.urn]},
                parent=entry.urn,
            )
    return made


_OF_DEFAULT_GROUP = (
    "nodeSubnetIds",
    "nodeAssociatePublicIpAddress",
    "instanceType",
    "nodePublicKey",
    "nodeRootVolumeEncrypted",
    "nodeRootVolumeSize",
    "nodeUserData",
    "minSize",
    "maxSize",
    "desiredCapacity",
    "gpu",
)


def _default_group(args: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of the default node group: the block `nodeGroupOptions`, or the separate arguments."""
    given = args.get("nodeGroupOptions")
    if isinstance(given, Mapping):
        return given
    return {**{name: args[name] for name in _OF_DEFAULT_GROUP if name in args}, "amiId": args.get("nodeAmiId")}


def _outputs(
    core: ClusterCore, roles: list[Registration], scaled: Registration | None, ingress: Registration | None
) -> dict[str, Any]:
    """The outputs of the cluster component."""
    eks = core.cluster
    network = eks.outputs.get("vpcConfig")
    of_eks = network.get("clusterSecurityGroupId", UNKNOWN) if isinstance(network, Mapping) else UNKNOWN
    made: dict[str, Any] = {
        "eksCluster": registration_reference(eks),
        "core": {
            "cluster": registration_reference(eks),
            "vpcId": core.vpc,
            "subnetIds": core.subnets,
            "endpoint": UNKNOWN,
            "kubeconfig": UNKNOWN,
            "instanceRoles": [registration_reference(each) for each in roles],
        },
        "kubeconfig": UNKNOWN,
        "kubeconfigJson": UNKNOWN,
        "instanceRoles": [registration_reference(each) for each in roles],
        "clusterSecurityGroupId": id_of(core.group) if core.group else of_eks,
        "nodeSecurityGroupId": id_of(core.node_group) if core.node_group else of_eks,
        "clusterIngressRuleId": UNKNOWN if ingress else "",
        "defaultNodeGroupAsgName": UNKNOWN if scaled else "",
        "fargateProfileId": "",
        "fargateProfileStatus": "",
        "oidcProviderArn": UNKNOWN if is_set(core.args.get("createOidcProvider")) else "",
        "oidcProviderUrl": UNKNOWN,
        "oidcIssuer": UNKNOWN,
        "autoModeNodeRoleName": "",
    }
    if core.group:
        made["clusterSecurityGroup"] = registration_reference(core.group)
    if core.node_group:
        made["nodeSecurityGroup"] = registration_reference(core.node_group)
    return made


__all__ = ["COMPONENTS", "ClusterCore", "ComponentResource"]


def addon_children(making: ComponentResource) -> dict[str, Any]:
    """`eks.Addon`."""
    core, args = core_of(making), making.args
    if core is None:
        return {}
    values = args.get("configurationValues")
    inputs_given = {key: value for key, value in args.items() if key not in ("cluster", "configurationValues")}
    if values is not None:
        inputs_given["configurationValues"] = json_of(values)
    uses = {key: urns for key, urns in making.uses.items() if key != "cluster"}
    inputs = {**inputs_given, "clusterName": core.cluster.outputs.get("name", UNKNOWN)}
    making.child("aws:eks/addon:Addon", making.name, inputs, {**uses, "clusterName": [core.cluster.urn]})
    return {}


COMPONENTS: Mapping[str, Callable[[ComponentResource], dict[str, Any]]] = {
    eks_component.COMPONENT: cluster_children,
    "eks:index:ManagedNodeGroup": managed_node_group,
    "eks:index:NodeGroupV2": node_group_v2,
    "eks:index:NodeGroup": node_group,
    "eks:index:NodeGroupSecurityGroup": node_security_group,
    "eks:index:Addon": addon_children,
}
"""Component -> the function that registers its children and returns the component's outputs."""

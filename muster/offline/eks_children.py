"""What pulumi-eks's components make, with the arguments that people give them.

Read in pulumi-eks `nodejs/eks` (4.3, whose logic 4.4's SDK drives): `cluster/cluster.ts`, `nodes/nodegroup.ts`,
`nodes/securitygroup.ts`, `servicerole.ts`, `addons`. As in a preview: what follows from a cluster that is not there yet
is unknown. What an argument asks for and is not modelled is told by the argument's name; nothing is left out silently.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any, Protocol

from muster.fleet.hardware import UnknownInstance, hardware
from muster.fleet.registration import Registration
from muster.fleet.unknown import UNKNOWN
from muster.offline import eks_component
from muster.offline.questions import Account, answer
from muster.wire import resource_reference

_DEFAULT_TYPE = "t3.medium"
_SUBNET = "aws:ec2/subnet:Subnet"


class Monitor(Protocol):
    """What takes registrations."""

    preview: bool
    eks: "dict[str, Core]"

    def child(self, parent: str, type_: str, name: str, inputs: Mapping[str, Any], **more: Any) -> Registration:
        """Registers a resource below a component."""

    def known(self, urn: str) -> Registration | None:
        """What a URN stands for."""

    def region_of(self, provider: str) -> str:
        """A provider's Region."""

    def not_modelled(self, where: str, missing: str) -> None:
        """Tells what is not modelled."""


@dataclass(frozen=True, slots=True)
class Core:
    """What a cluster component holds for the node groups on it."""

    urn: str
    args: Mapping[str, Any]
    uses: Mapping[str, tuple[str, ...]]
    """Argument -> the resources it is made of."""
    vpc: Any
    subnets: Any
    cluster: Registration
    group: Registration | None
    """The control plane's own security group; EKS's where there is none."""
    node_group: Registration | None
    """The nodes' security group."""
    profile: Registration | None
    access: tuple[str, ...]
    """What node groups wait for."""

    def subnet_uses(self) -> tuple[str, ...]:
        """What its subnets are made of."""
        names = ("subnetIds", "publicSubnetIds", "privateSubnetIds")
        return tuple(sorted({urn for name in names for urn in self.uses.get(name, ())}))


@dataclass(frozen=True, slots=True)
class Making:
    """One component that is being made."""

    monitor: Monitor
    request: Any
    urn: str
    args: Mapping[str, Any]
    uses: Mapping[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        below = self.request.propertyDependencies
        object.__setattr__(self, "uses", {key: tuple(sorted(each.urns)) for key, each in below.items() if each.urns})

    @property
    def name(self) -> str:
        """The component's."""
        return str(self.request.name)

    @property
    def provider(self) -> str:
        """The explicit AWS provider, empty where there is none."""
        return str(self.request.providers.get("aws", ""))

    def child(
        self,
        type_: str,
        name: str,
        inputs: Mapping[str, Any],
        uses: Mapping[str, Iterable[str]] | None = None,
        *,
        parent: str = "",
        custom: bool = True,
        after: Iterable[str] = (),
    ) -> Registration:
        """Registers a child; `uses` says of which resources each input is made."""
        made_of = {key: tuple(sorted(set(urns))) for key, urns in (uses or {}).items() if key in inputs}
        made_of = {key: urns for key, urns in made_of.items() if urns}
        waits = {urn for urns in made_of.values() for urn in urns} | set(after)
        options = {"provider": self.provider} if self.provider and type_.startswith("aws:") else {}
        given = {key: value for key, value in inputs.items() if value is not None}
        return self.monitor.child(
            parent or self.urn,
            type_,
            name,
            given,
            custom=custom,
            dependencies=tuple(sorted(waits)),
            property_dependencies=made_of,
            options=options,
        )

    def untold(self, handled: frozenset[str], given: Mapping[str, Any] | None = None) -> None:
        """Tells the arguments that are given and read nowhere: what they add is not modelled."""
        for name, value in (self.args if given is None else given).items():
            if name not in handled and (value is UNKNOWN or value):
                self.monitor.not_modelled(self.urn, f"what {name} adds to it is not modelled")


def _id(of: Registration) -> Any:
    return of.id


def _reference(of: Registration) -> dict[str, Any]:
    return resource_reference(of.urn, "" if of.id is UNKNOWN else of.id)


def _service_role(making: Making, name: str, service: str, policies: Iterable[str], actions: list[str]) -> Registration:
    """`ServiceRole`: a role, and its policies attached."""
    below = making.child("eks:index:ServiceRole", name, {}, custom=False)
    statement = {"Action": actions, "Effect": "Allow", "Principal": {"Service": [service]}}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]}, separators=(",", ":"))
    inputs = {"assumeRolePolicy": policy, "tags": making.args.get("tags")}
    role = making.child("aws:iam/role:Role", f"{name}-role", inputs, {}, parent=below.urn)
    region = making.monitor.region_of(making.provider)
    for each in policies:
        digest = sha1(f"arn:aws:iam::aws:policy/{each}".encode(), usedforsecurity=False).hexdigest()[:8]
        arn = f"arn:{Account(region).partition}:iam::aws:policy/{each}"
        making.child(
            "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
            f"{name}-{digest}",
            {"policyArn": arn, "role": role.outputs.get("name", UNKNOWN)},
            {"role": [role.urn]},
            parent=below.urn,
        )
    return role


def _rule(making: Making, name: str, group: Registration | Any, **inputs: Any) -> Registration:
    """A rule of a security group; `source` is another group."""
    source = inputs.pop("source", None)
    of = group.urn if isinstance(group, Registration) else ""
    uses = {"securityGroupId": [of] if of else []}
    if source is not None:
        inputs["sourceSecurityGroupId"] = _group_id(source)
        uses["sourceSecurityGroupId"] = [source.urn]
    return making.child(
        "aws:ec2/securityGroupRule:SecurityGroupRule", name, {**inputs, "securityGroupId": _group_id(group)}, uses
    )


def _group_id(group: Registration) -> Any:
    """A security group's id; of a cluster the group that EKS makes for it."""
    if group.type != eks_component.CLUSTER:
        return _id(group)
    network = group.outputs.get("vpcConfig", UNKNOWN)
    return network.get("clusterSecurityGroupId", UNKNOWN) if isinstance(network, Mapping) else UNKNOWN


def _node_security_group(making: Making, core: Core) -> tuple[Registration, Registration]:
    """The nodes' group and its rules, and the rule that lets it into the control plane."""
    name, plane = making.name, core.group or core.cluster
    group = making.child(
        "aws:ec2/securityGroup:SecurityGroup",
        f"{name}-nodeSecurityGroup",
        {"vpcId": core.vpc, "revokeRulesOnDelete": True},
        {"vpcId": core.uses.get("vpcId", ())},
    )
    everything: dict[str, Any] = {"fromPort": 0, "toPort": 0, "protocol": "-1"}
    https: dict[str, Any] = {"fromPort": 443, "toPort": 443, "protocol": "tcp"}
    kubelet: dict[str, Any] = {"fromPort": 1025, "toPort": 65535, "protocol": "tcp"}
    _rule(making, f"{name}-eksNodeIngressRule", group, type="ingress", self=True, **everything)
    _rule(making, f"{name}-eksNodeClusterIngressRule", group, type="ingress", source=plane, **kubelet)
    _rule(making, f"{name}-eksExtApiServerClusterIngressRule", group, type="ingress", source=plane, **https)
    _rule(making, f"{name}-eksNodeInternetEgressRule", group, type="egress", cidrBlocks=["0.0.0.0/0"], **everything)
    return group, _rule(making, f"{name}-eksClusterIngressRule", plane, type="ingress", source=group, **https)


def _network(making: Making) -> tuple[Any, Any]:
    """VPC and subnets as given, or those of the account's default VPC."""
    args = making.args
    vpc, subnets = args.get("vpcId"), args.get("subnetIds")
    if subnets is None and ("publicSubnetIds" in args or "privateSubnetIds" in args):
        parts = [args.get("publicSubnetIds", []), args.get("privateSubnetIds", [])]
        subnets = UNKNOWN if any(each is UNKNOWN for each in parts) else [id_ for part in parts for id_ in part]
    if vpc is None:
        account = Account(making.monitor.region_of(making.provider))
        asked = answer("aws:ec2/getVpc:getVpc", {"default": True}, account)
        assert asked is not None
        vpc = asked.values["id"]
        missing = "it is in the account's default VPC, and what that is only the account knows"
        making.monitor.not_modelled(making.urn, missing)
        if subnets is None:
            found = answer("aws:ec2/getSubnets:getSubnets", {"vpc": vpc}, account)
            assert found is not None
            subnets = found.values["ids"]
    return vpc, subnets if subnets is not None else []


def _addon(making: Making, suffix: str, cluster: Registration, options: Any, parent: str = "") -> None:
    """An EKS add-on; which version is the most recent only AWS knows."""
    given = options if isinstance(options, Mapping) else {}
    values = given.get("configurationValues")
    making.child(
        "aws:eks/addon:Addon",
        f"{making.name}-{suffix}",
        {
            "clusterName": cluster.outputs.get("name", UNKNOWN),
            "addonName": suffix,
            "addonVersion": given.get("version") or given.get("addonVersion") or UNKNOWN,
            "resolveConflictsOnCreate": given.get("resolveConflictsOnCreate", "OVERWRITE"),
            "resolveConflictsOnUpdate": given.get("resolveConflictsOnUpdate", "OVERWRITE"),
            "preserve": True,
            "configurationValues": values if values in (None, UNKNOWN) else json.dumps(values),
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
"""The arguments of `eks.Cluster` that are read, or that only make unknown what is unknown here."""


def cluster(making: Making) -> dict[str, Any]:
    """`eks.Cluster`."""
    args, name = making.args, making.name
    making.untold(OF_CLUSTER)
    vpc, subnets = _network(making)
    role_arn, role_uses, after = _cluster_role(making)
    group = _cluster_group(making, vpc)
    inputs = eks_component.cluster_inputs(name, {**args, "subnetIds": subnets}, role_arn)
    mode = args.get("authenticationMode")
    if not mode:
        inputs.pop("accessConfig")
    else:
        inputs["accessConfig"] = {**inputs["accessConfig"], "authenticationMode": mode}
    if group is not None:
        inputs["vpcConfig"] = {**inputs["vpcConfig"], "securityGroupIds": [_id(group)]}
    service, family = args.get("kubernetesServiceIpAddressRange"), args.get("ipFamily")
    if service or family:
        range_ = {"serviceIpv4Cidr": service} if service and family in (None, "ipv4") else {}
        inputs["kubernetesNetworkConfig"] = {"ipFamily": family or "ipv4", **range_}
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
    if not args.get("useDefaultVpcCni"):
        below = making.child("eks:index:VpcCniAddon", f"{name}-vpc-cni", {}, custom=False, after=access)
        _addon(making, "vpc-cni", eks, args.get("vpcCniOptions"), parent=below.urn)
        waits.append(below.urn)
    coredns, skipped = args.get("corednsAddonOptions"), bool(args.get("skipDefaultNodeGroup"))
    told = coredns if isinstance(coredns, Mapping) else {}
    if (
        told.get("enabled") is True
        or told.get("configurationValues")
        or (not skipped and _enabled(coredns) is not False)
    ):
        _addon(making, "coredns", eks, coredns)
    if args.get("createOidcProvider"):
        making.child(
            "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
            f"{name}-oidcProvider",
            {"clientIdLists": ["sts.amazonaws.com"], "url": UNKNOWN, "thumbprintLists": [UNKNOWN]},
            {"url": [eks.urn]},
        )
    core = Core(making.urn, args, making.uses, vpc, subnets, eks, group, None, profile, tuple(waits))
    ingress = None
    if group is not None:
        nodes, ingress = _node_security_group(making, core)
        core = Core(making.urn, args, making.uses, vpc, subnets, eks, group, nodes, profile, tuple(waits))
    making.monitor.eks[making.urn] = core
    scaled = None if skipped else _auto_scaling(making, core, _default_group(args), ingress)
    return _outputs(core, roles, scaled, ingress)


def _cluster_role(making: Making) -> tuple[Any, list[str], list[str]]:
    """The ARN of the control plane's role, what it is made of, and what the cluster waits for."""
    given = making.args.get("serviceRole")
    if given is None:
        actions = ["sts:AssumeRole", "sts:TagSession"]
        policies = ["AmazonEKSClusterPolicy"]
        role = _service_role(making, f"{making.name}-eksRole", "eks.amazonaws.com", policies, actions)
        return role.outputs.get("arn", UNKNOWN), [role.urn], [role.parent]
    found = making.monitor.known(given) if isinstance(given, str) else None
    if found is None:
        return UNKNOWN, list(making.uses.get("serviceRole", ())), []
    return found.outputs.get("arn", UNKNOWN), [found.urn], []


def _cluster_group(making: Making, vpc: Any) -> Registration | None:
    """The control plane's security group: the given one, a new one, or none (then EKS's own)."""
    given = making.args.get("clusterSecurityGroup")
    if given is not None:
        return making.monitor.known(given) if isinstance(given, str) else None
    if making.args.get("skipDefaultSecurityGroups"):
        return None
    name = making.name
    group = making.child(
        "aws:ec2/securityGroup:SecurityGroup",
        f"{name}-eksClusterSecurityGroup",
        {"vpcId": vpc, "revokeRulesOnDelete": True, "tags": {"Name": f"{name}-eksClusterSecurityGroup"}},
        {"vpcId": making.uses.get("vpcId", ())},
    )
    everything: dict[str, Any] = {"fromPort": 0, "toPort": 0, "protocol": "-1", "cidrBlocks": ["0.0.0.0/0"]}
    _rule(making, f"{name}-eksClusterInternetEgressRule", group, type="egress", **everything)
    return group


_NODE_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly")


def _instance_role(making: Making) -> tuple[list[Registration], Registration | None]:
    """The nodes' roles, and the instance profile of the default group."""
    args, name = making.args, making.name
    given = args.get("instanceRoles") or ([args["instanceRole"]] if args.get("instanceRole") else None)
    skipped = bool(args.get("skipDefaultNodeGroup"))
    if given is not None:
        listed = given if isinstance(given, list) else []
        roles = [found for each in listed if isinstance(each, str) and (found := making.monitor.known(each))]
        made = args.get("instanceRole") and not skipped
    elif args.get("createInstanceRole") or (not skipped and args.get("createInstanceRole") is None):
        service = "ec2.amazonaws.com"
        roles = [_service_role(making, f"{name}-instanceRole", service, _NODE_POLICIES, ["sts:AssumeRole"])]
        made = True
    else:
        return [], None
    if not made or args.get("instanceProfileName"):
        return roles, None
    role = roles[0] if roles else None
    profile = making.child(
        "aws:iam/instanceProfile:InstanceProfile",
        f"{name}-instanceProfile",
        {"role": role.outputs.get("name", UNKNOWN) if role else UNKNOWN},
        {"role": [role.urn] if role else []},
    )
    return roles, profile


def _access(making: Making, eks: Registration, roles: list[Registration], mode: Any) -> list[str]:
    """Who may enter the cluster: aws-auth, access entries, or both, by the authentication mode."""
    made = []
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
        said = each if isinstance(each, Mapping) else {}
        inputs = {
            "clusterName": eks.outputs.get("name", UNKNOWN),
            "principalArn": said.get("principalArn", UNKNOWN),
            "type": said.get("type"),
            "kubernetesGroups": said.get("kubernetesGroups"),
            "userName": said.get("username"),
        }
        made_of = {"clusterName": [eks.urn], "principalArn": making.uses.get("accessEntries", ())}
        entry = making.child("aws:eks/accessEntry:AccessEntry", f"{making.name}-{key}", inputs, made_of)
        made.append(entry.urn)
        policies = said.get("accessPolicies")
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
    """The default node group's options, given as one block or each by itself."""
    given = args.get("nodeGroupOptions")
    if isinstance(given, Mapping):
        return given
    return {**{name: args[name] for name in _OF_DEFAULT_GROUP if name in args}, "amiId": args.get("nodeAmiId")}


_ROOT_VOLUME = {
    "nodeRootVolumeSize": "volumeSize",
    "nodeRootVolumeType": "volumeType",
    "nodeRootVolumeIops": "iops",
    "nodeRootVolumeThroughput": "throughput",
    "nodeRootVolumeEncrypted": "encrypted",
    "nodeRootVolumeDeleteOnTermination": "deleteOnTermination",
}


OF_NODE_GROUP = frozenset(
    {
        *_ROOT_VOLUME,
        "amiId",
        "amiType",
        "autoScalingGroupTags",
        "bootstrapExtraArgs",
        "bottlerocketSettings",
        "cloudFormationTags",
        "cluster",
        "clusterIngressRule",
        "clusterIngressRuleId",
        "desiredCapacity",
        "extraNodeSecurityGroups",
        "gpu",
        "instanceProfile",
        "instanceProfileName",
        "instanceType",
        "keyName",
        "kubeletExtraArgs",
        "labels",
        "launchTemplateTagSpecifications",
        "maxSize",
        "metadataOptions",
        "minSize",
        "nodeAssociatePublicIpAddress",
        "nodePublicKey",
        "nodeSecurityGroup",
        "nodeSecurityGroupId",
        "nodeSubnetIds",
        "nodeUserData",
        "nodeUserDataOverride",
        "nodeadmExtraOptions",
        "operatingSystem",
        "spotPrice",
        "taints",
        "version",
    }
)
"""The arguments of `eks.NodeGroupV2`, and of a cluster's own group, that are read, or that only go into its image and
user data, which are unknown here, or into the order of things."""


def _auto_scaling(making: Making, core: Core, args: Mapping[str, Any], ingress: Registration | None) -> Registration:
    """`createNodeGroupV2`: a launch template and an Auto Scaling group of nodes."""
    making.untold(OF_NODE_GROUP, args)
    name, eks = making.name, core.cluster
    own = making.monitor.known(str(args.get("nodeSecurityGroup", ""))) if args.get("nodeSecurityGroup") else None
    nodes: Any = own
    if own is None and ingress is not None:
        nodes = core.node_group
    elif own is None and "nodeSecurityGroupId" not in args:
        nodes, ingress = _node_security_group(making, core)
    extra = args.get("extraNodeSecurityGroups") or []
    groups = [_id(nodes) if nodes else args.get("nodeSecurityGroupId", UNKNOWN)]
    behind = [nodes.urn] if nodes else list(making.uses.get("nodeSecurityGroupId", ()))
    for each in extra if isinstance(extra, list) else [UNKNOWN]:
        found = making.monitor.known(each) if isinstance(each, str) else None
        groups.append(_id(found) if found else UNKNOWN)
        behind += [found.urn] if found else []
    key = args.get("keyName")
    if args.get("nodePublicKey"):
        pair = making.child("aws:ec2/keyPair:KeyPair", f"{name}-keyPair", {"publicKey": args["nodePublicKey"]})
        key = pair.outputs.get("keyName", UNKNOWN)
    public = args.get("nodeAssociatePublicIpAddress", True)
    spot = args.get("spotPrice")
    options: Any = {"marketType": "spot", "spotOptions": {"maxPrice": spot}} if spot else None
    inputs: dict[str, Any] = {
        "imageId": args.get("amiId") or UNKNOWN,
        "instanceType": args.get("instanceType") or _DEFAULT_TYPE,
        "iamInstanceProfile": {"name": UNKNOWN},
        "keyName": key,
        "instanceMarketOptions": options,
        "blockDeviceMappings": _root_volume(args),
        "networkInterfaces": [
            {
                "associatePublicIpAddress": UNKNOWN if public is UNKNOWN else str(public).lower(),
                "securityGroups": groups,
            }
        ],
        "metadataOptions": args.get("metadataOptions"),
        "userData": UNKNOWN,
        "tagSpecifications": args.get("launchTemplateTagSpecifications"),
    }
    template = making.child(
        "aws:ec2/launchTemplate:LaunchTemplate",
        f"{name}-launchTemplate",
        inputs,
        {
            "networkInterfaces": [*behind, *([ingress.urn] if ingress else [])],
            "userData": [eks.urn],
            "iamInstanceProfile": making.uses.get("instanceProfile", [core.profile.urn] if core.profile else ()),
        },
    )
    subnets, subnet_uses = args.get("nodeSubnetIds"), making.uses.get("nodeSubnetIds", ())
    if subnets is None:
        chosen = next((each for each in ("privateSubnetIds", "publicSubnetIds") if each in core.args), None)
        # Of other subnets the private ones: which those are only their route tables say.
        subnets = core.args[chosen] if chosen else UNKNOWN
        subnet_uses = core.uses.get(chosen, ()) if chosen else core.subnet_uses()
    tags = args.get("autoScalingGroupTags")
    own_tags: Mapping[str, Any] = tags if isinstance(tags, Mapping) else {}
    listed: Any = [
        *({"key": one, "value": value, "propagateAtLaunch": True} for one, value in own_tags.items()),
        {"key": UNKNOWN, "value": "owned", "propagateAtLaunch": True},
        {"key": "Name", "value": UNKNOWN, "propagateAtLaunch": True},
    ]
    return making.child(
        "aws:autoscaling/group:Group",
        name,
        {
            "minSize": args.get("minSize", 1),
            "maxSize": args.get("maxSize", 2),
            "desiredCapacity": args.get("desiredCapacity", 2),
            "launchTemplate": {"name": UNKNOWN, "version": UNKNOWN},
            "vpcZoneIdentifiers": subnets,
            "tags": UNKNOWN if tags is UNKNOWN else listed,
        },
        {"launchTemplate": [template.urn], "vpcZoneIdentifiers": subnet_uses, "tags": [eks.urn]},
        after=core.access,
    )


_AL2, _AL2023, _BOTTLEROCKET = "AL2", "AL2023", "Bottlerocket"
_IMAGES = {"AL2_": _AL2, "amazon-linux-2-": _AL2, "AL2023_": _AL2023, "amazon-linux-2023/": _AL2023}
"""How types of images begin, in pulumi-eks, today and before (`nodejs/eks/nodes/ami.ts`, 4.3.0)."""
_DEVICES = {_AL2: "/dev/xvda", _AL2023: "/dev/xvda", _BOTTLEROCKET: "/dev/xvdb"}
"""The volume that people set, of EKS's own images: the root's, of Bottlerocket that of the data (`nodegroup.ts`)."""


def _operating_system(args: Mapping[str, Any]) -> Any:
    """What the image runs: as its type says, else as it is asked for, else Amazon Linux 2023."""
    image = args.get("amiType")
    if image is None:
        return args.get("operatingSystem") or _AL2023
    text = str(image)
    if text.startswith("BOTTLEROCKET_"):
        return _BOTTLEROCKET
    if text == "amazon-linux-2":
        return _AL2
    return next((os for begins, os in _IMAGES.items() if text.startswith(begins)), UNKNOWN)


def _root_volume(args: Mapping[str, Any]) -> Any:
    """The volume of `createNodeGroupV2`: with Amazon Linux 2 always said in full, else as far as somebody asks.

    Its device is the image's: of one's own image only AWS knows it.
    """
    given = {theirs: args[ours] for ours, theirs in _ROOT_VOLUME.items() if args.get(ours) is not None}
    system = _operating_system(args)
    if system is UNKNOWN:
        return UNKNOWN
    if system == _AL2:
        given = {"encrypted": False, "volumeSize": 20, "volumeType": "gp2", "deleteOnTermination": True, **given}
    for flag in {"encrypted", "deleteOnTermination"} & given.keys():
        given[flag] = given[flag] if given[flag] is UNKNOWN else str(bool(given[flag])).lower()
    device = UNKNOWN if args.get("amiId") is not None else _DEVICES.get(system, UNKNOWN)
    return [{"deviceName": device, "ebs": given}] if given else []


def _core_of(making: Making) -> Core | None:
    """The cluster that a node group is for: the component, or its `core`."""
    given = making.args.get("cluster")
    if isinstance(given, Mapping):
        found = making.monitor.known(str(given.get("cluster", "")))
        given = found.parent if found else None
    known = making.monitor.eks
    candidates = [given, *making.uses.get("cluster", ())]
    core = next((known[urn] for urn in candidates if isinstance(urn, str) and urn in known), None)
    if core is None:
        making.monitor.not_modelled(making.urn, "which cluster it is for is not known, so nothing it makes is seen")
    return core


def node_group_v2(making: Making) -> dict[str, Any]:
    """`eks.NodeGroupV2`."""
    core = _core_of(making)
    if core is None:
        return {}
    group = _auto_scaling(making, core, making.args, None)
    return {"autoScalingGroup": _reference(group), "extraNodeSecurityGroups": []}


def node_group(making: Making) -> dict[str, Any]:
    """`eks.NodeGroup`, the old one: a launch configuration, and CloudFormation that makes the Auto Scaling group."""
    missing = "its nodes are made by CloudFormation of a launch configuration, and not seen; use NodeGroupV2"
    making.monitor.not_modelled(making.urn, missing)
    return {}


_WITH_USER_DATA = ("kubeletExtraArgs", "bootstrapExtraArgs", "bottlerocketSettings", "nodeadmExtraOptions", "userData")
_WITH_TEMPLATE = (*_WITH_USER_DATA, "enableIMDSv2", "amiId", "enableEfaSupport")
_PASSED_ON = (
    "amiType",
    "capacityType",
    "diskSize",
    "forceUpdateVersion",
    "instanceTypes",
    "labels",
    "nodeGroupName",
    "nodeGroupNamePrefix",
    "releaseVersion",
    "remoteAccess",
    "tags",
    "taints",
    "updateConfig",
    "version",
)


OF_MANAGED_NODE_GROUP = frozenset(
    {
        *_WITH_TEMPLATE,
        *_PASSED_ON,
        "cluster",
        "clusterName",
        "launchTemplate",
        "nodeRole",
        "nodeRoleArn",
        "placementGroupAvailabilityZone",
        "scalingConfig",
        "subnetIds",
    }
)
"""The arguments of `eks.ManagedNodeGroup` that are read. Which image an `operatingSystem` means is not."""


def managed_node_group(making: Making) -> dict[str, Any]:
    """`eks.ManagedNodeGroup`."""
    core, args, name = _core_of(making), making.args, making.name
    if core is None:
        return {}
    subnets, uses = args.get("subnetIds"), making.uses.get("subnetIds", ())
    if subnets is None:
        subnets, uses = core.subnets, core.subnet_uses()
    placement = None
    if args.get("enableEfaSupport"):
        placement = making.child(
            "aws:ec2/placementGroup:PlacementGroup", name, {"strategy": "cluster", "tags": args.get("tags")}
        )
        subnets, uses = _in_zone(making, uses, args.get("placementGroupAvailabilityZone"))
    making.untold(OF_MANAGED_NODE_GROUP)
    inputs = {key: args[key] for key in _PASSED_ON if key in args}
    if args.get("operatingSystem") and "amiType" not in args:
        inputs["amiType"] = UNKNOWN
    launch, launch_uses = args.get("launchTemplate"), making.uses.get("launchTemplate", ())
    if launch is None and "version" not in inputs:
        inputs["version"] = core.cluster.inputs.get("version", UNKNOWN)
    if any(key in args for key in _WITH_TEMPLATE):
        template = _managed_template(making, core, placement)
        inputs.pop("diskSize", None)
        launch, launch_uses = {"id": _id(template), "version": UNKNOWN}, (template.urn,)
    if any(key in args for key in (*_WITH_USER_DATA, "amiId")):
        for key in ("version", "releaseVersion", "amiType"):
            inputs.pop(key, None)
    role_arn, role_uses = args.get("nodeRoleArn"), making.uses.get("nodeRoleArn", ())
    if role_arn is None:
        role = making.monitor.known(str(args.get("nodeRole", "")))
        role_arn = role.outputs.get("arn", UNKNOWN) if role else UNKNOWN
        role_uses = (role.urn,) if role else making.uses.get("nodeRole", ())
    scaling = args.get("scalingConfig")
    sizes: Any = {"desiredSize": 2, "minSize": 1, "maxSize": 2, **(scaling if isinstance(scaling, Mapping) else {})}
    group = making.child(
        "aws:eks/nodeGroup:NodeGroup",
        name,
        {
            **inputs,
            "clusterName": args.get("clusterName") or core.cluster.outputs.get("name", UNKNOWN),
            "nodeRoleArn": role_arn,
            "scalingConfig": UNKNOWN if scaling is UNKNOWN else sizes,
            "subnetIds": subnets,
            "launchTemplate": launch,
        },
        {
            "clusterName": [core.cluster.urn],
            "nodeRoleArn": role_uses,
            "subnetIds": uses,
            "launchTemplate": launch_uses,
            **{key: making.uses.get(key, ()) for key in _PASSED_ON},
        },
        after=core.access,
    )
    return {"nodeGroup": _reference(group), "placementGroupName": UNKNOWN if placement else ""}


def _in_zone(making: Making, uses: tuple[str, ...], zone: Any) -> tuple[Any, tuple[str, ...]]:
    """The subnets in a zone, of those that the program itself makes; of others only AWS knows where they are."""
    known = [making.monitor.known(urn) for urn in uses]
    subnets = [each for each in known if each is not None and each.type == _SUBNET]
    zones = {each.inputs.get("availabilityZone", UNKNOWN) for each in subnets}
    if not subnets or zone is UNKNOWN or UNKNOWN in zones:
        return UNKNOWN, uses
    there = [each for each in subnets if each.inputs["availabilityZone"] == zone]
    return [_id(each) for each in there], tuple(each.urn for each in there)


def _managed_template(making: Making, core: Core, placement: Registration | None) -> Registration:
    """`createMNGCustomLaunchTemplate`."""
    args = making.args
    own_data = any(key in args for key in (*_WITH_USER_DATA, "amiId"))
    v2, disk = args.get("enableIMDSv2"), args.get("diskSize")
    device = _DEVICES.get(_operating_system(args), UNKNOWN)
    tokens = "required" if v2 is True else "optional"
    metadata = {"httpTokens": tokens, "httpPutResponseHopLimit": 2, "httpEndpoint": "enabled"}
    return making.child(
        "aws:ec2/launchTemplate:LaunchTemplate",
        f"{making.name}-launchTemplate",
        {
            "blockDeviceMappings": [{"deviceName": device, "ebs": {"volumeSize": disk}}] if disk else None,
            "userData": UNKNOWN if own_data else None,
            "metadataOptions": metadata if v2 is not None else None,
            "imageId": (args.get("amiId") or UNKNOWN) if own_data else None,
            "placement": {"groupName": placement.outputs.get("name", UNKNOWN)} if placement else None,
            "networkInterfaces": _efa_interfaces(making, core) if args.get("enableEfaSupport") else None,
        },
        {
            "networkInterfaces": [core.cluster.urn],
            "placement": [placement.urn] if placement else (),
            "userData": [core.cluster.urn],
        },
    )


def _efa_interfaces(making: Making, core: Core) -> Any:
    """EFA on the first card, efa-only at device 1 on each other."""
    types = making.args.get("instanceTypes")
    first = types[0] if isinstance(types, list) and types else _DEFAULT_TYPE
    try:
        cards = hardware(first).network_cards if first is not UNKNOWN else None
    except UnknownInstance:
        cards = None
    if cards is None:
        making.monitor.not_modelled(making.urn, f"how many network cards {first} has: its interfaces are unknown")
        return UNKNOWN
    return [
        {
            "deleteOnTermination": "true",
            "networkCardIndex": card,
            "deviceIndex": 1 if card else 0,
            "interfaceType": "efa-only" if card else "efa",
            "securityGroups": [_group_id(core.cluster)],
        }
        for card in range(max(cards, 1))
    ]


OF_NODE_GROUP_SECURITY_GROUP = frozenset({"clusterSecurityGroup", "eksCluster", "vpcId"})


def node_security_group(making: Making) -> dict[str, Any]:
    """`eks.NodeGroupSecurityGroup`."""
    making.untold(OF_NODE_GROUP_SECURITY_GROUP)
    given = making.monitor.known(str(making.args.get("eksCluster", "")))
    core = next((each for each in making.monitor.eks.values() if given and each.cluster.urn == given.urn), None)
    group = making.monitor.known(str(making.args.get("clusterSecurityGroup", "")))
    if given is None:
        making.monitor.not_modelled(making.urn, "which cluster it is for is not known, so nothing it makes is seen")
        return {}
    vpc = making.args.get("vpcId", UNKNOWN)
    of = core.group if core else None
    made, rule = _node_security_group(
        making, Core("", {}, making.uses, vpc, UNKNOWN, given, group or of, None, None, ())
    )
    return {"securityGroup": _reference(made), "securityGroupRule": _reference(rule)}


def addon(making: Making) -> dict[str, Any]:
    """`eks.Addon`."""
    core, args = _core_of(making), making.args
    if core is None:
        return {}
    values = args.get("configurationValues")
    told = {key: value for key, value in args.items() if key not in ("cluster", "configurationValues")}
    if values is not None:
        told["configurationValues"] = values if values is UNKNOWN else json.dumps(values)
    uses = {key: urns for key, urns in making.uses.items() if key != "cluster"}
    inputs = {**told, "clusterName": core.cluster.outputs.get("name", UNKNOWN)}
    making.child("aws:eks/addon:Addon", making.name, inputs, {**uses, "clusterName": [core.cluster.urn]})
    return {}


def _outputs(
    core: Core, roles: list[Registration], scaled: Registration | None, ingress: Registration | None
) -> dict[str, Any]:
    """The cluster component's outputs."""
    eks = core.cluster
    network = eks.outputs.get("vpcConfig")
    of_eks = network.get("clusterSecurityGroupId", UNKNOWN) if isinstance(network, Mapping) else UNKNOWN
    made: dict[str, Any] = {
        "eksCluster": _reference(eks),
        "core": {
            "cluster": _reference(eks),
            "vpcId": core.vpc,
            "subnetIds": core.subnets,
            "endpoint": UNKNOWN,
            "kubeconfig": UNKNOWN,
            "instanceRoles": [_reference(each) for each in roles],
        },
        "kubeconfig": UNKNOWN,
        "kubeconfigJson": UNKNOWN,
        "instanceRoles": [_reference(each) for each in roles],
        "clusterSecurityGroupId": _id(core.group) if core.group else of_eks,
        "nodeSecurityGroupId": _id(core.node_group) if core.node_group else of_eks,
        "clusterIngressRuleId": UNKNOWN if ingress else "",
        "defaultNodeGroupAsgName": UNKNOWN if scaled else "",
        "fargateProfileId": "",
        "fargateProfileStatus": "",
        "oidcProviderArn": UNKNOWN if core.args.get("createOidcProvider") else "",
        "oidcProviderUrl": UNKNOWN,
        "oidcIssuer": UNKNOWN,
        "autoModeNodeRoleName": "",
    }
    if core.group:
        made["clusterSecurityGroup"] = _reference(core.group)
    if core.node_group:
        made["nodeSecurityGroup"] = _reference(core.node_group)
    return made


COMPONENTS: Mapping[str, Callable[[Making], dict[str, Any]]] = {
    eks_component.COMPONENT: cluster,
    "eks:index:ManagedNodeGroup": managed_node_group,
    "eks:index:NodeGroupV2": node_group_v2,
    "eks:index:NodeGroup": node_group,
    "eks:index:NodeGroupSecurityGroup": node_security_group,
    "eks:index:Addon": addon,
}
"""Component -> what makes its children; each gives the component's outputs."""

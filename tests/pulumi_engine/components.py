"""Components that live in a plugin, made as the plugins make them: `Construct`, answered by registrations.

`eks:index:Cluster` is modelled for one use only, the one Muster makes of it: all extras off. With an extra on, the real
plugin registers more; here that is refused by name, never passed over.

No component here records inputs: the real plugins register theirs without any, so policies never see what a
`ConfigFile` was given.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import grpc
from pulumi.runtime.proto import provider_pb2, resource_pb2, resource_pb2_grpc

from muster.wire import RESOURCE, SIGNATURE
from tests.pulumi_engine.wire import (
    UNKNOWN,
    Properties,
    has_secret,
    has_unknown,
    pack,
    pick,
    plain,
    reference,
    unpack,
)

CLUSTER = "eks:index:Cluster"
MANIFESTS = frozenset(
    {
        "kubernetes:helm.sh/v4:Chart",
        "kubernetes:kustomize/v2:Directory",
        "kubernetes:yaml/v2:ConfigFile",
        "kubernetes:yaml/v2:ConfigGroup",
    }
)

AWS_INSIDE_EKS = "7.25.0"
KUBERNETES_INSIDE_EKS = "4.19.0"
"""The SDKs that the eks plugin brings with it: their versions name the default providers of its children."""

IGNORED_LATER = ("accessConfig.bootstrapClusterCreatorAdminPermissions", "bootstrapSelfManagedAddons")


class NotModelledError(Exception):
    """The program asks for something that the real plugin could do and this stand-in cannot."""


@dataclass(frozen=True, slots=True)
class Registered:
    """What the engine answers to a registration."""

    urn: str
    id: str
    outputs: Properties

    @property
    def reference(self) -> Properties:
        return reference(self.urn, "" if self.id == UNKNOWN else self.id, "")


class Monitor:
    """The engine's resource monitor, as a plugin under `Construct` sees it."""

    def __init__(self, request: provider_pb2.ConstructRequest) -> None:
        self._channel = grpc.insecure_channel(
            request.monitorEndpoint, options=[("grpc.max_receive_message_length", 400 << 20)]
        )
        self._stub = resource_pb2_grpc.ResourceMonitorStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._channel.close()

    def component(self, request: provider_pb2.ConstructRequest) -> str:
        """Registers the component itself; its URN."""
        answer = self._stub.RegisterResource(
            resource_pb2.RegisterResourceRequest(
                type=request.type,
                name=request.name,
                parent=request.parent,
                dependencies=request.dependencies,
                providers=request.providers,
                aliases=request.aliases,
                aliasSpecs=True,
                protect=request.protect if request.HasField("protect") else None,
                acceptSecrets=True,
                acceptResources=True,
            )
        )
        return str(answer.urn)

    def custom(
        self,
        kind: str,
        name: str,
        inputs: Properties,
        *,
        parent: str,
        version: str,
        provider: str = "",
        uses: Mapping[str, Sequence[str]],
        ignore: Sequence[str] = (),
    ) -> Registered:
        """Registers a resource under the component; `uses` are the URNs that each input was made from."""
        answer = self._stub.RegisterResource(
            resource_pb2.RegisterResourceRequest(
                type=kind,
                name=name,
                parent=parent,
                custom=True,
                object=pack(inputs),
                provider=provider,
                version=version,
                dependencies=sorted({urn for urns in uses.values() for urn in urns}),
                propertyDependencies={
                    key: resource_pb2.RegisterResourceRequest.PropertyDependencies(urns=urns)
                    for key, urns in uses.items()
                    if key in inputs
                },
                ignoreChanges=ignore,
                acceptResources=True,
                supportsPartialValues=True,
            )
        )
        return Registered(answer.urn, answer.id, unpack(answer.object))

    def state_of(self, urn: str) -> Properties:
        """The outputs of a resource that the program refers to."""
        answer = self._stub.Invoke(
            resource_pb2.ResourceInvokeRequest(
                tok="pulumi:pulumi:getResource", args=pack({"urn": urn}), acceptResources=True
            )
        )
        if answer.failures:
            raise NotModelledError(f"the engine does not know {urn}: {answer.failures[0].reason}")
        state = unpack(getattr(answer, "return"))["state"]
        return dict(plain(state))

    def finish(self, urn: str, outputs: Properties) -> None:
        """Registers the component's outputs."""
        self._stub.RegisterResourceOutputs(resource_pb2.RegisterResourceOutputsRequest(urn=urn, outputs=pack(outputs)))


def construct(request: provider_pb2.ConstructRequest) -> provider_pb2.ConstructResponse:
    """Makes the component that is asked for.

    Raises NotModelledError for any component but those this module knows.
    """
    if request.type not in MANIFESTS and request.type != CLUSTER:
        raise NotModelledError(
            f"the component {request.type} ({request.name!r}) is not modelled by the engine stand-in"
        )
    with Monitor(request) as monitor:
        urn = monitor.component(request)
        if request.type == CLUSTER:
            state, uses = _cluster(monitor, request, urn)
        else:
            # The objects in a manifest, chart or folder come from the network, which no test has.
            state, uses = {"resources": []}, {}
        monitor.finish(urn, state)
    return provider_pb2.ConstructResponse(
        urn=urn,
        state=pack(state),
        stateDependencies={
            key: provider_pb2.ConstructResponse.PropertyDependencies(urns=urns) for key, urns in uses.items()
        },
    )


def _cluster(
    monitor: Monitor, request: provider_pb2.ConstructRequest, urn: str
) -> tuple[Properties, dict[str, list[str]]]:
    arguments = unpack(request.inputs)
    if has_secret(arguments):
        raise NotModelledError(f"{CLUSTER} {request.name!r} with a secret among its arguments is not modelled")
    if extras := unmodelled_extras(arguments):
        raise NotModelledError(
            f"{CLUSTER} {request.name!r} would also register: {'; '.join(extras)}. Turn that off, or model it."
        )
    role = arguments["serviceRole"]
    if not isinstance(role, dict) or role.get(SIGNATURE) != RESOURCE:
        raise NotModelledError(f"{CLUSTER} {request.name!r}: serviceRole is {role!r}, not a reference to a role")
    role_urn = role["urn"]
    role_arn = monitor.state_of(role_urn)["arn"]
    made_from = {key: list(urns.urns) for key, urns in request.inputDependencies.items()}

    def sources(*names: str) -> list[str]:
        return sorted({source for name in names for source in made_from.get(name, [])})

    networks = (
        "subnetIds",
        "publicSubnetIds",
        "privateSubnetIds",
        "endpointPrivateAccess",
        "endpointPublicAccess",
        "publicAccessCidrs",
    )
    cluster = monitor.custom(
        "aws:eks/cluster:Cluster",
        f"{request.name}-eksCluster",
        cluster_inputs(request.name, arguments, role_arn),
        parent=urn,
        provider=request.providers.get("aws", ""),
        version=AWS_INSIDE_EKS,
        uses={
            "roleArn": [role_urn],
            "vpcConfig": sources(*networks),
            "tags": sources("tags", "clusterTags"),
            "encryptionConfig": sources("encryptionConfigKeyArn"),
            **{name: sources(name) for name in ("name", "version", "enabledClusterLogTypes")},
        },
        ignore=IGNORED_LATER,
    )
    profile = arguments.get("providerCredentialOpts", {})
    kubeconfig = kubeconfig_of(cluster.outputs, profile, with_profile=True)
    provider = monitor.custom(
        "pulumi:providers:kubernetes",
        f"{request.name}-eks-k8s",
        {
            "kubeconfig": as_json(kubeconfig),
            "enableConfigMapMutable": as_json(arguments["enableConfigMapMutable"])
            if "enableConfigMapMutable" in arguments
            else None,
        },
        parent=urn,
        version=KUBERNETES_INSIDE_EKS,
        uses={"kubeconfig": [cluster.urn]},
    )
    state = _cluster_outputs(arguments, cluster, provider)
    known_without_cluster = (
        "clusterIngressRuleId",
        "defaultNodeGroupAsgName",
        "fargateProfileId",
        "fargateProfileStatus",
        "oidcProviderArn",
    )
    return state, {
        name: [cluster.urn]
        for name in state
        if name not in (*known_without_cluster, "instanceRoles", "autoModeNodeRoleName")
    }


def unmodelled_extras(arguments: Properties) -> list[str]:
    """What the real plugin would register beside the cluster and the Kubernetes provider; or do from this machine."""
    coredns, auto_mode = arguments.get("corednsAddonOptions", {}), arguments.get("autoMode", {})
    rules = {
        "a service role (serviceRole is not given)": "serviceRole" not in arguments,
        "the default node group (skipDefaultNodeGroup is not true)": arguments.get("skipDefaultNodeGroup") is not True,
        "security groups (skipDefaultSecurityGroups is not true)": arguments.get("skipDefaultSecurityGroups")
        is not True,
        "an aws-auth ConfigMap (authenticationMode is not API)": arguments.get("authenticationMode") != "API",
        "the vpc-cni add-on (useDefaultVpcCni is not true)": arguments.get("useDefaultVpcCni") is not True,
        "the kube-proxy add-on (kubeProxyAddonOptions.enabled is not false)": arguments.get(
            "kubeProxyAddonOptions", {}
        ).get("enabled")
        is not False,
        "the CoreDNS add-on (corednsAddonOptions)": coredns.get("enabled") is True
        or "configurationValues" in coredns
        or (bool(auto_mode) and coredns.get("enabled") is not False),
        "a role for nodes of Auto Mode (autoMode.createNodeRole is not false)": bool(auto_mode)
        and auto_mode.get("createNodeRole") is not False,
        "an OIDC provider (createOidcProvider)": bool(arguments.get("createOidcProvider")),
        "an instance role (createInstanceRole)": bool(arguments.get("createInstanceRole")),
        "the default VPC, looked up (vpcId is not given)": "vpcId" not in arguments,
    }
    others = ("accessEntries", "clusterSecurityGroup", "creationRoleProvider", "fargate", "storageClasses")
    return [text for text, broken in rules.items() if broken] + [
        f"what {name} asks for" for name in others if arguments.get(name)
    ]


def cluster_inputs(name: str, arguments: Properties, role_arn: Any) -> Properties:
    """The inputs that the plugin gives to aws.eks.Cluster; what was left out stays out."""
    tags, cluster_tags = arguments.get("tags", {}), arguments.get("clusterTags", {})
    key, auto_mode = arguments.get("encryptionConfigKeyArn"), arguments.get("autoMode")
    family, range_ = arguments.get("ipFamily"), arguments.get("kubernetesServiceIpAddressRange")
    return {
        **pick(arguments, ("name", "version", "enabledClusterLogTypes", "upgradePolicy", "deletionProtection")),
        "roleArn": role_arn,
        "bootstrapSelfManagedAddons": arguments.get("bootstrapSelfManagedAddons", True),
        "vpcConfig": {
            "subnetIds": subnets_of(arguments),
            **pick(arguments, ("endpointPrivateAccess", "endpointPublicAccess", "publicAccessCidrs")),
        },
        "tags": UNKNOWN if UNKNOWN in (tags, cluster_tags) else {"Name": f"{name}-eksCluster", **cluster_tags, **tags},
        "accessConfig": {
            "authenticationMode": arguments["authenticationMode"],
            "bootstrapClusterCreatorAdminPermissions": True,
        },
        "encryptionConfig": {"provider": {"keyArn": key}, "resources": ["secrets"]} if key else None,
        "kubernetesNetworkConfig": {
            "ipFamily": family or "ipv4",
            "serviceIpv4Cidr": range_ if (family or "ipv4") == "ipv4" else None,
            "elasticLoadBalancing": {"enabled": True} if auto_mode else None,
        }
        if family or range_ or auto_mode
        else None,
        "computeConfig": {"enabled": True, "nodePools": ["general-purpose", "system"], **auto_mode["computeConfig"]}
        if auto_mode
        else None,
        "storageConfig": {"blockStorage": {"enabled": True}} if auto_mode else None,
    }


def subnets_of(arguments: Properties) -> Any:
    """The subnets given as one list, or the public ones before the private ones."""
    if "subnetIds" in arguments:
        return arguments["subnetIds"]
    parts = [arguments.get("publicSubnetIds", []), arguments.get("privateSubnetIds", [])]
    return UNKNOWN if UNKNOWN in parts else [subnet for part in parts for subnet in part]


def kubeconfig_of(cluster: Properties, options: Properties, *, with_profile: bool) -> Any:
    """The exec-based kubeconfig of a cluster, or unknown while any part of it is."""
    parts = [cluster.get(key, UNKNOWN) for key in ("name", "endpoint", "certificateAuthority", "arn")]
    if has_unknown(parts) or has_unknown(options):
        return UNKNOWN
    name, endpoint, authority, arn = parts
    command = ["--region", arn.split(":")[3], "eks", "get-token", "--cluster-name", name, "--output", "json"]
    if role := options.get("roleArn"):
        command += ["--role", role]
    if with_profile and (profile := options.get("profileName")):
        command += ["--profile", profile]
    return {
        "apiVersion": "v1",
        "clusters": [
            {"cluster": {"server": endpoint, "certificate-authority-data": authority["data"]}, "name": "kubernetes"}
        ],
        "contexts": [{"context": {"cluster": "kubernetes", "user": "aws"}, "name": "aws"}],
        "current-context": "aws",
        "kind": "Config",
        "users": [
            {
                "name": "aws",
                "user": {
                    "exec": {
                        "apiVersion": "client.authentication.k8s.io/v1beta1",
                        "command": "aws",
                        "args": command,
                        "env": [
                            {
                                "name": "KUBERNETES_EXEC_INFO",
                                "value": '{"apiVersion": "client.authentication.k8s.io/v1beta1"}',
                            }
                        ],
                    }
                },
            }
        ],
    }


def as_json(value: Any) -> str:
    """The value as JavaScript writes JSON, or unknown."""
    return UNKNOWN if has_unknown(value) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _cluster_outputs(arguments: Properties, cluster: Registered, provider: Registered) -> Properties:
    options = arguments.get("providerCredentialOpts", {})
    kubeconfig = kubeconfig_of(cluster.outputs, options, with_profile=False)
    network, identities = cluster.outputs.get("vpcConfig", UNKNOWN), cluster.outputs.get("identities", UNKNOWN)
    group = UNKNOWN if network == UNKNOWN else network.get("clusterSecurityGroupId", UNKNOWN)
    issuer = UNKNOWN if has_unknown(identities) else identities[0]["oidcs"][0]["issuer"]
    return {
        "eksCluster": cluster.reference,
        "core": {
            **pick(arguments, ("vpcId", "publicSubnetIds", "privateSubnetIds", "tags", "nodeSecurityGroupTags")),
            "subnetIds": subnets_of(arguments),
            "cluster": cluster.reference,
            "provider": provider.reference,
            "endpoint": cluster.outputs.get("endpoint", UNKNOWN),
            "kubeconfig": kubeconfig,
            "clusterIamRole": arguments["serviceRole"],
            "nodeGroupOptions": pick(arguments, ("version",)),
            "instanceRoles": [],
            "accessEntries": [],
            "storageClasses": {},
            "autoModeNodeRoleName": "",
        },
        "kubeconfig": kubeconfig,
        "kubeconfigJson": as_json(kubeconfig),
        "instanceRoles": [],
        "clusterSecurityGroupId": group,
        "nodeSecurityGroupId": group,
        "clusterIngressRuleId": "",
        "defaultNodeGroupAsgName": "",
        "fargateProfileId": "",
        "fargateProfileStatus": "",
        "oidcProviderArn": "",
        "oidcProviderUrl": issuer,
        "oidcIssuer": issuer if issuer == UNKNOWN else issuer.removeprefix("https://"),
        "autoModeNodeRoleName": "",
    }

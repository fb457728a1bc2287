"""The keys of a ClusterConfig with the forms of their values, and the check of a file against them.

eksctl refuses a file with an unknown key or a value of a wrong form (`ParseConfig` in pkg/eks/api.go: a strict
unmarshal). A key that is unknown here may be newer than this table: it is an error only if it is nearly a known key.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from muster.finding import KeyPath, dotted_path
from muster.message_text import closest_match, show_value
from muster.sources.source import Gap, InputFile, InvalidFile
from muster.unknown import UNKNOWN

_TABLE = """
AZSubnetSpec: text=az,cidr,id
AccessConfig: text=authenticationMode [AccessEntry]=accessEntries bool=bootstrapClusterCreatorAdminPermissions
AccessEntry: text=kubernetesUsername,principalARN,type [AccessPolicy]=accessPolicies [text]=kubernetesGroups
AccessPolicy: text=policyARN AccessScope=accessScope
AccessScope: text=type [text]=namespaces
Addon: text=configurationValues,name,permissionsBoundary,resolveConflicts text=serviceAccountRoleARN,version
  AddonNamespaceConfig=namespaceConfig WellKnownPolicies=wellKnownPolicies
  [PodIdentityAssociation]=podIdentityAssociations [text]=attachPolicyARNs,owners,publishers,types
  any=attachPolicy bool=useDefaultPodIdentityAssociations {text}=tags
AddonNamespaceConfig: text=namespace
AddonsConfig: bool=autoApplyPodIdentityAssociations,disableDefaultAddons
ArgoCDAWSIDC: text=idcInstanceArn,idcRegion
ArgoCDConfiguration: text=namespace ArgoCDAWSIDC=awsIdc ArgoCDNetworkAccess=networkAccess
  [ArgoCDRoleMapping]=rbacRoleMappings
ArgoCDNetworkAccess: [text]=vpceIds
ArgoCDRoleMapping: text=role [SSOIdentity]=identities
AutoModeConfig: text=nodeRoleARN,permissionsBoundaryARN [text]=nodePools bool=enabled
Capability: text=deletePropagationPolicy,name,permissionsBoundary,roleArn text=type
  CapabilityConfiguration=configuration [AccessPolicy]=accessPolicies [text]=attachPolicyARNs any=attachPolicy
  {text}=tags
CapabilityConfiguration: ArgoCDConfiguration=argocd
CapacityReservation: text=capacityReservationPreference CapacityReservationTarget=capacityReservationTarget
CapacityReservationTarget: text=capacityReservationID,capacityReservationResourceGroupARN
ClusterCloudWatch: ClusterCloudWatchLogging=clusterLogging
ClusterCloudWatchLogging: [text]=enableTypes int=logRetentionInDays
ClusterConfig: text=apiVersion,kind AccessConfig=accessConfig AddonsConfig=addonsConfig
  AutoModeConfig=autoModeConfig ClusterCloudWatch=cloudWatch ClusterIAM=iam ClusterMeta=metadata ClusterVPC=vpc
  ControlPlaneScalingConfig=controlPlaneScalingConfig GitOps=gitops Karpenter=karpenter
  KubeAPIServerConfig=kubeAPIServerConfig KubeControllerManagerConfig=kubeControllerManagerConfig
  KubeSchedulerConfig=kubeSchedulerConfig KubernetesNetworkConfig=kubernetesNetworkConfig Outpost=outpost
  PrivateCluster=privateCluster RemoteNetworkConfig=remoteNetworkConfig SecretsEncryption=secretsEncryption
  UpgradePolicy=upgradePolicy ZonalShiftConfig=zonalShiftConfig [Addon]=addons [Capability]=capabilities
  [FargateProfile]=fargateProfiles [IAMIdentityMapping]=iamIdentityMappings [ManagedNodeGroup]=managedNodeGroups
  [NodeGroup]=nodeGroups [text]=availabilityZones,localZones any=identityProviders
ClusterEndpoints: bool=privateAccess,publicAccess
ClusterIAM:
  text=fargatePodExecutionRoleARN,fargatePodExecutionRolePermissionsBoundary,serviceRoleARN,serviceRolePermissionsBoundary
  [ClusterIAMServiceAccount]=serviceAccounts [PodIdentityAssociation]=podIdentityAssociations
  bool=vpcResourceControllerPolicy,withOIDC
ClusterIAMMeta: text=name,namespace {text}=annotations,labels
ClusterIAMServiceAccount: text=attachRoleARN,permissionsBoundary,roleName,subjectPattern ClusterIAMMeta=metadata
  ClusterIAMServiceAccountStatus=status WellKnownPolicies=wellKnownPolicies [text]=attachPolicyARNs
  any=attachPolicy bool=roleOnly {text}=tags
ClusterIAMServiceAccountStatus: text=roleARN,stackName [text]=capabilities {text}=tags
ClusterMeta: text=name,region,version RollbackConfig=rollbackConfig bool=forceUpdateVersion
  {text}=annotations,tags
ClusterNAT: text=gateway
ClusterSubnets: {AZSubnetSpec}=private,public
ClusterVPC: text=cidr,controlPlaneEgressMode,hostnameType,id
  text=ipv6Cidr,ipv6Pool,securityGroup,sharedNodeSecurityGroup ClusterEndpoints=clusterEndpoints ClusterNAT=nat
  ClusterSubnets=subnets [text]=controlPlaneSecurityGroupIDs,controlPlaneSubnetIDs,extraCIDRs,extraIPv6CIDRs
  [text]=publicAccessCIDRs bool=autoAllocateIPv6,controlPlaneOnPrivateSubnets,manageSharedNodeSecurityGroupRules
ControlPlaneScalingConfig: text=tier
FargateProfile: text=name,podExecutionRoleARN,status [FargateProfileSelector]=selectors [text]=subnets
  {text}=tags
FargateProfileSelector: text=namespace {text}=labels
Flux: text=gitProvider {text}=flags
GitOps: Flux=flux
HorizontalPodAutoscalerControllerConfig: text=horizontalPodAutoscalerSyncPeriod
IAMIdentityMapping: text=account,arn,namespace,serviceName text=username [text]=groups bool=noDuplicateARNs
InstanceMarketOptions: text=marketType
InstanceSelector: text=allow,cpuArchitecture,deny,memory int=gpus,neuron_devices,vCPUs
Karpenter: text=defaultInstanceProfile,version bool=createServiceAccount,withSpotInterruptionQueue
KubeAPIServerConfig: text=eventTTL ServiceNodePortRange=serviceNodePortRange
KubeControllerManagerConfig: HorizontalPodAutoscalerControllerConfig=horizontalPodAutoscalerControllerConfig
KubeSchedulerConfig: NodeResourcesFitConfig=nodeResourcesFit
KubernetesNetworkConfig: text=ipFamily,serviceIPv4CIDR,serviceIPv6CIDR
LaunchTemplate: text=id,version
ManagedNodeGroup: text=releaseVersion LaunchTemplate=launchTemplate NodeGroupNodeRepairConfig=nodeRepairConfig
  [NodeGroupTaint]=taints [text]=instanceTypes bool=spot
MetricsCollection: text=granularity [text]=metrics
NodeGroupBase: text=ami,amiFamily,instanceName,instancePrefix
  text=instanceType,name,outpostARN,overrideBootstrapCommand text=volumeKmsKeyID,volumeName,volumeType
  CapacityReservation=capacityReservation InstanceMarketOptions=instanceMarketOptions
  InstanceSelector=instanceSelector NodeGroupBottlerocket=bottlerocket NodeGroupIAM=iam
  NodeGroupSGs=securityGroups NodeGroupSSH=ssh NodeGroupUpdateConfig=updateConfig Placement=placement
  [VolumeMapping]=additionalVolumes [text]=asgSuspendProcesses,availabilityZones,preBootstrapCommands,subnets
  bool=disableIMDSv1,disablePodIMDS,ebsOptimized,efaEnabled
  bool=enableDetailedMonitoring,privateNetworking,propagateASGTags,volumeEncrypted
  int=desiredCapacity,maxPodsPerNode,maxSize,minSize int=volumeIOPS,volumeSize,volumeThroughput
  {text}=labels,tags
NodeGroup: text=clusterDNS,containerRuntime,cpuCredits NodeGroupInstancesDistribution=instancesDistribution
  [MetricsCollection]=asgMetricsCollection [text]=classicLoadBalancerNames,localZones,targetGroupARNs
  any=kubeletExtraConfig bool=enclaveEnabled int=maxInstanceLifetime taints=taints
NodeGroupBottlerocket: any=settings bool=enableAdminContainer
NodeGroupIAM: text=instanceProfileARN,instanceRoleARN,instanceRoleName,instanceRolePermissionsBoundary
  NodeGroupIAMAddonPolicies=withAddonPolicies [text]=attachPolicyARNs any=attachPolicy
NodeGroupIAMAddonPolicies: bool=albIngress,appMesh,appMeshPreview,autoScaler
  bool=awsLoadBalancerController,certManager,cloudWatch,ebs bool=efs,externalDNS,fsx,imageBuilder bool=xRay
NodeGroupInstancesDistribution: text=spotAllocationStrategy [text]=instanceTypes bool=capacityRebalance
  int=onDemandBaseCapacity,onDemandPercentageAboveBaseCapacity,spotInstancePools number=maxPrice
NodeGroupNodeRepairConfig: [NodeRepairConfigOverride]=nodeRepairConfigOverrides bool=enabled
  int=maxParallelNodesRepairedCount,maxParallelNodesRepairedPercentage,maxUnhealthyNodeThresholdCount,maxUnhealthyNodeThresholdPercentage
NodeGroupSGs: [text]=attachIDs bool=withLocal,withShared
NodeGroupSSH: text=publicKey,publicKeyName,publicKeyPath [text]=sourceSecurityGroupIds bool=allow,enableSsm
NodeGroupTaint: text=effect,key,value
NodeGroupUpdateConfig: int=maxUnavailable,maxUnavailablePercentage
NodeRepairConfigOverride: text=nodeMonitoringCondition,nodeUnhealthyReason,repairAction
  int=minRepairWaitTimeMins
NodeResourcesFitConfig: ScoringStrategy=scoringStrategy
Outpost: text=controlPlaneInstanceType,controlPlaneOutpostARN,etcdInstanceType
  Placement=controlPlanePlacement,etcdPlacement
Placement: text=groupName,spreadLevel
PodIdentityAssociation: text=namespace,permissionPolicyName,permissionsBoundaryARN,policy
  text=roleARN,roleName,serviceAccountName,targetRoleARN WellKnownPolicies=wellKnownPolicies
  [text]=permissionPolicyARNs any=permissionPolicy bool=createServiceAccount,disableSessionTags {text}=tags
PrivateCluster: [text]=additionalEndpointServices bool=enabled,skipEndpointCreation
RemoteNetwork: [text]=cidrs
RemoteNetworkConfig: text=vpcGatewayID RemoteNodesIAM=iam [RemoteNetwork]=remoteNodeNetworks,remotePodNetworks
RemoteNodesIAM: text=caBundleCert,provider,roleARN
ResourceWeight: text=name int=weight
RollbackConfig: int=timeoutMinutes
SSOIdentity: text=id,type
ScoringStrategy: text=type [ResourceWeight]=resources
SecretsEncryption: text=keyARN
ServiceNodePortRange: int=maxPort,minPort
UpgradePolicy: text=supportType
VolumeMapping: text=snapshotID,volumeKmsKeyID,volumeName,volumeType bool=volumeEncrypted
  int=volumeIOPS,volumeSize,volumeThroughput
WellKnownPolicies: bool=autoScaler,awsLoadBalancerController,certManager,ebsCSIController
  bool=efsCSIController,externalDNS,imageBuilder
ZonalShiftConfig: bool=enabled
"""
"""Block -> form -> keys, from pkg/apis/eksctl.io/v1alpha5 of eksctl 0.231. A form is a scalar, ``any``, a block, a list
of one of these (``[text]``), or a map of names to one of these (``{text}``)."""

_NODE_GROUPS = ("NodeGroup", "ManagedNodeGroup")
_BASE = "NodeGroupBase"
_VERSION = re.compile(r"\bversion\W+(\d+(?:\.\d+)*)")
_IN_WORDS = {"text": "a text", "int": "a whole number", "number": "a number", "bool": "true or false"}


@cache
def _blocks() -> Mapping[str, Mapping[str, str]]:
    """Block -> key -> form."""
    found: dict[str, dict[str, str]] = {}
    keys: dict[str, str] = {}
    for line in _TABLE.strip().splitlines():
        words = line.split()
        if not line.startswith(" "):
            keys = found.setdefault(words.pop(0).removesuffix(":"), {})
        for word in words:
            form, _, names = word.partition("=")
            keys.update(dict.fromkeys(names.split(","), form))
    for name in _NODE_GROUPS:
        found[name] = {**found[_BASE], **found[name]}
    return found


class Checked:
    """A document whose values have the forms that eksctl requires."""

    def __init__(self, file: InputFile, document: int, value: Mapping[Any, Any]) -> None:
        """Checks it.

        Raises:
            InvalidFile: a value has a wrong form, or a key is nearly a known one.
        """
        self._file, self._document = file, document
        self.gaps: list[Gap] = []
        self.config: Mapping[str, Any] = self._block(value, "ClusterConfig", ())

    def _block(self, value: Mapping[Any, Any], name: str, path: KeyPath) -> dict[str, Any]:
        forms = _blocks()[name]
        return {key: found for key, found in self._entries(value, forms, path) if found is not None}

    def _entries(self, value: Mapping[Any, Any], forms: Mapping[str, str], path: KeyPath) -> Iterator[tuple[str, Any]]:
        for key, each in value.items():
            below = (*path, key)
            if key in forms:
                yield key, self._value(each, forms[key], below)
                continue
            near = closest_match(str(key), forms)
            if near is not None and near not in value:
                got = f"{dotted_path(below)} is not a key of eksctl; did you mean '{near}'?"
                raise self._file.fault(below, got, f"write {near}", self._document)
            missing = "this key, which Muster does not know: eksctl refuses it, or it is newer than Muster"
            self.gaps.append(Gap(dotted_path(below), missing))

    def _value(self, value: Any, form: str, path: KeyPath) -> Any:
        if value is None or value is UNKNOWN or form == "any":
            return value
        if form == "taints":
            return self._taints(value, path)
        if form[0] == "[":
            if not isinstance(value, list):
                raise self._wrong(path, value, "a list")
            if None in value:
                got = f"{dotted_path(path)} has an entry without a value"
                raise self._file.fault((*path, value.index(None)), got, "remove the entry", self._document)
            return [self._value(each, form[1:-1], (*path, index)) for index, each in enumerate(value)]
        if form[0] == "{":
            if not isinstance(value, Mapping):
                raise self._wrong(path, value, "a map")
            found = {str(key): self._value(each, form[1:-1], (*path, key)) for key, each in value.items()}
            return {key: each for key, each in found.items() if each is not None}
        if form in _IN_WORDS:
            return self._scalar(value, form, path)
        if not isinstance(value, Mapping):
            raise self._wrong(path, value, "a block of keys")
        return self._block(value, form, path)

    def _taints(self, value: Any, path: KeyPath) -> Any:
        """A list of taints, or in old files a map ``key: value:effect`` (`taintsWrapper` in nodegroups.go)."""
        if not isinstance(value, Mapping):
            return self._value(value, "[NodeGroupTaint]", path)
        texts = self._value(value, "{text}", path)
        return [
            UNKNOWN if text is UNKNOWN else {"key": key, "value": text.rpartition(":")[0], "effect": _after(text)}
            for key, text in texts.items()
        ]

    def _scalar(self, value: Any, form: str, path: KeyPath) -> Any:
        is_bool = isinstance(value, bool)
        kinds = {"text": str, "int": int, "number": int | float, "bool": bool}
        if is_bool != (form == "bool") or not isinstance(value, kinds[form]):
            raise self._wrong(path, value, _IN_WORDS[form])
        return value

    def _wrong(self, path: KeyPath, value: Any, wanted: str) -> InvalidFile:
        shown = show_value(value)
        if wanted == _IN_WORDS["text"] and not isinstance(value, list | Mapping):
            written = "a boolean" if isinstance(value, bool) else f"the number {shown}"
            got = f"{dotted_path(path)} is {written}, and eksctl refuses all but text here"
            quoted = self._quoted(path, shown.strip("'"))
            return self._file.fault(path, got, f"write it in quotes{quoted}", self._document)
        got = f"{dotted_path(path)} is {shown}, but eksctl expects {wanted}"
        return self._file.fault(path, got, f"write {wanted}", self._document)

    def _quoted(self, path: KeyPath, shown: str) -> str:
        """A version of Kubernetes in quotes. The number 1.3 may be written as 1.30 in the file."""
        if path != ("metadata", "version"):
            return ""
        line = self._file.text.splitlines()[self._file.position(path, self._document).line - 1 :][:1]
        found = _VERSION.search("".join(line))
        version = found[1] if found else shown
        if re.fullmatch(r"\d\.\d", version):
            return f': version: "{version}0" or "{version}"'
        return f': version: "{version}"'


def _after(text: str) -> str:
    return text.rpartition(":")[2]

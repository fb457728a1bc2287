"""EKS: an existing cluster with its add-ons, and the Kubernetes versions that EKS supports."""

import jmespath

from muster.account.query import Inquiry, Query
from muster.account.topic import MAX_ONE_BY_ONE, PreflightRequest, Topic, read_fact
from muster.fleet.facts import ClusterFacts, Facts, KubernetesVersionFacts

_ABSENT = frozenset({"ResourceNotFoundException"})

_CLUSTER = {
    "version": "cluster.version",
    "vpc": "cluster.resourcesVpcConfig.vpcId",
    "securityGroup": "cluster.resourcesVpcConfig.clusterSecurityGroupId",
    "authentication": "cluster.accessConfig.authenticationMode",
    "state": "cluster.status",
}


def _inquire_cluster(wanted: PreflightRequest) -> Inquiry[Facts]:
    blueprint = wanted.blueprint
    if not blueprint.on_kubernetes or not blueprint.cluster.existing:
        return Facts()
    name = blueprint.cluster_name
    cluster, addons = yield [
        Query("eks", "DescribeCluster", f"EKS cluster {name}", {"name": name}, _ABSENT, needs=("cluster",)),
        Query("eks", "ListAddons", f"EKS add-ons of {name}", {"clusterName": name}, _ABSENT, needs=("addons",)),
    ]
    if cluster.absent:
        return Facts(clusters={name: ClusterFacts(exists=False)})
    listed = None if addons.result is None else sorted(addons.result["addons"])
    versions = None
    if listed is not None and len(listed) <= MAX_ONE_BY_ONE:
        answers = yield [_addon(name, each) for each in listed]
        # A missing add-on counts as not installed, so that all are known, or none.
        if all(each.answered for each in answers):
            found = [each.result["addon"] for each in answers if each.result is not None]
            versions = {each["addonName"]: each["addonVersion"] for each in found}
    if cluster.result is None:
        return Facts(clusters={} if versions is None else {name: ClusterFacts(eksAddons=versions)})
    return Facts(clusters={name: read_fact(ClusterFacts, cluster.result, _CLUSTER, exists=True, eksAddons=versions)})


def _addon(cluster: str, addon: str) -> Query:
    parameters = {"clusterName": cluster, "addonName": addon}
    about = f"EKS add-on {addon} of {cluster}"
    needs = ("addon.addonName", "addon.addonVersion")
    return Query("eks", "DescribeAddon", about, parameters, _ABSENT, needs=needs)


CLUSTERS = Topic(
    "clusters",
    "The existing EKS cluster that groups join, if there is one, and its add-ons.",
    _inquire_cluster,
    frozenset({"clusters"}),
)


_VERSION = {
    "offered": "versionStatus && contains(['STANDARD_SUPPORT', 'EXTENDED_SUPPORT'], versionStatus)",
    "endOfStandard": "endOfStandardSupportDate",
    "endOfExtended": "endOfExtendedSupportDate",
}

# EKS on Outposts supports other versions.
_IN_A_REGION = "clusterVersions[?!clusterType || clusterType=='eks']"


def _inquire_versions(wanted: PreflightRequest) -> Inquiry[Facts]:
    if not wanted.blueprint.on_kubernetes:
        return Facts()
    # Ask for all versions: if the request names a version that EKS does not know, EKS refuses the request.
    own = wanted.blueprint.described.kubernetes
    about, needs = f"Kubernetes versions, including {own}", ("clusterVersions[].clusterVersion",)
    (answer,) = yield [Query("eks", "DescribeClusterVersions", about, {"includeAll": True}, needs=needs)]
    if answer.result is None:
        return Facts()
    listed = jmespath.search(_IN_A_REGION, answer.result)
    known = {each["clusterVersion"]: read_fact(KubernetesVersionFacts, each, _VERSION) for each in listed}
    known = {own: KubernetesVersionFacts(offered=False), **known}
    return Facts(kubernetesVersions={name: each for name, each in known.items() if each.offered or name == own})


VERSIONS = Topic(
    "versions",
    "The Kubernetes versions that EKS offers, and the ends of their support.",
    _inquire_versions,
    frozenset({"kubernetesVersions"}),
)

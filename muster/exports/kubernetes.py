"""What a stack with a Kubernetes cluster exports (`muster.contract.Cluster`)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from muster.addons.catalogue import CATALOGUE
from muster.addons.catalogue.csi_drivers import claim_of
from muster.addons.context import AddonContext
from muster.addons.values import version_of
from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import EksGroup, HyperPodGroup, KubernetesGroup
from muster.blueprint.hyperpod.commands import LOG_STREAMS, list_nodes, session
from muster.contract import CONTRACT
from muster.exports.blocks import capacity_output, network_output, storage_output
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.karpenter import NodesOfGroup
from muster.infra.lustre import Lustre
from muster.infra.network import Foundation
from muster.infra.registry import Registry
from muster.infra.security_groups import EfaSecurityGroup
from muster.versions import MLFLOW_CLIENTS

if TYPE_CHECKING:
    from muster.infra.hyperpod.cluster import HyperPod
    from muster.infra.hyperpod.mlflow import Mlflow


def kubernetes_outputs(
    blueprint: Blueprint,
    cluster: ControlPlaneConnection,
    around: Foundation,
    efa: EfaSecurityGroup | None,
    groups: Mapping[str, NodesOfGroup],
    machines: "HyperPod | None",
    storage: Mapping[str, Lustre],
    registry: Registry | None,
    mlflow: "Mlflow | None",
) -> dict[str, Any]:
    """The stack's outputs by the contract (`muster.contract.Cluster`)."""
    described, context = blueprint.described, AddonContext.of_blueprint(blueprint)
    return {
        "contract": CONTRACT,
        "backend": described.backend,
        "region": blueprint.region,
        "cluster": {
            "name": cluster.name,
            "arn": cluster.arn,
            "version": cluster.version,
            "endpoint": cluster.endpoint,
            "endpointMode": cluster.endpoint_mode,
            "certificateAuthority": cluster.certificate_authority,
            "oidcIssuer": cluster.oidc_issuer,
            "oidcProviderArn": None,
            "serviceCidr": cluster.service_cidr,
        },
        "kubeconfig": cluster.kubeconfig,
        "nodeGroups": {
            **{group.name: _group_output(group, blueprint, groups[group.name]) for group in blueprint.eks_groups},
            **{group.name: _instance_group_output(group, blueprint, machines) for group in blueprint.instance_groups},
        },
        "hyperpod": _hyperpod_output(blueprint, machines) if machines else None,
        "mlflow": _mlflow_output(mlflow) if mlflow else None,
        "network": network_output(
            blueprint, around, {"cluster": cluster.security_group, "efa": efa.id if efa else None}
        ),
        "storage": {
            each.name: storage_output(each, storage.get(each.name), **_claimed(context, each.name))
            for each in blueprint.storage
        },
        "addons": addons_output(context),
        "charts": {
            release: {"chart": each.chart, "version": each.version, "namespace": each.namespace}
            for release, each in context.own.charts.items()
        },
        "eksAddons": {str(each.name): each.version or "" for each in blueprint.eks_addons},
        "registry": registry.url if registry else None,
        "buckets": {"mlflow": mlflow.bucket.name} if mlflow else {},
        "logGroups": {
            **({"controlPlane": cluster.log_group} if cluster.log_group is not None else {}),
            **({"hyperpod": machines.log_group} if machines else {}),
        },
        "queues": {},
    }


def addons_output(context: AddonContext) -> dict[str, Any]:
    """The add-ons of Muster that this stack installs."""
    return {
        name: {"version": version_of(CATALOGUE[name], options), "namespace": CATALOGUE[name].namespace}
        for name, options in context.own.chosen.items()
    }


def _claimed(context: AddonContext, name: str) -> dict[str, Any]:
    """The claim by which pods mount a file system, where this stack makes one."""
    claim, namespace = claim_of(context.own, name) or (None, None)
    return {"claim": claim, "claimNamespace": namespace}


def _group_output(group: EksGroup, blueprint: Blueprint, registered: NodesOfGroup) -> dict[str, Any]:
    made = registered.capacity
    return {
        **_nodes_output(group, blueprint),
        "roleArn": registered.role_arn,
        "capacity": capacity_output(
            group.described.capacity,
            reservation=made.reservation,
            reservation_group=made.reservation_group,
            placement_group=made.placement_group,
        ),
        "managed": group.resource.managed,
        "amiType": group.resource.ami_type,
        "autoScalingGroup": registered.auto_scaling_group,
    }


def _instance_group_output(group: HyperPodGroup, blueprint: Blueprint, registered: "HyperPod | None") -> dict[str, Any]:
    assert registered is not None, "instance groups are part of a HyperPod cluster"
    described, plan = group.described.capacity, group.described.capacity.training_plan
    return {
        **_nodes_output(group, blueprint),
        "roleArn": registered.role_arn,
        "capacity": {
            "kind": described.chosen,
            "trainingPlan": plan.arn if plan else None,
            "zone": plan.zone if plan else None,
            "count": plan.count if plan else None,
        },
        "threadsPerCore": group.described.hyperpod.threads_per_core,
        "session": registered.cluster_id.apply(lambda id_: session(id_, group.name, blueprint.region)),
    }


def _nodes_output(group: KubernetesGroup, blueprint: Blueprint) -> dict[str, Any]:
    """The outputs of a group's nodes, on any backend."""
    described, nodes = group.described, group.described.nodes_now
    return {
        "purpose": described.purpose.value,
        "instanceType": described.instance_type,
        "zones": list(blueprint.zones(group)),
        "count": {"min": nodes.min, "start": nodes.start, "max": nodes.max},
        "offers": group.node.offers,
        "claims": group.node.claims,
        "allocatable": group.node.allocatable_resources,
        "pods": group.node.allocatable.pods,
        "labels": dict(sorted(group.labels.items())),
        "taints": [taint.manifest for taint in sorted(group.taints)],
        "imageFamily": described.family.value,
        "interfaces": described.layout.value,
    }


def _hyperpod_output(blueprint: Blueprint, registered: "HyperPod") -> dict[str, Any]:
    return {
        "name": registered.name,
        "arn": registered.arn,
        "id": registered.cluster_id,
        "lifecycle": registered.bucket,
        "listNodes": registered.name.apply(lambda name: list_nodes(name, blueprint.region)),
        "logStreams": LOG_STREAMS,
    }


def _mlflow_output(registered: "Mlflow") -> dict[str, Any]:
    return {
        "name": registered.name,
        "arn": registered.arn,
        "url": registered.url,
        "version": registered.version,
        "client": f"mlflow=={MLFLOW_CLIENTS[registered.version]}" if registered.version else None,
        "artifacts": registered.artifacts,
        "namespace": registered.pods.namespace,
        "serviceAccount": registered.pods.service_account,
        "roleArn": registered.pods_role,
    }

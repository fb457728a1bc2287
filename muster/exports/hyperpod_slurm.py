"""What a stack with a HyperPod cluster with Slurm exports (`muster.contract.HyperPodSlurmCluster`)."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.cluster import HyperPodSlurmBlueprint, ServiceNodes
from muster.blueprint.group import HyperPodSlurmGroup
from muster.blueprint.hyperpod.commands import LOG_STREAMS, list_nodes, session
from muster.contract import CONTRACT
from muster.exports.blocks import network_output, slurm_group_output, slurm_queue_output, storage_output
from muster.infra.hyperpod.slurm_cluster import HyperPodSlurm
from muster.infra.lustre import Lustre
from muster.infra.network import Foundation
from muster.infra.registry import Registry
from muster.infra.security_groups import SlurmNodesSecurityGroup


def hyperpod_slurm_outputs(
    blueprint: HyperPodSlurmBlueprint,
    around: Foundation,
    nodes: SlurmNodesSecurityGroup,
    cluster: HyperPodSlurm,
    storage: Mapping[str, Lustre],
    registry: Registry | None,
) -> dict[str, Any]:
    """The stack's outputs by the contract."""
    service = {each.at: _service(each, blueprint, cluster) for each in blueprint.service_nodes}
    return {
        "contract": CONTRACT,
        "backend": blueprint.backend,
        "region": blueprint.region,
        "cluster": {
            "name": blueprint.cluster_name,
            "arn": cluster.arn,
            "id": cluster.cluster_id,
            "roleArn": cluster.role_arn,
            "listNodes": list_nodes(blueprint.cluster_name, blueprint.region),
        },
        "controller": service["controller"],
        "login": service.get("login"),
        "nodeGroups": {group.name: _group(group, blueprint) for group in blueprint.groups},
        "queues": {each.name: slurm_queue_output(each, blueprint) for each in blueprint.queues},
        "network": network_output(blueprint, around, {"nodes": nodes.id}),
        "storage": {
            each.name: storage_output(each, storage.get(each.name), mountDirectory=f"/{each.name}")
            for each in blueprint.storage
        },
        "registry": registry.url if registry else None,
        "logGroups": {"hyperpod": cluster.log_group},
        "logStreams": dict(LOG_STREAMS),
    }


def _service(nodes: ServiceNodes, blueprint: HyperPodSlurmBlueprint, cluster: HyperPodSlurm) -> dict[str, Any]:
    name = nodes.name
    return {
        "instanceGroup": name,
        "instanceType": nodes.described.instance_type,
        "count": nodes.count,
        "session": cluster.cluster_id.apply(lambda id_: session(id_, name, blueprint.region)),
    }


def _group(group: HyperPodSlurmGroup, blueprint: HyperPodSlurmBlueprint) -> dict[str, Any]:
    capacity = group.described.capacity
    plan = capacity.training_plan
    return {
        **slurm_group_output(group, blueprint),
        "capacity": {
            "kind": capacity.chosen,
            "trainingPlan": plan.arn if plan else None,
            "zone": plan.zone if plan else None,
            "count": plan.count if plan else None,
        },
    }

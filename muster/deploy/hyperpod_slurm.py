"""A cluster on HyperPod with Slurm: its resources, their order, and what its stack exports."""

from typing import Any

from muster.blueprint.cluster import HyperPodSlurmBlueprint, ServiceNodes
from muster.blueprint.hyperpod.commands import LOG_STREAMS, list_nodes, session
from muster.blueprint.logical_names import NODES_GROUP_REF
from muster.contract import HyperPodSlurmCluster, HyperPodSlurmIdentity, ServiceNodesOutput
from muster.deploy.outputs import group_output, plan_output, slurm_output
from muster.infra.file_systems import file_systems
from muster.infra.hyperpod.cluster import HyperPodSlurm
from muster.infra.network import Foundation
from muster.infra.registry import Registry
from muster.infra.security_groups import SlurmNodesSecurityGroup


def hyperpod_slurm(blueprint: HyperPodSlurmBlueprint) -> dict[str, Any]:
    """A cluster on HyperPod with Slurm, and what it exports.

    Order: the network; the security group of all nodes; file systems with their rules; the cluster, whose nodes mount
    them when they start. Destroy goes the other way.
    """
    around = Foundation.of(blueprint)
    nodes = SlurmNodesSecurityGroup(blueprint, around)
    around = around.with_ids({NODES_GROUP_REF: nodes.id}, nodes.rules)
    storage = file_systems(blueprint, around, {"nodes": NODES_GROUP_REF})
    cluster = HyperPodSlurm(blueprint, around, storage)
    registry = Registry.of(blueprint)

    def service(each: ServiceNodes) -> dict[str, Any]:
        name = each.name
        return ServiceNodesOutput.written(
            instance_group=name,
            instance_type=each.described.instance_type,
            count=each.count,
            session=cluster.cluster_id.apply(lambda id_: session(id_, name, blueprint.region)),
        )

    nodes_of_service = {each.at: service(each) for each in blueprint.service_nodes}
    return slurm_output(
        HyperPodSlurmCluster,
        blueprint,
        around,
        {"nodes": nodes.id},
        registry,
        storage,
        cluster=HyperPodSlurmIdentity.written(
            cluster,
            name=blueprint.cluster_name,
            id=cluster.cluster_id,
            list_nodes=list_nodes(blueprint.cluster_name, blueprint.region),
        ),
        controller=nodes_of_service["controller"],
        login=nodes_of_service.get("login"),
        node_groups={
            each.name: group_output(each, blueprint, capacity=plan_output(each.described.capacity))
            for each in blueprint.groups
        },
        log_groups={"hyperpod": cluster.log_group},
        log_streams=dict(LOG_STREAMS),
    )

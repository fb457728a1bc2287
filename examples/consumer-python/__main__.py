"""A team's namespace on a Muster cluster, with the devices of one node group as its quota."""

import pulumi
import pulumi_kubernetes as kubernetes

from muster.contract import Cluster, read_cluster, read_kubeconfig

config = pulumi.Config()
stack = pulumi.StackReference(config.require("cluster"))
cluster = read_cluster(stack)


def devices(of: Cluster) -> dict[str, str]:
    """GPUs, EFA interfaces and whatever devices the group's nodes offer, times the nodes it may have."""
    name = config.require("group")
    if name not in of.node_groups:
        raise pulumi.RunError(f"no node group '{name}' (there are: {', '.join(sorted(of.node_groups))})")
    group = of.node_groups[name]
    counted = {name: each for name, each in group.offers.items() if isinstance(each, int)}
    return {f"requests.{name}": str(each * group.count.max) for name, each in counted.items()}


provider = kubernetes.Provider(
    "cluster",
    kubeconfig=read_kubeconfig(stack),
    # The ARN, not the endpoint: a new endpoint is no other cluster.
    cluster_identifier=cluster.apply(lambda each: each.cluster.arn),
)
on_cluster = pulumi.ResourceOptions(provider=provider)
namespace = kubernetes.core.v1.Namespace("team", metadata={"name": config.require("team")}, opts=on_cluster)
kubernetes.core.v1.ResourceQuota(
    "devices",
    metadata={"name": "devices", "namespace": namespace.metadata.name},
    spec={"hard": cluster.apply(devices)},
    opts=on_cluster,
)

pulumi.export("namespace", namespace.metadata.name)
pulumi.export("quota", cluster.apply(devices))

"""What pulumi-eks's components make, with the arguments that people give them: each by what makes its children.

Read in pulumi-eks `nodejs/eks` (4.3, whose logic 4.4's SDK drives). What an argument asks for and is not modelled is
told by the argument's name; nothing is left out silently.
"""

from collections.abc import Callable, Mapping
from typing import Any

from muster.fleet.unknown import UNKNOWN
from muster.offline import eks_component
from muster.offline.eks_cluster import cluster
from muster.offline.eks_making import Core, Making, core_of, json_of
from muster.offline.eks_managed_group import managed_node_group
from muster.offline.eks_node_groups import node_group, node_group_v2, node_security_group

__all__ = ["COMPONENTS", "Core", "Making"]


def addon(making: Making) -> dict[str, Any]:
    """`eks.Addon`."""
    core, args = core_of(making), making.args
    if core is None:
        return {}
    values = args.get("configurationValues")
    told = {key: value for key, value in args.items() if key not in ("cluster", "configurationValues")}
    if values is not None:
        told["configurationValues"] = json_of(values)
    uses = {key: urns for key, urns in making.uses.items() if key != "cluster"}
    inputs = {**told, "clusterName": core.cluster.outputs.get("name", UNKNOWN)}
    making.child("aws:eks/addon:Addon", making.name, inputs, {**uses, "clusterName": [core.cluster.urn]})
    return {}


COMPONENTS: Mapping[str, Callable[[Making], dict[str, Any]]] = {
    eks_component.COMPONENT: cluster,
    "eks:index:ManagedNodeGroup": managed_node_group,
    "eks:index:NodeGroupV2": node_group_v2,
    "eks:index:NodeGroup": node_group,
    "eks:index:NodeGroupSecurityGroup": node_security_group,
    "eks:index:Addon": addon,
}
"""Component -> what makes its children; each gives the component's outputs."""

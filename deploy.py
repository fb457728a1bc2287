"""The composition root: the only place that joins `infra` and `addons`, and orders them."""

from collections.abc import Mapping
from typing import Any

import pulumi

from addons.addon import Nodes
from addons.catalogue import CATALOGUE
from addons.installation import Addons, ClusterHandle
from infra.cluster import Cluster
from infra.efa_security_group import EfaSecurityGroup
from infra.eks_addon import NEEDS_NODES, EksAddon
from infra.node_group import NodeGroup
from muster.contract import CONTRACT, SECRETS
from muster.fleet.blueprint import Blueprint, Group
from muster.fleet.description.group import Purpose
from muster.versions import ADDONS


def deploy(blueprint: Blueprint) -> None:
    """Registers everything of a blueprint and exports the contract.

    Order: the control plane; the add-ons that a node needs to become Ready; the groups; CoreDNS, which needs a node;
    the Kubernetes add-ons. Destroy goes the other way.
    """
    cluster = Cluster(blueprint)
    efa = EfaSecurityGroup(blueprint) if blueprint.efa_security_group else None
    before, after = (
        [addon for addon in blueprint.eks_addons if (addon.name in NEEDS_NODES) is late] for late in (False, True)
    )
    first: list[pulumi.Resource] = [EksAddon(addon, blueprint, cluster, [cluster]) for addon in before]
    groups = {
        group.name: NodeGroup(group, blueprint, cluster, efa, [*cluster.access, *first]) for group in blueprint.groups
    }
    system = [groups[group.name] for group in blueprint.groups if group.described.purpose is Purpose.SYSTEM]
    late: list[pulumi.Resource] = [
        EksAddon(addon, blueprint, cluster, [*first, *(system or groups.values())]) for addon in after
    ]
    chosen = blueprint.described.addons.chosen
    if chosen:
        ready = (cluster, *cluster.access, *first, *groups.values(), *late)
        Addons(ClusterHandle(cluster.kubeconfig, cluster.arn, Nodes.of_blueprint(blueprint), ready), chosen)
    for name, value in outputs(blueprint, cluster, efa, groups).items():
        pulumi.export(name, pulumi.Output.secret(value) if name in SECRETS else value)


def outputs(
    blueprint: Blueprint, cluster: Cluster, efa: EfaSecurityGroup | None, groups: Mapping[str, NodeGroup]
) -> dict[str, Any]:
    """The stack's outputs by the contract (`muster.contract.Cluster`)."""
    described, network = blueprint.described, blueprint.described.network.existing
    assert network is not None
    return {
        "contract": CONTRACT,
        "backend": described.backend,
        "region": blueprint.region,
        "cluster": {
            "name": cluster.name,
            "arn": cluster.arn,
            "version": described.kubernetes,
            "endpoint": cluster.endpoint,
            "endpointMode": "public-and-private" if described.api.public else "private",
            "certificateAuthority": cluster.certificate_authority,
            "oidcIssuer": cluster.oidc_issuer,
            "oidcProviderArn": None,
        },
        "kubeconfig": cluster.kubeconfig,
        "nodeGroups": {
            group.name: _group_output(group, blueprint, groups[group.name].role_arn) for group in blueprint.groups
        },
        "network": {
            "vpc": network.vpc,
            "privateSubnets": dict(network.private),
            "publicSubnets": dict(network.public),
            "securityGroups": {"cluster": cluster.security_group, "efa": efa.id if efa else None},
        },
        "storage": {},
        "addons": {
            name: {"version": options.version or ADDONS[name], "namespace": CATALOGUE[name].namespace}
            for name, options in described.addons.chosen.items()
        },
        "registry": None,
        "buckets": {},
        "logGroups": {"controlPlane": cluster.log_group},
        "queues": {},
    }


def _group_output(group: Group, blueprint: Blueprint, role_arn: pulumi.Output[str]) -> dict[str, Any]:
    derived, nodes, reservation = group.node_group, group.described.nodes, group.described.capacity.reservation
    return {
        "purpose": group.described.purpose.value,
        "instanceType": group.described.instance,
        "zones": sorted(filter(None, (blueprint.subnets[str(each)].zone for each in derived.subnets))),  # type: ignore[union-attr]
        "count": {"min": nodes.min, "start": nodes.start, "max": nodes.max},
        "offers": group.node.offers,
        "allocatable": group.node.allocatable_resources,
        "pods": group.node.allocatable.pods,
        "labels": dict(sorted(derived.labels)),
        "taints": [
            {"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in sorted(derived.taints)
        ],
        "roleArn": role_arn,
        "capacity": {
            "kind": group.described.capacity.chosen,
            "reservation": reservation.id if reservation else None,
            "placementGroup": group.placement_group.name if group.placement_group else None,
        },
    }

"""What DaemonSets and Deployments use of the nodes of a group: EKS's and the add-ons'. Pure.

Labels that appear on live nodes only, as a feature discovery sets them, are not known: a workload that selects by them
is left out. Pods of EKS's DaemonSets request the same on every node.

EKS runs daemons on every node, and CoreDNS: here of the versions in `muster.versions.EKS_ADDONS`, which Muster installs
as they come. EKS publishes no manifests of its add-ons; what was read, on 2026-11-21, and what is inferred:

- ``aws-node``: `charts/aws-vpc-cni/values.yaml` of amazon-vpc-cni-k8s v1.23.1 (b521883): 25m for the plugin and 25m for
  the network policy agent, which runs by default; the init container's 25m do not add up. That EKS's build of this
  version asks for the same is inferred.
- ``kube-proxy``: 100m in what eksctl (99984ad, `pkg/addons/default/testdata`) recorded of clusters up to 1.25. That the
  pinned versions ask for the same is inferred.
- ``eks-pod-identity-agent``: `charts/eks-pod-identity-agent/values.yaml` at v0.1.37 (d4dc0f3) asks for nothing. That
  the pinned builds, whose numbers are other ones, ask for nothing either is inferred.
- ``coredns``: the manifests that eksctl (99984ad, `pkg/addons/default/assets`) keeps for 1.34, 1.35 and 1.36, alike in
  all that is here; two replicas "regardless of the number of nodes" (EKS user guide, "Manage CoreDNS"). Its spread
  over zones is a preference (`ScheduleAnyway`) and left out.

None of them has a memory request but CoreDNS.
"""

from collections.abc import Iterable, Iterator, Mapping

from muster.addons.context import AddonContext
from muster.addons.installation_order import install_order
from muster.addons.values import values_of, workloads_of
from muster.addons.workload import Placement, Workload
from muster.blueprint.hyperpod.node_labels import node_labels
from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.labels import machine_labels
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import KubernetesNode, may_be_on


def _daemon(name: str, cpu: str = "0") -> Workload:
    """A DaemonSet that runs one pod on every node, whatever its taints; it uses the node's own network."""
    return Workload("DaemonSet", name, "kube-system", resources={"requests": {"cpu": cpu}})


DAEMONS: Mapping[str, Workload] = {
    "vpc-cni": _daemon("aws-node", "50m"),
    "kube-proxy": _daemon("kube-proxy", "100m"),
    "eks-pod-identity-agent": _daemon("eks-pod-identity-agent"),
}
"""EKS add-on, a key of `muster.versions.EKS_ADDONS` -> what it runs."""

COREDNS = Workload(
    "Deployment",
    "coredns",
    "kube-system",
    Placement(
        tolerations=[
            {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"},
            {"key": "CriticalAddonsOnly", "operator": "Exists"},
        ],
        affinity={
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [
                        {
                            "matchExpressions": [
                                {"key": "kubernetes.io/os", "operator": "In", "values": ["linux"]},
                                {"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64", "arm64"]},
                            ]
                        }
                    ]
                }
            },
            "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {
                        "weight": 100,
                        "podAffinityTerm": {
                            "labelSelector": {
                                "matchExpressions": [{"key": "k8s-app", "operator": "In", "values": ["kube-dns"]}]
                            },
                            "topologyKey": "kubernetes.io/hostname",
                        },
                    }
                ]
            },
        },
        priority_class="system-cluster-critical",
    ),
    resources={"requests": {"cpu": "100m", "memory": "70Mi"}, "limits": {"memory": "170Mi"}},
    replicas=2,
    labels={"k8s-app": "kube-dns"},
)


def daemon_sets_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[Workload, ...]:
    """The DaemonSets with a pod on every node of a group, EKS's first."""
    there = (each for each in _of_addons(blueprint) if each.kind == "DaemonSet" and _may_be_on(each, group))
    return (*DAEMONS.values(), *there)


def deployments_on(blueprint: Blueprint, group: KubernetesGroup) -> tuple[Workload, ...]:
    """The Deployments whose pods may all be on one node of the group. An accelerator's taint keeps them off, except on
    HyperPod, where no taint is derived."""
    dns = (COREDNS,) if any(each.name == COREDNS.name for each in blueprint.eks_addons) else ()
    every = (*dns, *_of_addons(blueprint))
    return tuple(each for each in every if each.kind == "Deployment" and _may_be_on(each, group))


def used_of(found: Iterable[Workload], resource: str) -> int:
    """What all their pods use of a resource, in its base unit (`muster.kubernetes_quantity`)."""
    return sum(each.takes.get(resource, 0) for each in found)


def _of_addons(blueprint: Blueprint) -> Iterator[Workload]:
    context = AddonContext.of_blueprint(blueprint)
    for step in install_order(context):
        yield from workloads_of(step.addon, values_of(step.addon, context))


def _may_be_on(workload: Workload, group: KubernetesGroup) -> bool:
    labels = {
        **machine_labels(group.node.hardware, group.described.instance_type),
        **(node_labels(group.name) if group.node.hyperpod else {}),
        **group.labels,
    }
    read = PodConstraints.of_daemon_set if workload.kind == "DaemonSet" else PodConstraints.of
    return may_be_on(read(workload.placement.pod_spec), KubernetesNode(group.name, labels, group.taints))

"""The pods that EKS runs: daemons on every node, which use part of its allocatable, and CoreDNS. Pure.

For the versions in `muster.versions.EKS_ADDONS`, which Muster installs as they come. EKS publishes no manifests of its
add-ons; what was read, on 2026-11-21, and what is inferred:

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

from collections.abc import Iterable
from dataclasses import dataclass

from muster.addons.workload import Placement, Workload


@dataclass(frozen=True, slots=True)
class Daemon:
    """A DaemonSet that runs one pod on every node, whatever its taints; it uses the node's own network."""

    addon: str
    """The EKS add-on: a key of `muster.versions.EKS_ADDONS`."""
    name: str
    cpu_millicores: int = 0
    memory_mib: int = 0
    pods: int = 1


DAEMONS = (
    Daemon("vpc-cni", "aws-node", cpu_millicores=50),
    Daemon("kube-proxy", "kube-proxy", cpu_millicores=100),
    Daemon("eks-pod-identity-agent", "eks-pod-identity-agent"),
)

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


@dataclass(frozen=True, slots=True)
class NodeUse:
    """What pods use of a node."""

    cpu_millicores: int
    memory_mib: int
    pods: int


def used_by_eks(daemons: Iterable[Daemon] = DAEMONS) -> NodeUse:
    """What the daemons together use of every node."""
    each = tuple(daemons)
    return NodeUse(sum(d.cpu_millicores for d in each), sum(d.memory_mib for d in each), sum(d.pods for d in each))

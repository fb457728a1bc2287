"""Pods that log to a tracking server of an EKS cluster that was there before."""

from collections.abc import Iterator

from muster.fleet.named import Kind
from muster.fleet.resources import ControlPlane, Fleet, TrackingServer
from policies.rule import Rule, Verdict, rule

_AGENT = "eks-pod-identity-agent"


@rule(
    "mlflow-pods-have-a-role",
    title="An existing cluster whose pods log to MLflow has the agent of Pod Identity",
    judges=TrackingServer,
    backends=("hyperpod",),
    why="Pods have their right to log to the tracking server by EKS Pod Identity. Without its agent on the node they "
    "get no credentials, and every run fails at its first call.",
    source="EKS user guide, pod-id-agent-setup",
    remedy="Have the agent installed first.",
    facts=("addons.md#ordering",),
)
def mlflow_pods_have_a_role(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    if not server.pods or existing is None or fleet.gone(Kind.CLUSTER, existing.name):
        return
    known = fleet.facts.clusters.get(str(existing.name)) if fleet.facts else None
    if known is None or known.eks_addons is None:
        yield rule.unjudged(server.place, fleet.missing(f"whether {existing.name} has the EKS add-on {_AGENT}"))
    elif _AGENT not in known.eks_addons:
        yield rule.finding(
            server.place,
            at="pods",
            got=f"{existing.name} has no {_AGENT}: pods get no right to log to MLflow",
            remedy=f"have its owner install the EKS add-on {_AGENT} on {existing.name} first",
        )

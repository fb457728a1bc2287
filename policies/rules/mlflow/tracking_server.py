"""SageMaker's MLflow tracking servers."""

import re
from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, Fleet, TrackingServer
from muster.policies.engine.rule import Rule, Verdict

_TWO_NUMBERS = re.compile(r"[0-9]+\.[0-9]+")


def mlflow_version_kept(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = server.version
    if version is not None and not _TWO_NUMBERS.fullmatch(version):
        short = _TWO_NUMBERS.match(version)
        change = set_to(short[0]) if short else (set_to(words="two numbers, such as 3.0"), remove())
        yield rule.finding(server, "version", got=f"the MLflow version is '{version}', not two numbers", change=change)


_AGENT = "eks-pod-identity-agent"


def mlflow_pods_have_a_role(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    if not server.pods or existing is None or fleet.gone(ResourceKind.CLUSTER, existing.name):
        return
    there = fleet.cluster_facts(existing.name).eks_addons
    if _AGENT not in fleet.need(there, f"whether cluster {existing.name} has the EKS add-on {_AGENT}"):
        yield rule.finding(
            server,
            "pods",
            got=f"cluster {existing.name} has no EKS add-on {_AGENT}, so its pods get no permission to log to MLflow",
            change=f"ask the owner of {existing.name} to install the EKS add-on {_AGENT} first",
        )

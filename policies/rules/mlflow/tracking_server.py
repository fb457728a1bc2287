"""SageMaker's MLflow tracking servers."""

import re
from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.backend_sets import IN_HYPERPOD, ON_KUBERNETES
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, Fleet, TrackingServer
from muster.policies.engine.rule import Rule, Verdict, rule

_TWO_NUMBERS = re.compile(r"[0-9]+\.[0-9]+")


@rule(
    "mlflow-version-kept",
    title="A tracking server's MLflow version has two numbers",
    judges=TrackingServer,
    backends=ON_KUBERNETES,
    why="The provider shortens the version that AWS reports to two numbers, and replaces the server if the program "
    "sets another version. With three numbers, every `pulumi up` deletes the server with all of its experiments.",
    source=(
        "https://github.com/hashicorp/terraform-provider-aws/blob/main/internal/service/sagemaker/mlflow_tracking_server.go",
    ),
    remedy="Set only the first two numbers of the version.",
    facts=("addons.md#hyperpodhelmchart",),
)
def mlflow_version_kept(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = server.version
    if version is not None and not _TWO_NUMBERS.fullmatch(version):
        short = _TWO_NUMBERS.match(version)
        change = set_to(short[0]) if short else (set_to(words="two numbers, such as 3.0"), remove())
        yield rule.finding(server, "version", got=f"the MLflow version is '{version}', not two numbers", change=change)


_AGENT = "eks-pod-identity-agent"


@rule(
    "mlflow-pods-have-a-role",
    title="An existing cluster whose pods log to MLflow has the EKS Pod Identity agent",
    judges=TrackingServer,
    backends=IN_HYPERPOD,
    why="Pods get permission to log to the tracking server through EKS Pod Identity. Without its agent on the node, "
    "they get no credentials, and every run fails at its first call.",
    source=("https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html",),
    remedy="Install the agent first.",
    facts=("addons.md#ordering",),
)
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

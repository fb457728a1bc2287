"""MLflow tracking servers of SageMaker."""

import re
from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, Fleet, Ref, TrackingServer
from muster.fleet.resources.ref import DIRECTORY_BUCKET
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule

_SIZES = ("Small", "Medium", "Large")
_NAME = re.compile(r"(?=.{1,256}$)[a-zA-Z0-9](-*[a-zA-Z0-9]){0,255}")
_WINDOW = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun):([01][0-9]|2[0-3]):[0-5][0-9]")
_DIRECTORY = "--x-s3"
"""The end of a directory bucket's name (S3 user guide, "Directory bucket naming rules")."""


@rule(
    "mlflow-server-legal",
    title="A tracking server's name, size, time of maintenance and bucket are of the API's form",
    judges=TrackingServer,
    backends=("eks", "hyperpod"),
    why="SageMaker refuses any other, and says so when all else stands. Artifacts go to a general purpose bucket: a "
    "directory bucket is of another kind, with other requests.",
    source="SageMaker API reference, CreateMlflowTrackingServer; botocore sagemaker 2017-07-24",
    remedy="Write them as the API has them.",
    facts=("addons.md#hyperpodhelmchart",),
)
def mlflow_server_legal(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    settings = {"name": server.name, "size": server.size, "maintenance": server.maintenance, "bucket": server.artifacts}
    if missing := [what for what, value in settings.items() if value is UNKNOWN]:
        yield rule.unjudged(server.place, f"the {and_list(missing)} of {server.ref.name}, not known before creation")
    for got, remedy in _wrong(server):
        yield rule.finding(server.place, got=got, remedy=remedy)


def _wrong(server: TrackingServer) -> Iterator[tuple[str, str]]:
    """What was found, and what to do."""
    if isinstance(server.name, str) and not _NAME.fullmatch(server.name):
        yield f"its name is '{server.name}'", "use letters and digits, and dashes between them, 256 at most"
    if isinstance(server.size, str) and server.size not in _SIZES:
        yield f"its size is '{server.size}'", f"write {', '.join(_SIZES[:-1])} or {_SIZES[-1]}"
    if isinstance(server.maintenance, str) and not _WINDOW.fullmatch(server.maintenance):
        yield f"its time of maintenance is '{server.maintenance}'", "write a time of the week in UTC, as in Tue:03:30"
    if _is_directory(server):
        yield "its artifacts go to a directory bucket", "take a general purpose bucket of the same Region"


def _is_directory(server: TrackingServer) -> bool:
    if isinstance(server.artifacts, Ref):
        return server.artifacts.type == DIRECTORY_BUCKET
    if not isinstance(server.artifacts, str):
        return False
    return server.artifacts.partition("://")[2].partition("/")[0].endswith(_DIRECTORY)


_TWO_NUMBERS = re.compile(r"[0-9]+\.[0-9]+")


@rule(
    "mlflow-version-kept",
    title="A tracking server's MLflow version is two numbers",
    judges=TrackingServer,
    backends=("eks", "hyperpod"),
    why="The provider cuts what AWS says of a server's version to two numbers, and makes the server anew where the "
    "program says another: with three, every `pulumi up` takes the server away with all of its experiments.",
    source="terraform-provider-aws, internal/service/sagemaker/mlflow_tracking_server.go (ForceNew, "
    "normalizeMlflowVersion)",
    remedy="Write the version's first two numbers.",
    facts=("addons.md#hyperpodhelmchart",),
)
def mlflow_version_kept(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = server.version
    if version is UNKNOWN:
        yield rule.unjudged(server.place, f"the MLflow version of {server.ref.name}, not known before creation")
    elif isinstance(version, str) and not _TWO_NUMBERS.fullmatch(version):
        short = re.match(_TWO_NUMBERS, version)
        remedy = f"write {short[0]}" if short else "write it as in 3.0, or leave it out: AWS takes the newest then"
        yield rule.finding(server.place, at="version", got=f"its MLflow version is '{version}'", remedy=remedy)


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
    if not server.pods or existing is None or fleet.gone(ResourceKind.CLUSTER, existing.name):
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

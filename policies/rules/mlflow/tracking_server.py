"""SageMaker's MLflow tracking servers."""

import re
from collections.abc import Iterator

from muster.fleet.backend_sets import IN_HYPERPOD, ON_KUBERNETES
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, Fleet, Ref, TrackingServer
from muster.fleet.resources.ref import DIRECTORY_BUCKET
from muster.policies.engine.finding_text import and_list, or_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN

_SIZES = ("Small", "Medium", "Large")
_SHOWN = 32
"""The characters of a long name that a finding shows."""
_NAME = re.compile(r"(?=.{1,256}$)[a-zA-Z0-9](-*[a-zA-Z0-9]){0,255}")
_WINDOW = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun):([01][0-9]|2[0-3]):[0-5][0-9]")
_DIRECTORY = "--x-s3"
"""The end of a directory bucket's name (S3 user guide, "Directory bucket naming rules")."""


@rule(
    "mlflow-server-legal",
    title="SageMaker accepts a tracking server's name, size, maintenance window and bucket",
    judges=TrackingServer,
    backends=ON_KUBERNETES,
    why="SageMaker refuses other values, but only after the deployment has created everything else. Artifacts need a "
    "general purpose bucket, because a directory bucket has another API.",
    source="SageMaker API reference, CreateMlflowTrackingServer; SageMaker API reference, CreateMlflowApp; botocore "
    "sagemaker 2017-07-24",
    remedy="Use values that the API accepts.",
    facts=("addons.md#hyperpodhelmchart",),
)
def mlflow_server_legal(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    settings = {
        "name": server.name,
        "size": server.size,
        "maintenance window": server.maintenance,
        "bucket": server.artifacts,
    }
    if missing := [what for what, value in settings.items() if value is UNKNOWN]:
        yield rule.unjudged(
            server.place, f"the {and_list(missing)} of {server.ref.name} (known only after `pulumi up`)"
        )
    if isinstance(server.size, str) and server.size not in _SIZES:
        yield rule.advice.finding(
            server.place,
            got=f"SageMaker does not accept the size '{server.size}' for a tracking server",
            remedy=f"set the size to {or_list(_SIZES)}",
            program_remedy=f"set trackingServerSize to {or_list(_SIZES)}",
        )
    for got, remedy, in_program in _wrong(server):
        yield rule.finding(server.place, got=got, remedy=remedy, program_remedy=in_program)


def _wrong(server: TrackingServer) -> Iterator[tuple[str, str, str]]:
    """What was found, the remedy, and that for a program."""
    noun, key = ("an MLflow App", "name") if server.serverless else ("a tracking server", "trackingServerName")
    if isinstance(server.name, str) and not _NAME.fullmatch(server.name):
        form = "at most 256 letters, digits and dashes, with a letter or digit at either end"
        got = f"SageMaker does not accept the name {_shortened(server.name)} for {noun}"
        yield got, f"use {form}", f"set {key} to {form}"
    if isinstance(server.maintenance, str) and not _WINDOW.fullmatch(server.maintenance):
        got = f"SageMaker does not accept the maintenance window '{server.maintenance}'"
        time = "a time of the week in UTC, such as Tue:03:30"
        yield got, f"set {time}", f"set weeklyMaintenanceWindowStart to {time}"
    if _is_directory(server):
        bucket = "a general purpose bucket in the same Region"
        yield "the artifacts go to a directory bucket", f"use {bucket}", f"set artifactStoreUri to {bucket}"


def _shortened(name: str) -> str:
    """``'a name'``; only the beginning of a long one, and its length."""
    if len(name) <= _SHOWN:
        return f"'{name}'"
    return f"'{name[:_SHOWN]}...' ({len(name)} characters)"


def _is_directory(server: TrackingServer) -> bool:
    if isinstance(server.artifacts, Ref):
        return server.artifacts.type == DIRECTORY_BUCKET
    if not isinstance(server.artifacts, str):
        return False
    return server.artifacts.partition("://")[2].partition("/")[0].endswith(_DIRECTORY)


_TWO_NUMBERS = re.compile(r"[0-9]+\.[0-9]+")


@rule(
    "mlflow-version-kept",
    title="A tracking server's MLflow version has two numbers",
    judges=TrackingServer,
    backends=ON_KUBERNETES,
    why="The provider shortens the version that AWS reports to two numbers, and replaces the server if the program "
    "sets another version. With three numbers, every `pulumi up` deletes the server with all of its experiments.",
    source="terraform-provider-aws, internal/service/sagemaker/mlflow_tracking_server.go (ForceNew, "
    "normalizeMlflowVersion)",
    remedy="Set only the first two numbers of the version.",
    facts=("addons.md#hyperpodhelmchart",),
)
def mlflow_version_kept(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    version = server.version
    if version is UNKNOWN:
        yield rule.unjudged(server.place, f"the MLflow version of {server.ref.name} (known only after `pulumi up`)")
    elif isinstance(version, str) and not _TWO_NUMBERS.fullmatch(version):
        short = _TWO_NUMBERS.match(version)
        remedy = (
            f"set the version to {short[0]}"
            if short
            else "set two numbers, such as 3.0, or remove it to get the newest version"
        )
        got = f"the MLflow version is '{version}', not two numbers"
        in_program = remedy.replace("the version", "mlflowVersion").replace("set two", "set mlflowVersion to two")
        yield rule.finding(server.place, at="version", got=got, remedy=remedy, program_remedy=in_program)


_AGENT = "eks-pod-identity-agent"


@rule(
    "mlflow-pods-have-a-role",
    title="An existing cluster whose pods log to MLflow has the EKS Pod Identity agent",
    judges=TrackingServer,
    backends=IN_HYPERPOD,
    why="Pods get permission to log to the tracking server through EKS Pod Identity. Without its agent on the node, "
    "they get no credentials, and every run fails at its first call.",
    source="EKS user guide, pod-id-agent-setup",
    remedy="Install the agent first.",
    facts=("addons.md#ordering",),
)
def mlflow_pods_have_a_role(server: TrackingServer, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    existing = next((plane for plane in fleet.of(ControlPlane) if plane.existing), None)
    if not server.pods or existing is None or fleet.gone(ResourceKind.CLUSTER, existing.name):
        return
    known = fleet.facts.clusters.get(str(existing.name)) if fleet.facts else None
    if known is None or known.eks_addons is None:
        yield rule.unjudged(server.place, fleet.missing(f"whether cluster {existing.name} has the EKS add-on {_AGENT}"))
    elif _AGENT not in known.eks_addons:
        yield rule.finding(
            server.place,
            at="pods",
            got=f"cluster {existing.name} has no EKS add-on {_AGENT}, so its pods get no permission to log to MLflow",
            remedy=f"ask the owner of {existing.name} to install the EKS add-on {_AGENT} first",
        )

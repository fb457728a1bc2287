"""The version of MLflow as AWS's provider reads it back."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, TrackingServer
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule

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

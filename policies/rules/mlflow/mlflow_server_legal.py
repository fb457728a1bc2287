"""What the API takes of a tracking server."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, Ref, TrackingServer
from muster.fleet.resources.place import DIRECTORY_BUCKET
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import some

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
    asked = {"name": server.name, "size": server.size, "maintenance": server.maintenance, "bucket": server.artifacts}
    if missing := [what for what, said in asked.items() if said is UNKNOWN]:
        yield rule.unjudged(server.place, f"the {some(missing)} of {server.ref.name}, not known before creation")
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

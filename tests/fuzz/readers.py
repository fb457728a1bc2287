"""The readers of users' files: each with sound files to begin with, and what a command does with a file.

A reader returns, or refuses with the message that the command prints. Any other exception is a bug in Muster.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import yaml

from muster import user_files, yaml_text
from muster.cli import baseline
from muster.cli.commands import report
from muster.cli.commands.rehearse import read_script
from muster.cli.commands.report import run_report
from muster.cli.findings import Report, StackReport
from muster.cli.imported_file import import_file
from muster.cli.job_file import read_job
from muster.cli.rule_selection import select_rules
from muster.cli.source_files import judge_sources, open_sources
from muster.cli.stacks import judge_stack
from muster.cli.writers import text as as_text
from muster.finding import WrongInput
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import DoesNotFit, JobOptions
from muster.jobs.kubernetes_jobs import make
from muster.jobs.manifest_yaml import to_yaml
from muster.policies.engine.configuration import checked
from muster.stack.stack_file import StackFile, load
from muster.terminal import Style
from muster.verify import cluster_reader
from tests.factories import AS_OF
from tests.stack_files import ROOT, filled_in, text_of

STACKS = ("p5-odcr", "hyperpod-p5", "pcluster-gpu", "p4de-odcr-vpc")
WITH_FACTS = "p5-join-existing"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of one kind of file."""

    name: str
    file: str
    """Path of the file, below the folder that it works in."""
    limit: user_files.Limit
    read: Callable[[Path], None]
    """What a command does with the file."""
    examples: Callable[[], list[bytes]]


class Bug(Exception):
    """A report that contains bugs of Muster: the command would end with exit code 3."""


def _stack(file: Path) -> None:
    _judged(load("fuzz", file, file.parent / "none.json"))


def _facts(file: Path) -> None:
    stack = file.parent / f"Pulumi.{WITH_FACTS}.yaml"
    if not stack.exists():
        stack.write_text(filled_in(text_of(WITH_FACTS)), encoding="utf-8")
    _judged(load(WITH_FACTS, stack, file))


def _judged(opened: StackFile) -> None:
    _hold(judge_stack(checked(opened), AS_OF).report)


def _hold(report: StackReport) -> None:
    if report.bugs:
        raise Bug("; ".join(report.bugs))
    told = list(as_text.lines(Report((report,)), Style(colour=False)))
    if not report.readable:
        raise WrongInput("\n".join(told))


def _configuration(file: Path) -> None:
    select_rules(file)


def _baseline(file: Path) -> None:
    baseline.load(file)


def _source(file: Path) -> None:
    """Judges a file of another tool, and describes its cluster if it has one."""
    (report,) = judge_sources(open_sources([file]), select_rules(), AS_OF)
    _hold(report)
    with suppress(WrongInput):
        import_file(file)


def _events(file: Path) -> None:
    run_report(report.read_events(file), str(file))


def _manifest(file: Path) -> None:
    read_job(str(file))


def _script(file: Path) -> None:
    read_script(str(file))


def _kubeconfig(file: Path) -> None:
    cluster_reader.load(file, None, {})


_CONFIGURATION = (
    "all: advisory\nefa-security-groups-allow-themselves: mandatory\ngroup-has-subnet: {enforcementLevel: disabled}\n"
    "muster: {region: us-west-2, suppress: [{rule: imds-out-of-pods, at: 'urn:pulumi:a::b::c::d',\n"
    "  reason: it is watched, until: '2027-01-01'}]}\n"
)

_BASELINE = (
    '{"baseline": 1, "known": [{"stack": "dev", "rule": "subnet-zone-as-declared", "at": "groups.a", "count": 2},\n'
    ' {"project": "p", "stack": "dev", "rule": "imds-out-of-pods", "at": "urn:pulumi:a::b::c::d",\n'
    '  "level": "advisory"}]}'
)

_KUBECONFIG = """\
apiVersion: v1
kind: Config
current-context: one
contexts: [{name: one, context: {cluster: a, user: b}}]
clusters: [{name: a, cluster: {server: 'https://example.com', certificate-authority-data: aGVsbG8=}}]
users: [{name: b, user: {exec: {apiVersion: v1, command: aws, args: [eks, get-token], env: [{name: A, value: b}]}}}]
"""


def _stacks() -> list[bytes]:
    return [filled_in(text_of(each)).encode() for each in STACKS]


def _known_facts() -> list[bytes]:
    return [file.read_bytes() for file in sorted((ROOT / "stacks" / "facts").glob("*.json"))]


def _saved_files() -> list[bytes]:
    files = (ROOT / "tests" / "sources" / "pulumi" / "saved").glob("*.json")
    return [file.read_bytes() for file in sorted(files)]


def _sources() -> list[bytes]:
    files = sorted((ROOT / "examples" / "other-tools").iterdir())
    return [_without_short_forms(file) if ".template" in file.name else file.read_bytes() for file in files]


def _without_short_forms(template: Path) -> bytes:
    """A CloudFormation template as JSON: the inputs are made of plain YAML and JSON."""
    (document,) = yaml_text.load_all(template.read_text(encoding="utf-8"), template=True)
    return json.dumps(document, indent=2).encode()


def _logs() -> list[bytes]:
    return [file.read_bytes() for file in sorted((ROOT / "tests" / "cli" / "events").glob("*.jsonl"))]


def _jobs() -> list[bytes]:
    opened = load("p5-odcr", ROOT / "stacks" / "Pulumi.p5-odcr.yaml", ROOT / "none.json")
    made = []
    for each in JOBS.values():
        try:
            parts = make(each, opened.derive(), JobOptions()).documents  # type: ignore[arg-type]
        except DoesNotFit:
            continue
        made.append("---\n".join(to_yaml(part) for part in parts))
        made.append(yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": list(parts)}))
    return [each.encode() for each in made]


def _scripts() -> list[bytes]:
    return [file.read_bytes() for file in sorted((ROOT / "tests" / "golden").glob("*.sbatch"))]


READERS: Mapping[str, Reader] = {
    each.name: each
    for each in (
        Reader("stack", "Pulumi.fuzz.yaml", user_files.DESCRIPTION, _stack, _stacks),
        Reader("facts", "facts.json", user_files.DESCRIPTION, _facts, _known_facts),
        Reader(
            "configuration", "policies.yaml", user_files.DESCRIPTION, _configuration, lambda: [_CONFIGURATION.encode()]
        ),
        Reader("baseline", "baseline.json", user_files.BASELINE, _baseline, lambda: [_BASELINE.encode()]),
        Reader("saved", "plan.json", user_files.SAVED, _source, _saved_files),
        # A JSON file may have 128 MiB, of which only the tests of Terraform plans make use.
        Reader("source", "cluster.yaml", user_files.MANIFEST, _source, _sources),
        Reader("events", "events.jsonl", user_files.LOG, _events, _logs),
        Reader("manifest", "job.yaml", user_files.MANIFEST, _manifest, _jobs),
        Reader("script", "job.sbatch", user_files.MANIFEST, _script, _scripts),
        Reader("kubeconfig", "config", user_files.MANIFEST, _kubeconfig, lambda: [_KUBECONFIG.encode()]),
    )
}


def give(reader: Reader, data: bytes, folder: Path) -> bool:
    """Whether the reader accepts a file of these bytes. It refuses others with a message.

    Raises:
        Exception: a bug in Muster.
    """
    file = folder / reader.file
    file.write_bytes(data)
    try:
        reader.read(file)
    except WrongInput as fault:
        if not str(fault).strip():
            raise Bug("a refusal without a message") from None
        return False
    return True

"""The engine's events as `muster report` reads them: the logs that are kept are what the engine writes."""

import json
from pathlib import Path

import pytest

from muster.cli.commands.report import Event, run_report
from muster.cli.commands.report import read_events as read_log
from muster.cli.findings import StackReport
from muster.finding import Level
from muster.json_text import parse_model
from tests.cli.event_logs import FOREIGN as KEPT
from tests.cli.event_logs import read, scrubbed
from tests.pulumi_engine.conftest import MakeProject
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

PROGRAM = """
import pulumi_aws as aws

everything = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
group = aws.ec2.SecurityGroup("nodes", egress=[everything])
template = aws.ec2.LaunchTemplate(
    "gpu",
    instance_type="p5.48xlarge",
    network_interfaces=[
        {"network_card_index": 0, "device_index": 0, "interface_type": "efa-only", "security_groups": [group.id]},
        {"network_card_index": 1, "device_index": 2, "interface_type": "efa", "security_groups": [group.id]},
    ],
)
"""


def test_the_kept_log_is_what_the_engine_writes(
    tmp_path_factory: pytest.TempPathFactory, project: MakeProject, monkeypatch: pytest.MonkeyPatch, pack: Path
) -> None:
    """Recorded anew, with `--event-log` and streamed, a preview gives the report that the kept one gives."""
    source = tmp_path_factory.mktemp("foreign")
    monkeypatch.chdir(source)
    (source / "__main__.py").write_text(PROGRAM, encoding="utf-8")
    (source / "Pulumi.yaml").write_text(
        "name: foreign\nruntime: {name: python, options: {toolchain: uv, virtualenv: .venv}}\n", encoding="utf-8"
    )
    ours = {"PYTHONPATH": str(pack.parent)}
    it = project(source, stack="dev", config={"aws:region": "us-west-2"}, environment=ours)
    kept = run_report(read_log(KEPT))
    logged = it.preview(packs=[pack])
    assert _told(run_report([parse_model(Event, each) for each in logged.events])) == _told(kept)
    kinds = {kind for event in scrubbed(logged.events, str(pack.parent)) for kind in event}
    assert kinds == {kind for event in read(KEPT) for kind in event}
    it.environment["PULUMI_ENABLE_STREAMING_JSON_PREVIEW"] = "true"
    streamed = it.run("preview", "--stack", "dev", "--json", "--policy-pack", str(pack))
    file = Path("streamed.jsonl")
    file.write_text(streamed.stdout, encoding="utf-8")
    report = run_report(read_log(file))
    assert _told(report) == _told(kept)
    assert report.exit() == 1
    assert {each.level for each in report.findings} == {Level.MANDATORY, Level.ADVISORY}
    assert json.loads(streamed.stdout.splitlines()[-1])["cancelEvent"] == {}


def _told(report: StackReport) -> list[tuple[str, str, Level]]:
    """The findings without their words, which a kept log need not have."""
    return sorted((each.rule, each.where, each.level) for each in report.findings)

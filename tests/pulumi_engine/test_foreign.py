"""Other teams' programs on the real engine: the pack finds in a preview what it should, and what the engine saved of
them is judged alike. What it saved of the example with pulumi-eks is in `tests/examples/saved/`."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from muster.cli.rule_selection import select_rules
from muster.cli.source_files import judge_sources
from muster.clock import VARIABLE
from muster.sources.recognition import open_file, recognize
from tests.examples.foreign import EXAMPLES, FINDS
from tests.pulumi_engine.harness import MISSING_TOOLS, WHY_SKIPPED, Project
from tests.pulumi_engine.provider import StandIn
from tools.generate import AS_OF

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

NOT_EVALUATED = "not-evaluated"
DOCUMENT = "aws:iam/getPolicyDocument:getPolicyDocument"


def document(arguments: dict[str, list[dict[str, object]]]) -> dict[str, object]:
    """What AWS's plugin computes of a policy document."""
    statements = [
        {"Effect": "Allow", "Action": each.get("actions"), "Resource": each.get("resources")}
        for each in arguments["statements"]
    ]
    return {"id": "document", "json": json.dumps({"Version": "2012-10-17", "Statement": statements})}


@pytest.fixture
def cloud() -> Iterator[StandIn]:
    with StandIn(calls={DOCUMENT: document}) as running:
        yield running


@pytest.mark.parametrize("example", ["foreign-eks", "foreign-hyperpod"])
def test_the_pack_finds_the_same(example: str, tmp_path: Path, cloud: StandIn, pack: Path) -> None:
    """By rule and URN, exactly; the preview is refused. The saved plan and the printed preview come to the same."""
    folder = tmp_path / "theirs"
    folder.mkdir()
    with_pack = {"PYTHONPATH": str(pack.parent), VARIABLE: AS_OF}
    project = Project(EXAMPLES / example, folder, cloud, stack="dev", environment=with_pack)
    refused = project.preview(packs=[pack])
    told = {(each.policy, each.urn) for each in refused.violations if each.policy != NOT_EVALUATED}
    assert told == FINDS[example], refused.text
    assert refused.code != 0
    plan, preview = tmp_path / "plan.json", tmp_path / "preview.json"
    project.preview("--save-plan", str(plan)).require()
    preview.write_text(project.run("preview", "--json", "--stack", "dev", "--non-interactive").require().stdout)
    for file in (plan, preview):
        opened = open_file(file)
        (report,) = judge_sources([(opened, recognize(opened))], select_rules(), date.fromisoformat(AS_OF))
        assert {(each.rule, each.where.path) for each in report.findings} == FINDS[example], file.name

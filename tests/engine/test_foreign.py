"""Other teams' programs on the real engine: the pack finds in a preview what `muster check --program` finds without it,
and what the engine saved of them is judged alike."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from muster.cli.commands.check_program import judge_file
from muster.cli.rule_selection import select_rules
from muster.clock import VARIABLE
from muster.offline.invokes import InvokeAccount, answer_invoke
from tests.engine.foreign_components import Plugin
from tests.engine.harness import MISSING_TOOLS, WHY_SKIPPED, Project
from tests.engine.provider import StandIn
from tests.examples.foreign import EXAMPLES, FINDS
from tools.generate import AS_OF

pytestmark = [pytest.mark.engine, pytest.mark.skipif(bool(MISSING_TOOLS), reason=WHY_SKIPPED)]

NOT_EVALUATED = "not-evaluated"
DOCUMENT = "aws:iam/getPolicyDocument:getPolicyDocument"


def document(arguments: dict[str, object]) -> dict[str, object]:
    """What AWS's plugin computes of a policy document."""
    found = answer_invoke(DOCUMENT, arguments, InvokeAccount("us-west-2"))
    assert found is not None
    return dict(found.values)


@pytest.fixture
def cloud(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """The plugins, pulumi-eks as people use it."""
    monkeypatch.setattr("tests.engine.provider.construct", Plugin().construct)
    with StandIn(calls={DOCUMENT: document}) as running:
        yield running


@pytest.mark.parametrize("example", FINDS)
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
        report = judge_file(file, select_rules(None, None, None, None, None), date.fromisoformat(AS_OF))
        assert {(each.rule, each.where.path) for each in report.findings} == FINDS[example], file.name

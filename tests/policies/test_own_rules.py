"""Rules of users: the example, in `check` and in a pack of their own, and mistakes in such a folder."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from muster.finding import Level
from muster.policies.analyzer import Analyzer
from muster.policies.engine.catalogue import Selection, all_rules
from muster.policies.engine.configuration import Configuration, Misconfigured
from muster.policies.engine.described_fleet import described_fleet
from muster.policies.engine.judgement import Judgement, judge_stack
from muster.policies.engine.packs import use
from muster.stack.project import open_stack
from tests.stack_files import AS_OF, ROOT

EXAMPLE = ROOT / "examples/own-rules"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    use(())


def judged(stack: str = "p5-odcr", **configuration: object) -> Judgement:
    opened = open_stack(ROOT, stack)
    fleet = described_fleet(opened.derive(), date.fromisoformat(AS_OF))
    return judge_stack(opened, fleet, Configuration(selection=Selection(("own-rules/*", "mine/*")), **configuration))  # type: ignore[arg-type]


def test_the_example() -> None:
    use([EXAMPLE])
    found = {(each.rule, each.where, each.level) for each in judged().findings}
    assert found == {
        ("nodes-have-a-team", "groups.system.labels", Level.ADVISORY),
        ("nodes-have-a-team", "groups.workers.labels", Level.ADVISORY),
    }
    others = {each.where for each in judged("p6-b300").findings if each.rule == "approved-instance-types"}
    assert "groups.workers.instance" in others


def test_a_pack_of_their_own_has_only_them() -> None:
    use([EXAMPLE])
    told = Analyzer(Selection(("own-rules/*",))).GetAnalyzerInfo(None, None)
    assert (told.name, [each.name for each in told.policies]) == (
        "muster-own-rules",
        ["muster", "approved-instance-types", "nodes-have-a-team"],
    )
    assert len(all_rules()) > len(told.policies)


SHEET = """
mine:
  title: Mine
  level: advisory
  judges: [NodeGroup]
  why: Because.
  remedy: Do it.
  source: [https://example.com]
  module: nodes
"""
MODULE = "def mine(group, fleet, rule):\n    yield rule.finding(group, got='x', change='y')\n"


def pack(folder: Path, sheet: str = SHEET, module: str = MODULE) -> Path:
    made = folder / "mine"
    made.mkdir()
    (made / "rules.yaml").write_text(sheet)
    (made / "nodes.py").write_text(module)
    return made


@pytest.mark.parametrize(
    ("sheet", "module", "line"),
    [
        ("", MODULE, 1),
        ("mine: [", MODULE, 2),
        ("mine:\n", MODULE, 1),
        (SHEET.replace("mine:", "Mine_1:"), MODULE, 2),
        (SHEET.replace("NodeGroup", "NodeGruop"), MODULE, 5),
        (SHEET.replace("advisory", "warning"), MODULE, 4),
        (SHEET.replace("  title: Mine\n", ""), MODULE, 2),
        (SHEET.replace("title", "titel"), MODULE, 3),
        (SHEET.replace("module: nodes", "module: other"), MODULE, 2),
        (SHEET.replace("module: nodes", "module: ../nodes"), MODULE, 9),
        (SHEET, "def other(): ...\n", 2),
        (SHEET, "def mine(:\n", 2),
        (SHEET, "1 / 0\n", 2),
        (SHEET.replace("mine:", "efa-used-fully:"), MODULE, 2),
        (f"{SHEET}  options: Missing\n", MODULE, 2),
    ],
)
def test_a_mistake_in_the_folder_has_its_line(sheet: str, module: str, line: int, tmp_path: Path) -> None:
    with pytest.raises(Misconfigured) as wrong:
        use([pack(tmp_path, sheet, module)])
    assert next(each.position.line for each in wrong.value.faults) == line


def test_there_is_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured):
        use([tmp_path / "nothing"])


@pytest.mark.parametrize(
    "body", ["return None", "yield 'text'", "raise KeyError('x')", "yield rule.finding(group)", "yield group.nothing"]
)
def test_a_rule_that_raises_is_a_finding_about_it(body: str, tmp_path: Path) -> None:
    """It is no bug of Muster, and the run goes on."""
    use([pack(tmp_path, module=f"def mine(group, fleet, rule):\n    {body}\n")])
    found = judged().findings
    assert {(each.rule, each.level, each.where) for each in found} == {
        ("mine", Level.MANDATORY, f"groups.{name}") for name in ("system", "workers")
    }


def test_what_a_rule_prints_is_no_part_of_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    use([pack(tmp_path, module="def mine(group, fleet, rule):\n    print(group)\n    return ()\n")])
    judged()
    assert capsys.readouterr().out == ""

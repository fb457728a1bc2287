"""The rules' own programs, run by a child: the same is found as in this process."""

from pathlib import Path

import pytest

from muster.foreign.program import run_program
from muster.policies.engine.judgement import judge
from muster.policies.views import fleet_of
from tests.factories import REGION
from tests.foreign.written import a_project
from tests.policies.programs.pairs import programs
from tests.policies.test_programs import found
from tests.stack_files import ROOT

SAMPLE = (
    "gpu-operator-leaves-the-image",
    "hyperpod-authentication-mode",
    "reservation-zone-matches-subnet",
)
"""Helm on EKS, HyperPod through Cloud Control, and one that needs facts."""


@pytest.mark.parametrize("rule", SAMPLE)
def test_the_same_is_found(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the wire and in another process, with ids unknown."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    text = f"from tests.policies.programs.pairs import programs\n\nprograms()[{rule!r}, 'failing'].run()\n"
    project = a_project(tmp_path, text, {"Pulumi.dev.yaml": f"config: {{'aws:region': {REGION}}}\n"})
    ran = run_program(project, "dev")
    program = programs()[rule, "failing"]
    fleet = fleet_of(ran.registrations, facts=program.facts, region=ran.region, as_of=program.as_of)
    theirs, ours = judge(fleet), judge(program.fleet(preview=True))
    assert found(theirs) == found(ours) != set()
    assert {(each.rule, each.missing) for each in theirs.not_evaluated} == {
        (each.rule, each.missing) for each in ours.not_evaluated
    }

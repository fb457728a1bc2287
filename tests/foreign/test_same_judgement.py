"""The rules' own programs, run by a child: the same is found as in this process."""

from pathlib import Path

import pytest

from muster.foreign.program import run
from policies.judgement import judge
from policies.views import fleet_of
from tests.factories import AS_OF, REGION
from tests.foreign.written import a_project
from tests.policies.test_programs import found, judged, program
from tests.stack_files import ROOT

SAMPLE = (
    "efa_single_zone",
    "gpu_operator_leaves_the_image",
    "hyperpod_authentication_mode",
    "parallelcluster_imds_v2",
    "reservation_zone_matches_subnet",
)
"""EKS, Helm, HyperPod, ParallelCluster, and one that needs facts."""


@pytest.mark.parametrize("name", SAMPLE)
def test_the_same_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over the wire and in another process, with ids unknown."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    text = f"from tests.policies.programs.{name} import failing\n\nfailing()\n"
    project = a_project(tmp_path, text, {"Pulumi.dev.yaml": f"config: {{'aws:region': {REGION}}}\n"})
    ran = run(project, "dev")
    module = program(name)
    facts = getattr(module, "FAILING_FACTS", getattr(module, "FACTS", None))
    fleet = fleet_of(ran.registrations, facts=facts, region=ran.region, as_of=getattr(module, "AS_OF", AS_OF))
    theirs, ours = judge(fleet), judged(name, "failing", preview=True)
    assert found(theirs) == found(ours) != set()
    assert {(each.rule, each.missing) for each in theirs.not_evaluated} == {
        (each.rule, each.missing) for each in ours.not_evaluated
    }

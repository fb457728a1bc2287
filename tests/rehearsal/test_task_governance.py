"""HyperPod's task governance: a job of a team runs as if admitted, and needs a queue."""

import pytest

from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Verdict
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.jobs.clusters import manifest_of

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]


@pytest.mark.parametrize("queued", [True, False])
def test_a_job_of_a_team(*, queued: bool) -> None:
    """The add-on denies pods without a queue in the namespaces of teams."""
    teams = {"research": {"quota": {"p5.48xlarge": {"instances": 1}}}}
    edits = {"addons.hyperpod-task-governance": {}, "addons.training-operator": {}}
    blueprint = a_hyperpod_blueprint({**edits, "hyperpod.task-governance": {"teams": teams}})
    job = manifest_of(JOBS["pytorch-fsdp"], blueprint, JobOptions(queue="research", nodes=1))
    if not queued:
        job["metadata"]["labels"] = {}
    outcome = rehearse(RehearsalRequest(blueprint, job, roles_of(job), ()))
    assert outcome.verdict is (Verdict.STARTS if queued else Verdict.DOES_NOT_START)
    assert [each.cause.id for each in outcome.waiting] == ([] if queued else ["queue-not-set"])
    assert any("as if admitted" in note for note in outcome.notes) is queued

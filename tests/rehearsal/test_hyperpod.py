"""HyperPod on a real control plane: deep health checks that a job waits for, nodes that are replaced, jobs resumed."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.blueprint.hyperpod.auto_resume import ENABLED, RETRIES
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.hyperpod import no_auto_resume
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Tone, Verdict
from tests.factories import DROP, edited
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.jobs.clusters import manifest_of
from tests.rehearsal.clusters import GPU, a_hyperpod_job, a_pytorch_job, causes

real = pytest.mark.rehearsal
shared = pytest.mark.usefixtures("shared_plane")

NO_CHECKS = {"groups.workers.hyperpod.deep-health-checks": DROP}
CHECKED = "HyperPod's deep health checks of 'workers'"
RECOVERY, RESUME = "HyperPod's node recovery", "HyperPod's job auto-resume"


def rehearsed(job: dict[str, Any] | None = None, edits: Mapping[str, Any] | None = None, **more: Any) -> Outcome:
    """A rehearsal of the small cluster with the training operator, and some edits."""
    job = job or a_hyperpod_job()
    blueprint = a_hyperpod_blueprint({"addons.training-operator": {"version": "v1.8.1"}, **(edits or {})})
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job), **more))


def simulated(outcome: Outcome) -> set[str]:
    """What is simulated of HyperPod."""
    return {each.name for each in outcome.simulated_parts if each.name.startswith("HyperPod's")}


@real
@shared
def test_the_job_waits_for_the_deep_checks_also_of_a_lost_nodes_replacement() -> None:
    """The scheduler's own words on the taint, then room. Every pod is made anew by the real operator; the one whose
    node is new waits for its checks."""
    outcome = rehearsed(lost=1)
    assert (outcome.verdict, outcome.running, outcome.waiting) == (Verdict.STARTS, 4, ())
    (waits,) = [each for each in outcome.moments if "pods wait" in each.said]
    assert "4 node(s) had untolerated taint" in waits.said
    assert waits.tone is Tone.STEP, "it is as it should be"
    assert {node.amounts[GPU].offered for node in outcome.nodes if node.group == "workers"} == {8}
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (4, 3, 4)
    assert causes(drill) == ["node-lost", "hyperpod-deep-checks"]
    assert drill.assumes.startswith("AWS has on-demand capacity for ml.p5.48xlarge")
    assert simulated(outcome) == {CHECKED, RECOVERY, RESUME}


@real
@shared
@pytest.mark.parametrize(
    ("edits", "verdict", "found"),
    [
        (
            {"addons.nvidia-device-plugin": {"values": {"tolerations": []}}},
            Verdict.DOES_NOT_START,
            ["plugin-not-on-node"],
        ),
        ({"groups.system": DROP}, Verdict.STARTS, []),
    ],
    ids=["a plugin", "an operator that finds only such nodes"],
)
def test_what_does_not_tolerate_the_taint_of_the_checks(
    edits: dict[str, Any], verdict: Verdict, found: list[str]
) -> None:
    """A plugin is not on the nodes while they are checked, and then they are checked for ever. An operator waits like
    the job, as AWS's chart found out (sagemaker-hyperpod-cli#449)."""
    outcome = rehearsed(edits=edits)
    assert (outcome.verdict, causes(outcome)) == (verdict, found)
    assert any("checks end" in each.said for each in outcome.moments) is (verdict is Verdict.STARTS)
    if found:
        assert outcome.waiting[0].cause.where == "addons.nvidia-device-plugin.values.tolerations"


@real
@shared
@pytest.mark.parametrize(
    ("retries", "edits", "last", "parts"),
    [
        (2, {}, 4, {RECOVERY, RESUME}),
        (None, {}, 4, {RECOVERY}),
        (2, {"hyperpod.node-recovery": "none"}, 3, set()),
    ],
    ids=["resumed", "without annotations", "no node recovery"],
)
def test_a_lost_node_without_deep_checks(
    retries: int | None, edits: dict[str, Any], last: int, parts: set[str]
) -> None:
    outcome = rehearsed(a_hyperpod_job(retries=retries), {**NO_CHECKS, **edits}, lost=1)
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (4, 3, last)
    assert simulated(outcome) == parts


@real
@shared
@pytest.mark.parametrize("queued", [True, False])
def test_a_job_of_a_team_runs_as_if_admitted(*, queued: bool) -> None:
    """Task governance denies pods without a queue in the namespaces of teams."""
    teams = {"research": {"quota": {"p5.48xlarge": {"instances": 1}}}}
    governed = {"addons.hyperpod-task-governance": {}, "hyperpod.task-governance": {"teams": teams}}
    fsdp, ask = JOBS["pytorch-fsdp"], JobOptions(queue="research", nodes=1)
    job = manifest_of(fsdp, a_hyperpod_blueprint({**governed, "addons.training-operator": {}}), ask)
    if not queued:
        job["metadata"]["labels"] = {}
    outcome = rehearsed(job, governed)
    assert outcome.verdict is (Verdict.STARTS if queued else Verdict.DOES_NOT_START)
    assert causes(outcome) == ([] if queued else ["queue-not-set"])
    assert any("as if admitted" in note for note in outcome.notes) is queued


def a_job(edits: dict[str, Any] | None = None, annotations: dict[str, str] | None = None) -> dict[str, Any]:
    """One that HyperPod starts again twice."""
    job = edited(a_pytorch_job("train", "kubeflow", workers=1), edits or {})
    job["metadata"]["annotations"] = {ENABLED: "true", RETRIES: "2"} if annotations is None else annotations
    return job


@pytest.mark.parametrize(
    ("job", "operator", "words"),
    [
        (a_job(), "", ""),
        (a_job({"metadata.namespace": "hyperpod-ns-vision"}), "v1.8.1", ""),
        (a_job(), "v1.9.4", "AWS documents auto-resume for training-operator v1.7.0"),
        (a_job({"metadata.namespace": "default"}), "", "the job is in the namespace 'default'"),
        (a_job(annotations={}), "", "the job lacks the annotation"),
        (a_job(annotations={ENABLED: "true"}), "", "does not set the number of restarts"),
        (a_job({"spec.pytorchReplicaSpecs.Worker.restartPolicy": "Never"}), "", "restartPolicy of Worker is Never"),
    ],
)
def test_which_jobs_hyperpod_restarts(job: dict[str, Any], operator: str, words: str) -> None:
    found = no_auto_resume(job, roles_of(job), operator)
    assert (words in found, bool(found)) == (True, bool(words))

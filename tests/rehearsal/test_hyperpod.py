"""HyperPod on a real control plane: deep health checks that a job waits for, nodes that are replaced, jobs resumed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from muster.blueprint.hyperpod.auto_resume import ENABLED
from muster.blueprint.node import EFA_RESOURCE
from muster.jobs.catalogue import roles_of
from muster.rehearsal.kubernetes.drills import Loss
from muster.rehearsal.kubernetes.hyperpod import DeepHealthChecks
from muster.rehearsal.kubernetes.rehearsal import RehearsalRequest, rehearse
from muster.rehearsal.outcome import Drill, Moment, Outcome, Tone, Verdict
from tests.factories import DROP
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.rehearsal.clusters import GPU, HEALTH, HEALTHY, a_hyperpod_job

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

NO_CHECKS = {"groups.workers.hyperpod.deep-health-checks": DROP}
LOSE_ONE = (Loss(nodes=1),)


def played(job: dict[str, Any] | None = None, edits: Mapping[str, Any] | None = None, **more: Any) -> Outcome:
    """A rehearsal of the small cluster with the training operator, and some edits."""
    job = job or a_hyperpod_job()
    blueprint = a_hyperpod_blueprint({"addons.training-operator": {"version": "v1.8.1"}, **(edits or {})})
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job), **more))


@cache
def after_a_lost_node() -> Outcome:
    """The small cluster's outcome with the drill of one lost node."""
    return played(losses=LOSE_ONE)


def causes(outcome: Outcome | Drill) -> list[str]:
    """The ids of what pods wait for, each once, in order."""
    return list(dict.fromkeys(each.cause.id for each in outcome.waiting))


def said(moments: Iterable[Moment]) -> list[str]:
    """What happened, in order."""
    return [each.said for each in moments]


def in_order(words: Iterable[str], told: list[str]) -> bool:
    """Whether moments with these words come one after the other."""
    left = iter(told)
    return all(any(word in each for each in left) for word in words)


def simulated_parts(outcome: Outcome) -> set[str]:
    """What is played of HyperPod, and of what happens to its nodes."""
    names = [each.name for each in outcome.simulated_parts if each.name == LOSS or each.name.startswith("HyperPod's")]
    assert len(names) == len(set(names)), "each is told once"
    return set(names)


CHECKED = "HyperPod's deep health checks of 'workers'"
AGENT, LOSS = "HyperPod's health monitoring agent", "the loss"
RECOVERY, RESUME = "HyperPod's node recovery", "HyperPod's job auto-resume"


def test_the_job_waits_for_the_deep_checks_and_then_runs() -> None:
    """The scheduler's own words on the taint, then room; each step that is not real is called played."""
    outcome = played()
    assert (outcome.verdict, outcome.running, outcome.waiting) == (Verdict.STARTS, 4, ())
    told = said(outcome.moments)
    assert in_order(
        (
            "simulated: HyperPod's deep health checks run on 4 nodes of 'workers'",
            "PyTorchJob train is submitted",
            "4 pods wait: 4 nodes of 'workers' could run the pod, but HyperPod's deep health checks",
            (
                "simulated: the deep health checks end (on a real cluster after about two hours): 4 nodes of "
                "'workers' are Schedulable"
            ),
            "all 4 pods run",
        ),
        told,
    ), "\n".join(told)
    (waits,) = [each for each in outcome.moments if "pods wait" in each.said]
    assert "(the scheduler: 0/7 nodes are available: " in waits.said
    assert "4 node(s) had untolerated taint" in waits.said
    assert waits.tone is Tone.STEP, "it is as it should be"
    assert [each.seconds for each in outcome.moments] == sorted(each.seconds for each in outcome.moments)
    assert simulated_parts(outcome) == {CHECKED}
    assert any("take about two hours" in note and "waits for them" in note for note in outcome.notes)
    devices = {node.amounts[GPU].offered for node in outcome.nodes if node.group == "workers"}
    assert devices == {8}


def test_checks_that_do_not_end_keep_the_job_waiting() -> None:
    """All of it is the cause's; plugins offer their devices all the same, for the checks want them."""
    outcome = played(checks=DeepHealthChecks.IN_PROGRESS)
    assert (outcome.verdict, outcome.running, outcome.not_running) == (Verdict.DOES_NOT_START, 0, 4)
    assert causes(outcome) == ["hyperpod-deep-checks"]
    for resource, number in ((GPU, 8), (EFA_RESOURCE, 32)):
        offered = [node.amounts[resource].offered for node in outcome.nodes if node.group == "workers"]
        assert offered == [number] * 4


def test_a_plugin_that_does_not_tolerate_the_taint_is_found() -> None:
    """Its pods are not on the nodes while they are checked, and then they are checked for ever."""
    values: dict[str, Any] = {"tolerations": []}
    outcome = played(edits={"addons.nvidia-device-plugin": {"values": values}})
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, ["plugin-not-on-node"])
    cause = outcome.waiting[0].cause
    assert cause.where == "addons.nvidia-device-plugin.values.tolerations"
    assert f"its pods do not tolerate the taint {HEALTH}=Unschedulable:NoSchedule" in cause.said
    assert not any("checks end" in each for each in said(outcome.moments))


def test_a_job_without_devices_learns_of_checks_that_cannot_end() -> None:
    """It asks for nothing that lacks, and waits as long as the others."""
    job = a_hyperpod_job(workers=1)
    container = job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]
    container["resources"] = {"limits": {"cpu": "1"}}
    outcome = played(job, {"addons.nvidia-device-plugin": {"values": {"tolerations": []}}})
    assert outcome.verdict is Verdict.DOES_NOT_START
    assert outcome.waiting[0].cause.said.endswith(f"HyperPod's deep health checks need {GPU}, so they cannot pass")


def test_what_a_job_does_wrong_it_does_wrong_before_and_after() -> None:
    """EC2's name of the type: neither the checks nor their end changes that."""
    job = a_hyperpod_job(nodeSelector={**HEALTHY, "node.kubernetes.io/instance-type": "p5.48xlarge"})
    outcome = played(job)
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, ["hyperpod-instance-type"])
    assert sum("which is EC2's name" in each for each in said(outcome.moments)) == 2


def test_an_operator_that_finds_only_nodes_under_checks_waits_like_the_job() -> None:
    """Without a group for the system, as AWS's chart found out (sagemaker-hyperpod-cli#449)."""
    outcome = played(edits={"groups.system": DROP})
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 4)
    told = said(outcome.moments)
    assert in_order(
        ("train is not submitted: the pod of training-operator", "checks end", "train is submitted", "all 4 pods run"),
        told,
    )


def test_a_pod_that_tolerates_everything_lands_on_a_node_under_checks() -> None:
    """It starts, and the report says where, and what to do."""
    outcome = played(
        a_hyperpod_job(workers=1, nodeSelector={}, tolerations=[{"operator": "Exists"}]),
        checks=DeepHealthChecks.IN_PROGRESS,
    )
    assert outcome.verdict is Verdict.STARTS
    assert any("remove the toleration from the job" in note for note in outcome.notes)


def test_a_lost_node_is_replaced_checked_and_the_job_started_again() -> None:
    """Every pod is made anew by the real operator; the one whose node is new waits for its checks."""
    outcome = after_a_lost_node()
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (4, 3, 4)
    told = said(drill.moments)
    assert in_order(
        (
            f"{HEALTH}=UnschedulablePendingReplacement, with the taint {HEALTH}=Unschedulable:NoSchedule",
            "1 pod of the job there continues to run",
            "simulated: HyperPod removes hyperpod-i-",
            "simulated: HyperPod's auto-resume deletes all pods of the job to restart it (1 of 2)",
            "running: 3; waiting: 1",
            "replaces the lost node (on-demand capacity",
            "simulated: HyperPod's deep health checks run on hyperpod-i-",
            "waits: 1 node of 'workers' could run the pod, but HyperPod's deep health checks",
            "simulated: the checks end (on a real cluster after about two hours): hyperpod-i-",
            "running: 4 of 4",
        ),
        told,
    ), "\n".join(told)
    assert causes(drill) == ["node-lost", "hyperpod-deep-checks"]
    assert drill.said == (
        "HyperPod restarts the job (simulated), and all its pods run once the new node is Schedulable; this assumes "
        f"that {drill.assumes}"
    )
    assert drill.assumes.startswith("AWS has on-demand capacity for ml.p5.48xlarge")
    assert simulated_parts(outcome) == {CHECKED, AGENT, RECOVERY, RESUME}


def test_without_deep_checks_the_new_node_takes_its_pod_at_once() -> None:
    """Nothing is said of checks that nobody asked for."""
    outcome = played(edits=NO_CHECKS, losses=LOSE_ONE)
    (drill,) = outcome.drills
    assert (drill.running_at_last, causes(drill)) == (4, ["node-lost"])
    assert not any("deep health" in each for each in (*said(outcome.moments), *said(drill.moments), *outcome.notes))
    assert simulated_parts(outcome) == {AGENT, RECOVERY, RESUME}


def test_without_the_annotations_nobody_starts_the_job_again() -> None:
    """Its operator makes the pods that are lost, and the others go on as they were."""
    outcome = played(a_hyperpod_job(retries=None), NO_CHECKS, losses=LOSE_ONE)
    (drill,) = outcome.drills
    assert any(f'does not restart the job: the job lacks the annotation {ENABLED}: "true"' in each
               for each in said(drill.moments))  # fmt: skip
    assert (drill.running_after, drill.running_at_last) == (3, 4)
    assert drill.said.startswith("the job waits: all its pods run once the new node is Schedulable; this assumes")
    assert simulated_parts(outcome) == {AGENT, RECOVERY}


def test_a_job_is_started_again_as_often_as_it_says() -> None:
    """Once: the second loss is its operator's alone."""
    outcome = played(a_hyperpod_job(retries=1), NO_CHECKS, losses=LOSE_ONE * 2)
    first, second = outcome.drills
    assert any("to restart it (1 of 1)" in each for each in said(first.moments))
    assert any(
        "does not restart the job: it has already restarted the job 1 of 1 times" in each
        for each in said(second.moments)
    )
    assert second.running_at_last == 4


def test_without_node_recovery_no_new_node_comes() -> None:
    """Nor is the job started again: there is nothing to start it on. What to type is said."""
    outcome = played(edits={"hyperpod.node-recovery": "none", **NO_CHECKS}, losses=LOSE_ONE)
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (4, 3, 3)
    told = said(drill.moments)
    assert in_order(
        (("node-recovery is none: HyperPod adds no new node until you run"), "it waits for a new node, but none"), told
    )
    assert "aws sagemaker batch-replace-cluster-nodes" in drill.said
    assert not any("replaces the lost node" in each for each in told)
    assert simulated_parts(outcome) == {AGENT, LOSS}
    assert [each.split(" hyperpod-i-")[0] for each in told if each.startswith("simulated: ")] == [
        "simulated: HyperPod's health monitoring agent finds",
        "simulated:",
    ]
    (lost,) = [each for each in told if "fails permanently" in each]
    assert lost.startswith("simulated: hyperpod-i-")


def test_a_zone_that_is_gone_has_no_new_nodes() -> None:
    """A group of HyperPod that trains is in one zone; what is elsewhere comes back."""
    outcome = played(edits=NO_CHECKS, losses=(Loss(zone="us-west-2a"),))
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_at_last) == (4, 0)
    assert any("it waits for new nodes, but us-west-2a has none" in each for each in said(drill.moments))
    assert drill.said.startswith("the job does not recover until us-west-2a does")
    assert simulated_parts(outcome) == {LOSS, RECOVERY}
    assert {each.name: each.simulated_by for each in outcome.simulated_parts}[
        RECOVERY
    ] == "the new node joins immediately", (
        "of the system group's nodes; nobody labels or taints a node, or takes one away"
    )
    assert not any("health monitoring agent" in each for each in said(drill.moments))


def test_a_new_node_is_checked_though_the_first_have_passed() -> None:
    """That they have is said of the nodes that are there when the job comes; the report says both."""
    outcome = played(checks=DeepHealthChecks.PASSED, losses=LOSE_ONE)
    (drill,) = outcome.drills
    assert not any("deep health checks" in each for each in said(outcome.moments))
    told = said(drill.moments)
    assert in_order(
        (
            "replaces the lost node",
            "simulated: HyperPod's deep health checks run on hyperpod-i-",
            "waits: 1 node of 'workers' could run the pod, but HyperPod's deep health checks",
            "simulated: the checks end (on a real cluster after about two hours): hyperpod-i-",
            "running: 4 of 4",
        ),
        told,
    ), "\n".join(told)
    assert simulated_parts(outcome) == {CHECKED, AGENT, RECOVERY, RESUME}
    assert {each.name: each.simulated_by for each in outcome.simulated_parts}[CHECKED] == (
        "the nodes get the labels of passed checks; a new node gets the labels and the taint of running checks, then "
        "those of passed checks"
    )


def test_auto_resume_is_played_for_the_releases_that_aws_states() -> None:
    """Of others nobody says anything; whichever is described, the one that is pinned here ran, and that is said."""
    outcome = played(edits={"addons.training-operator": {"version": "v1.9.3"}, **NO_CHECKS}, losses=LOSE_ONE)
    (drill,) = outcome.drills
    assert (
        "HyperPod does not restart the job: AWS documents auto-resume for training-operator v1.7.0, v1.8.0 and v1.8.1, "
        "but the cluster has v1.9.3"
    ) in said(drill.moments)
    assert drill.running_at_last == 4
    assert simulated_parts(outcome) == {AGENT, RECOVERY}
    assert (
        "the description has training-operator v1.9.3, but the rehearsal ran the installed version, v1.9.4"
    ) in outcome.notes
    pinned = played(edits={"addons.training-operator": {}, **NO_CHECKS})
    assert not any("the description's training-operator" in each for each in pinned.notes)


def test_a_spare_node_takes_over_at_once() -> None:
    """Three workers on four nodes: brought down, and running again before the new node is there."""
    (drill,) = played(a_hyperpod_job(workers=3), losses=LOSE_ONE).drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (3, 3, 3)
    assert drill.said == "HyperPod restarts the job (simulated), and its pods run on the remaining nodes"


def test_a_broken_device_is_for_the_agent_to_find() -> None:
    """Which the drill of a lost node plays."""
    (drill,) = played(edits=NO_CHECKS, losses=(Loss(resource=GPU, broken=1),)).drills
    assert any("--lose-nodes" in each for each in said(drill.moments))
    assert drill.waiting[0].cause.said.startswith(f"the pod requests 8 {GPU}; an ml.p5.48xlarge has 8")


def test_everything_that_is_played_stands_in_every_report() -> None:
    """Text, JSON and page are written from the same outcome, and each has the words."""
    from muster.cli.writers import rehearsal_html, rehearsal_json, rehearsal_text
    from muster.terminal import Style

    outcome = replace(after_a_lost_node(), seconds={})
    written = (
        "".join(rehearsal_text.write(outcome, {}, Style(colour=False))),
        rehearsal_json.write(outcome, {}),
        rehearsal_html.write(outcome).replace("&#39;", "'"),
    )
    for report in written:
        for words in (
            CHECKED,
            RECOVERY,
            RESUME,
            "simulated: HyperPod's auto-resume deletes all pods of the job to restart it",
        ):
            assert words in report

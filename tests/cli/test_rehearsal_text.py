"""A rehearsal as text: the nodes, the causes with their arithmetic, the verdict last."""

from dataclasses import replace

from muster.cli.findings import Where
from muster.cli.writers import rehearsal
from muster.cli.writers.rehearsal import text_parts as write
from muster.rehearsal.outcome import PodReport, PodState, Unit, Verdict
from muster.terminal import Style
from tests.cli.rehearsals import FULL, REASON, a_drill, a_free_node, an_outcome, one_too_few

WHERE = {FULL.where: Where("stacks/Pulumi.p5-odcr.yaml", 14, 9, FULL.where)}


def test_the_verdict_is_the_last_line() -> None:
    """In the words of the page, with what it took; in the colour of good or bad news."""
    said = "nccl-tests starts on p5-odcr: 1 of 1 pods run"
    assert "".join(write(an_outcome(), {}, Style())).splitlines()[-1] == f"{said} (Kubernetes 1.35, 4.5 s, 812 MiB)"
    assert f"[32m{said}" in "".join(write(an_outcome(), {}, Style(colour=True)))
    assert "[31;1mnccl-tests does not start" in "".join(write(one_too_few(), {}, Style(colour=True)))


def test_the_last_line_tells_the_worst_of_all_drills() -> None:
    """Each drill that ends badly by its name; a job that comes back after all of them is good news."""
    lost = tuple(a_drill(name=f"lose-nodes {number}", running_at_last=4 - number) for number in (1, 0, 4))
    last = "".join(write(an_outcome(drills=lost), {}, Style(colour=True))).splitlines()[-1]
    assert "[31;1mnccl-tests starts on p5-odcr" in last
    assert "lose-nodes 1 (3 of 4 run)" in last
    assert "lose-nodes 4 (0 of 4 run)" in last
    assert "lose-nodes 0" not in last
    back = "".join(write(an_outcome(drills=(a_drill(),)), {}, Style(colour=True))).splitlines()[-1]
    assert "[32m" in back


def test_equal_causes_are_told_once() -> None:
    """With the place, the first of many pods, what to do, and amounts that stand beside each other in one unit."""
    lines = "".join(write(one_too_few(5), WHERE, Style())).splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("stacks/"))
    workers = [f"nccl-tests-worker-{number}" for number in (4, 5, 6)]
    assert lines[start:-1] == [
        f"stacks/Pulumi.p5-odcr.yaml:14:9: {', '.join(workers)} and 2 more: no node has 8 nvidia.com/gpu left",
        "    fix: give the group 5 nodes, or ask for 4 replicas",
        (
            "    nvidia.com/gpu: requested 8; offered 32 by 4 nodes (at most 8 by one node); in use 32; "
            "free on one node: at most 0"
        ),
        (
            "    memory: requested 32000Mi; offered 7712616Mi by 4 nodes (at most 1928154Mi by one node); in use 1Mi; "
            "free on one node: at most 1928153Mi"
        ),
        f"    message of the scheduler: {REASON}",
    ]


def test_a_request_that_is_the_cause_is_placed_in_the_file_of_the_job() -> None:
    """First, because the remedy is there; then the group in the stack file. Another cause has only that."""
    too_much, found = replace(FULL, id="more-than-a-node-has"), one_too_few()
    requests_at = {("worker", FULL.sums[0].resource): "job.yaml:9:13"}
    seen = replace(found, waiting=tuple(replace(each, cause=too_much) for each in found.waiting))
    lines = "".join(write(replace(seen, requests_at=requests_at), WHERE, Style())).splitlines()
    (at,) = [number for number, line in enumerate(lines) if line.startswith("job.yaml:9:13: nccl-tests-worker-4: ")]
    assert any("stacks/Pulumi.p5-odcr.yaml:14:9" in line for line in lines[at + 1 :])
    assert "job.yaml" not in "".join(write(replace(found, requests_at=requests_at), WHERE, Style()))
    assert "job.yaml:9:13" in rehearsal.html_page(replace(seen, requests_at=requests_at))


def test_the_program_that_wrote_a_message_is_named() -> None:
    """`sbatch` and the API server refuse a job before any scheduler sees it."""
    found = one_too_few()
    for speaker in ("sbatch", "the API server", "Slurm"):
        outcome = replace(found, waiting=tuple(replace(each, speaker=speaker) for each in found.waiting))
        assert f"message of {speaker}: {REASON}" in "".join(write(outcome, WHERE, Style()))
        assert f"Message of {speaker}" in rehearsal.html_page(outcome)


def test_many_nodes_are_told_by_group() -> None:
    """And a few by name."""
    few = "".join(write(an_outcome(nodes=tuple(a_free_node(number) for number in range(24))), {}, Style()))
    many = "".join(write(an_outcome(nodes=tuple(a_free_node(number) for number in range(25))), {}, Style()))
    assert few.count("ip-10-0-0-") == 24
    assert "25 x workers (p5.48xlarge)" in many
    assert "ip-10-0-0-" not in many


def test_a_slurm_job_has_nodes_and_no_pods() -> None:
    """All of them or none; and Slurm's version stands where Kubernetes' would."""
    shares = tuple(PodReport(f"job ({number})", "node", PodState.RUNNING, f"n{number}", {}) for number in range(4))
    runs = an_outcome(pods=shares, kubernetes="", slurm="22.05.8", unit=Unit.NODE)
    text = "".join(write(runs, {}, Style()))
    assert text.splitlines()[-1] == "nccl-tests starts on p5-odcr: it runs on 4 nodes (Slurm 22.05.8, 4.5 s, 812 MiB)"
    assert "the job's pods" not in text
    for state, said in ((PodState.WAITING, "it waits for 4 nodes"), (PodState.NOT_CREATED, "Slurm refuses it")):
        stuck = replace(runs, verdict=Verdict.DOES_NOT_START, pods=tuple(replace(each, state=state) for each in shares))
        assert f"nccl-tests does not start on p5-odcr: {said} (" in "".join(write(stuck, {}, Style()))

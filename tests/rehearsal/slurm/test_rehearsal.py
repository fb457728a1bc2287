"""Scripts on a real slurmctld: Slurm's own answer to their options."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from muster.jobs.catalogue import JOBS, can_run
from muster.jobs.slurm_jobs import make as script_of
from muster.rehearsal.outcome import PodState, Verdict
from muster.rehearsal.slurm.batch_script import parse_script
from muster.rehearsal.slurm.configuration import planned_configuration
from muster.rehearsal.slurm.rehearsal import RehearsalRequest, rehearse
from muster.stack.project import open_stack
from tests.factories import CR
from tests.factories.parallelcluster import WORKERS
from tests.jobs.slurm.clusters import derived
from tests.rehearsal.slurm.clusters import ELASTIC, a_script, played, the_cause
from tests.stack_files import ON_HYPERPOD_SLURM, ON_PCS, ROOT
from tests.strategies import Described
from tests.strategies.parallelcluster import legal_slurm

pytestmark = [pytest.mark.slurm, pytest.mark.usefixtures("slurm")]


@pytest.mark.parametrize(
    ("options", "edits", "kind"), [(("--nodes=4", "--exclusive"), {}, "st"), (("--nodes=4",), ELASTIC, "dy")]
)
def test_a_job_for_the_whole_queue_starts(options: tuple[str, ...], edits: dict[str, object], kind: str) -> None:
    """On nodes that do not run yet, too."""
    outcome = played(*options, "--gpus-per-node=8", edits=edits)
    assert (outcome.verdict, outcome.waiting, outcome.scheduler) == (Verdict.STARTS, (), f"Slurm {outcome.slurm}")
    nodes = [f"train-{kind}-workers-{number}" for number in range(1, 5)]
    assert {pod.node: pod.state for pod in outcome.pods} == dict.fromkeys(nodes, PodState.RUNNING)
    assert {node.name: node.pods for node in outcome.nodes} == dict.fromkeys(nodes, ("job",))


# Those of ParallelCluster `tests/jobs/slurm/test_sbatch.py` judges for every type.
SCRIPTS = [
    (stack, name)
    for stack in (*ON_PCS, *ON_HYPERPOD_SLURM)
    for name, job in JOBS.items()
    if can_run(open_stack(ROOT, stack).derive(), job)
]


@pytest.mark.parametrize(("stack", "name"), SCRIPTS)
def test_a_script_of_ours_starts_on_all_nodes_that_it_is_for(stack: str, name: str) -> None:
    """As it is printed."""
    blueprint = open_stack(ROOT, stack).derive()
    script = parse_script(script_of(JOBS[name], blueprint).text)
    outcome = rehearse(RehearsalRequest(blueprint, script, name))
    assert (outcome.verdict, outcome.job, outcome.waiting) == (Verdict.STARTS, name, ())
    assert len(outcome.pods) == int(script.asks.get("nodes", "1"))


@pytest.mark.parametrize(
    ("stack", "options", "blamed"),
    [
        ("pcluster-gpu", "--nodes=500 --exclusive", "--nodes=500 (line 3)"),
        ("pcluster-gpu", "--nodes=$NODES", "--nodes=$NODES (line 3)"),
        ("pcluster-gpu", "--nodes=1 --gpu-per-node=8", "--gpu-per-node=8 (line 4)"),
        ("pcluster-gpu", "--nodelist=nobody --time=60", "--nodelist=nobody (line 3)"),
        # GPUs without a type, nodes without features.
        ("pcs-p5", "--nodes=2 --gres=gpu:h100:8", "--gres=gpu:h100:8 (line 4)"),
        ("pcs-p5", "--constraint=p5 --gpus-per-node=8", "--constraint=p5 (line 3)"),
        ("hyperpod-slurm-p5", "--mem=3000G --exclusive", "--mem=3000G (line 3)"),
        # Each is enough alone; none is.
        (
            "pcluster-gpu",
            "--ntasks=96 --time=60 --cpus-per-task=96",
            "--ntasks=96 (line 3) or --cpus-per-task=96 (line 5)",
        ),
        (
            "pcs-p5",
            "--exclusive --gres=gpu:h100:8 --constraint=p5",
            "--gres=gpu:h100:8 (line 4) and --constraint=p5 (line 5)",
        ),
    ],
)
def test_the_option_that_slurm_refuses_is_named(stack: str, options: str, blamed: str) -> None:
    """That without which it accepts the script, beside what its nodes have."""
    script = parse_script(a_script(*options.split()))
    outcome = rehearse(RehearsalRequest(open_stack(ROOT, stack).derive(), script, "job"))
    cause = the_cause(outcome)
    assert (outcome.verdict, cause.id) == (Verdict.DOES_NOT_START, "slurm-refuses")
    assert {pod.state for pod in outcome.pods} == {PodState.NOT_CREATED}
    assert cause.remedy.startswith(f"remove or change {blamed}; queue ")
    assert outcome.nodes[0].name.rpartition("-")[0] in cause.remedy


BLOCK = {"id": CR, "zone": "us-west-2a", "count": 4, "starts": "2026-12-01", "ends": "2026-12-15"}


@pytest.mark.parametrize(
    ("options", "edits", "words"),
    [
        (["--hold"], {}, "--hold"),
        (["--begin=now+1hour"], {}, "--begin"),
        (["--qos=high"], {}, "--qos"),
        (["--nodes=1\necho begins\n#SBATCH --nodes=200"], {}, "sbatch ignores #SBATCH on line"),
        (["--nodes=1\n# SBATCH --nodes=200"], {}, "is a comment"),
        (["--nodes=4"], {f"{WORKERS}.capacity": {"capacity-block": BLOCK}}, "from 2026-12-01 to 2026-12-15"),
    ],
)
def test_what_slurm_does_not_say_is_noted(options: list[str], edits: dict[str, object], words: str) -> None:
    outcome = played(*options, edits=edits)
    assert outcome.verdict is Verdict.STARTS
    assert any(words in note for note in outcome.notes)


def test_a_value_that_slurm_does_not_know_is_told_as_slurmctld_says_it() -> None:
    """On the head node it would not start, either, and the cluster would not be made."""
    outcome = played("--nodes=1", edits={"slurm": {"settings": {"PreemptMode": "KILL"}}})
    cause = the_cause(outcome)
    assert (outcome.verdict, cause.id, cause.where) == (
        Verdict.DOES_NOT_START,
        "settings-refused",
        "slurm.settings.PreemptMode",
    )
    assert "KILL" in outcome.waiting[0].reason


HOSTILE = {
    "settings": ("--nodes=1", {"SlurmctldPrimaryOnProg": "{program}"}),
    "two settings in one": ("--nodes=1", {"Licenses": "a:1 SlurmctldPrimaryOnProg={program}"}),
    "a body": ("--nodes=1\n\u00a0# \n{program}\n#", {}),
    "variables": ("--export=ALL,LD_PRELOAD={program},ENV={program},PATH={folder}", {}),
    "a file": ("--nodes=1\n#SBATCH --outpu={folder}/ran", {}),
    "a wrapped command": ("--nodes=1 --wrap={program}", {}),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_nothing_that_input_names_runs_or_is_written(how: str, tmp_path: Path) -> None:
    program = tmp_path / "sleep"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    option, own = HOSTILE[how]
    there = {"program": str(program), "folder": str(tmp_path)}
    given = {name: value.format(**there) for name, value in own.items()}
    outcome = played(option.format(**there), edits={"slurm": {"settings": given}})
    assert outcome.verdict is Verdict.STARTS
    assert [each.name for each in tmp_path.iterdir()] == ["sleep"]


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(legal_slurm())
def test_a_job_for_every_node_of_any_queue_starts(legal: Described) -> None:
    """With all of their GPUs: Slurm counts on the nodes what the blueprint says of them."""
    blueprint = derived(legal)
    for queue in planned_configuration(blueprint).partitions:
        gpus = {line.gpus for line in queue.lines}
        alike = f"--gpus-per-node={next(iter(gpus))}" if len(gpus) == 1 and 0 not in gpus else "--exclusive"
        script = a_script(f"--partition={queue.name}", f"--nodes={sum(line.number for line in queue.lines)}", alike)
        outcome = rehearse(RehearsalRequest(blueprint, parse_script(script), "job"))
        assert (outcome.verdict, outcome.waiting) == (Verdict.STARTS, ())
        assert {pod.node for pod in outcome.pods} == {name for line in queue.lines for name in line.names}

"""Scripts on a real slurmctld with simulated nodes."""

from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings

from muster.blueprint.slurm import SlurmBlueprint
from muster.config.project import open_stack
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Outcome, PodState, Verdict
from muster.rehearsal.slurm.batch_script import parse_script
from muster.rehearsal.slurm.configuration import planned_configuration
from muster.rehearsal.slurm.rehearsal import RehearsalRequest, rehearse
from tests.rehearsal.slurm.clusters import ELASTIC, a_script, of, played, the_cause, timeline
from tests.slurm_factories import WORKERS, a_slurm_blueprint
from tests.slurm_strategies import legal_slurm
from tests.stack_files import ROOT
from tests.strategies import Described

pytestmark = [pytest.mark.slurm, pytest.mark.usefixtures("slurm")]

NODES = tuple(f"train-st-workers-{number}" for number in range(1, 5))
GPUS = "gres/gpu:a100"


def test_a_job_for_the_whole_queue_starts_and_ends():
    """On all of its nodes, with all of their GPUs; its body began there, and Slurm saw it end."""
    outcome = played("--nodes=4", "--gpus-per-node=8", "--exclusive")
    assert (outcome.verdict, outcome.waiting, outcome.scheduler) == (
        Verdict.STARTS,
        (),
        f"Slurm {outcome.slurm}",
    )
    assert {pod.node: pod.state for pod in outcome.pods} == dict.fromkeys(NODES, PodState.RUNNING)
    assert {node.name: (node.pods, node.amounts[GPUS].used) for node in outcome.nodes} == dict.fromkeys(
        NODES, (("job",), 8)
    )
    assert timeline(outcome).splitlines() == [
        "sbatch --test-only accepts job: queue train, nodes train-st-workers-[1-4]",
        "sbatch accepts job as job 2",
        f"job runs: {', '.join(NODES)}",
        "job ends: COMPLETED",
    ]
    assert "job" in {each.name for each in outcome.simulated_parts}


def test_nothing_of_the_script_runs(tmp_path):
    """Its options are judged; its commands would run on this machine."""
    trace = tmp_path / "trace"
    blueprint = a_slurm_blueprint()
    outcome = rehearse(RehearsalRequest(blueprint, parse_script(a_script("--nodes=1", body=f"touch {trace}")), "job"))
    assert (outcome.verdict, trace.exists()) == (Verdict.STARTS, False)


def test_nodes_that_do_not_run_come_up_for_a_job():
    """Slurm powers up those that it would give the job, and no others."""
    outcome = played("--nodes=2", edits=ELASTIC)
    assert outcome.verdict is Verdict.STARTS
    assert {pod.node for pod in outcome.pods} == {"train-dy-workers-1", "train-dy-workers-2"}
    assert [node.amounts[GPUS].offered for node in outcome.nodes] == [8, 8, 0, 0]
    assert "Slurm powers up train-dy-workers-1, train-dy-workers-2" in timeline(outcome)
    assert "ResumeProgram, SuspendProgram" in {each.name for each in outcome.simulated_parts}


def test_a_full_queue_makes_it_wait_until_there_is_room():
    """In Slurm's word: Resources."""
    outcome = played("--nodes=2", full=True)
    told = timeline(outcome)
    assert outcome.verdict is Verdict.STARTS
    others = told.index("simulated: another job uses 4 nodes of queue train, so the queue is full")
    assert others < told.index("job waits (Slurm's reason: Resources)") < told.index("runs:")


REFUSED: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("refusals.yaml").read_text())


@pytest.mark.parametrize("option", REFUSED)
def test_what_slurm_refuses_has_cause_and_remedy(option: str):
    """Its own words beside; the remedy was tried where it says that Slurm takes it."""
    outcome = played(option)
    cause = the_cause(outcome)
    assert outcome.verdict is Verdict.DOES_NOT_START
    found = {"id": cause.id, "said": cause.said, "remedy": cause.remedy, "where": cause.where}
    assert found == REFUSED[option]
    assert outcome.waiting[0].reason
    assert {pod.state for pod in outcome.pods} == {PodState.NOT_CREATED}


@pytest.mark.parametrize(
    ("stack", "option", "remedy"),
    [
        ("pcs-p5", "--gres=gpu:h100:8", "set --gres=gpu:8 (Slurm accepts the job with these options)"),
        ("pcs-p5", "--constraint=p5", "remove --constraint: AWS PCS gives its nodes no features"),
        ("pcs-p5", "--nodes=9", "raise queues.train.groups.p5-nodes.nodes.max by 5"),
        ("hyperpod-slurm-p5", "--mem=3000G", "leave out --mem"),
    ],
)
def test_a_remedy_fits_the_service(stack: str, option: str, remedy: str):
    """GPUs without a type, nodes without features, a range of nodes, memory that no page states."""
    blueprint = open_stack(ROOT, stack).derive()
    assert isinstance(blueprint, SlurmBlueprint)
    outcome = rehearse(RehearsalRequest(blueprint, parse_script(a_script(option)), "job"))
    assert remedy in the_cause(outcome).remedy


def test_an_option_that_sbatch_does_not_know():
    """The one that was meant; and that a newer Slurm may have it, for the cluster's is newer."""
    cause = the_cause(played("--gpu-per-node=8"))
    assert (cause.id, cause.said) == (
        "unknown-option",
        "sbatch has no option '--gpu-per-node' (line 3); did you mean 'gpus-per-node'?",
    )
    assert (
        "the cluster has Slurm 25.11" in cause.remedy
        and "if only the cluster's version has the option, leave it out of the rehearsal" in cause.remedy
    )


def test_two_causes_are_told_together():
    """And mended together."""
    cause = the_cause(played("--nodes=9", "--gpus-per-node=16"))
    assert cause.said.count(";") == 1
    assert cause.remedy.startswith("set --nodes=4 --gpus-per-node=8 (Slurm accepts the job with these options)")


def test_gpus_with_their_type_and_without_are_told_with_both_lines():
    """Slurm's own words name neither option."""
    cause = the_cause(played("--gpus-per-node=8", "--gres=gpu:a100:8"))
    assert (cause.id, cause.said, cause.remedy) == (
        "gpus-with-and-without-type",
        (
            "the options request GPUs both with and without a type: --gpus-per-node=8 (line 3) and "
            "--gres=gpu:a100:8 (line 4)"
        ),
        "use only --gpus-per-node=8",
    )


def test_days_of_a_capacity_block_are_noted():
    """Slurm plays them as there: the day of the rehearsal is not the job's."""
    block = {"id": "cr-0123456789abcdef0", "zone": "us-west-2a", "count": 4}
    days = {"starts": "2026-12-01", "ends": "2026-12-15"}
    outcome = played("--nodes=4", edits={f"{WORKERS}.capacity": {"capacity-block": {**block, **days}}})
    note = (
        "the nodes of workers exist only from 2026-12-01 to 2026-12-15, the dates of their Capacity Block; an earlier "
        "job waits for them"
    )
    assert (outcome.verdict, note in outcome.notes) == (Verdict.STARTS, True)


def test_options_behind_the_first_command_are_noted():
    """Sbatch reads none there, without a word: the job that starts is another one than was meant."""
    script = parse_script(a_script("--nodes=1", body="echo begins\n#SBATCH --nodes=200\n#SBATCH -p gpu"))
    outcome = rehearse(RehearsalRequest(a_slurm_blueprint(), script, "job"))
    end = "after the script's first command: move them above that command"
    assert outcome.verdict is Verdict.STARTS
    assert [note for note in outcome.notes if note.endswith(end)] == [
        f"sbatch ignores #SBATCH on lines {script.unread[0]}, {script.unread[1]}, {end}"
    ]


def test_options_behind_a_space_are_noted():
    """Slurm reads them as comments, without a word."""
    script = parse_script(a_script("--nodes=1").replace("#SBATCH", "# SBATCH"))
    outcome = rehearse(RehearsalRequest(a_slurm_blueprint(), script, "job"))
    (note,) = [note for note in outcome.notes if "'# SBATCH' is a comment" in note]
    assert note.startswith(f"line{'s' if len(script.commented) > 1 else ''} {script.commented[0]}")


def test_a_remedy_that_slurm_does_not_take_is_not_told_as_one():
    """What else is wrong shows only then."""
    cause = the_cause(played("--gpus-per-node=9", "--mincpus=97"))
    assert cause.remedy == "set --gpus-per-node=8, then check Slurm's next message"


def test_time_limits_are_those_of_ones_own_settings():
    """ParallelCluster's queues have none."""
    assert played("--time=30-0").verdict is Verdict.STARTS


def test_a_held_job_does_not_start():
    """Slurm takes it, and lets it wait."""
    outcome = played("--hold")
    assert (outcome.verdict, the_cause(outcome).id) == (Verdict.DOES_NOT_START, "held")
    assert {pod.state for pod in outcome.pods} == {PodState.WAITING}


def test_a_value_that_slurm_does_not_know_is_told_as_slurmctld_says_it():
    """On the head node it would not start, either, and the cluster would not be made."""
    outcome = played("--nodes=1", edits={"slurm": {"settings": {"PreemptMode": "KILL"}}})
    cause = the_cause(outcome)
    assert (outcome.verdict, cause.id, cause.where) == (
        Verdict.DOES_NOT_START,
        "settings-refused",
        "slurm.settings.PreemptMode",
    )
    assert cause.said == "slurmctld does not start with PreemptMode"
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
def test_nothing_that_input_names_runs_or_is_written(how: str, tmp_path: Path):
    program = tmp_path / "sleep"  # the body calls it
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(0o755)
    option, own = HOSTILE[how]
    there = {"program": str(program), "folder": str(tmp_path)}
    settings = {name: value.format(**there) for name, value in own.items()}
    outcome = played(option.format(**there), edits={"slurm": {"settings": settings}})
    assert outcome.verdict is Verdict.STARTS
    assert [each.name for each in tmp_path.iterdir()] == ["sleep"]


def test_what_is_accounting_is_not_judged():
    """The rehearsal has none, and takes any name; the cluster's own may not."""
    outcome = played("--nodes=1", "-A", "ml", "--qos=high", "--wckey=paper")
    assert outcome.verdict is Verdict.STARTS
    noted = "--account, --qos, --wckey are not checked: a rehearsal has no accounting, and accepts any name"
    assert noted in outcome.notes
    (one,) = [each for each in played("--nodes=1", "--qos", "high").notes if "not checked" in each]
    assert one == "--qos is not checked: a rehearsal has no accounting, and accepts any name"
    assert not any("not checked" in each for each in played("--nodes=1").notes)


# Drills.


def lost(*options: str, number: int, **more: object) -> Outcome:
    outcome = played(*options, lost=number, **more)
    assert outcome.verdict is Verdict.STARTS
    return outcome


def test_a_lost_node_puts_the_job_onto_others():
    """Slurm requeues it; the queue has nodes to spare."""
    (drill,) = lost("--nodes=2", number=1).drills
    assert (drill.running_before, drill.running_at_last, drill.waiting) == (2, 2, ())
    assert drill.said == (
        "the job restarts on other nodes of the queue, from the beginning, or from a checkpoint if the program loads "
        "one"
    )


def test_without_nodes_to_spare_the_job_waits_for_the_replacement():
    """Then it runs on all of them again."""
    (drill,) = lost("--nodes=4", number=2).drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (4, 0, 4)
    assert drill.said == (
        "the job waits for the replacement, then restarts from the beginning, or from a checkpoint if the program "
        "loads one"
    )
    assert [each.cause.id for each in drill.waiting] == ["nodes-down"]


def test_a_job_that_may_not_be_requeued_fails_for_good():
    """--no-requeue: nobody sends it again."""
    (drill,) = lost("--nodes=4", "--no-requeue", number=1).drills
    assert (drill.running_before, drill.running_at_last) == (4, 0)
    assert drill.said == "the job fails and does not restart, because its script sets --no-requeue; submit it again"


def test_more_nodes_than_there_are_cannot_be_lost():
    """Said before anything starts."""
    with pytest.raises(RehearsalError, match=r"the drill cannot lose 5: the cluster has at most 4 nodes"):
        played("--nodes=1", lost=5)


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(legal_slurm())
def test_a_job_for_every_node_of_any_queue_starts(legal: Described):
    """With all of their GPUs: Slurm counts on the nodes what the blueprint says of them."""
    blueprint = of(legal)
    for queue in planned_configuration(blueprint).partitions:
        gpus = {line.gpus for line in queue.lines}
        alike = f"--gpus-per-node={next(iter(gpus)).number}" if len(gpus) == 1 and None not in gpus else "--exclusive"
        script = a_script(f"--partition={queue.name}", f"--nodes={queue.nodes}", alike)
        outcome = rehearse(RehearsalRequest(blueprint, parse_script(script), "job"))
        assert (outcome.verdict, outcome.waiting) == (Verdict.STARTS, ())
        assert {pod.node for pod in outcome.pods} == {name for line in queue.lines for name in line.names}

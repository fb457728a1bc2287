"""`muster rehearse` of a stack with Slurm: its queues and a job's script on a real slurmctld on this machine."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from muster import user_files
from muster.cli.exits import WrongInput

if TYPE_CHECKING:
    from muster.blueprint.slurm import SlurmBlueprint
    from muster.cli.commands.rehearse import RehearseOptions
    from muster.rehearsal.outcome import Outcome
    from muster.rehearsal.slurm.batch_script import Script
    from muster.rehearsal.slurm.rehearsal import RehearsalRequest

_FILLS = (
    "it fills a manifest's variables; sbatch expands none in #SBATCH lines, so write the values there (sbatch --export "
    "sets variables for the script's commands alone)"
)
_ELSEWHERE = {
    "--charts": "add-ons are Kubernetes'",
    "--lose-zone": "clusters with Slurm have no zone drill; --lose-nodes loses nodes of a queue",
    "--degrade": "Slurm drains a node whose GPUs are fewer than it was told; --lose-nodes loses one",
    "--deep-checks": "they are HyperPod's",
    "--set": _FILLS,
    "--env-file": _FILLS,
}
"""Option that does not apply to a cluster with Slurm -> the reason."""


def rehearse_on_slurm(blueprint: "SlurmBlueprint", options: "RehearseOptions") -> "Outcome | None":
    """Runs a job in the planned queues; None where Slurm is not on this machine and `--if-built` is given, which is
    printed.

    Raises:
        WrongInput: an option does not fit the stack, or the rehearsal cannot go on.
    """
    from muster.cli import terminal

    given = {"--charts": options.charts, "--lose-zone": options.lose_zone, "--degrade": options.degrade}
    given |= {"--deep-checks": options.deep_checks, "--set": options.sets, "--env-file": options.env_file}
    _refuse_kubernetes_options(given, blueprint.stack)
    request = _request(blueprint, options)
    if options.if_built and (lacking := _missing()):
        terminal.write(f"not rehearsed: {lacking}\n")
        return None
    return _played(request)


def _refuse_kubernetes_options(given: Mapping[str, object], stack: str) -> None:
    """Refuses options that are for Kubernetes.

    Raises:
        WrongInput: such an option is given.
    """
    wrong = [f"{option}: {why}" for option, why in _ELSEWHERE.items() if given[option]]
    if wrong:
        raise WrongInput("\n".join(f"{each}; {stack} has Slurm, so leave it out" for each in wrong))


def _missing() -> str:
    """The missing programs of Slurm's rehearsal, and how to install them; empty where none is missing."""
    from muster.rehearsal.slurm import programs

    return programs.missing_programs()


def _request(blueprint: "SlurmBlueprint", options: "RehearseOptions") -> "RehearsalRequest":
    """The job to rehearse.

    Raises:
        WrongInput: the file is not a batch script, Muster has no such job, the job does not fit, or there are fewer
        nodes
            than the drill loses.
    """
    from muster.rehearsal.machine_limits import RehearsalError
    from muster.rehearsal.slurm import drills
    from muster.rehearsal.slurm.configuration import planned_configuration
    from muster.rehearsal.slurm.rehearsal import RehearsalRequest

    job, file, full, lost = options.job, options.file, options.full_queue, options.lose_nodes or 0
    notes = options.notes
    try:
        drills.check_loss(lost, planned_configuration(blueprint))
    except RehearsalError as fault:
        raise WrongInput(f"the rehearsal cannot go on: {fault}") from None
    if file is not None:
        return RehearsalRequest(
            blueprint, read_script(file), Path(file).stem if file != "-" else "stdin", full, lost, notes
        )
    from muster.jobs.catalogue import DoesNotFit, JobOptions, UnknownJob, first_fitting, job_of, script_of
    from muster.rehearsal.slurm import batch_script

    ask = JobOptions(options.group, options.nodes, beyond_the_group=True)
    try:
        chosen = job_of(job) if job else first_fitting(blueprint, ask)
        text = script_of(chosen, blueprint, ask).text
    except UnknownJob as fault:
        raise WrongInput(str(fault)) from None
    except DoesNotFit as fault:
        which = f"{job} does not fit" if job else "no job of ours fits"
        raise WrongInput("\n".join(f"{which} {blueprint.stack}: {reason}" for reason in fault.reasons)) from None
    if not job:
        notes = (*notes, f"no --job and no --file: {chosen.name}, the first of ours that fits")
    return RehearsalRequest(blueprint, batch_script.parse_script(text), chosen.name, full, lost, notes)


def _played(what: "RehearsalRequest") -> "Outcome":
    """The rehearsal itself.

    Raises:
        WrongInput: it cannot go on.
    """
    from muster.rehearsal.machine_limits import RehearsalError
    from muster.rehearsal.progress import Progress
    from muster.rehearsal.slurm.rehearsal import rehearse

    progress = Progress()
    try:
        return rehearse(what, progress)
    except RehearsalError as fault:
        raise WrongInput(f"the rehearsal cannot go on: {fault}") from None
    finally:
        progress.status("")


def read_script(where: str) -> "Script":
    """A script of the user's own.

    Raises:
        WrongInput: it cannot be read, or sbatch would not take it for a script.
    """
    from muster.rehearsal.slurm.batch_script import MalformedScript, parse_script

    name = "stdin" if where == "-" else where
    try:
        # Line ends are kept: sbatch refuses those of Windows.
        return parse_script(user_files.read_bytes(where, user_files.MANIFEST).decode(), name)
    except user_files.CannotRead as fault:
        raise WrongInput(f"{name}: {fault}") from None
    except UnicodeDecodeError:
        raise WrongInput(f"{name}: it is no text, and a job's script is") from None
    except MalformedScript as fault:
        raise WrongInput(f"{name}: {fault}") from None
